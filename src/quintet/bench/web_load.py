"""A server under load: a crowd plays and watches many matches at once, every client over a socket of its own."""

import asyncio
import tempfile
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from itertools import cycle
from typing import Any

import msgspec

from quintet.bench.meter import Figures
from quintet.bench.server_process import ChildFault, serve
from quintet.bench.web_clients import Player, Spectator
from quintet.bench.web_crowd import Crowd, trial
from quintet.engines import HUMAN
from quintet.web.open_files import raise_file_limit

SPARE_FILES = 200
"""Open files that a server or a crowd has besides its sockets."""


class LoadFault(Exception):
    """A load that cannot be put on; the message is one line."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How large a crowd, and what it does."""

    games: tuple[str, ...]
    """They are played in turn."""
    size: str | None = None
    """Of the boards; as in the rule books if it is not given."""
    matches: int = 100
    engines: int = 0
    """Matches in which an engine has the second seat."""
    engine: str = "level:5"
    sockets: int = 0
    """Open sockets in all, at least: as many watch as the players leave."""
    pace: float = 0
    """Seconds between the moves of a match, in the mean; 0 is as fast as it goes."""


def gather(url: str, plan: Plan) -> Crowd:
    """A crowd with its matches begun as people do it: one makes the table, the other joins by its link."""
    crowd = Crowd(url)
    server = HTTPConnection(crowd.host, crowd.port, timeout=30)
    for number, game in zip(range(plan.matches), cycle(plan.games), strict=False):
        alone = number < plan.engines
        wish: dict[str, Any] = {"game": game, "take": [1], "seats": {"1": HUMAN, "2": plan.engine if alone else HUMAN}}
        begun = ask(server, "/api/matches", wish | ({"size": plan.size} if plan.size else {}))
        table = begun["id"]
        crowd.clients.append(Player(crowd, table, begun["tokens"]["1"], 1, plan.pace, alone))
        if not alone:
            joined = ask(server, f"/api/matches/{table}/join", {})
            crowd.clients.append(Player(crowd, table, joined["token"], joined["seat"], plan.pace))
    server.close()
    tables = cycle([client.table for client in crowd.clients if isinstance(client, Player)])
    while len(crowd.clients) < plan.sockets:
        crowd.clients.append(Spectator(crowd, next(tables)))
    return crowd


def ask(server: HTTPConnection, path: str, wish: dict[str, Any]) -> Any:
    """What a server answers to a request; `LoadFault` if it refuses."""
    try:
        server.request("POST", path, msgspec.json.encode(wish), {"Content-Type": "application/json"})
        answer = server.getresponse()
        said = answer.read()
    except (OSError, HTTPException) as error:
        raise LoadFault(f"no server answers at {server.host} port {server.port}: {error}") from None
    if answer.status >= 400:
        raise LoadFault(f"the server refuses: {said.decode(errors='replace')[:200]}")
    return msgspec.json.decode(said)


def run(plan: Plan, seconds: float, url: str | None = None, database: str | None = None) -> Figures:
    """Put a load on the server at an address, or on one that is begun for it, by default over a scratch file."""
    raise_file_limit(max(plan.sockets, 2 * plan.matches) + SPARE_FILES)
    if url:
        return measure(gather(url, plan), seconds)
    with tempfile.TemporaryDirectory(prefix="quintet-") as scratch:
        try:
            server = serve(database or f"sqlite:///{scratch}/quintet.db", "--no-limits")
        except ChildFault as fault:
            raise LoadFault(str(fault)) from None
        try:
            return measure(gather(server.url, plan), seconds, server.process.pid)
        finally:
            server.stop()


def measure(crowd: Crowd, seconds: float, server: int | None = None) -> Figures:
    """What a crowd sees in so many seconds, on the fastest loop there is."""
    work = trial(crowd, seconds, server)
    if find_spec("uvloop"):
        import uvloop

        return uvloop.run(work)
    return asyncio.run(work)
