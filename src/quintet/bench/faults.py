"""The faults of a chaos test, and their schedule, which is the same for the same seed."""

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from quintet.bench.chaos_parts import ManagedServer, Parts, StoreKind
from quintet.bench.postgres_process import FAST, IMMEDIATE
from quintet.bench.server_process import ServerProcess

SHORTEST, LONGEST = 0.2, 1.5
"""Seconds that a fault lasts which has a duration."""
SHIFTS = (-7200.0, 7200.0)
"""Seconds by which a clock is wrong: more than the players have, so that a clock that is believed is noticed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: its kind, the server that it hits (if it hits one), and how long it lasts (if it lasts)."""

    kind: str
    server: int
    seconds: float

    def __str__(self) -> str:
        """One line about it."""
        return self.kind if on_database(self.kind) else f"{self.kind} {self.server + 1}"


async def kill_server(server: ManagedServer, _: float) -> None:
    """SIGKILL, as in a power cut of the process; it is started again."""
    await server.end(ServerProcess.kill)
    await server.start()


async def restart_server(server: ManagedServer, _: float) -> None:
    """SIGTERM, as an operator restarts it. Its clock is right again."""
    await server.end(ServerProcess.stop)
    server.shift = 0.0
    await server.start()


async def stop_server(server: ManagedServer, seconds: float) -> None:
    """SIGSTOP, as a machine that has no time for it."""
    server.signal(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    server.signal(signal.SIGCONT)


async def shift_clock(server: ManagedServer, seconds: float) -> None:
    """The server comes back on a machine whose clock is wrong."""
    await server.end(ServerProcess.stop)
    server.shift = SHIFTS[seconds > (SHORTEST + LONGEST) / 2]
    await server.start()


async def cut_database(server: ManagedServer, _: float) -> None:
    """All connections of a server to the database break."""
    assert server.proxy
    server.proxy.cut()


async def stall_database(server: ManagedServer, seconds: float) -> None:
    """Nothing passes between a server and the database for a while."""
    assert server.proxy
    server.proxy.stall()
    await asyncio.sleep(seconds)
    server.proxy.resume()


async def lose_commits(server: ManagedServer, seconds: float) -> None:
    """The database commits, and the connection breaks before the server is told."""
    assert server.proxy
    server.proxy.losing_commits = True
    await asyncio.sleep(seconds / 2)
    server.proxy.resume()


async def restart_database(parts: Parts, _: float) -> None:
    """PostgreSQL is restarted in order: what is not committed is rolled back."""
    assert parts.postgres
    await asyncio.to_thread(parts.postgres.stop, FAST)
    await parts.start_postgres()


async def crash_database(parts: Parts, _: float) -> None:
    """PostgreSQL stops at once and has to recover."""
    assert parts.postgres
    await asyncio.to_thread(parts.postgres.stop, IMMEDIATE)
    await parts.start_postgres()


async def end_backends(parts: Parts, _: float) -> None:
    """The database ends all connections of its clients, as `pg_terminate_backend` does."""
    import psycopg

    assert parts.postgres
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = %s"

    def end_all(url: str) -> None:
        with psycopg.connect(url) as connection:
            connection.execute(others, ["postgres"])

    try:
        await asyncio.to_thread(end_all, parts.postgres.url)
    except psycopg.Error:
        pass  # It did not accept a connection; then there is nothing to end.


async def stop_database(parts: Parts, seconds: float) -> None:
    """All processes of PostgreSQL stop for a while."""
    assert parts.postgres
    parts.postgres.signal_all(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    parts.postgres.signal_all(signal.SIGCONT)


async def fill_disk(parts: Parts, seconds: float) -> None:
    """The disk of the store is full for a while."""
    await asyncio.to_thread(parts.disk.fill)
    await asyncio.sleep(seconds)
    parts.disk.free()
    if parts.postgres:
        await parts.revive_postgres()


SERVER_FAULTS: dict[str, Callable[[ManagedServer, float], Awaitable[None]]] = {
    "kill server": kill_server,
    "restart server": restart_server,
    "stop server": stop_server,
}
PROXY_FAULTS: dict[str, Callable[[ManagedServer, float], Awaitable[None]]] = {
    "shift clock": shift_clock,
    "cut database": cut_database,
    "stall database": stall_database,
    "lose commits": lose_commits,
}
"""Faults of one server that need several, or a database that is reached over a network."""
DATABASE_FAULTS: dict[str, Callable[[Parts, float], Awaitable[None]]] = {
    "restart database": restart_database,
    "crash database": crash_database,
    "end backends": end_backends,
    "stop database": stop_database,
}
FULL_DISK, CUT_CLIENTS = "full disk", "cut clients"


def on_database(kind: str) -> bool:
    """Whether faults of a kind hit the store and not a server."""
    return kind in DATABASE_FAULTS or kind == FULL_DISK


def kinds_of(kind: StoreKind, small_disk: bool) -> list[str]:
    """The kinds of faults of a store."""
    kinds = [*SERVER_FAULTS, CUT_CLIENTS]
    if kind == StoreKind.postgresql:
        kinds += [*PROXY_FAULTS, *DATABASE_FAULTS]
    return [*kinds, FULL_DISK] if small_disk else kinds


def make_schedule(kinds: list[str], faults: int, servers: int, seed: int) -> list[Fault]:
    """Faults in random order; each kind comes equally often."""
    rng = random.Random(seed)
    schedule: list[Fault] = []
    while len(schedule) < faults:
        for kind in rng.sample(kinds, len(kinds)):
            schedule.append(Fault(kind, rng.randrange(servers), round(rng.uniform(SHORTEST, LONGEST), 3)))
    return schedule[:faults]


def target(parts: Parts, fault: Fault) -> asyncio.Lock:
    """What a fault breaks; no two faults break the same thing at once."""
    return parts.database_broken if on_database(fault.kind) else parts.servers[fault.server].broken


async def cause(parts: Parts, fault: Fault, cut_clients: Callable[[int], None]) -> None:
    """Cause a fault, and repair it."""
    server = parts.servers[fault.server]
    if fault.kind == CUT_CLIENTS:
        cut_clients(fault.server)
    elif fault.kind == FULL_DISK:
        await fill_disk(parts, fault.seconds)
    elif fault.kind in DATABASE_FAULTS:
        await DATABASE_FAULTS[fault.kind](parts, fault.seconds)
    else:
        await (SERVER_FAULTS | PROXY_FAULTS)[fault.kind](server, fault.seconds)
