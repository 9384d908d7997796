# /// script
# requires-python = ">=3.11"
# dependencies = ["mcp<2", "openenv==0.10.0", "quintet-games"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
"""256 games at once as sessions of one OpenEnv server, each with a client of its own, with scripted agents."""

import asyncio
import sys
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

import uvicorn
from environment import QuintetAction, QuintetClient, app

from scripted import Answer, Row, Transcript, check, run_example

server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
threading.Thread(target=server.run, daemon=True).start()
while not server.started:
    time.sleep(0.05)
URL = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


async def play_one(row: Row, answer: Answer) -> Transcript:
    """One game, with a connection of its own."""
    played = Transcript([], [])
    async with QuintetClient(URL, connect_timeout_s=120, message_timeout_s=120) as client:
        result = await client.reset(**row, episode_id=f"episode {row['seed']}")
        while not result.done:
            played.texts.append(result.observation.text)
            result = await client.step(QuintetAction(answer=answer(result.observation.text)))
            played.rewards.append(result.reward)
        state = await client.state()
        assert (state.episode_id, state.step_count) == (f"episode {row['seed']}", len(played.rewards))
    return played


def play(rows: list[Row], answer: Answer) -> list[Transcript]:
    """All games at once."""

    async def together() -> list[Transcript]:
        return await asyncio.gather(*(play_one(row, answer) for row in rows))

    return asyncio.run(together())


check(play)
run_example("OpenEnv", {"http://localhost:8000": URL})
server.should_exit = True
