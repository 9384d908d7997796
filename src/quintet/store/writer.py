"""Many changes in one transaction: a thread takes all that wait, writes them, and wakes whoever waits for them.

A change says which revision of its match it answers. The rows of the matches are locked first and their revisions
compared, so of two programs that change a match at once one succeeds and the other is told to look again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Thread
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, text, update

from quintet.store.database import Database
from quintet.store.tables import MATCHES, MOVES, SEATS

MOST = 500
"""Changes in one transaction, at most."""
CHANNEL = "quintet"
"""Where PostgreSQL tells other programs which match has changed."""

Row = dict[str, Any]

_CURRENT = select(MATCHES.c.id, MATCHES.c.revision).order_by(MATCHES.c.id).with_for_update()
_MATCH = (
    update(MATCHES)
    .where(MATCHES.c.id == bindparam("match"))
    .values(
        {
            name: bindparam(f"new_{name}")
            for name in (
                *("revision", "updated", "result", "termination"),
                *("undone", "offer", "rematch", "player1", "player2"),
            )
        }
    )
)
_SEAT = (
    update(SEATS)
    .where(SEATS.c.match == bindparam("of"), SEATS.c.seat == bindparam("at"))
    .values(name=bindparam("new_name"), token=bindparam("new_token"), joined=bindparam("new_joined"))
)
_CUT = delete(MOVES).where(MOVES.c.match == bindparam("of"), MOVES.c.ply >= bindparam("at"))


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
        going = True
        while going:
            taken = [self.waiting.get()]
            while len(taken) < MOST and not self.waiting.empty():
                taken.append(self.waiting.get())
            going = None not in taken
            jobs = [pair for pair in taken if pair is not None]
            if jobs:
                results = self._write([job for job, _ in jobs])
                self.loop.call_soon_threadsafe(_tell, [future for _, future in jobs], results)

    def _write(self, jobs: Sequence[Job]) -> list[bool | Exception]:
        """What became of each; one that cannot be written must not take the others with it, nor stop the thread."""
        try:
            with self.database.transaction(writing=True) as connection:
                return list(write_all(connection, jobs))
        except Exception as error:
            return [error] if len(jobs) == 1 else [result for job in jobs for result in self._write([job])]


def _tell(futures: "Sequence[asyncio.Future[bool]]", results: Sequence[bool | Exception]) -> None:
    """Wake those who wait, on their own loop."""
    for future, result in zip(futures, results, strict=True):
        if future.done():
            continue  # Whoever waited has gone.
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def write_all(connection: Connection, jobs: Sequence[Job]) -> list[bool]:
    """Write changes whose revisions are right, in order; gives which they were."""
    ids = {job.id for job in jobs if isinstance(job, Change)}
    current: dict[str, int] = {}
    if ids:
        current = dict(connection.execute(_CURRENT.where(MATCHES.c.id.in_(ids))).tuples().all())
    good: list[bool] = []
    begun: list[Beginning] = []
    changes: list[Change] = []
    for job in jobs:
        if isinstance(job, Beginning):
            begun.append(job)
            good.append(True)
            continue
        good.append(current.get(job.id) == job.revision)
        if good[-1]:
            current[job.id] += 1
            changes.append(job)
            if job.follows:
                begun.append(job.follows)
    for one in changes:
        if one.cut is not None:
            connection.execute(_CUT, {"of": one.id, "at": one.cut})
        if one.seat:
            connection.execute(_SEAT, one.seat)
    if begun:
        connection.execute(insert(MATCHES), [one.row for one in begun])
        connection.execute(insert(SEATS), [seat for one in begun for seat in one.seats])
    moves = [move for new in begun for move in new.moves] + [move for one in changes for move in one.moves]
    if moves:
        connection.execute(insert(MOVES), moves)
    if changes:
        connection.execute(
            _MATCH,
            [
                {
                    "match": one.id,
                    "new_revision": one.revision + 1,
                    **{f"new_{name}": it for name, it in one.row.items()},
                }
                for one in changes
            ],
        )
        if connection.dialect.name == "postgresql":
            news = [f"{one.id} {one.revision + 1}" for one in changes]
            connection.execute(text(f"SELECT pg_notify('{CHANNEL}', news) FROM unnest(:news) AS news"), {"news": news})
    return good
