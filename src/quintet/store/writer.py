"""The thread that writes online matches: it commits everything that waits in one transaction.

A change names the revision it makes, and is written only if the stored match has the one before. Of two programs
that change a match at the same time one succeeds, and the other has to load the match again.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

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

from quintet.notation import write_position
from quintet.record import ending_of
from quintet.store.database import Database, RejectedData, StoreFault
from quintet.store.online_matches import Change, OnlineMatch
from quintet.store.schema import MATCHES, MOVES, SEATS

BATCH = 500
"""The most changes in one transaction."""
PAUSE = 0.005
"""Seconds from one transaction to the next, at least: one costs as much as many changes. The first never waits."""
CHANNEL = "quintet"
"""The PostgreSQL channel that announces which match has changed."""

CHANGING = ("updated", "result", "termination", "undone", "offer", "rematch", "player1", "player2")
"""The columns of a match that can change, besides its revision."""

Row = dict[str, str | int | None]
Value = TypeVar("Value")

# All rows of a statement travel as one JSON text. Row by row, the thread would release Python's lock for each and
# wait for the busy event loop to give it back, which takes a hundred times longer than the writing.
_GIVEN = func.json_each(bindparam("rows", type_=JSON)).table_valued("value", name="given")


def _given(column: Column[Value]) -> ColumnElement[Value]:
    """A column's value in the JSON row."""
    return cast(_GIVEN.c.value.op("->>")(literal_column(f"'{column.name}'")), column.type)


def _insert(table: Table) -> Insert:
    """The statement that inserts the rows given into a table."""
    return insert(table).from_select(list(table.c.keys()), select(*map(_given, table.c)).select_from(_GIVEN))


_INSERT = {table: _insert(table) for table in (MATCHES, SEATS, MOVES)}
_LOCK = (
    select(MATCHES.c.id)
    .where(MATCHES.c.id.in_(select(_given(MATCHES.c.id)).select_from(_GIVEN)))
    .order_by(MATCHES.c.id)
    .with_for_update()
)
_UPDATE = (
    update(MATCHES)
    .where(MATCHES.c.id == _given(MATCHES.c.id), MATCHES.c.revision == _given(MATCHES.c.revision) - 1)
    .values({name: _given(MATCHES.c[name]) for name in (*CHANGING, "revision")})
)
_TAKE_SEAT = (
    update(SEATS)
    .where(SEATS.c.match == bindparam("of"), SEATS.c.seat == bindparam("at"))
    .values(name=bindparam("new_name"), token=bindparam("new_token"), joined=bindparam("new_joined"))
)
_TRUNCATE = delete(MOVES).where(MOVES.c.match == bindparam("of"), MOVES.c.ply >= bindparam("at"))


class StaleRevision(Exception):
    """A change does not follow the newest revision of its match."""


Job = Change | OnlineMatch
"""A change to write, or a new match."""


class Writer:
    """The one thread of a program that writes online matches."""

    def __init__(self, database: Database, loop: asyncio.AbstractEventLoop) -> None:
        """Start the thread; the event loop is that of its callers."""
        self.database = database
        self.loop = loop
        self.waiting: SimpleQueue[tuple[Job, asyncio.Future[bool]] | None] = SimpleQueue()
        self.thread = Thread(target=self._work, name="writer", daemon=True)
        self.thread.start()

    def write(self, job: Job) -> asyncio.Future[bool]:
        """Whether it was written; `False` if the match has changed meanwhile. A `StoreFault` if the store failed."""
        future: asyncio.Future[bool] = self.loop.create_future()
        self.waiting.put((job, future))
        return future

    def close(self) -> None:
        """Write what waits, and stop."""
        self.waiting.put(None)
        self.thread.join()

    def _work(self) -> None:
        """Write batches until `close`."""
        running, started = True, 0.0
        while running:
            taken = [self.waiting.get()]
            time.sleep(max(0.0, started + PAUSE - time.monotonic()))
            started = time.monotonic()
            while len(taken) < BATCH and not self.waiting.empty():
                taken.append(self.waiting.get())
            running = None not in taken
            jobs = [pair for pair in taken if pair is not None]
            if jobs:
                results = self._write([job for job, _ in jobs])
                self.loop.call_soon_threadsafe(_resolve, [future for _, future in jobs], results)

    def _write(self, jobs: Sequence[Job]) -> list[bool | Exception]:
        """The result of each job; one that cannot be written must not fail the others, nor stop the thread."""
        failure = self._attempt(jobs)
        if failure is None:
            return [True] * len(jobs)
        results: list[bool | Exception] = []
        for job in jobs:
            # A store that is down is so for all jobs: trying each would keep everybody waiting.
            if len(jobs) > 1 and not is_down(failure):
                failure = self._attempt([job])
            results.append(failure is None or (not isinstance(failure, StaleRevision) and failure))
        return results

    def _attempt(self, jobs: Sequence[Job]) -> Exception | None:
        """Write all jobs or none; gives why it was none."""
        try:
            with self.database.transaction(writing=True) as connection:
                write_all(connection, jobs)
        except Exception as error:
            return error
        return None


def is_down(failure: Exception | None) -> bool:
    """Whether the store itself fails, whatever is written."""
    return isinstance(failure, StoreFault) and not isinstance(failure, RejectedData)


def _resolve(futures: "Sequence[asyncio.Future[bool]]", results: Sequence[bool | Exception]) -> None:
    """Give the callers their results, on their event loop."""
    for future, result in zip(futures, results, strict=True):
        if future.done():
            continue  # Its caller was cancelled.
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def write_all(connection: Connection, jobs: Sequence[Job]) -> None:
    """Write everything; `StaleRevision`, and the transaction must be rolled back, if a change comes too late."""
    changes = [job for job in jobs if isinstance(job, Change)]
    created = [job for job in jobs if isinstance(job, OnlineMatch)] + [one.rematch for one in changes if one.rematch]
    if changes:
        rows = numbered(changing_row(one.draft) for one in changes)
        if connection.dialect.name != "sqlite":
            connection.execute(_LOCK, rows)  # Always in the same order, so that two programs cannot deadlock.
        if connection.execute(_UPDATE, rows).rowcount != len(changes):
            raise StaleRevision
    moves = [row for new in created for row in move_rows(new, 0)]
    for one in changes:
        if one.truncated_to is not None:
            connection.execute(_TRUNCATE, {"of": one.draft.id, "at": one.truncated_to})
        if one.seat_taken is not None:
            connection.execute(_TAKE_SEAT, taken_seat_row(one.draft, one.seat_taken))
        if one.moves_from is not None:
            moves += move_rows(one.draft, one.moves_from)
    for table, given in (
        (MATCHES, [match_row(new) for new in created]),
        (SEATS, [row for new in created for row in seat_rows(new)]),
        (MOVES, moves),
    ):
        if given:
            connection.execute(_INSERT[table], numbered(given))
    if changes and connection.dialect.name == "postgresql":
        notices = [f"{one.draft.id} {one.draft.revision}" for one in changes]
        connection.execute(
            text(f"SELECT pg_notify('{CHANNEL}', notice) FROM unnest(CAST(:notices AS text[])) AS notice"),
            {"notices": notices},
        )


def numbered(rows: Iterable[Row]) -> dict[str, dict[int, Row]]:
    """Rows as one parameter of a statement: both databases read a JSON object with the same function."""
    return {"rows": dict(enumerate(rows))}


def changing_row(online: OnlineMatch) -> Row:
    """The columns of a match that can change."""
    ending, offer = ending_of(online.match.outcome), online.offer
    return {
        "id": online.id,
        "revision": online.revision,
        "updated": online.updated,
        "result": ending.result,
        "termination": ending.termination,
        "undone": online.undone,
        "offer": f"{offer.kind}:{offer.by}" if offer else None,
        "rematch": online.rematch,
        "player1": online.match.names[0],
        "player2": online.match.names[1],
    }


def match_row(online: OnlineMatch) -> Row:
    """The row of a new match."""
    start, control = online.match.positions[0], online.control
    return {
        **changing_row(online),
        "game": start.game.name,
        "start": write_position(start),
        "created": online.updated,
        "notes": None,
        "seconds": control.seconds if control else None,
        "increment": control.increment if control else None,
        "online": True,
        "visited": None,
    }


def move_rows(online: OnlineMatch, first: int) -> list[Row]:
    """The rows of a match's moves, from the one at ply `first`."""
    match, clocks = online.match, online.clocks
    return [
        {
            "match": online.id,
            "ply": ply,
            "move": match.position.label(match.moves[ply]),
            "clock": clocks[ply],
        }
        for ply in range(first, match.ply)
    ]


def seat_rows(online: OnlineMatch) -> list[Row]:
    """The rows of a match's seats."""
    return [
        {
            "match": online.id,
            "seat": number,
            "who": seat.who,
            "name": seat.name,
            "token": seat.token_hash,
            "joined": seat.joined,
        }
        for number, seat in online.seats.items()
    ]


def taken_seat_row(online: OnlineMatch, number: int) -> Row:
    """What changes about a seat that is taken."""
    seat = online.seats[number]
    named = {"new_name": seat.name, "new_token": seat.token_hash, "new_joined": seat.joined}
    return {"of": online.id, "at": number, **named}
