"""Worker processes that think, so that the event loop never waits."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack
from multiprocessing import active_children, get_context
from typing import Any

from quintet.notation import write_position
from quintet.rules import Position
from quintet.web import work
from quintet.web.refusal import Refused

ENGINE_SECONDS = 2.0
"""How long an engine may think about a move."""
LEAST_SECONDS = 0.1
"""How long it may in any case, however many wait."""
GRACE = 5.0
"""Seconds more before work is given up that does not watch its time."""
STARTING = 20.0
"""Seconds more before its process is ended: it may have to be started first."""
FEWEST = 2
"""Processes: a study must not keep the games waiting."""
WAITING = 32
"""Studies (analysis, reviews, puzzles) that may wait at once."""
SHARE = 0.1
"""The part of its clock that an engine spends on a move, at most."""
TRIES = 3
"""How often work is begun again because a process died."""


class Thinkers:
    """The worker processes of one server process."""

    def __init__(self, workers: int, guests: Mapping[str, str]) -> None:
        """So many processes, started when there is work; guests by what they are called here."""
        self.workers, self.guests = max(FEWEST, workers), guests
        self.pool = self.make_pool()
        # What waits for a process waits here, so that time is counted from when it is begun.
        self.free = asyncio.Semaphore(self.workers)
        # Studies take seconds, moves milliseconds: one process is always left for the games of people.
        self.studying = asyncio.Semaphore(self.workers - 1)
        # Engines among themselves take turns, however many tables somebody has set up for them.
        self.showing = asyncio.Semaphore(1)
        self.choosing = 0
        self.waiting = 0

    def make_pool(self) -> ProcessPoolExecutor:
        """Processes that are no copies of this one, which has threads."""
        return ProcessPoolExecutor(self.workers, get_context("spawn"), work.start_process)

    async def run(self, seconds: float, function: Callable[..., Any], *arguments: object) -> Any:
        """Work done in a process within a time, or `TimeUp`; begun again if the process dies."""
        loop = asyncio.get_running_loop()
        async with self.free:
            for _ in range(TRIES):
                pool = self.pool
                try:
                    async with asyncio.timeout(seconds + STARTING):
                        return await loop.run_in_executor(pool, work.within, seconds, function, *arguments)
                except BrokenProcessPool:
                    self.replace(pool)
                except TimeoutError:  # It does not even hear its alarm.
                    self.replace(pool)
                    raise work.TimeUp from None
        raise Refused(503, "The processes that think keep failing; try again later.")

    def replace(self, pool: ProcessPoolExecutor) -> None:
        """End a pool's processes and go on with new ones, unless that was done; who shared them begins again."""
        if self.pool is pool:
            end_processes()
            pool.shutdown(wait=False)
            self.pool = self.make_pool()

    async def choose(
        self, who: str, position: Position, left: float | None = None, aside: bool = False
    ) -> tuple[int | str, float]:
        """An engine's move, or text if it has none, and the seconds it thought; aside, only where nobody waits."""
        async with AsyncExitStack() as turn:
            if aside:
                await turn.enter_async_context(self.showing)
                await turn.enter_async_context(self.studying)
            # Where many engines wait for a process each thinks less, so that one visitor's do not hold up everybody's.
            seconds = max(LEAST_SECONDS, ENGINE_SECONDS * min(1.0, self.workers / (self.choosing + 1)))
            seconds = seconds if left is None else min(seconds, left * SHARE)
            asked = self.guests.get(who, who), write_position(position), seconds
            self.choosing += 1
            try:
                answer: tuple[int | str, float] = await self.run(seconds + GRACE, work.choose, *asked)
            except work.TimeUp:
                return "gave no move in time", seconds + GRACE
            except Refused:
                if who not in self.guests:
                    raise
                return "it ended its process", seconds  # A plug-in can; it would do so again.
            finally:
                self.choosing -= 1
            return answer

    async def study(self, seconds: float, function: Callable[..., Any], *arguments: object) -> Any:
        """Something worked out for a visitor, if not too many wait already."""
        if self.waiting >= WAITING:
            raise Refused(503, "Too many are asking at once; try again in a moment.")
        self.waiting += 1
        try:
            async with self.studying:
                return await self.run(seconds + GRACE, function, *arguments)
        except work.TimeUp:
            raise Refused(503, "That takes too long to work out here.") from None
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """End the processes, whatever they are at: who asked has gone."""
        end_processes()
        self.pool.shutdown(cancel_futures=True)


def end_processes() -> None:
    """End the processes that think: a server process has no other children."""
    for process in active_children():
        process.kill()
