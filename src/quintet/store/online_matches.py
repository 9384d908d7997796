"""Online matches in the database: how they are read, and what their rows must have."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from sqlalchemy import Connection, select

from quintet.engines.players import is_outside
from quintet.match import replay
from quintet.record import Record
from quintet.store.database import DamagedMatch, Database, first_line
from quintet.store.online import Change as Change
from quintet.store.online import Offer as Offer
from quintet.store.online import OfferKind as OfferKind
from quintet.store.online import OnlineMatch as OnlineMatch
from quintet.store.online import Seat as Seat
from quintet.store.online import TimeControl as TimeControl
from quintet.store.online import hash_token as hash_token
from quintet.store.online import timestamp as timestamp
from quintet.store.rows import StoredRow, UnknownMatch, find_moves, record_of
from quintet.store.schema import MATCHES, MOVES, SEATS

LONGEST_CLOCK = 2_000_000
"""Seconds that no clock has."""


def find_online_row(connection: Connection, id: str) -> StoredRow:
    """The row of an online match. A private one in the same database is as unknown as one that is not there."""
    row = connection.execute(select(MATCHES).where(MATCHES.c.id == id, MATCHES.c.online)).first()
    if row is None:
        raise UnknownMatch(f"no match called {id[:40]!r}")
    return row


def load_online_record(database: Database, id: str) -> Record:
    """The record of the online match of that id."""
    with database.transaction() as connection:
        return record_of(find_online_row(connection, id), find_moves(connection, id))


def load_seats(database: Database, ids: Sequence[str]) -> dict[tuple[str, int], Seat]:
    """The seats of online matches, by the ID of the match and the number of the seat."""
    with database.transaction() as connection:
        rows = connection.execute(select(SEATS).where(SEATS.c.match.in_(ids))).all()
    return {(row.match, row.seat): Seat(str(row.who), row.name and str(row.name)) for row in rows}


def load_online_match(database: Database, id: str) -> OnlineMatch:
    """The online match of that id."""
    with database.transaction() as connection:
        row = find_online_row(connection, id)
        moves = connection.execute(select(MOVES).where(MOVES.c.match == id).order_by(MOVES.c.ply)).all()
        seats = connection.execute(select(SEATS).where(SEATS.c.match == id)).all()
    match = replay(record_of(row, moves))
    try:
        check_columns(row, moves, seats)
        return OnlineMatch(
            id=row.id,
            match=match,
            seats={seat.seat: Seat(seat.who, seat.name, seat.token, seat.joined) for seat in seats},
            control=None if row.seconds is None else TimeControl(row.seconds, row.increment),
            clocks=tuple(move.clock for move in moves),
            updated=row.updated,
            revision=row.revision,
            undone=row.undone,
            offer=read_offer(row.offer) if row.offer else None,
            rematch=row.rematch,
            visited=row.visited,
            tournament=row.tournament,
        )
    except (TypeError, ValueError, OverflowError) as error:
        raise DamagedMatch(f"match {id} is damaged in the store: {first_line(error)}") from None


class MatchColumns(msgspec.Struct):
    """What the columns of an online match must have: a database such as SQLite accepts anything."""

    updated: str
    revision: Annotated[int, Meta(ge=0)]
    undone: Annotated[int, Meta(ge=0)]
    rematch: str | None
    visited: str | None
    tournament: str | None
    seconds: Annotated[int, Meta(ge=0, le=LONGEST_CLOCK)] | None
    increment: Annotated[int, Meta(ge=0, le=LONGEST_CLOCK)] | None


class MoveColumns(msgspec.Struct):
    """What the columns of a move must have."""

    clock: Annotated[int, Meta(ge=-1000 * LONGEST_CLOCK, le=1000 * LONGEST_CLOCK)] | None


class SeatColumns(msgspec.Struct):
    """What the columns of a seat must have."""

    seat: Literal[1, 2]
    who: str
    name: str | None
    token: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")] | None
    joined: str | None


for _columns in (MatchColumns, MoveColumns, SeatColumns):
    # msgspec prepares a type when it first meets it. It crashes if several threads do so at the same time.
    msgspec.json.Decoder(_columns)


def check_columns(row: StoredRow, moves: Sequence[StoredRow], seats: Sequence[StoredRow]) -> None:
    """Refuse the rows of a match with anything in them that was not written there."""
    msgspec.convert(row, MatchColumns, from_attributes=True)
    for move in moves:
        msgspec.convert(move, MoveColumns, from_attributes=True)
    found = [msgspec.convert(seat, SeatColumns, from_attributes=True) for seat in seats]
    if (found or row.seconds is not None) and {seat.seat for seat in found} != {1, 2}:
        raise ValueError("a seat is missing")
    if any(is_outside(seat.who) for seat in found):
        raise ValueError("a player is a program, which no stored match may start")
    if row.seconds is not None and row.increment is None:
        raise ValueError("the clock has no increment")
    for text in (row.updated, *(seat.joined for seat in found if seat.joined is not None)):
        timestamp(text)


def read_offer(text: str) -> Offer:
    """The offer that a stored text such as `undo:1` means."""
    kind, _, by = text.partition(":")
    if by not in ("1", "2"):
        raise ValueError("an offer names its player")
    return Offer(OfferKind(kind), int(by))
