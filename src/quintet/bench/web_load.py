"""The load test of Quintet's server: many matches are played and watched at once."""

import asyncio
import signal
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from itertools import cycle
from tempfile import TemporaryDirectory
from typing import TypeVar

import msgspec

from quintet.bench.hostile_clients import hostile_clients
from quintet.bench.load_test import LoadTest
from quintet.bench.meter import Figures
from quintet.bench.outages import Outages
from quintet.bench.postgres_process import PostgresFault, running_postgres
from quintet.bench.server_process import ServerFault, serve
from quintet.bench.web_clients import Player, Spectator
from quintet.bench.websocket import WebSocketFault
from quintet.engines import HUMAN
from quintet.errors import QuintetError
from quintet.web.messages import CreatedMatch, JoinRequest, NewMatch, Seats, Strict, TakenSeat
from quintet.web.open_files import raise_file_limit

PER_ADDRESS = 32
"""Clients of one address, where they are spread over several."""
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
    flooding: int = 0
    """Sockets beside them that send messages as fast as they can."""
    half_open: int = 0
    """Connections beside them with a request that never ends."""
    processes: int = 1
    """Server processes; more than one need PostgreSQL."""
    kill_every: float | None = None
    """Seconds between two server processes that are killed (SIGKILL)."""
    drain_every: float | None = None
    """Seconds between two server processes that are told to stop (SIGTERM)."""

    @property
    def outages(self) -> Outages | None:
        """How server processes are ended, if they are."""
        if self.kill_every:
            return Outages(signal.SIGKILL, self.kill_every)
        return Outages(signal.SIGTERM, self.drain_every) if self.drain_every else None

    @property
    def hostile(self) -> bool:
        """Whether there are clients that try to disturb the others."""
        return self.flooding > 0 or self.half_open > 0


def prepare(url: str, plan: Plan, spread: bool = False) -> LoadTest:
    """A load test whose matches are created as people do it: one creates a match, the other joins.

    The clients can be spread over many addresses of this machine, as people are, so that the server's limits per
    address are those of a few clients.
    """
    test = LoadTest(url, plan.outages)
    server = HTTPConnection(test.host, test.port, timeout=30)
    for number, game in zip(range(plan.matches), cycle(plan.games), strict=False):
        if spread and number % (PER_ADDRESS // 2) == 0:
            server.close()
            address = local_address(len(test.clients))
            server = HTTPConnection(test.host, test.port, timeout=30, source_address=(address, 0))
        alone = number < plan.engines
        seats = Seats(two=plan.engine if alone else HUMAN)
        created = post(server, "/api/matches", NewMatch(game, plan.size, seats=seats), CreatedMatch)
        host = Player(test, created.id, created.tokens["1"], 1, plan.pace, alone)
        test.clients.append(host)
        if not alone:
            taken = post(server, f"/api/matches/{created.id}/join", JoinRequest(), TakenSeat)
            guest = Player(test, created.id, taken.token, taken.seat, plan.pace)
            host.opponent, guest.opponent = guest, host
            test.clients.append(guest)
            if test.outages:
                test.outages.players += [host, guest]
    server.close()
    tables = cycle([client.table for client in test.clients if isinstance(client, Player)])
    while len(test.clients) < plan.sockets:
        test.clients.append(Spectator(test, next(tables)))
    if spread:
        for number, client in enumerate(test.clients):
            client.address = local_address(number)
    return test


def local_address(number: int) -> str:
    """The address of a client, by its number."""
    network, host = divmod(number // PER_ADDRESS, 250)
    return f"127.0.{1 + network}.{1 + host}"


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
    """Run a load test on the server at a URL, or on one started for it, by default with a temporary database.

    Only a server without hostile clients is started without limits.
    """
    raise_file_limit(max(plan.sockets, 2 * plan.matches) + SPARE_FILES)
    try:
        if url:
            return measure(prepare(url, plan), seconds, plan=plan)
        with ExitStack() as stack:
            if not database and plan.processes > 1:
                database = stack.enter_context(running_postgres()).url
            elif not database:
                database = f"sqlite:///{stack.enter_context(TemporaryDirectory(prefix='quintet-'))}/quintet.db"
            options = ["--processes", str(plan.processes), *([] if plan.hostile else ["--no-limits"])]
            server = serve(database, *options)
            try:
                test = prepare(server.url, plan, plan.hostile)
                figures = measure(test, seconds, server.process.pid, plan)
                if test.outages:
                    figures.outages = test.outages.finish(database)
                return figures
            finally:
                server.stop()
    except (ServerFault, PostgresFault, WebSocketFault) as fault:
        raise LoadFault(str(fault)) from None


def measure(test: LoadTest, seconds: float, server: int | None = None, plan: Plan | None = None) -> Figures:
    """The results of a load test, on the fastest event loop there is."""
    run = asyncio.run
    if find_spec("uvloop"):
        import uvloop

        run = uvloop.run
    if plan is None or not plan.hostile:
        return run(test.run(seconds, server))
    path = test.clients[0].path
    with hostile_clients(test.host, test.port, path, plan.flooding, plan.half_open, spread=server is not None) as end:
        figures = run(test.run(seconds, server))
        figures.hostile = end()
        return figures
