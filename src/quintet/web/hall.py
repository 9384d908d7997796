"""The hall of one server process: its live tables, set up when somebody comes and put away when nobody is there."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from quintet.engines import HUMAN
from quintet.match import Match
from quintet.store.database import StoreFault
from quintet.store.matches import Store
from quintet.store.rows import now, one_line
from quintet.store.seating import (
    Control,
    Seat,
    Sitting,
    begin_sitting,
    load_sitting,
    running_clocks,
    secret,
)
from quintet.store.writer import Writer
from quintet.web import messages
from quintet.web.names import check_player
from quintet.web.refusal import Refused
from quintet.web.table import Table, new_id
from quintet.web.thinkers import Thinkers

MOST_BEGUN = 1_000
"""Rematches remembered for those who come to them."""
NEWER = 1 << 62
"""A revision that no match has: whatever was read is to be read again."""
READERS = 4
"""Threads that read from the store."""

Found = TypeVar("Found")
log = logging.getLogger("quintet.web")


class Hall:
    """The live tables over one store."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        """Open the hall, on the loop that is running."""
        self.loop = asyncio.get_running_loop()
        self.store = store
        self.thinkers = thinkers
        self.writer = Writer(store, self.loop)
        self.readers = ThreadPoolExecutor(READERS, "reader")
        self.tables: dict[str, Table] = {}
        self.loading: dict[str, asyncio.Task[Table]] = {}
        self.heard: dict[str, int] = {}
        """The newest revision heard of for a table that is being set up."""
        self.begun: dict[str, Sitting] = {}
        """Rematches begun here that nobody has come to yet, and nobody need read from the store."""
        self.tasks: set[asyncio.Task[None]] = set()

    async def read(self, work: Callable[..., Found], *arguments: object) -> Found:
        """What a function reads from the store, in a thread."""
        return await self.loop.run_in_executor(self.readers, work, *arguments)

    async def load(self, id: str) -> Sitting:
        """A match as it is stored."""
        return await self.read(load_sitting, self.store, id)

    @asynccontextmanager
    async def table(self, id: str) -> AsyncIterator[Table]:
        """The live table of a match, for as long as it is used."""
        table = await self.fetch(id)
        table.uses += 1
        try:
            table.attend()
            yield table
        finally:
            table.uses -= 1
            self.put_away(table)

    async def fetch(self, id: str) -> Table:
        """The live table of a match, set up once however many ask."""
        while id not in self.tables:
            if id not in self.loading:
                self.loading[id] = asyncio.create_task(self.set_up(id))
            await asyncio.shield(self.loading[id])
        return self.tables[id]

    async def set_up(self, id: str) -> Table:
        """Bring a table up from the store."""
        try:
            sitting = self.begun.pop(id) if id in self.begun else await self.load(id)
            table = self.tables[id] = Table(sitting, self)
        finally:
            del self.loading[id]
            heard = self.heard.pop(id, 0)
        if sitting.revision < heard:
            self.start(lambda: table.catch_up(heard))
        return table

    def expect(self, sitting: Sitting) -> None:
        """Keep a match that was begun just now for those who come to it."""
        self.begun[sitting.id] = sitting
        if len(self.begun) > MOST_BEGUN:
            del self.begun[next(iter(self.begun))]

    def put_away(self, table: Table) -> None:
        """Drop a table where nobody is and nothing goes on."""
        if not table.uses and not table.busy and self.tables.get(table.sitting.id) is table:
            del self.tables[table.sitting.id]

    async def begin(self, match: Match, wish: messages.NewMatch) -> messages.Begun:
        """Begin a match at a new table."""
        guests = self.thinkers.guests
        who = {1: check_player(wish.seats.one, guests), 2: check_player(wish.seats.two, guests)}
        taken = set(wish.take)
        if any(who[player] != HUMAN for player in taken):
            raise Refused(422, "an engine's seat cannot be taken")
        token, name, time = secrets.token_urlsafe(24), one_line(wish.name or "") or None, now()
        seats = {}
        for player, description in who.items():
            if player in taken:
                # Who takes both seats holds one secret for both: it is the same person.
                seats[player] = Seat(description, name, secret(token), time)
            else:
                seats[player] = Seat(description, joined=None if description == HUMAN else time)
        match.names = tuple(  # type: ignore[assignment]
            (seat.name or HUMAN) if seat.who == HUMAN else seat.who for seat in seats.values()
        )
        control = Control(wish.clock.seconds, wish.clock.increment) if wish.clock else None
        sitting = Sitting(new_id(), match, seats, control, updated=time)
        await self.writer.write(begin_sitting(sitting))
        return messages.Begun(sitting.id, {str(player): token for player in sorted(taken)}, f"/match/{sitting.id}")

    def start(self, work: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
        """Begin work that nobody waits for; what goes wrong is logged."""
        task = self.loop.create_task(work())
        self.tasks.add(task)
        task.add_done_callback(self.finished)
        return task

    def finished(self, task: asyncio.Task[None]) -> None:
        """Work is done; say so if it failed."""
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("%s", error, exc_info=None if isinstance(error, StoreFault | Refused) else error)

    def hear(self, news: Sequence[tuple[str, int]]) -> None:
        """Another program says that matches have changed."""
        for id, revision in news:
            self.begun.pop(id, None)
            if id in self.loading:
                self.heard[id] = max(revision, self.heard.get(id, 0))
            table = self.tables.get(id)
            if table and table.sitting.revision < revision:
                self.start(lambda table=table, revision=revision: table.catch_up(revision))  # type: ignore[misc]

    def look_again(self) -> None:
        """News may have been missed: read every table anew."""
        self.begun.clear()
        self.heard |= dict.fromkeys(self.loading, NEWER)
        for table in list(self.tables.values()):
            self.start(lambda table=table: table.catch_up(table.sitting.revision + 1))  # type: ignore[misc]

    async def wind_clocks(self) -> None:
        """Set up the tables whose clocks ran while no program looked."""
        for id in await self.read(running_clocks, self.store):
            try:
                async with self.table(id):
                    pass
            except StoreFault as fault:
                log.warning("%s", fault)

    async def close(self) -> None:
        """Finish what is being written and put everything away."""
        for table in self.tables.values():
            if table.flag:
                table.flag.cancel()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.loop.run_in_executor(None, self.writer.close)
        self.readers.shutdown()
