"""Tournaments between people as the web server stores them: entries, rounds and results.

A change names the revision it makes, and is written only if the stored tournament has the one before. The matches of a
round are written in the same transaction as the round, so there is never one without the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import func, insert, select, update

from quintet.engines.players import is_outside
from quintet.store.database import DamagedMatch, Database, first_line
from quintet.store.online_matches import LONGEST_CLOCK, OnlineMatch
from quintet.store.rows import UnknownMatch
from quintet.store.schema import MATCHES, MOVES, TOURNAMENTS
from quintet.store.writer import write_all

Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Seconds = Annotated[int, Meta(ge=0, le=LONGEST_CLOCK)]
GameResult = Literal["1-0", "0-1", "1/2", "0-0"]
"""The result of a game as records write it; `0-0` if both forfeited."""


class Format(StrEnum):
    """Who plays whom."""

    ALL = "all"
    """Everybody plays everybody."""
    SWISS = "swiss"


class Stage(StrEnum):
    """How far a tournament is."""

    OPEN = "open"
    """It has not started."""
    RUNNING = "running"
    OVER = "over"


class UnknownTournament(UnknownMatch):
    """An id that no tournament has."""


class Control(Struct, frozen=True):
    """The seconds each player has for a game, and those added with each move."""

    seconds: Seconds
    increment: Seconds


class Entry(Struct, omit_defaults=True):
    """Somebody who takes part."""

    number: int
    name: str
    who: str
    """`human`, or an engine."""
    token_hash: Hash | None = None
    """The hash of the person's token, which is that of their seats too."""
    left: bool = False
    """Whether they are not paired any more."""
    removed: bool = False
    """Whether the organiser removed them, so that they cannot return."""


class Pairing(Struct, omit_defaults=True):
    """A game of a round, or a bye."""

    one: int
    """The number of the entry that goes first."""
    two: int | None
    """The other one; `None` for a bye."""
    match: str | None = None
    """The match; `None` if there is nothing to play."""
    result: GameResult | None = None
    """`None` while it is played."""
    forfeit: bool = False
    """Whether it was not decided on the board."""
    ruled_against: int | None = None
    """The entry that loses by the organiser's ruling."""


class Round(Struct, omit_defaults=True):
    """A round."""

    pairings: list[Pairing]
    ended: str | None = None
    """When its last game ended."""


class Tournament(Struct, kw_only=True):
    """A tournament with everything the server stores about it."""

    id: str
    name: str
    start: str
    """The position that every game starts from."""
    format: Format
    rounds: Annotated[int, Meta(ge=1)]
    """How many Swiss rounds there are; the number is final when it starts."""
    control: Control | None
    pause: Seconds
    """Seconds between two rounds."""
    organiser_hash: Hash
    created: str
    updated: str
    revision: int = 0
    stage: Stage = Stage.OPEN
    entries: list[Entry] = []
    last_number: int = 0
    """The number of the newest entry; none is given twice, even if an entry is gone."""
    played: list[Round] = []
    """The rounds so far; the last one may still be played."""
    visited: str | None = None

    def draft(self) -> "Tournament":
        """A copy to change, with the next revision."""
        copy = DECODER.decode(msgspec.json.encode(self))
        copy.revision += 1
        return copy


DECODER = msgspec.json.Decoder(Tournament)


@dataclass(frozen=True, slots=True)
class Ending:
    """How the match of a pairing stands."""

    result: str
    termination: str | None
    plies: int


def load_tournament(database: Database, id: str) -> Tournament:
    """The tournament of that id."""
    with database.transaction() as connection:
        row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.id == id)).first()
    if row is None:
        raise UnknownTournament(f"no tournament called {id[:40]!r}")
    try:
        found = DECODER.decode(row.data)
        found.id, found.revision, found.updated, found.visited = row.id, row.revision, row.updated, row.visited
        if any(is_outside(entry.who) for entry in found.entries):
            raise ValueError("a player is a program, which no stored tournament may start")
        return found
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise DamagedMatch(f"tournament {row.id} is damaged in the store: {first_line(error)}") from None


def write_tournament(database: Database, tournament: Tournament, matches: Sequence[OnlineMatch] = ()) -> bool:
    """Write a change of a tournament, or a new one (revision 0), with the matches of a new round.

    Whether it was written; `False` if the tournament has changed meanwhile.
    """
    row = {
        "revision": tournament.revision,
        "updated": tournament.updated,
        "data": msgspec.json.encode(tournament).decode(),
    }
    with database.transaction(writing=True) as connection:
        if not tournament.revision:
            connection.execute(insert(TOURNAMENTS).values(id=tournament.id, **row))
            return True
        same = TOURNAMENTS.c.id == tournament.id, TOURNAMENTS.c.revision == tournament.revision - 1
        if not connection.execute(update(TOURNAMENTS).where(*same).values(**row)).rowcount:
            return False
        if matches:
            write_all(connection, matches)
    return True


def find_revision(database: Database, id: str) -> int:
    """The revision of a tournament; -1 if there is none."""
    with database.transaction() as connection:
        found = connection.scalar(select(TOURNAMENTS.c.revision).where(TOURNAMENTS.c.id == id))
    return -1 if found is None else found


def find_endings(database: Database, ids: Sequence[str]) -> dict[str, Ending]:
    """How matches stand, by their ids; one that was deleted is missing."""
    plies = select(func.count()).select_from(MOVES).where(MOVES.c.match == MATCHES.c.id).correlate(MATCHES)
    chosen = select(MATCHES.c.id, MATCHES.c.result, MATCHES.c.termination, plies.scalar_subquery().label("plies"))
    with database.transaction() as connection:
        rows = connection.execute(chosen.where(MATCHES.c.id.in_(ids))).all()
    return {row.id: Ending(row.result, row.termination, row.plies) for row in rows}
