"""Short jobs run in batches on a worker thread: with hundreds of games, a thread switch costs more than a job."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, Protocol, TypeVar

from anyio import CancelScope, CapacityLimiter, Event, to_thread
from anyio.lowlevel import RunVar

BATCH = 32
"""Jobs per batch: when many games wait at once, the first continue while the last still wait."""

Result = TypeVar("Result")


class Runnable(Protocol):
    """A job, whatever the type of its result."""

    done: Event

    def run(self) -> None:
        """Do it."""


class Job(Generic[Result]):
    """A function to call and its result."""

    def __init__(self, function: Callable[[], Result]) -> None:
        """Wait to be run."""
        self.function = function
        self.future: Future[Result] = Future()
        self.done = Event()

    def run(self) -> None:
        """Call the function, unless its caller was cancelled. An exception is for the caller."""
        if self.future.set_running_or_notify_cancel():
            try:
                self.future.set_result(self.function())
            except BaseException as error:
                self.future.set_exception(error)


class Queue:
    """The jobs of one event loop: while one batch runs, the next one fills."""

    def __init__(self) -> None:
        """Start empty."""
        self.filling: list[Runnable] = []
        self.background: deque[Runnable] = deque()
        """Jobs whose result is not awaited; each batch runs some of them."""
        self.limiter = CapacityLimiter(1)

    def seal(self, batch: list[Runnable]) -> None:
        """Let later jobs go into the next batch."""
        if self.filling is batch:
            self.filling = []


_queue: RunVar[Queue] = RunVar("queue")
"""The queue of this event loop."""


def current_queue() -> Queue:
    """The queue of this event loop."""
    queue = _queue.get(None) or Queue()
    _queue.set(queue)
    return queue


async def run_batched(function: Callable[[], Result]) -> Result:
    """Call a function in the worker thread, in one batch with other jobs.

    Jobs run one after another, so this is for short ones, or for those that share a lock anyway.
    """
    queue = current_queue()
    batch = queue.filling
    job = Job(function)
    batch.append(job)
    if len(batch) == BATCH:
        queue.seal(batch)
    if batch[0] is job:  # The first job of a batch starts it.
        with CancelScope(shield=True):
            async with queue.limiter:
                queue.seal(batch)
                extra = [queue.background.popleft() for _ in range(min(BATCH, len(queue.background)))]
                try:
                    await to_thread.run_sync(run_batch, [*batch, *extra])
                finally:
                    for each in batch:
                        each.done.set()
    else:
        try:
            await job.done.wait()
        finally:
            job.future.cancel()  # If this caller was cancelled, the job need not run.
    return job.future.result(0)


def run_in_background(function: Callable[[], object]) -> None:
    """Call a function soon, because its result will be needed. An exception is ignored: it will be raised then."""
    current_queue().background.append(Job(function))


def run_batch(jobs: list[Runnable]) -> None:
    """Run all jobs, in the worker thread."""
    for job in jobs:
        job.run()
