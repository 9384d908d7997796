"""The servers that are fuzzed: HTTP requests and WebSocket messages to the web service, calls of an assistant's tools.

They run in this process, on their own event loops, without a network.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote_to_bytes

from starlette.types import Message

from quintet.bench.fuzz import Target, WrongAnswer
from quintet.safe_text import is_safe
from quintet.store.matches import Store

SECONDS = 15.0
"""The time that a request may take."""

REQUESTS = (
    'POST /api/matches\n\n{"game": "gridlock", "size": "3x3", "seats": {"1": "human", "2": "human"}, "name": "Ada"}',
    'POST /api/matches\n\n{"game": "isolation", "clock": {"seconds": 60, "increment": 1}, "moves": "7", "take": [1]}',
    "GET /api/matches?ids=ID&limit=5",
    "GET /api/matches/ID\nauthorization: Bearer TOKEN",
    'POST /api/matches/ID/join\n\n{"name": "Bea"}',
    'POST /api/matches/ID/moves\nauthorization: Bearer TOKEN\n\n{"ply": 0, "undone": 0, "move": "1 1"}',
    "POST /api/matches/ID/resign\nauthorization: Bearer TOKEN\n\n{}",
    'POST /api/matches/ID/rematch\nauthorization: Bearer TOKEN\n\n{"answer": "offer"}',
    'POST /api/matches/ID/undo\nauthorization: Bearer TOKEN\n\n{"answer": "offer", "ply": 1, "undone": 0}',
    "GET /api/matches/ID/record",
    "GET /api/matches/ID/qr\nhost: games.example",
    'POST /api/records\ncontent-type: text/plain\n\n[Game "gridlock"]\n[Size "3x3"]\n[Result "*"]\n\n1. 1 1; 3 3\n',
    "GET /api/games\naccept-encoding: gzip",
    "GET /api/games/gridlock/rules",
    "GET /api/engines",
    "GET /api/position?game=gridlock&moves=1%201;%203%203&size=4x4",
    "GET /api/position?game=point-capture&position=point-capture%20XO./...%20O%20target=5%20values=1,2,3,4,5,6",
    "GET /api/ladder",
    "GET /api/health",
    "GET /match/ID\naccept: text/html",
    "HEAD /static/js/app.js\nif-none-match: x\nrange: bytes=0-5",
)
MESSAGES = (
    '{"type": "hello", "tokens": ["TOKEN"]}',
    '{"type": "hello", "tokens": [], "match": "ID"}',
    '{"type": "move", "ply": 0, "undone": 0, "move": "1 1", "id": 7}\n{"type": "ping"}',
    '{"type": "undo", "answer": "offer", "ply": 1, "undone": 0}\n{"type": "rematch", "answer": "accept", "id": "x"}',
    '{"type": "resign", "id": [1, {"a": null}]}',
)
CALLS = (
    '{"tool": "list_games", "arguments": {}}',
    '{"tool": "read_rules", "arguments": {"game": "gridlock"}}',
    '{"tool": "start_match", "arguments": {"game": "gridlock", "size": "3x3", "player2": "random", "first": "2"}}',
    '{"tool": "start_match", "arguments": {"game": "point-capture", "target": 5, "values": "1,2,3,4", "size": "2x2"}}',
    '{"tool": "show_board", "arguments": {"match": "ID"}}',
    '{"tool": "legal_moves", "arguments": {"match": "ID"}}',
    '{"tool": "play_move", "arguments": {"match": "ID", "move": "1 1"}}',
    '{"tool": "undo_move", "arguments": {"match": "ID"}}',
    '{"tool": "resign_match", "arguments": {"match": "ID", "player": 1}}',
    '{"tool": "list_matches", "arguments": {"limit": 3, "unfinished": true}}',
    '{"tool": "resume_match", "arguments": {"match": "ID", "player1": "person", "player2": "random"}}',
)


class WebService:
    """The web service, without a network."""

    def __init__(self, database: str) -> None:
        """Open it."""
        from quintet.web.app import Settings, make_app

        self.runner = asyncio.Runner()
        self.app = make_app(Settings(database, workers=1, limited=False))
        self.began, self.over = asyncio.Event(), asyncio.Event()
        self.failure = ""
        self.life = self.run(self.open())
        self.id, self.token = "", ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.run(asyncio.wait([self.life]))
        self.runner.close()

    def run(self, work: "Coroutine[Any, Any, Any]") -> Any:
        """The result of some work on the service's loop."""
        return self.runner.run(work)

    async def open(self) -> "asyncio.Task[None]":
        """Begin the life of the application."""

        async def receive() -> Message:
            if not self.began.is_set():
                return {"type": "lifespan.startup"}
            await self.over.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message: Message) -> None:
            self.failure = str(message.get("message", ""))
            self.began.set()

        async def live() -> None:
            await self.app({"type": "lifespan"}, receive, send)

        life = asyncio.create_task(live())
        await self.began.wait()
        return life

    def new_match(self) -> None:
        """A match for the inputs that need one."""
        _, body = self.run(self.request("POST", "/api/matches", b'{"game": "gridlock", "take": [1, 2]}'))
        made = json.loads(body)
        self.id, self.token = made["id"], made["tokens"]["1"]

    async def request(
        self, method: str, path: str, body: bytes = b"", headers: "list[tuple[bytes, bytes]] | None" = None
    ) -> tuple[int, bytes]:
        """The status and the body of the answer to a request."""
        route, _, query = path.partition("?")
        sent: list[Message] = []
        parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if not parts:
                await asyncio.Event().wait()
            return parts.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {
            **SCOPE,
            "type": "http",
            "method": method,
            "path": unquote_to_bytes(route).decode(errors="replace"),
            "raw_path": route.encode(errors="replace"),
            "query_string": query.encode(errors="replace"),
            "headers": [*OUR_HEADERS, *(headers or [])],
        }
        async with asyncio.timeout(SECONDS):
            await self.app(scope, receive, send)
        status = next((message["status"] for message in sent if "status" in message), 0)
        return status, b"".join(message.get("body", b"") for message in sent)

    def try_request(self, data: bytes) -> None:
        """Send an input as a request. Every answer but a server error is right."""
        if b"ID" in data:
            self.new_match()
        head, _, body = self.fill(data).partition(b"\n\n")
        first, *lines = head.split(b"\n")
        method, _, path = first.decode("latin-1").partition(" ")
        if not method.isascii() or not method.isalpha():
            return  # The protocol would refuse it.
        pairs = [line.partition(b":")[::2] for line in lines if b"\0" not in line]
        headers = [(name.strip().lower(), value.strip()) for name, value in pairs]
        status, answer = self.run(self.request(method.upper(), path, body, headers))
        if not 200 <= status < 500:
            raise WrongAnswer(f"status {status}: {answer[:100]!r}")

    def fill(self, data: bytes) -> bytes:
        """The input with the match and the token in it."""
        return data.replace(b"ID", self.id.encode()).replace(b"TOKEN", self.token.encode())

    async def talk(self, texts: list[bytes]) -> list[Message]:
        """What a socket sends that says hello and then these messages."""
        hello = json.dumps({"type": "hello", "tokens": [self.token]}).encode()
        sent: list[Message] = []
        messages: list[Message] = [
            {"type": "websocket.connect"},
            *({"type": "websocket.receive", "text": text.decode(errors="replace")} for text in (hello, *texts)),
            {"type": "websocket.disconnect", "code": 1000},
        ]
        said = iter(messages)

        async def receive() -> Message:
            await asyncio.sleep(0)
            return next(said)

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {**SCOPE, "type": "websocket", "path": f"/api/matches/{self.id}/live", "headers": OUR_HEADERS}
        async with asyncio.timeout(SECONDS):
            await self.app(scope, receive, send)
        return sent

    def try_messages(self, data: bytes) -> None:
        """Send the lines of an input to a table. Each answer must be JSON, and the socket must stay open."""
        self.new_match()
        for message in self.run(self.talk(self.fill(data).split(b"\n"))):
            if message["type"] == "websocket.send":
                json.loads(message["text"])
            elif message["type"] == "websocket.close" and message["code"] == 1011:
                raise WrongAnswer("the socket was closed by a fault")


OUR_HEADERS = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
"""Without them most requests would be refused before they are read."""
SCOPE: Message = {
    "asgi": {"version": "3.0"},
    "http_version": "1.1",
    "scheme": "http",
    "query_string": b"",
    "client": ("127.0.0.1", 1),
    "server": ("127.0.0.1", 80),
    "root_path": "",
    "subprotocols": [],
}


def web_targets(folder: Path, stack: ExitStack) -> list[Target]:
    """The web service; the stack closes it."""
    service = stack.enter_context(WebService(f"sqlite:///{folder / 'web.db'}"))
    return [
        Target("requests", service.try_request, [text.encode() for text in REQUESTS]),
        Target("messages", service.try_messages, [text.encode() for text in MESSAGES]),
    ]


def tool_targets(folder: Path, stack: ExitStack) -> list[Target]:
    """The tools for assistants; the stack closes their store."""
    caller = tool_caller(f"sqlite:///{folder / 'tools.db'}", stack)
    return [Target("tools", caller, [text.encode() for text in CALLS])]


def tool_caller(database: str, stack: ExitStack) -> Callable[[bytes], None]:
    """Calls a tool as an assistant does."""
    from mcp_types import CallToolResult, TextContent

    from quintet.llm.mcp.server import make_server
    from quintet.llm.mcp.tools import Tools

    tools = Tools(database)
    server, runner = make_server(tools), stack.enter_context(asyncio.Runner())
    stack.callback(tools.close)
    known = "none"

    def call(data: bytes) -> None:
        nonlocal known
        try:
            asked = json.loads(data.replace(b"ID", known.encode()))
            name, arguments = str(asked["tool"]), dict(asked["arguments"])
        except (ValueError, KeyError, TypeError, RecursionError):
            return  # The protocol would refuse it.
        result = runner.run(server.call_tool(name, arguments))
        assert isinstance(result, CallToolResult)
        texts = [content.text for content in result.content if isinstance(content, TextContent)]
        if not all(map(is_safe, texts)):
            raise WrongAnswer("the answer has characters that cannot be printed")
        with Store(database) as store:
            known = next((entry.id for entry in store.entries(1)), known)

    return call
