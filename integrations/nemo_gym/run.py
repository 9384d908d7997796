# /// script
# requires-python = ">=3.12"
# dependencies = ["mcp<2", "nemo-gym==0.4.0", "quintet-games"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
"""256 rollouts at once in NeMo Gym: its agent, our resources server, and a model server with scripted agents.

Newer versions of NeMo Gym need Python 3.13.14 or later.
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

import uvicorn
from app import QuintetServer
from fastapi import FastAPI, Request
from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.server_utils import (
    BaseServerConfig,
    GlobalAIOHTTPAsyncClientConfig,
    ServerClient,
    get_response_json,
    raise_for_status,
    set_global_aiohttp_client,
)
from omegaconf import OmegaConf
from responses_api_agents.gymnasium_agent.app import GymnasiumAgent, GymnasiumAgentConfig

from scripted import Answer, Row, Transcript, check

NAMES = {"games": "resources_servers", "agent": "responses_api_agents", "model": "responses_api_models"}
loop = asyncio.new_event_loop()
model = FastAPI()


@model.post("/v1/responses")
async def respond(request: Request) -> dict[str, Any]:
    """Answer the last message of a conversation, as the script says."""
    body = await request.json()
    text = model.state.answer(body["input"][-1]["content"])
    content = [{"type": "output_text", "text": text, "annotations": []}]
    message = {"id": "1", "type": "message", "role": "assistant", "status": "completed", "content": content}
    told = {"id": "1", "object": "response", "created_at": time.time(), "model": "scripted", "output": [message]}
    return told | {"parallel_tool_calls": False, "tool_choice": "auto", "tools": []}


async def serve(app: FastAPI, servers: list[uvicorn.Server]) -> int:
    """Serve an app at a free port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", timeout_keep_alive=600))
    servers.append(server)
    server.task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    return server.servers[0].sockets[0].getsockname()[1]


async def open_servers() -> tuple[ServerClient, QuintetServer, list[uvicorn.Server]]:
    """Everything that a rollout needs."""
    set_global_aiohttp_client(GlobalAIOHTTPAsyncClientConfig())
    servers: list[uvicorn.Server] = []
    addresses = OmegaConf.create(
        {name: {kind: {name: {"host": "127.0.0.1", "port": 0}}} for name, kind in NAMES.items()}
    )
    client = ServerClient(head_server_config=BaseServerConfig(host="127.0.0.1", port=0), global_config_dict=addresses)
    place = {"host": "127.0.0.1", "port": 0, "entrypoint": ""}
    games = QuintetServer(config=BaseResourcesServerConfig(name="games", **place), server_client=client)
    refers = {
        "resources_server": {"type": NAMES["games"], "name": "games"},
        "model_server": {"type": NAMES["model"], "name": "model"},
    }
    config = GymnasiumAgentConfig(name="agent", max_steps=100, **refers, **place)
    agent = GymnasiumAgent(config=config, server_client=client)
    for name, app in (("games", games.setup_webserver()), ("agent", agent.setup_webserver()), ("model", model)):
        client.global_config_dict[name][NAMES[name]][name]["port"] = await serve(app, servers)
    return client, games, servers


async def play_one(client: ServerClient, row: Row) -> Transcript:
    """One rollout by the agent."""
    body = {"responses_create_params": {"input": []}, "episode": row}
    reply = await client.post("agent", "/run", json=body)
    await raise_for_status(reply)
    done = await get_response_json(reply)
    messages = done["responses_create_params"]["input"] + done["response"]["output"]
    texts = [message["content"] for message in messages if message["role"] == "user"]
    assert done["terminated"] and done["reward"] == sum(done["info"]["rewards"])
    return Transcript(texts, done["info"]["rewards"])


def play(rows: list[Row], answer: Answer) -> list[Transcript]:
    """All rollouts at once."""
    model.state.answer = answer

    async def together() -> list[Transcript]:
        return await asyncio.gather(*(play_one(client, row) for row in rows))

    played = loop.run_until_complete(together())
    assert not games.session_state, "a game that is over is forgotten"
    return played


async def close_servers() -> None:
    """End the servers."""
    for server in servers:
        server.should_exit = True
    await asyncio.gather(*(server.task for server in servers))


client, games, servers = loop.run_until_complete(open_servers())
check(play)
loop.run_until_complete(close_servers())
