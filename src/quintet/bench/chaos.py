"""The chaos test: clients play on real servers while everything fails that can, and then every promise is checked."""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from quintet.bench.chaos_clients import ChaosClient
from quintet.bench.chaos_matches import Chaos, Match
from quintet.bench.chaos_parts import STARTUP_FAILED, Parts, StoreKind, running_parts
from quintet.bench.chaos_states import brief, compared, described, read_matches
from quintet.bench.checker import Violation, check
from quintet.bench.faults import FULL_DISK, Fault, cause, kinds_of, make_schedule, target
from quintet.bench.history import Broken
from quintet.bench.server_process import ServerProcess
from quintet.games import GAMES
from quintet.store.database import StoreFault

CONVERGE = 5.0
"""Seconds after quiet within which everybody must see what is stored."""
WATCH = 15.0
"""Seconds for which those who do not are watched."""
POLL = 0.1
EXAMPLES = 5
"""Violations of a kind that are reported in words."""
DIVERGED, EXITED, TRACEBACK = "diverged", "exited", "traceback"
"""Kinds of violations that the history alone does not show."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a test of one store runs."""

    store: StoreKind
    faults: int
    seed: int
    matches: int = 10
    servers: int = 3
    """Server processes; SQLite has one."""
    pace: float = 1.0
    """Seconds from one fault to the next, at least."""
    quiet: int = 10
    """Faults between two pauses in which everybody must see the same."""


class Report(msgspec.Struct):
    """The results of a test of one store."""

    store: str
    seed: int
    seconds: float
    faults: dict[str, int]
    untested: list[str]
    """Faults that cannot be caused here."""
    operations: dict[str, dict[str, int]]
    """By their kind, and then by what became of them."""
    tables: int
    sockets: int
    views: int
    quiet: int
    """How often everybody had to see the same."""
    longest_to_converge: float
    """Seconds."""
    violations: dict[str, int]
    """How many there were of each kind; none is good."""
    examples: list[str]
    """Some of each kind."""


@dataclass(slots=True)
class Test:
    """One test while it runs."""

    plan: Plan
    parts: Parts
    chaos: Chaos
    matches: list[Match] = field(default_factory=list)
    clients: list[ChaosClient] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    """Seconds until everybody saw the same, each time."""
    violations: list[Violation] = field(default_factory=list)

    async def prepare(self) -> None:
        """Create the matches: two players and a spectator each, all at different servers if there are several."""
        servers = len(self.parts.servers)
        for number, game in zip(range(self.plan.matches), list(GAMES) * self.plan.matches, strict=False):
            match = Match(self.chaos, game, clocks=number % 2 == 1)
            self.matches.append(match)
            self.clients += (ChaosClient(match, (number + seat) % servers, seat) for seat in (1, 2, 0))
        await asyncio.gather(*(match.renew("") for match in self.matches))

    async def run(self, schedule: Sequence[Fault], tell: Callable[[str], None]) -> None:
        """Let the clients play and cause the faults; every few faults all clients must see the same."""
        playing = [asyncio.create_task(client.run()) for client in self.clients]
        playing += [asyncio.create_task(server.watch()) for server in self.parts.servers]
        playing.append(asyncio.create_task(self.parts.watch_postgres()))
        repairing: set[asyncio.Task[None]] = set()
        try:
            for number, fault in enumerate(schedule, 1):
                asked = sum(one.returned is not None for one in self.chaos.history.operations)
                tell(f"{self.plan.store} {number} of {len(schedule)}: {fault} ({asked:,} operations answered)")
                broken = target(self.parts, fault)
                await broken.acquire()
                repairing.add(asyncio.create_task(self.cause(fault, broken)))
                await asyncio.sleep(self.plan.pace)
                if number % self.plan.quiet == 0 or number == len(schedule):
                    await asyncio.gather(*repairing)
                    repairing.clear()
                    await self.converge(number)
        finally:
            self.chaos.stopping = True
            for task in (*playing, *repairing):
                task.cancel()
            for outcome in await asyncio.gather(*playing, *repairing, return_exceptions=True):
                if isinstance(outcome, Exception):
                    raise outcome

    async def cause(self, fault: Fault, broken: asyncio.Lock) -> None:
        """Cause a fault and repair it."""
        record = Broken(str(fault), time.monotonic())
        self.chaos.history.faults.append(record)
        try:
            await cause(self.parts, fault, self.cut_clients)
        finally:
            record.repaired = time.monotonic()
            broken.release()

    def cut_clients(self, server: int) -> None:
        """Break the connections of a server's clients, every other one in the middle of a message."""
        for number, client in enumerate(client for client in self.clients if client.server == server):
            client.cut(mid_message=number % 2 == 0)

    async def converge(self, faults: int) -> None:
        """Pause all clients, and wait until each of them sees what is stored."""
        chaos = self.chaos
        chaos.paused = True
        while chaos.busy or not self.parts.healthy:
            await asyncio.sleep(POLL)
        begun = time.monotonic()
        while differences := await self.differences():
            if time.monotonic() - begun > WATCH:
                break
            await asyncio.sleep(POLL)
        self.waits.append(time.monotonic() - begun)
        if self.waits[-1] > CONVERGE:
            still = differences or ["(it came right later)"]
            text = f"{self.waits[-1]:.1f} s after fault {faults}: {'; '.join(still[:4])}"
            self.violations.append(Violation(DIVERGED, still[0].split(":")[0], text))
        chaos.paused = False

    async def differences(self) -> list[str]:
        """Where something else is shown than what is stored: on sockets, or else when a server is asked."""
        tables = [match.table for match in self.matches]
        try:
            stored = await asyncio.to_thread(read_matches, self.parts.url, tables)
        except StoreFault as fault:
            return [str(fault)]
        found = []
        for client in self.clients:
            one, view = stored[client.match.table], client.view
            shown = (view.undone, view.moves, view.over, view.offer, view.rematch) if view else None
            if not client.connected or client.table != client.match.table or shown != compared(one):
                there = f"{client.match.table}: socket {client.number} at server {client.server + 1}"
                found.append(f"{there} shows {brief(shown)}, stored is {brief(compared(one))}")
        if found:
            return found
        for server in range(len(self.parts.servers)):
            for table in tables:
                status, answer = await self.chaos.request(server, "GET", f"/api/matches/{table}")
                shown = described(answer) if status == 200 else None
                if shown != compared(stored[table]):
                    there = f"{table}: server {server + 1} answers {status}"
                    found.append(f"{there} with {brief(shown)}, stored is {brief(compared(stored[table]))}")
        return found

    async def finish(self) -> None:
        """Stop the servers, read what is stored, and check everything."""
        for server in self.parts.servers:
            await server.end(ServerProcess.stop)
        history = self.chaos.history
        wanted = history.tables()
        while missing := wanted - set(history.stored):
            history.stored |= await asyncio.to_thread(read_matches, self.parts.url, sorted(missing))
            wanted |= {one.rematch for one in history.stored.values() if one and one.rematch}
        self.violations += await asyncio.to_thread(check, history)
        self.violations += (Violation(TRACEBACK, "a server's log", line) for line in self.parts.tracebacks())
        for server in self.parts.servers:
            for status in (one for one in server.exits if one != STARTUP_FAILED):
                self.violations.append(Violation(EXITED, f"server {server.number + 1}", f"it ended with {status}"))

    def examples(self, kind: str) -> list[str]:
        """The first violations of a kind."""
        return [str(one) for one in self.violations if one.kind == kind][:EXAMPLES]

    def report(self, schedule: Sequence[Fault], seconds: float) -> Report:
        """The results."""
        history = self.chaos.history
        operations: dict[str, dict[str, int]] = {}
        for one in history.operations:
            counts = operations.setdefault(one.kind, {})
            counts[one.outcome] = counts.get(one.outcome, 0) + 1
        kinds = Counter(one.kind for one in self.violations)
        return Report(
            store=self.plan.store,
            seed=self.plan.seed,
            seconds=round(seconds, 1),
            faults=dict(Counter(fault.kind for fault in schedule)),
            untested=[] if self.parts.disk.small else [f"{FULL_DISK} (only root can mount a small disk)"],
            operations=operations,
            tables=len(history.stored),
            sockets=self.chaos.sockets,
            views=len(history.views),
            quiet=len(self.waits),
            longest_to_converge=round(max(self.waits, default=0.0), 2),
            violations={kind: kinds.get(kind, 0) for kind in ("lost", "doubled", *sorted(kinds))},
            examples=[line for kind in kinds for line in self.examples(kind)],
        )


async def run_plan(plan: Plan, tell: Callable[[str], None], out: Path | None = None) -> Report:
    """Run the test of one store; its history is written to `out`."""
    begun = time.monotonic()
    # What was started must be stopped whether the test ends by Ctrl-C or by SIGTERM.
    task = asyncio.current_task()
    assert task
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with running_parts(plan.store, 1 if plan.store == StoreKind.sqlite else plan.servers) as parts:
        schedule = make_schedule(kinds_of(plan.store, parts.disk.small), plan.faults, len(parts.servers), plan.seed)
        test = Test(plan, parts, Chaos([server.port for server in parts.servers], plan.seed))
        await test.prepare()
        await test.run(schedule, tell)
        await test.finish()
        if out:
            test.chaos.history.write(out)
        return test.report(schedule, time.monotonic() - begun)


def run(plans: Sequence[Plan], tell: Callable[[str], None], out: Path | None = None) -> Iterator[Report]:
    """The results of each test; with several stores, the store is added to the name of the file."""
    for plan in plans:
        file = out.with_name(f"{out.stem}-{plan.store}{out.suffix}") if out and len(plans) > 1 else out
        try:
            yield asyncio.run(run_plan(plan, tell, file))
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
