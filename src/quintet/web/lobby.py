"""The lobby of one server process: its live tables, opened when somebody comes and closed when nobody uses them."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta
from threading import Thread
from typing import TypeVar, TypeVarTuple

from quintet.language import ENGLISH, language, tr
from quintet.match import Match
from quintet.store import timekeeper
from quintet.store.cleanup import open_online_match
from quintet.store.database import RejectedData, StoreFault, UnknownOutcome
from quintet.store.due_times import due_times
from quintet.store.matches import Store
from quintet.store.online import OnlineMatch, hash_token
from quintet.store.rows import ONLINE_ID, UnknownMatch, derived_ids, random_ids
from quintet.store.writer import stored_revisions
from quintet.store.writer_thread import Writer
from quintet.web import messages, metrics
from quintet.web.api_error import ApiError
from quintet.web.fair_queue import FairQueue
from quintet.web.faults import report
from quintet.web.new_matches import check_same, created_match, new_match
from quintet.web.proposals import propose_flag
from quintet.web.table import UNKNOWN, Table
from quintet.web.workers import WorkerPool

REMATCHES = 1_000
"""Rematches remembered for those who come to them."""
READERS, READER = 4, "reader"
"""Threads that read from the store, of which lists of matches use half at most, and how their names begin."""
LISTS, LISTS_PER_ADDRESS = 200, 20
"""Lists of matches that may wait to be read: all, and those of one address."""
COMPARE_PAUSE = 2.0
"""Seconds between two comparisons of the tables with the store."""
WAKING = 4
"""Tables that are opened at the same time because a clock ran out."""
WAKE_PAUSE, LONGEST_PAUSE = 1.0, 600.0
"""Seconds until a table is woken again if the store failed: doubled each time, up to a limit."""
CLOSE_SECONDS = 3.0
"""The time to finish what is being written when the server stops."""
SLOW_WRITE = 1.0
"""Seconds of a batch of the writer that count as slow."""

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")
log = logging.getLogger("quintet.web")


class Lobby:
    """The live tables over one store."""

    def __init__(self, store: Store, workers: WorkerPool, delete_after: timedelta | None = None) -> None:
        """Open the lobby on the running event loop; matches that are not used for `delete_after` may be deleted."""
        self.loop = asyncio.get_running_loop()
        self.store = store
        self.workers = workers
        self.delete_after = delete_after
        self.writer = Writer(store, self.loop, observe_write)
        self.readers = ThreadPoolExecutor(READERS, READER)
        self.watcher = ThreadPoolExecutor(1, f"{READER}-watcher")
        self.lists = FairQueue(READERS // 2, LISTS, LISTS_PER_ADDRESS, "list")
        self.tables: dict[str, Table] = {}
        self.loading: dict[str, asyncio.Task[None]] = {}
        self.announced: dict[str, int] = {}
        """For tables that are being loaded, the newest revision that another process announced."""
        self.rematches: dict[str, OnlineMatch] = {}
        """Rematches created here whose table is not open yet: they need not be loaded from the store."""
        self.timers: dict[str, asyncio.TimerHandle] = {}
        """What is remembered of a running clock, whether its table is open or not."""
        self.waking: set[str] = set()
        self.waking_limit = asyncio.Semaphore(WAKING)
        self.compared: float | None = None
        """When the tables were last compared with the store (monotonic); `None` before the first time."""
        self.heard: float | None = None
        """When the database was last heard by who listens for notifications; `None` where nobody does."""
        self.compare_now = asyncio.Event()
        self.resumed = self.draining = self.closing = False
        """Draining, it should receive no more visitors; closing, it stops."""
        self.tasks: set[asyncio.Task[None]] = set()

    async def read(self, function: Callable[[*Arguments], Found], *arguments: *Arguments) -> Found:
        """What a function reads from the store, in a thread."""
        return await self.loop.run_in_executor(self.readers, function, *arguments)

    async def check(self, function: Callable[[*Arguments], Found], *arguments: *Arguments) -> Found:
        """The same in a thread of its own, for what must not wait for visitors."""
        return await self.loop.run_in_executor(self.watcher, function, *arguments)

    async def load(self, id: str) -> OnlineMatch:
        """A match from the store."""
        return await self.read(open_online_match, self.store, id, self.delete_after)

    @asynccontextmanager
    async def table(self, id: str) -> AsyncIterator[Table]:
        """The live table of a match, open as long as it is used."""
        table = await self.find_table(id)
        table.uses += 1
        try:
            table.start_clock_and_engine()
            yield table
        finally:
            table.uses -= 1
            self.close_unused(table)

    async def find_table(self, id: str) -> Table:
        """The live table of a match, loaded once however many ask for it."""
        while id not in self.tables:
            if id not in self.loading:
                self.loading[id] = asyncio.create_task(self.open_table(id))
            await asyncio.shield(self.loading[id])
        return self.tables[id]

    async def open_table(self, id: str) -> None:
        """Open the table of a match."""
        try:
            online = self.rematches.pop(id) if id in self.rematches else await self.load(id)
            table = self.tables[id] = Table(online, self)
        finally:
            del self.loading[id]
            announced = self.announced.pop(id, 0)
        if online.revision < announced:
            self.start(table.catch_up(announced))

    def remember_rematch(self, online: OnlineMatch) -> None:
        """Remember a rematch for those who come to it."""
        self.rematches[online.id] = online
        if len(self.rematches) > REMATCHES:
            del self.rematches[next(iter(self.rematches))]

    def close_unused(self, table: Table) -> None:
        """Close a table that nobody uses and where no engine is thinking; if its clock runs, it is woken in time."""
        if not table.uses and not table.engine_task and self.tables.get(table.online.id) is table:
            del self.tables[table.online.id]

    async def create(self, match: Match, request: messages.NewMatch) -> messages.CreatedMatch:
        """Create an online match."""
        id = next(derived_ids(f"match {request.key}", ONLINE_ID) if request.key else random_ids(ONLINE_ID))
        online, token = new_match(id, match, request, self.workers.custom_players)
        try:
            await self.writer.write(online)
        except UnknownOutcome as fault:
            report(fault)
            raise ApiError(503, tr(UNKNOWN)) from None
        except RejectedData:
            if not request.key:
                raise
            wanted, online = online, await self.load(id)
            check_same(wanted, online, hash_token(token))  # The same request has come before, and its answer was lost.
        return created_match(online, token)

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run work that nobody waits for; an error is logged, in English whoever caused it."""
        with language(ENGLISH):
            task = self.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.finish)
        return task

    def finish(self, task: asyncio.Task[None]) -> None:
        """Log the error of a task that has ended."""
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            if isinstance(error, StoreFault | ApiError):
                report(error)
            else:
                log.error("%s", error, exc_info=error)

    def match_changed(self, id: str, revision: int) -> None:
        """Another process has announced a new revision of a match."""
        self.rematches.pop(id, None)
        if id in self.loading:
            self.announced[id] = max(revision, self.announced.get(id, 0))
        table = self.tables.get(id)
        if table and table.online.revision < revision:
            self.start(table.catch_up(revision))

    def reload_all(self) -> None:
        """Compare every table with the store now, because notifications may have been missed."""
        self.rematches.clear()
        self.compare_now.set()

    async def compare_tables(self) -> None:
        """Every few seconds compare the tables with the store, and the time: what was missed is caught up with."""
        answering = True
        while True:
            try:
                revisions = await self.check(stored_revisions, self.store, list(self.tables))
                await self.check(self.store.read_time)
            except StoreFault as fault:
                if answering:
                    report(fault)
                answering = False
            else:
                answering, self.compared = True, time.monotonic()
                for id, revision in revisions.items():
                    table = self.tables.get(id)
                    if table and table.online.revision < revision:
                        self.start(table.catch_up(revision))
            try:
                async with asyncio.timeout(COMPARE_PAUSE):
                    await self.compare_now.wait()
            except TimeoutError:
                pass
            self.compare_now.clear()

    # Clocks that run out while nobody is there.

    def set_timer(self, id: str, seconds: float, pause: float = WAKE_PAUSE) -> None:
        """Wake a table after some seconds, and not at the time set before."""
        self.cancel_timer(id)
        if id not in self.waking and not self.closing:
            self.timers[id] = self.loop.call_later(max(0.0, seconds), self.time_up, id, pause)

    def cancel_timer(self, id: str) -> None:
        """Do not wake a table."""
        if timer := self.timers.pop(id, None):
            timer.cancel()

    def time_up(self, id: str, pause: float) -> None:
        """The timer of a running clock went off."""
        del self.timers[id]
        self.waking.add(id)
        self.start(self.wake(id, pause))

    async def wake(self, id: str, pause: float) -> None:
        """End a match whose clock has run out; if there is time left after all, the timer is set again."""
        try:
            async with self.waking_limit, self.table(id) as table:
                await table.change(propose_flag)
                self.waking.discard(id)
                table.start_clock_and_engine()
        except UnknownMatch:
            pass
        except (StoreFault, ApiError) as fault:
            if isinstance(fault, StoreFault):  # Whoever raised an `ApiError` has reported the fault.
                report(fault)
            self.waking.discard(id)
            self.set_timer(id, pause, min(2 * pause, LONGEST_PAUSE))
        finally:
            self.waking.discard(id)

    async def resume_clocks(self) -> None:
        """Set the timers of clocks that kept running while no server did."""
        while not self.resumed:
            try:
                due = await self.read(due_times, self.store)
            except StoreFault as fault:
                report(fault)
                await asyncio.sleep(COMPARE_PAUSE)
                continue
            for id, at in due.items():
                if id not in self.tables:
                    self.set_timer(id, at - timekeeper.seconds())
            self.resumed = True

    async def close(self) -> None:
        """Finish what is being written, and stop everything."""
        self.closing = True
        for id in list(self.timers):
            self.cancel_timer(id)
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        ending = Thread(target=self.end_threads, name="ending", daemon=True)
        ending.start()
        await self.loop.run_in_executor(None, ending.join, CLOSE_SECONDS)
        if ending.is_alive():
            log.error("the database is not responding; stopping without it", extra={"event": "database"})

    def end_threads(self) -> None:
        """Finish what is being written, and end the threads; a database that does not answer keeps them waiting."""
        self.writer.close()
        self.readers.shutdown(cancel_futures=True)
        self.watcher.shutdown(cancel_futures=True)


def observe_write(seconds: float) -> None:
    """Count a batch of the writer."""
    metrics.WRITES.observe(seconds)
    if seconds > SLOW_WRITE:
        metrics.SLOW.labels("write").inc()
