"""What the operator sees, by a token of their own: a report for the page `/operator`, and metrics for Prometheus."""

import asyncio
import os
import time
from collections import deque
from dataclasses import dataclass, field
from hmac import compare_digest
from math import inf

import msgspec
from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import Response

from quintet.engines import HUMAN
from quintet.language import tr
from quintet.version import __version__
from quintet.view import CUSTOM_PREFIX
from quintet.web import clock, health, metrics
from quintet.web.api_error import ApiError
from quintet.web.limits import Rate, RateLimiter, client_address
from quintet.web.lobby import Lobby
from quintet.web.metrics import Values, read_values
from quintet.web.responses import Json, RouteOptions, bearer_token, returns
from quintet.web.table import Table

GUESSES = Rate(0.1, 10)
"""Wrong tokens per address. They are limited even where nothing else is."""
SAMPLING = 2.0
"""Seconds between two samples of what is counted."""
SAMPLES = 30
"""Samples that are remembered: those of the last minute."""
MAX_TABLES = 50
"""Tables in a report: those with the most watchers."""
SHORT_ID = 4
"""Letters of a table's ID that are shown: whoever knows the whole ID can watch."""
COUNTED = ("refused", "limited", "stale", "slow", "faults")
"""The counters in a report."""
WAITING = ("engine", "study")
"""The kinds of work in a report."""
WRITES = "quintet_write_seconds"

router = APIRouter()


class CounterReport(msgspec.Struct):
    """Something that is counted."""

    name: str
    kind: str
    total: int
    last_minute: int


class TableReport(msgspec.Struct):
    """A live table, without names."""

    id: str
    """The first letters of its ID."""
    game: str
    moves: int
    players: tuple[str, str]
    """`person`, `free` if nobody has the seat, or the engine, such as `level:3`."""
    watchers: int
    clock: bool
    """Whether a clock is running."""


class WorkersReport(msgspec.Struct):
    """The worker processes."""

    total: int
    busy: int
    faults: int
    """How often one of them ended or had to be ended."""
    waiting: dict[str, int]
    """Engine moves and studies that are waited for, by kind."""


class StoreReport(msgspec.Struct):
    """The database, and how fast changes are stored."""

    kind: str
    problem: str
    """Why the server is not ready; empty if it is."""
    writes_per_second: float
    p99: float | None
    """Seconds within which 99 of 100 writes of the last minute ended; null if there were none."""
    oldest: float
    """Seconds that the oldest write has taken so far; 0 if there is none."""


class OperatorReport(msgspec.Struct):
    """How one server process is doing."""

    version: str
    process: int
    processes: int
    """How many server processes share this address; any of them may answer."""
    uptime: float
    memory: int | None
    """Bytes of this process; null where the system does not tell."""
    sockets: int
    open_tables: int
    tables: list[TableReport]
    workers: WorkersReport
    store: StoreReport
    counters: list[CounterReport]


@dataclass(slots=True)
class Operator:
    """Watches one server process for its operator."""

    lobby: Lobby
    token: str = field(repr=False)
    processes: int
    started: float = field(default_factory=time.monotonic)
    guesses: RateLimiter = field(default_factory=lambda: RateLimiter(GUESSES, "operator token"))
    samples: deque[tuple[float, Values]] = field(default_factory=lambda: deque([take_sample()], SAMPLES))

    def check_token(self, request: Request) -> None:
        """Refuse a request without the operator's token. An address that guesses is soon not listened to."""
        token = bearer_token(request)
        if not token:
            raise ApiError(401, tr("Send the operator's token: Authorization: Bearer TOKEN."))
        client = client_address(request.scope)
        if not self.guesses.allow(client):
            raise ApiError(429, tr("Too many wrong tokens; wait a minute."))
        if not compare_digest(token.encode(), self.token.encode()):
            raise ApiError(401, tr("That is not the operator's token."), "operator token")
        self.guesses.buckets.pop(client, None)

    async def sample(self) -> None:
        """Sample what is counted, as long as the server runs."""
        while True:
            await asyncio.sleep(SAMPLING)
            self.samples.append(take_sample())

    def report(self, problem: str) -> OperatorReport:
        """How this process is doing, with the reason why it is not ready, if any."""
        taken, now = take_sample()
        then, before = self.samples[0]

        def since(name: str, kind: str = "") -> int:
            return int(now.get((name, kind), 0) - before.get((name, kind), 0))

        def value(name: str) -> int:
            return int(now.get((name, ""), 0))

        tables = sorted(self.lobby.tables.values(), key=lambda table: len(table.subscribers), reverse=True)
        counters = [
            CounterReport(name, kind, int(now.get((counter, kind), 0)), since(counter, kind))
            for name in COUNTED
            for counter in (f"quintet_{name}_total",)
            for kind in sorted(kind for one, kind in now if one == counter) or [""]
        ]
        return OperatorReport(
            __version__,
            os.getpid(),
            self.processes,
            taken - self.started,
            value("process_resident_memory_bytes") or None,
            value("quintet_sockets"),
            len(tables),
            [describe_table(table) for table in tables[:MAX_TABLES]],
            WorkersReport(
                self.lobby.workers.workers,
                value("quintet_workers_busy"),
                int(now.get(("quintet_faults_total", "worker"), 0)),
                {kind: int(now.get(("quintet_waiting", kind), 0)) for kind in WAITING},
            ),
            StoreReport(
                self.lobby.store.engine.dialect.name,
                problem,
                since(f"{WRITES}_count") / max(1.0, taken - then),
                p99(before, now),
                self.lobby.writer.delay,
            ),
            counters,
        )


def take_sample() -> tuple[float, Values]:
    """What is counted, and when."""
    return time.monotonic(), read_values()


def p99(before: Values, now: Values) -> float | None:
    """The bucket that holds 99 of 100 writes between two samples; the last one holds whatever took longer, too."""
    name = f"{WRITES}_bucket"
    counts = {float(key[1]): count - before.get(key, 0) for key, count in now.items() if key[0] == name}
    total = counts.pop(inf)
    if not total:
        return None
    return min((bound for bound, count in counts.items() if count >= 0.99 * total), default=max(counts))


def describe_table(table: Table) -> TableReport:
    """A table as the operator sees it."""
    online = table.online
    return TableReport(
        online.id[:SHORT_ID],
        tr(online.match.position.game.title),
        online.match.ply,
        (player_kind(table, 1), player_kind(table, 2)),
        len(table.subscribers),
        clock.running_since(online) is not None,
    )


def player_kind(table: Table, player: int) -> str:
    """What a player is, not what they are called."""
    seat = table.online.seats.get(player)
    if seat is None or seat.who != HUMAN:
        return seat.who.removeprefix(CUSTOM_PREFIX) if seat else "record"
    return "person" if seat.token_hash else "free"


async def find_problem(request: Request) -> str:
    """Why the process that answers is not ready; empty if it is."""
    try:
        await health.ready(request)
    except ApiError as error:
        return str(error)
    return ""


def operator_of(request: Request) -> Operator:
    """The operator's view of the process that answers, if the request may see it."""
    operator: Operator | None = request.app.state.operator
    if operator is None:
        raise ApiError(404, tr("This server has no operator token."))
    operator.check_token(request)
    return operator


def for_operator(kind: type, media: str = "application/json") -> RouteOptions:
    """The options of a route for the operator."""
    options = returns(kind, 401, 404, media=media)
    options["openapi_extra"]["security"] = [{"operator": []}]
    return options


@router.get("/api/operator", **for_operator(OperatorReport))
async def report(request: Request) -> Json:
    """How this server process is doing. 404 if the server has no operator token."""
    operator = operator_of(request)
    return Json(operator.report(await find_problem(request)))


@router.get("/metrics", **for_operator(str, "text/plain"))
async def prometheus(request: Request) -> Response:
    """The metrics of this server process in Prometheus' text format. 404 if the server has no operator token."""
    operator_of(request)
    return Response(generate_latest(metrics.REGISTRY), media_type=CONTENT_TYPE_LATEST)
