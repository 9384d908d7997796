"""The real service on a free port, and clients that talk to it."""

import json
import os
import secrets
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from patience import WAIT, wait_until
from quintet.bench.server_process import ServerProcess, serve

__all__ = ["WAIT", "Seat", "Server", "own_address", "wait_until"]


def own_address() -> str:
    """A loopback address for one test alone: while its server is away, nobody else is given the port."""
    return f"127.{secrets.randbelow(254) + 1}.{secrets.randbelow(256)}.{secrets.randbelow(254) + 1}"


class Server:
    """`quintet serve` in a process of its own."""

    def __init__(self, database: str, *options: str) -> None:
        self.database = database
        self.options = options
        self.start()

    def start(self) -> None:
        self.connect(serve(self.database, "--workers", "1", *self.options))

    def connect(self, child: ServerProcess) -> None:
        """Talk to a server that runs."""
        self.child = child
        self.host = self.child.url.removeprefix("http://")
        self.http = httpx.Client(base_url=self.child.url, timeout=WAIT)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.child.kill()
        self.http.close()

    def stop(self) -> str:
        """End it as a person does, which it heeds; gives what it said on standard error."""
        self.http.close()
        said = self.child.stop()
        assert self.child.process.returncode != -signal.SIGKILL
        return said

    @contextmanager
    def engines_at_rest(self) -> Iterator[None]:
        """Meanwhile no engine thinks: the processes that the server begins for the first of them stand still."""
        first = self.begin(size="2x2", seats={"1": "level:1", "2": "level:1"}, take=[])
        wait_until(lambda: self.table(first["id"])["state"]["over"])
        begun = Path(f"/proc/{self.child.process.pid}/task").glob("*/children")
        children = [int(pid) for path in begun for pid in path.read_text().split()]
        assert children, "engines think in the server's own process"
        for pid in children:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in children:
                os.kill(pid, signal.SIGCONT)

    def begin(self, game: str = "gridlock", **options: Any) -> dict[str, Any]:
        """A new match."""
        answer = self.http.post("/api/matches", json={"game": game, **options})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def friends(self, game: str = "gridlock", **options: Any) -> tuple[str, str, str]:
        """A new match between two people: its id and their tokens."""
        begun = self.begin(game, **options)
        joined = self.http.post(f"/api/matches/{begun['id']}/join", json={"name": "Bea"})
        assert joined.status_code == 200, joined.text
        return begun["id"], begun["tokens"]["1"], joined.json()["token"]

    def table(self, id: str, token: str | None = None) -> dict[str, Any]:
        """A table as it is seen with a token."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.http.get(f"/api/matches/{id}", headers=headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def post(self, id: str, what: str, token: str, **body: Any) -> httpx.Response:
        """Ask for something at a table."""
        return self.http.post(f"/api/matches/{id}/{what}", json=body, headers={"Authorization": f"Bearer {token}"})

    def sit(self, id: str, *tokens: str) -> "Seat":
        """Open a socket and say hello."""
        return Seat(self.host, id, tokens)


class Seat:
    """A socket at a table."""

    def __init__(self, host: str, id: str, tokens: Sequence[str]) -> None:
        self.stack = ExitStack()
        url = f"ws://{host}/api/matches/{id}/live"
        self.socket: ClientConnection = self.stack.enter_context(
            connect(url, compression=None, open_timeout=WAIT, ping_interval=None)
        )
        self.say(type="hello", tokens=list(tokens))
        self.table = self.hear("table")

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, kind: str | None = None) -> dict[str, Any]:
        """The next message, which must be of a kind."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=WAIT))
        assert kind is None or message["type"] == kind, message
        return message

    def hear_until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next message of a kind with these fields."""
        while True:
            message = self.hear()
            if message["type"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    def move(self, ply: int, text: str, undone: int = 0, **more: Any) -> None:
        self.say(type="move", ply=ply, undone=undone, move=text, **more)

    def __enter__(self) -> "Seat":
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()
