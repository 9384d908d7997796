"""Online matches as they are stored, whatever stores them: with their seats, clocks, offers and rematches."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from quintet.match import Match


class OfferKind(StrEnum):
    """What a player can offer the other."""

    UNDO = "undo"
    REMATCH = "rematch"


def hash_token(token: str) -> str:
    """What is stored of a token: enough to recognize it, not enough to use it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Seat:
    """One of the two seats of an online match."""

    who: str
    """`human`, or the engine that plays."""
    name: str | None = None
    """The name that its player gave."""
    token_hash: str | None = None
    """The hash of the token that its player has; none while the seat is free, and for an engine."""
    joined: str | None = None
    """When its player took it."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The seconds each player has for the game, and those added with each move."""

    seconds: int
    increment: int


@dataclass(frozen=True, slots=True)
class Offer:
    """What a player offers, and which player."""

    kind: OfferKind
    by: int


@dataclass(slots=True)
class OnlineMatch:
    """A match with everything the server stores about it."""

    id: str
    match: Match
    seats: dict[int, Seat]
    """Empty for an imported record."""
    control: TimeControl | None = None
    clocks: tuple[int | None, ...] = ()
    """For each move, the milliseconds its player had left after it."""
    updated: str = ""
    """When the match was last moved in; running clocks count from here."""
    revision: int = 0
    """How many changes were stored."""
    undone: int = 0
    """How many times moves were taken back."""
    offer: Offer | None = None
    rematch: str | None = None
    """The id of the rematch."""
    visited: str | None = None
    """When somebody last had it open, as far as that was written down."""
    tournament: str | None = None
    """The id of the tournament that it belongs to."""

    def draft(self) -> "OnlineMatch":
        """A copy to change, with the next revision."""
        return replace(self, match=self.match.copy(), seats=self.seats.copy(), revision=self.revision + 1)


@dataclass(frozen=True, slots=True)
class Change:
    """A change to store, if the stored match still has the revision before it."""

    draft: OnlineMatch
    """The match after the change."""
    moves_from: int | None = None
    """The ply of the first move that was added."""
    truncated_to: int | None = None
    """How many moves are left after moves were taken back."""
    seat_taken: int | None = None
    rematch: OnlineMatch | None = None
    """The rematch that starts with this change."""


def timestamp(text: str) -> float:
    """A stored time as seconds since 1970."""
    return datetime.fromisoformat(text).timestamp()
