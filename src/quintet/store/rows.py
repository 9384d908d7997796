"""Database rows read into records, and records written into rows."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, insert, select, update

from quintet.engines import HUMAN
from quintet.notation import read_move, read_position, write_position
from quintet.record import Record, ending_of, player_names
from quintet.rules import Outcome, Position
from quintet.store.database import DamagedMatch, StoreFault, first_line, is_writing
from quintet.store.ids import ALPHABET as ALPHABET
from quintet.store.ids import ONLINE_ID as ONLINE_ID
from quintet.store.ids import PRIVATE_ID as PRIVATE_ID
from quintet.store.ids import derived_ids as derived_ids
from quintet.store.ids import one_line as one_line
from quintet.store.ids import random_ids as random_ids
from quintet.store.schema import MATCHES, MOVES, SEATS
from quintet.store.timekeeper import as_text as as_text
from quintet.store.timekeeper import now as now
from quintet.store.timekeeper import utc_now as utc_now

DAMAGED = "damaged"
"""The result of an entry whose match cannot be read."""

StoredRow: TypeAlias = Row[*tuple[Any, ...]]
"""A row as the database returns it: damaged rows can hold anything."""


class UnknownMatch(StoreFault):
    """An id that no match has."""

    status = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """A match as a list of matches shows it."""

    id: str
    game: str
    size: str
    names: tuple[str, str]
    plies: int
    result: str
    """`1-0`, `0-1`, `1/2`, `*` while it is not over, or `damaged`."""
    updated: datetime
    """When it changed last, in UTC."""

    @property
    def when(self) -> str:
        """When it changed last, as people read it: in local time."""
        return "?" if self.result == DAMAGED else f"{self.updated.astimezone():%Y-%m-%d %H:%M}"


def is_taken(connection: Connection, id: str) -> bool:
    """Whether there is a match of that id."""
    return connection.scalar(select(MATCHES.c.id).where(MATCHES.c.id == id)) is not None


def insert_match(connection: Connection, id: str, record: Record, notes: str | None, online: bool = False) -> None:
    """Insert a match with its moves."""
    first, created = record.start, now()
    connection.execute(
        insert(MATCHES).values(
            id=id,
            game=first.game.name,
            start=write_position(first),
            player1=record.tags.get("Player1"),
            player2=record.tags.get("Player2"),
            created=created,
            updated=created,
            result=record.result,
            termination=record.tags.get("Termination"),
            notes=notes,
            online=online,
        )
    )
    if record.moves:
        rows = [{"match": id, "ply": ply, "move": first.label(move)} for ply, move in enumerate(record.moves)]
        connection.execute(insert(MOVES), rows)


def conclude(connection: Connection, id: str, outcome: Outcome | None) -> str:
    """Write how a match stands now; gives its result."""
    ending = ending_of(outcome)
    changed = {"updated": now(), "result": ending.result, "termination": ending.termination, "offer": None}
    counted = {**changed, "revision": MATCHES.c.revision + 1}
    connection.execute(update(MATCHES).where(MATCHES.c.id == id).values(counted))
    return ending.result


def find_row(connection: Connection, id: str) -> StoredRow:
    """The row of a match, locked until the end of a transaction that writes."""
    chosen = select(MATCHES).where(MATCHES.c.id == id)
    row = connection.execute(chosen.with_for_update() if is_writing(connection) else chosen).first()
    if row is None:
        raise UnknownMatch(f"no saved game called {id[:40]!r}; `quintet history` lists them")
    return row


def find_players(connection: Connection, id: str) -> tuple[str, str]:
    """Who plays a match; a person where nothing else is known, as in an imported record."""
    rows = connection.execute(select(SEATS.c.seat, SEATS.c.who).where(SEATS.c.match == id)).all()
    who = {row.seat: row.who for row in rows}
    players = who.get(1, HUMAN), who.get(2, HUMAN)
    if not all(isinstance(player, str) for player in players):
        raise DamagedMatch(f"match {id} is damaged in the store: a player is not text")
    return players


def insert_players(connection: Connection, id: str, players: tuple[str, str], names: tuple[str, str]) -> None:
    """Insert who plays a private match, and what they are called."""
    seats = zip((1, 2), players, names, strict=True)
    rows = [{"match": id, "seat": seat, "who": one_line(who), "name": name} for seat, who, name in seats]
    connection.execute(insert(SEATS), rows)


def find_moves(connection: Connection, id: str) -> Sequence[StoredRow]:
    """The rows of a match's moves in order."""
    return connection.execute(select(MOVES.c.ply, MOVES.c.move).where(MOVES.c.match == id).order_by(MOVES.c.ply)).all()


def find_record(connection: Connection, id: str) -> Record:
    """The match of that id, replayed by the rules."""
    return record_of(find_row(connection, id), find_moves(connection, id))


def record_of(row: StoredRow, rows: Sequence[StoredRow]) -> Record:
    """The record in a match's rows; a `StoreFault` names the match if they are damaged."""
    try:
        first = read_position(row.start)
        if first.game.name != row.game:
            raise ValueError(f"it starts as {first.game.name}, not as {row.game}")
        if row.notes is None:
            tags, comments = {"Date": local_time(row.created).date().isoformat()}, {}
        else:
            notes = json.loads(row.notes)
            tags, comments = notes["tags"], {int(ply): text for ply, text in notes["comments"].items()}
        given = {"Player1": row.player1, "Player2": row.player2, **tags, "Termination": row.termination}
        known = {name: text for name, text in given.items() if text is not None}
        local_time(row.updated)
        return Record(first, moves_of(first, rows), row.result, known, comments)
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError) as error:
        raise DamagedMatch(f"match {row.id} is damaged in the store: {first_line(error)}") from None


def local_time(text: str) -> datetime:
    """A stored time as local time; an error if it has none, neither here nor in UTC."""
    return datetime.fromisoformat(text).astimezone(UTC).astimezone()


def moves_of(first: Position, rows: Sequence[StoredRow]) -> tuple[int, ...]:
    """The moves in rows, legal or not."""
    for number, row in enumerate(rows):
        if row.ply != number:
            raise ValueError(f"move {number + 1} is missing")
    return tuple(read_move(first, row.move) for row in rows)


def entry_of(row: StoredRow, rows: Sequence[StoredRow]) -> Entry:
    """A match's line in a list; a damaged one must not hide the others."""
    try:
        record = record_of(row, rows)
    except StoreFault:
        return Entry(str(row.id), str(row.game), "?", ("?", "?"), len(rows), DAMAGED, datetime.fromtimestamp(0, UTC))
    return Entry(
        str(row.id),
        record.start.game.name,
        record.start.board.size,
        player_names(record),
        len(record.moves),
        record.result,
        datetime.fromisoformat(row.updated),
    )
