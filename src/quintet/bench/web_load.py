"""The load test of Quintet's server: many matches are played and watched at once."""

import asyncio
import tempfile
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from itertools import cycle
from typing import TypeVar

import msgspec

from quintet.bench.load_test import LoadTest
from quintet.bench.meter import Figures
from quintet.bench.server_process import ServerFault, serve
from quintet.bench.web_clients import Player, Spectator
from quintet.bench.websocket import WebSocketFault
from quintet.engines import HUMAN
from quintet.errors import QuintetError
from quintet.web.messages import CreatedMatch, JoinRequest, NewMatch, Seats, Strict, TakenSeat
from quintet.web.open_files import raise_file_limit

SPARE_FILES = 200
"""Open files that a server or its clients have besides sockets."""

Answer = TypeVar("Answer", bound=msgspec.Struct)


class LoadFault(QuintetError):
    """A load test that cannot be run."""

    status = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """How many clients a load test has, and what they do."""

    games: tuple[str, ...]
    """They are played in turn."""
    size: str | None = None
    """Of the boards; by default those of the rule books."""
    matches: int = 100
    engines: int = 0
    """Matches against an engine."""
    engine: str = "level:5"
    sockets: int = 0
    """Open sockets, at least: spectators are added to the players."""
    pace: float = 0
    """Average seconds between the moves of a match; 0 for no pause."""


def prepare(url: str, plan: Plan) -> LoadTest:
    """A load test whose matches are created as people do it: one creates a match, the other joins."""
    test = LoadTest(url)
    server = HTTPConnection(test.host, test.port, timeout=30)
    for number, game in zip(range(plan.matches), cycle(plan.games), strict=False):
        alone = number < plan.engines
        seats = Seats(two=plan.engine if alone else HUMAN)
        created = post(server, "/api/matches", NewMatch(game, plan.size, seats=seats), CreatedMatch)
        test.clients.append(Player(test, created.id, created.tokens["1"], 1, plan.pace, alone))
        if not alone:
            taken = post(server, f"/api/matches/{created.id}/join", JoinRequest(), TakenSeat)
            test.clients.append(Player(test, created.id, taken.token, taken.seat, plan.pace))
    server.close()
    tables = cycle([client.table for client in test.clients if isinstance(client, Player)])
    while len(test.clients) < plan.sockets:
        test.clients.append(Spectator(test, next(tables)))
    return test


def post(server: HTTPConnection, path: str, body: Strict, answer: type[Answer]) -> Answer:
    """A server's answer to a POST request; `LoadFault` if it refuses."""
    try:
        server.request("POST", path, msgspec.json.encode(body), {"Content-Type": "application/json"})
        response = server.getresponse()
        text = response.read()
    except (OSError, HTTPException) as error:
        raise LoadFault(f"no server answers at {server.host} port {server.port}: {error}") from None
    if response.status >= 400:
        raise LoadFault(f"the server refused a request: {text.decode(errors='replace')[:200]}")
    return msgspec.json.decode(text, type=answer)


def run(plan: Plan, seconds: float, url: str | None = None, database: str | None = None) -> Figures:
    """Run a load test on the server at a URL, or on one started for it, by default with a temporary database."""
    raise_file_limit(max(plan.sockets, 2 * plan.matches) + SPARE_FILES)
    try:
        if url:
            return measure(prepare(url, plan), seconds)
        with tempfile.TemporaryDirectory(prefix="quintet-") as scratch:
            server = serve(database or f"sqlite:///{scratch}/quintet.db", "--no-limits")
            try:
                return measure(prepare(server.url, plan), seconds, server.process.pid)
            finally:
                server.stop()
    except (ServerFault, WebSocketFault) as fault:
        raise LoadFault(str(fault)) from None


def measure(test: LoadTest, seconds: float, server: int | None = None) -> Figures:
    """The results of a load test, on the fastest event loop there is."""
    work = test.run(seconds, server)
    if find_spec("uvloop"):
        import uvloop

        return uvloop.run(work)
    return asyncio.run(work)
