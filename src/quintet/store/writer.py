"""Many changes in one transaction: a thread takes all that wait, writes them, and wakes whoever waits for them.

A change says which revision of its match it answers, and is written only where that is the newest: of two programs
that change a match at once one succeeds and the other is told to look again.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Thread
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Insert,
    Table,
    bindparam,
    cast,
    delete,
    func,
    insert,
    literal_column,
    select,
    text,
    update,
)

from quintet.store.database import Database, Misfit, StoreFault
from quintet.store.tables import MATCHES, MOVES, SEATS

MOST = 500
"""Changes in one transaction, at most."""
PAUSE = 0.005
"""Seconds from one transaction to the next, at least: it costs as much as many changes. The first never waits."""
CHANNEL = "quintet"
"""Where PostgreSQL tells other programs which match has changed."""

CHANGING = ("updated", "result", "termination", "undone", "offer", "rematch", "player1", "player2")
"""What can change of a match's own row, besides its revision."""

Row = dict[str, Any]

# All rows of a statement travel as one JSON text. Row by row, the thread would let go of Python's lock for each and
# wait for the busy event loop to give it back, which takes a hundred times longer than the writing.
_GIVEN = func.json_each(bindparam("rows", type_=JSON)).table_valued("value", name="given")


def _given(column: Column[Any]) -> ColumnElement[Any]:
    """What the JSON row says of a column."""
    return cast(_GIVEN.c.value.op("->>")(literal_column(f"'{column.name}'")), column.type)


def _insert(table: Table) -> Insert:
    """Puts the rows given into a table."""
    return insert(table).from_select(list(table.c.keys()), select(*map(_given, table.c)).select_from(_GIVEN))


_INSERT = {table: _insert(table) for table in (MATCHES, SEATS, MOVES)}
_LOCK = (
    select(MATCHES.c.id)
    .where(MATCHES.c.id.in_(select(_given(MATCHES.c.id)).select_from(_GIVEN)))
    .order_by(MATCHES.c.id)
    .with_for_update()
)
_MATCH = (
    update(MATCHES)
    .where(MATCHES.c.id == _given(MATCHES.c.id), MATCHES.c.revision == _given(MATCHES.c.revision))
    .values({name: _given(MATCHES.c[name]) for name in CHANGING} | {"revision": MATCHES.c.revision + 1})
)
_SEAT = (
    update(SEATS)
    .where(SEATS.c.match == bindparam("of"), SEATS.c.seat == bindparam("at"))
    .values(name=bindparam("new_name"), token=bindparam("new_token"), joined=bindparam("new_joined"))
)
_CUT = delete(MOVES).where(MOVES.c.match == bindparam("of"), MOVES.c.ply >= bindparam("at"))


class Overtaken(Exception):
    """A change answers a revision of its match that is not the newest any more."""


@dataclass(slots=True)
class Beginning:
    """A new match with its seats."""

    row: Row
    moves: list[Row]
    seats: list[Row]


@dataclass(slots=True)
class Change:
    """What is new about a match."""

    id: str
    revision: int
    """The revision it answers."""
    row: Row
    """All that can change of the match's own row."""
    moves: list[Row] = field(default_factory=list)
    """Moves that were played."""
    cut: int | None = None
    """The ply from which moves were taken back."""
    seat: Row | None = None
    """The seat that was taken."""
    follows: Beginning | None = None
    """The rematch that begins with it."""


Job = Change | Beginning


class Writer:
    """The one thread of a program that writes for everybody."""

    def __init__(self, database: Database, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to write; whoever waits does so on this loop."""
        self.database = database
        self.loop = loop
        self.waiting: SimpleQueue[tuple[Job, asyncio.Future[bool]] | None] = SimpleQueue()
        self.thread = Thread(target=self._work, name="writer", daemon=True)
        self.thread.start()

    def write(self, job: Job) -> asyncio.Future[bool]:
        """Whether it was written; `False` if the match had changed meanwhile. A `StoreFault` if the store failed."""
        future: asyncio.Future[bool] = self.loop.create_future()
        self.waiting.put((job, future))
        return future

    def close(self) -> None:
        """Write what waits, and stop."""
        self.waiting.put(None)
        self.thread.join()

    def _work(self) -> None:
        """Take what waits, write it, tell."""
        going, begun = True, 0.0
        while going:
            taken = [self.waiting.get()]
            time.sleep(max(0.0, begun + PAUSE - time.monotonic()))
            begun = time.monotonic()
            while len(taken) < MOST and not self.waiting.empty():
                taken.append(self.waiting.get())
            going = None not in taken
            jobs = [pair for pair in taken if pair is not None]
            if jobs:
                results = self._write([job for job, _ in jobs])
                self.loop.call_soon_threadsafe(_tell, [future for _, future in jobs], results)

    def _write(self, jobs: Sequence[Job]) -> list[bool | Exception]:
        """What became of each; one that cannot be written must not take the others with it, nor stop the thread."""
        failure = self._attempt(jobs)
        if failure is None:
            return [True] * len(jobs)
        results: list[bool | Exception] = []
        for job in jobs:
            # A store that fails does so for all: to ask it once for each would keep everybody waiting.
            if len(jobs) > 1 and not is_down(failure):
                failure = self._attempt([job])
            results.append(failure is None or (not isinstance(failure, Overtaken) and failure))
        return results

    def _attempt(self, jobs: Sequence[Job]) -> Exception | None:
        """Write all or nothing; gives why it was nothing."""
        try:
            with self.database.transaction(writing=True) as connection:
                write_all(connection, jobs)
        except Exception as error:
            return error
        return None


def is_down(failure: Exception | None) -> bool:
    """Whether the store itself fails, whatever it is asked to write."""
    return isinstance(failure, StoreFault) and not isinstance(failure, Misfit)


def _tell(futures: "Sequence[asyncio.Future[bool]]", results: Sequence[bool | Exception]) -> None:
    """Wake those who wait, on their own loop."""
    for future, result in zip(futures, results, strict=True):
        if future.done():
            continue  # Whoever waited has gone.
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def write_all(connection: Connection, jobs: Sequence[Job]) -> None:
    """Write everything; `Overtaken`, and nothing may be kept, unless each change answers its match as it is."""
    changes = [job for job in jobs if isinstance(job, Change)]
    begun = [job for job in jobs if isinstance(job, Beginning)] + [one.follows for one in changes if one.follows]
    if changes:
        rows = numbered([{"id": one.id, "revision": one.revision, **one.row} for one in changes])
        if connection.dialect.name != "sqlite":
            connection.execute(_LOCK, rows)  # Always in the same order, lest two programs wait for each other.
        if connection.execute(_MATCH, rows).rowcount != len(changes):
            raise Overtaken
    for one in changes:
        if one.cut is not None:
            connection.execute(_CUT, {"of": one.id, "at": one.cut})
        if one.seat:
            connection.execute(_SEAT, one.seat)
    for table, given in (
        (MATCHES, [one.row for one in begun]),
        (SEATS, [seat for one in begun for seat in one.seats]),
        (MOVES, [move for new in begun for move in new.moves] + [move for one in changes for move in one.moves]),
    ):
        if given:
            connection.execute(_INSERT[table], numbered(given))
    if changes and connection.dialect.name == "postgresql":
        news = [f"{one.id} {one.revision + 1}" for one in changes]
        connection.execute(
            text(f"SELECT pg_notify('{CHANNEL}', news) FROM unnest(CAST(:news AS text[])) AS news"), {"news": news}
        )


def numbered(rows: list[Row]) -> dict[str, dict[int, Row]]:
    """Rows as one value of a statement: both databases take a JSON object apart by the same name."""
    return {"rows": dict(enumerate(rows))}
