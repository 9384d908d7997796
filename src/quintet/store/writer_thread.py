"""The thread that writes online matches: it commits everything that waits in one transaction.

It waits for nothing but the store: a match that another program has locked is put aside, and a commit that was not
answered is looked up in the store.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread

from quintet.store.database import Database, LockedData, RejectedData, StoreFault, UnknownOutcome
from quintet.store.writer import Job, StaleRevision, id_of, is_stored, probe, write_all

BATCH = 500
"""The most changes in one transaction."""
PAUSE = 0.005
"""Seconds from one transaction to the next, at least: one costs as much as many changes. The first never waits."""
LOCKED_PAUSE = 0.02
"""Seconds before a match that another program has locked is tried again."""
PATIENCE = 3.0
"""Seconds that a change waits for another program's lock, or for a store that failed while it committed."""
PROBE_PAUSE = 2.0
"""Seconds after which a store that failed is tried again, though nobody changes anything."""
LOCKS = 2
"""Changes that may fail one by one, each after the store's own time limit, before all others of a batch do too."""

Result = bool | Exception | None
"""Whether a job was written, or why not; `None` if it has to wait, because another program has locked its match."""


@dataclass(slots=True)
class Order:
    """A job, and the future that waits for its result."""

    job: Job
    future: asyncio.Future[bool]
    since: float = field(default_factory=time.monotonic)
    unsure: bool = False
    """Whether it may be stored already: the store failed while it committed."""


class Writer:
    """The one thread of a program that writes online matches."""

    def __init__(
        self, database: Database, loop: asyncio.AbstractEventLoop, observe: Callable[[float], None] = lambda _: None
    ) -> None:
        """Start the thread; the event loop is that of its callers. `observe` is told the seconds of each batch."""
        self.database = database
        self.loop = loop
        self.observe = observe
        self.waiting: SimpleQueue[Order | None] = SimpleQueue()
        self.locked: list[Order] = []
        """Changes of matches that another program has locked; they are tried again and delay no others."""
        self.writing_since: float | None = None
        self.failure: StoreFault | None = None
        """Why the store could not be written the last time; `None` if it could."""
        self.thread = Thread(target=self._work, name="writer", daemon=True)
        self.thread.start()

    def write(self, job: Job) -> asyncio.Future[bool]:
        """Whether it was written; `False` if the match has changed meanwhile. A `StoreFault` if the store failed."""
        future: asyncio.Future[bool] = self.loop.create_future()
        self.waiting.put(Order(job, future))
        return future

    @property
    def delay(self) -> float:
        """The seconds that the batch in progress has taken so far."""
        since = self.writing_since
        return 0.0 if since is None else time.monotonic() - since

    def close(self) -> None:
        """Write what waits, and stop."""
        self.waiting.put(None)
        self.thread.join()

    def _work(self) -> None:
        """Write batches until `close`."""
        running, started = True, 0.0
        while running or self.locked:
            try:
                pause = PROBE_PAUSE if self.failure else None
                taken = [self.waiting.get(timeout=LOCKED_PAUSE if self.locked else pause)]
            except Empty:
                taken = []
            time.sleep(max(0.0, started + PAUSE - time.monotonic()))
            started = time.monotonic()
            while len(taken) < BATCH and not self.waiting.empty():
                taken.append(self.waiting.get())
            running = running and None not in taken
            orders = self.locked + [order for order in taken if order is not None]
            if orders:
                self.writing_since = started
                results = self._write(orders)
                self.writing_since = None
                self.locked = [order for order, result in zip(orders, results, strict=True) if result is None]
                self.loop.call_soon_threadsafe(_resolve, orders, results)
                self.observe(time.monotonic() - started)
            elif running:
                self._probe()

    def _probe(self) -> None:
        """Find out whether a store that failed can be written again."""
        try:
            probe(self.database)
        except StoreFault as failure:
            self.failure = failure
        else:
            self.failure = None

    def _write(self, orders: Sequence[Order]) -> list[Result]:
        """The result of each order; one that cannot be written must not fail the others, nor stop the thread."""
        try:
            with self.database.transaction(writing=True) as connection:
                locked = write_all(connection, [order.job for order in orders])
        except UnknownOutcome as fault:
            self.failure = fault
            return [fault] * len(orders) if orders[0].unsure else self._find_out(orders, fault)
        except Exception as failure:
            if isinstance(failure, StoreFault) and not isinstance(failure, RejectedData):
                self.failure = failure
            if len(orders) > 1 and not is_down(failure):
                return self._write_each(orders)
            return [self._explain(order, failure) for order in orders]
        results = [_wait(order) if id_of(order.job) in locked else True for order in orders]
        if True in results:
            self.failure = None
        return results

    def _write_each(self, orders: Sequence[Order]) -> list[Result]:
        """The result of each order in a transaction of its own, because they cannot be written together."""
        results: list[Result] = []
        failures: list[Exception] = []
        for order in orders:
            # A store that is down is so for all: trying each would keep everybody waiting. So is one with many locks.
            if failures and (is_down(failures[-1]) or len(failures) == LOCKS):
                results.append(self._explain(order, failures[-1]))
                continue
            [result] = self._write([order])
            results.append(result)
            if isinstance(result, StoreFault) and not isinstance(result, RejectedData):
                failures.append(result)
        return results

    def _find_out(self, orders: Sequence[Order], fault: UnknownOutcome) -> list[Result]:
        """The result of each order after a commit that was not answered: as soon as the store is back, write again."""
        for order in orders:
            order.unsure = True
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(LOCKED_PAUSE)
            try:
                self.database.check()
            except StoreFault:
                continue
            return self._write_each(orders)
        return [fault] * len(orders)

    def _explain(self, order: Order, failure: Exception) -> Result:
        """What it means for an order that a transaction failed."""
        if not order.unsure:
            return False if isinstance(failure, StaleRevision) else failure
        if isinstance(failure, StaleRevision | RejectedData):
            try:
                return is_stored(self.database, order.job)
            except StoreFault as fault:
                failure = fault
        return UnknownOutcome(str(failure))


def is_down(failure: Exception) -> bool:
    """Whether the store itself fails, whatever is written."""
    return isinstance(failure, StoreFault) and not isinstance(failure, RejectedData | LockedData)


def _wait(order: Order) -> Result:
    """The result of an order whose match is locked: for a while none."""
    if time.monotonic() - order.since < PATIENCE:
        return None
    reason = f"match {id_of(order.job)} is locked by another program"
    return UnknownOutcome(reason) if order.unsure else LockedData(reason)


def _resolve(orders: Sequence[Order], results: Sequence[Result]) -> None:
    """Give the callers their results, on their event loop."""
    for order, result in zip(orders, results, strict=True):
        if order.future.done() or result is None:
            continue  # Its caller was cancelled, or it has to wait.
        if isinstance(result, Exception):
            order.future.set_exception(result)
        else:
            order.future.set_result(result)
