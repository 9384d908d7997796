"""Matches as a table on the web knows them: who sits there by which secret, the clocks, what was offered."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from quintet.match import Match, replay
from quintet.notation import write_position
from quintet.record import RESULTS, UNFINISHED
from quintet.store.database import Database, StoreFault
from quintet.store.rows import UnknownMatch, now, restore
from quintet.store.tables import MATCHES, MOVES, SEATS
from quintet.store.writer import Beginning


def secret(token: str) -> str:
    """What is stored of a token: enough to know it again, too little to use it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table."""

    who: str
    """`human`, or the engine that plays."""
    name: str | None = None
    token: str | None = None
    """The hash of its player's secret; none while the seat is free, and for an engine."""
    joined: str | None = None
    """Since when somebody sits there."""


@dataclass(frozen=True, slots=True)
class Control:
    """How much time the players have."""

    seconds: int
    increment: int


@dataclass(slots=True)
class Sitting:
    """A match with all that belongs to its table."""

    id: str
    match: Match
    seats: dict[int, Seat]
    """Empty for a match that was not begun at a table."""
    control: Control | None = None
    clocks: tuple[int | None, ...] = ()
    """The milliseconds left to the player of each move, after it."""
    updated: str = ""
    """When it changed last."""
    revision: int = 0
    undone: int = 0
    offer: tuple[str, int] | None = None
    """What is offered, and by whom."""
    rematch: str | None = None

    def draft(self) -> "Sitting":
        """The same, to be changed by itself."""
        return Sitting(
            self.id,
            self.match.copy(),
            self.seats.copy(),
            self.control,
            self.clocks,
            self.updated,
            self.revision,
            self.undone,
            self.offer,
            self.rematch,
        )


def load_sitting(database: Database, id: str) -> Sitting:
    """The match of that id with its table."""
    with database.transaction() as connection:
        row = connection.execute(select(MATCHES).where(MATCHES.c.id == id)).first()
        if row is None:
            raise UnknownMatch(f"there is no match {id[:40]!r}")
        moves = connection.execute(select(MOVES).where(MOVES.c.match == id).order_by(MOVES.c.ply)).all()
        seats = connection.execute(select(SEATS).where(SEATS.c.match == id)).all()
    match = replay(restore(row, moves))
    try:
        kind, _, by = (row.offer or "").partition(":")
        return Sitting(
            id=row.id,
            match=match,
            seats={seat.seat: Seat(seat.who, seat.name, seat.token, seat.joined) for seat in seats},
            control=None if row.seconds is None else Control(row.seconds, row.increment),
            clocks=tuple(move.clock for move in moves),
            updated=row.updated,
            revision=row.revision,
            undone=row.undone,
            offer=(kind, int(by)) if kind else None,
            rematch=row.rematch,
        )
    except (TypeError, ValueError) as error:
        raise StoreFault(f"match {id} is damaged in the store: {error}") from None


def begin_sitting(sitting: Sitting) -> Beginning:
    """The rows of a new table."""
    match, created = sitting.match, sitting.updated or now()
    first = match.positions[0]
    row = {
        "id": sitting.id,
        "game": first.game.name,
        "start": write_position(first),
        "created": created,
        "notes": None,
        "revision": 0,
        "seconds": sitting.control and sitting.control.seconds,
        "increment": sitting.control and sitting.control.increment,
        **changing(sitting, created),
    }
    moves = [
        {"match": sitting.id, "ply": ply, "move": first.label(move), "clock": None}
        for ply, move in enumerate(match.moves)
    ]
    seats = [
        {"match": sitting.id, "seat": at, "who": it.who, "name": it.name, "token": it.token, "joined": it.joined}
        for at, it in sitting.seats.items()
    ]
    return Beginning(row, moves, seats)


def changing(sitting: Sitting, updated: str) -> dict[str, Any]:
    """What can change of a match's row, as it is now."""
    outcome = sitting.match.outcome
    return {
        "updated": updated,
        "result": RESULTS[outcome.winner] if outcome else UNFINISHED,
        "termination": outcome.reason if outcome else None,
        "undone": sitting.undone,
        "offer": sitting.offer and f"{sitting.offer[0]}:{sitting.offer[1]}",
        "rematch": sitting.rematch,
        "player1": sitting.match.names[0],
        "player2": sitting.match.names[1],
    }


def running_clocks(database: Database) -> list[str]:
    """The matches that go on with clocks: somebody may have run out of time while no program looked."""
    with database.transaction() as connection:
        chosen = select(MATCHES.c.id).where(MATCHES.c.result == UNFINISHED, MATCHES.c.seconds.is_not(None))
        return list(connection.scalars(chosen))


def when(text: str) -> float:
    """A stored time as seconds since 1970."""
    return datetime.fromisoformat(text).timestamp()
