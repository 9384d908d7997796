"""What a position is worth with best play, for the player to move."""

from typing import NamedTuple

from quintet.rules import Game
from quintet.solve.theories.generic import MOST


class Value(NamedTuple):
    """The limits that a value lies between; where they are equal, they are the value itself.

    In a territory game the number is the final margin. In a race it is `MOST - plies` for a win and `plies - MOST` for
    a loss, so that a larger number is always better for the player to move.
    """

    low: int
    high: int
    territory: bool

    def __neg__(self) -> "Value":
        """The same value for the other player."""
        return Value(-self.high, -self.low, self.territory)

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.low == self.high

    @property
    def outcome(self) -> str | None:
        """`win`, `loss` or `draw`; `None` while it is not known."""
        if self.low > 0:
            return "win"
        if self.high < 0:
            return "loss"
        return "draw" if self.exact else None

    @property
    def margin(self) -> int | None:
        """The final margin of a territory game."""
        return self.low if self.territory and self.exact else None

    @property
    def plies(self) -> int | None:
        """The moves left when the winner hurries and the loser delays."""
        return None if self.territory or not self.exact else MOST - abs(self.low)

    def earlier(self) -> "Value":
        """What a move is worth to its player that leads to a position of this value."""
        return Value(one_earlier(self.high, self.territory), one_earlier(self.low, self.territory), self.territory)

    def __str__(self) -> str:
        """The value for a person."""
        if self.exact and self.outcome == "draw":
            return "draw"
        if self.territory:
            return f"{self.low:+d}" if self.exact else f"{self.low:+d} to {self.high:+d}"
        if not self.exact:
            return self.outcome or "unknown"
        return f"{self.outcome} in {self.plies}"


def value_of(game: Game, number: int) -> Value:
    """The exact value that a number stands for."""
    return Value(number, number, game.territory)


def one_earlier(number: int, territory: bool) -> int:
    """What a move is worth to its player that leads to a position of this value; in a race its end is one ply later."""
    if territory:
        return -number
    return -number - 1 if number < 0 else -number + 1


def one_later(number: int, territory: bool) -> int:
    """What a value is one best move later, for the player to move then; in a race its end is one ply sooner."""
    if territory:
        return -number
    return -number - 1 if number > 0 else -number + 1
