"""How changes of online matches are written: many in one transaction.

A change names the revision it makes, and is written only if the stored match has the one before. Of two programs
that change a match at the same time one succeeds, and the other has to load the match again.
"""

from collections.abc import Iterable, Sequence
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
    false,
    func,
    insert,
    literal_column,
    select,
    text,
    update,
)

from quintet.notation import write_position
from quintet.record import ending_of
from quintet.store.database import Database, StoreFault
from quintet.store.online_matches import Change, OnlineMatch, load_online_match
from quintet.store.schema import MATCHES, MOVES, SCHEMA, SEATS

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
    .with_for_update(skip_locked=True)
)
_REVISIONS = select(MATCHES.c.id, MATCHES.c.revision).where(
    MATCHES.c.id.in_(select(_given(MATCHES.c.id)).select_from(_GIVEN))
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


def id_of(job: Job) -> str:
    """The id of the match that a job writes."""
    return job.draft.id if isinstance(job, Change) else job.id


def is_stored(database: Database, job: Job) -> bool:
    """Whether a job that may be stored is; a `StoreFault` if nobody can tell any more."""
    stored = load_online_match(database, id_of(job))
    if isinstance(job, OnlineMatch):
        return True
    if stored.revision > job.draft.revision:
        raise StoreFault(f"match {stored.id} was changed again")
    same_match = changing_row(stored) == changing_row(job.draft) and stored.seats == job.draft.seats
    return same_match and move_rows(stored, 0) == move_rows(job.draft, 0)


def write_all(connection: Connection, jobs: Sequence[Job]) -> set[str]:
    """Write everything, except changes of matches that another program has locked; gives the ids of those.

    `StaleRevision`, and the transaction must be rolled back, if a change comes too late.
    """
    changes = [job for job in jobs if isinstance(job, Change)]
    locked: set[str] = set()
    if changes and connection.dialect.name == "postgresql":
        ids = numbered({"id": one.draft.id} for one in changes)
        free = set(connection.scalars(_LOCK, ids))
        locked = {one.draft.id for one in changes} - free
        if locked and not locked <= {row.id for row in connection.execute(_REVISIONS, ids)}:
            raise StaleRevision  # One is not locked but was removed.
        changes = [one for one in changes if one.draft.id in free]
    created = [job for job in jobs if isinstance(job, OnlineMatch)] + [one.rematch for one in changes if one.rematch]
    if changes:
        rows = numbered(changing_row(one.draft) for one in changes)
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
    return locked


def probe(database: Database) -> None:
    """Write something that changes nothing; a `StoreFault` if changes cannot be written."""
    with database.transaction(writing=True) as connection:
        for table in (MATCHES, SEATS, MOVES):
            connection.execute(delete(table).where(false()))  # It waits for locks as any change does.
        connection.execute(update(SCHEMA).values(version=SCHEMA.c.version))  # It needs room on the disk.


def stored_revisions(database: Database, ids: Iterable[str]) -> dict[str, int]:
    """The revisions of matches, by their ids."""
    with database.transaction() as connection:
        found = connection.execute(_REVISIONS, numbered({"id": id} for id in ids)).all()
    return {row.id: row.revision for row in found}


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
        "tournament": online.tournament,
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
