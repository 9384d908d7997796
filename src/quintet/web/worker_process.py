"""One worker process, and the thread that talks to it."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TypeVar, cast

from quintet.web import work
from quintet.workers.processes import how_it_ended

STARTUP = 30.0
"""Seconds to start."""
LATE = 15.0
"""Seconds after its time when a process is killed: it may be loading compiled code, which no alarm interrupts."""
ENDING, ALARM_PAUSE = 3.0, 0.1
"""Seconds to react when a job is cancelled, and between two alarms: the first may come before the job begins."""

_spawn = get_context("spawn")  # Not a copy of this process, which has threads.

Found = TypeVar("Found")


def in_loop(future: "Future[Found]") -> "asyncio.Future[Found]":
    """What a thread will give, for the event loop. When it comes, nobody may be waiting for it any more."""
    waited = asyncio.wrap_future(future)
    waited.add_done_callback(lambda done: done.cancelled() or done.exception())
    return waited


class WorkerDied(Exception):
    """A worker process that has ended: how, for a sentence."""


class WorkerFault(Exception):
    """A worker process that does not start."""


class WorkerProcess:
    """A process that does one piece of work at a time."""

    def __init__(self, memory: int | None = None) -> None:
        """Start a process, which may have a limit of memory in bytes; `WorkerFault` if the system refuses."""
        try:
            self.connection, theirs = _spawn.Pipe()
            self.process = _spawn.Process(target=work.serve, args=(theirs, memory), daemon=True)
            self.process.start()
        except OSError as error:
            raise WorkerFault(str(error)) from None
        theirs.close()
        self.killed = False
        self.thread = ThreadPoolExecutor(1, "worker")
        self.started = self.thread.submit(self.receive)

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return not self.killed and self.process.is_alive()

    async def do(self, seconds: float, job: Callable[[], Found], late: float | None = None) -> Found:
        """What a job gives. `TimeUp` or `WorkerDied` if it gives nothing. A job that is cancelled is ended.

        The process interrupts the job itself after its time; one that does not react is killed.
        """
        try:
            async with asyncio.timeout(STARTUP):
                await asyncio.shield(in_loop(self.started))
        except (TimeoutError, WorkerDied):
            self.kill()
            raise WorkerFault("it does not start") from None
        answer = in_loop(self.thread.submit(self.ask, work.Job(seconds, job)))
        try:
            async with asyncio.timeout(seconds + (late or LATE)):
                found = await asyncio.shield(answer)
        except TimeoutError:
            self.kill()
            raise work.TimeUp from None
        except asyncio.CancelledError:
            await self.interrupt(answer)
            raise
        if isinstance(found, BaseException):
            raise found
        return found

    async def interrupt(self, answer: "asyncio.Future[Found]") -> None:
        """End the job that the process is doing."""
        until = time.monotonic() + ENDING
        while work.ALARMS and self.alive and self.process.pid and not answer.done() and time.monotonic() < until:
            os.kill(self.process.pid, signal.SIGALRM)
            await asyncio.wait([answer], timeout=ALARM_PAUSE)
        if not answer.done():
            self.kill()

    def ask(self, job: work.Job[Found]) -> Found | BaseException:
        """Hand over a job and wait for the answer, in the thread."""
        try:
            self.connection.send(job)
        except OSError:
            pass  # It has just died, which is noticed where its answer is read.
        return cast(Found | BaseException, self.receive())

    def receive(self) -> object:
        """The next answer, in the thread."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self.process.join(ENDING)
            raise WorkerDied(how_it_ended(self.process.exitcode)) from None

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self.killed = True
        self.process.kill()
        self.thread.shutdown(wait=False)
