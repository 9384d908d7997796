# /// script
# requires-python = ">=3.11"
# dependencies = ["quintet-games", "quintet-text", "verifiers==0.4.0"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# quintet-text = { path = "." }
# ///
"""256 rollouts at once in verifiers, with scripted agents behind an endpoint like OpenAI's."""

import asyncio
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

import verifiers.v1 as vf
from aiohttp import web
from quintet_text import load_environment

from scripted import Answer, Row, Transcript, check, run_example


async def serve(answer: Answer) -> tuple[web.AppRunner, str]:
    """An endpoint that answers the last message of a conversation."""

    async def complete(request: web.Request) -> web.Response:
        body = await request.json()
        message = {"role": "assistant", "content": answer(body["messages"][-1]["content"])}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        told = {"id": "1", "object": "chat.completion", "created": 1, "model": body["model"]}
        return web.json_response(told | {"choices": [choice], "usage": usage})

    app = web.Application()
    app.router.add_post("/v1/chat/completions", complete)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, f"http://127.0.0.1:{runner.addresses[0][1]}/v1"


async def play_together(rows: list[Row], answer: Answer) -> list[Transcript]:
    """All games at once, as episodes of one environment."""
    env = load_environment(rows=rows)
    runner, url = await serve(answer)
    context = vf.ModelContext("scripted", vf.EvalClientConfig(base_url=url, api_key_var="NO_KEY"))
    tasks = list(env.taskset.take(len(rows)))
    async with env.serving():
        episodes = await asyncio.gather(*(env.run_episode(task, context) for task in tasks))
    await runner.cleanup()
    played = []
    for episode in episodes:
        assert episode.ok, episode.errors or [trace.errors for trace in episode.traces]
        (trace,) = episode.traces
        messages = trace.branches[-1].messages
        texts = [message.content for message in messages if message.role == "user"]
        assert trace.reward == sum(trace.info["rewards"]) and len(texts) == len(trace.info["rewards"])
        played.append(Transcript(texts, trace.info["rewards"]))
    return played


check(lambda rows, answer: asyncio.run(play_together(rows, answer)))
run_example("verifiers")
