"""Worker processes for engines, analysis, reviews and puzzles, so that the event loop never waits."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack
from functools import partial
from multiprocessing import active_children, get_context
from typing import TypeVar, TypeVarTuple

from quintet.notation import write_position
from quintet.rules import Position
from quintet.web import metrics, work
from quintet.web.api_error import ApiError

ENGINE_SECONDS = 2.0
"""An engine's time limit per move."""
MIN_SECONDS = 0.1
"""Its time limit when many engines wait, at least."""
GRACE = 5.0
"""Seconds after its time limit when work is interrupted."""
STARTUP = 20.0
"""Seconds after that when its process is killed: it may have to start first."""
MIN_WORKERS = 2
"""Analysis must not keep the games waiting."""
QUEUE = 32
"""The most studies (analysis, reviews, puzzles) that may wait."""
CLOCK_SHARE = 0.1
"""The most of its clock that an engine spends on a move."""
TRIES = 3
"""How often work is started again because its process died."""

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")


class WorkerPool:
    """The worker processes of one server process."""

    def __init__(self, workers: int, custom_players: Mapping[str, str]) -> None:
        """Start processes as they are needed; custom players are those that the operator offers, by their names."""
        self.workers, self.custom_players = max(MIN_WORKERS, workers), custom_players
        self.pool = self.make_pool()
        # Work waits here for a process, so that its time is counted from when it starts.
        self.free = asyncio.Semaphore(self.workers)
        # Studies take seconds, moves milliseconds: one process is always left for people's games.
        self.studying = asyncio.Semaphore(self.workers - 1)
        # Matches between engines take turns, however many there are.
        self.exhibiting = asyncio.Semaphore(1)
        self.choosing = 0
        self.waiting = 0

    def make_pool(self) -> ProcessPoolExecutor:
        """A pool whose processes are spawned, because this process has threads."""
        return ProcessPoolExecutor(self.workers, get_context("spawn"), work.start_process)

    async def run(self, seconds: float, function: Callable[[*Arguments], Found], *arguments: *Arguments) -> Found:
        """Call a function in a worker within a time, or raise `TimeUp`; it is called again if the process dies."""
        loop = asyncio.get_running_loop()
        job = partial(work.within, seconds, function, *arguments)
        async with self.free:
            for _ in range(TRIES):
                pool = self.pool
                try:
                    async with asyncio.timeout(seconds + STARTUP):
                        found: Found = await loop.run_in_executor(pool, job)
                        return found
                except BrokenProcessPool:
                    self.replace(pool)
                except TimeoutError:  # It does not react to its alarm.
                    self.replace(pool)
                    raise work.TimeUp from None
        raise ApiError(503, "The worker processes keep failing; try again later.")

    def replace(self, pool: ProcessPoolExecutor) -> None:
        """Kill a pool's processes and continue with a new pool, once; the other work in it is started again."""
        if self.pool is pool:
            metrics.FAULTS.labels("worker").inc()
            kill_workers()
            pool.shutdown(wait=False)
            self.pool = self.make_pool()

    async def choose(
        self, who: str, position: Position, left: float | None = None, exhibition: bool = False
    ) -> tuple[int | str, float]:
        """An engine's move, or why it has none, and the seconds it spent; people's games go before exhibitions."""
        async with AsyncExitStack() as turn:
            if exhibition:
                await turn.enter_async_context(self.exhibiting)
                await turn.enter_async_context(self.studying)
            # When many engines wait each gets less time, so that one visitor's engines do not hold up everybody's.
            seconds = max(MIN_SECONDS, ENGINE_SECONDS * min(1.0, self.workers / (self.choosing + 1)))
            seconds = seconds if left is None else min(seconds, left * CLOCK_SHARE)
            chosen = self.custom_players.get(who, who)
            self.choosing += 1
            metrics.WAITING.labels("engine").inc()
            try:
                return await self.run(seconds + GRACE, work.choose, chosen, write_position(position), seconds)
            except work.TimeUp:
                return "gave no move in time", seconds + GRACE
            except ApiError:
                if who not in self.custom_players:
                    raise
                return "it ended the worker process", seconds  # A plug-in can; it would do so again.
            finally:
                self.choosing -= 1
                metrics.WAITING.labels("engine").dec()

    async def study(self, seconds: float, function: Callable[[*Arguments], Found], *arguments: *Arguments) -> Found:
        """What a function works out for a visitor, unless too many are waiting."""
        if self.waiting >= QUEUE:
            raise ApiError(503, "The server is busy; try again in a moment.")
        self.waiting += 1
        metrics.WAITING.labels("study").inc()
        try:
            async with self.studying:
                return await self.run(seconds + GRACE, function, *arguments)
        except work.TimeUp:
            raise ApiError(503, "This takes too long to compute on this server.") from None
        finally:
            self.waiting -= 1
            metrics.WAITING.labels("study").dec()

    def close(self) -> None:
        """Kill the processes, whatever they are doing."""
        kill_workers()
        self.pool.shutdown(cancel_futures=True)


def kill_workers() -> None:
    """Kill the worker processes: a server process has no other children."""
    for process in active_children():
        process.kill()
