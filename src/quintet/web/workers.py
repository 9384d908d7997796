"""Worker processes for engines, analysis, reviews and puzzles, so that the event loop never waits."""

import asyncio
import logging
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import TypeVar, TypeVarTuple

from quintet.engines.door import as_fault
from quintet.engines.players import stored_player
from quintet.language import chosen_language, in_language, later, tr
from quintet.notation import write_position
from quintet.rules import Position
from quintet.view import CUSTOM_PREFIX
from quintet.web import work
from quintet.web.api_error import ApiError
from quintet.web.fair_queue import FairQueue
from quintet.web.limits import CLIENT
from quintet.web.metrics import FAULTS, WAITING
from quintet.web.work import CLOCK_SHARE
from quintet.web.work import ENGINE_SECONDS as ENGINE_SECONDS
from quintet.web.worker_process import WorkerDied, WorkerFault, WorkerProcess

MIN_SECONDS = 0.1
"""Its time limit when many engines wait, at least."""
GRACE = 5.0
"""Seconds after its time limit when work is interrupted."""
LATE = 2.0
"""Seconds after that when the process of a custom player is killed."""
LOAD_SECONDS = 60.0
"""The time to load a custom player: some load a network first."""
MIN_WORKERS = 2
"""Analysis must not keep the games waiting."""
QUEUE = 64
"""The most studies (analysis, reviews, puzzles) that may wait."""
QUEUE_PER_ADDRESS = 8
"""Those of one address."""
TRIES = 3
"""How often work is started whose process dies."""
CUSTOM_MEMORY = 2 << 30
"""Bytes of memory that the process of a custom player may have."""

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")
log = logging.getLogger("quintet.web")


class WorkerPool:
    """The worker processes of one server process.

    Custom players are code that is not ours. Each has a process of its own, which it may end or fill without harm to
    other work; after a fault it gets a new one.
    """

    def __init__(self, workers: int, custom_players: Mapping[str, str], limited: bool = True) -> None:
        """Start processes as they are needed; custom players are those that the operator offers, by their names."""
        self.workers, self.custom_players = max(MIN_WORKERS, workers), custom_players
        self.idle: list[WorkerProcess] = []
        self.busy: set[WorkerProcess] = set()
        # Work waits here for a process, so that its time is counted from when it starts.
        self.free = asyncio.Semaphore(self.workers)
        # Studies take seconds, moves milliseconds: one process is always left for people's games.
        self.studies = FairQueue(self.workers - 1, QUEUE, QUEUE_PER_ADDRESS if limited else QUEUE)
        # Matches between engines take turns, however many there are.
        self.exhibiting = asyncio.Semaphore(1)
        # A custom player makes one move at a time. Addresses take turns; nobody's game is refused its move.
        self.custom = {who: FairQueue(1, sys.maxsize, sys.maxsize, "player") for who in custom_players}
        self.custom_processes: dict[str, WorkerProcess] = {}
        self.choosing = 0
        """Our own engines that are choosing a move, or wait to."""

    async def run(self, seconds: float, function: Callable[[*Arguments], Found], *arguments: *Arguments) -> Found:
        """Call a function in a worker within a time, or raise `TimeUp`; it is called again if the process dies."""
        async with self.free:
            for tried in range(1, TRIES + 1):
                try:
                    return await self.run_once(seconds, partial(function, *arguments))
                except WorkerDied as death:
                    FAULTS.labels("worker").inc()
                    if tried == TRIES:
                        how = f"was killed {death}" if str(death).startswith("by ") else f"ended {death}"
                        log.error("a worker process %s", how, extra={"event": "worker_died"})
                        raise
        raise AssertionError  # Not reached: the last try returns or raises.

    async def run_once(self, seconds: float, job: Callable[[], Found]) -> Found:
        """Do a job in a process that is idle, or in a new one."""
        self.idle = [worker for worker in self.idle if worker.alive]
        worker = self.idle.pop() if self.idle else WorkerProcess()
        self.busy.add(worker)
        try:
            return await worker.do(seconds, job)
        finally:
            self.busy.discard(worker)
            if worker.alive:
                self.idle.append(worker)

    async def choose(
        self, who: str, position: Position, left: float | None = None, exhibition: bool = False
    ) -> tuple[int | str, float]:
        """An engine's move, or why it has none, and the seconds it spent; people's games go before exhibitions."""
        async with AsyncExitStack() as turn:
            if exhibition:
                await turn.enter_async_context(self.exhibiting)
                await turn.enter_async_context(self.studies.place(""))
            custom = who.startswith(CUSTOM_PREFIX)
            # When many engines wait each gets less time, so that one visitor's engines do not hold up everybody's. A
            # custom player may need all of its time, and loses its game without it.
            share = 1.0 if custom else min(1.0, self.workers / (self.choosing + 1))
            seconds = max(MIN_SECONDS, ENGINE_SECONDS * share)
            seconds = seconds if left is None else min(seconds, left * CLOCK_SHARE)
            self.choosing += not custom
            WAITING.labels("engine").inc()
            try:
                choose = self.choose_custom if custom else self.choose_own
                move, spent = await choose(who, position, seconds)
            except work.TimeUp:
                move, spent = later("it gave no move in time"), seconds + GRACE
            except WorkerDied as death:
                move, spent = f"it ended the worker process {death}", seconds
            except WorkerFault as fault:
                raise cannot_start(fault) from None
            except Exception as error:  # Whatever it is, nobody waits for this move for ever.
                move, spent = str(as_fault(error)), seconds
            finally:
                self.choosing -= not custom
                WAITING.labels("engine").dec()
            if isinstance(move, str):
                FAULTS.labels("engine").inc()
                log.error("%s forfeits: %s", who, move, extra={"event": "engine_fault", "player": who})
                if custom:
                    move = without_details(move)
            return move, spent

    async def choose_own(self, who: str, position: Position, seconds: float) -> tuple[int | str, float]:
        """The answer of one of our engines. What a stored match names may be anything: nothing else is started."""
        player = stored_player(who)
        if player is None or player.is_human:
            return later("it is not an engine of this server"), 0
        return await self.run(seconds + GRACE, work.choose, who, write_position(position), seconds)

    async def choose_custom(self, who: str, position: Position, seconds: float) -> tuple[int | str, float]:
        """The answer of a custom player, in its own process. After a fault it gets a new one."""
        if who not in self.custom_players:
            return later("this server no longer offers it"), 0
        description = self.custom_players[who]
        async with self.custom[who].place(CLIENT.get()):
            worker = self.custom_processes.get(who)
            sound = False
            try:
                if worker is None or not worker.alive:
                    worker = self.custom_processes[who] = WorkerProcess(CUSTOM_MEMORY)
                    if fault := await worker.do(LOAD_SECONDS, partial(work.load, description)):
                        return fault, 0
                job = partial(work.choose, description, write_position(position), seconds)
                move, spent = await worker.do(seconds + GRACE, job, late=LATE)
                sound = not isinstance(move, str)
                return move, spent
            finally:
                if not sound and worker:
                    worker.kill()

    async def study(
        self, address: str, seconds: float, function: Callable[[*Arguments], Found], *arguments: *Arguments
    ) -> Found:
        """What a function works out for a visitor, in their language, when it is the turn of their address."""
        try:
            async with self.studies.place(address):
                return await self.run(seconds + GRACE, in_language, chosen_language(), partial(function, *arguments))
        except work.TimeUp:
            raise ApiError(503, tr("This takes too long to compute on this server.")) from None
        except WorkerDied:
            raise ApiError(503, tr("This cannot be computed on this server.")) from None
        except WorkerFault as fault:
            raise cannot_start(fault) from None

    def close(self) -> None:
        """Kill the processes, whatever they are doing."""
        for worker in (*self.idle, *self.busy, *self.custom_processes.values()):
            worker.kill()


def without_details(reason: str) -> str:
    """Why a custom player has no move, as visitors may read it: what it printed may be secret."""
    return re.split("[:;]", reason, maxsplit=1)[0]


def cannot_start(fault: WorkerFault) -> ApiError:
    """Say that there are no worker processes now."""
    FAULTS.labels("worker").inc()
    log.error("a worker process cannot be started: %s", fault, extra={"event": "worker_fault"})
    return ApiError(503, tr("The server cannot compute anything now; try again later."))
