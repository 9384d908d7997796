"""Ten levels: a perfect player that, by a chance of its level, plays any move at all instead.

The chances are chosen so that each level scores between 55 % and 75 % against the one below, over both sides and all games
at the rule books' sizes. `quintet arena --ladder` measures it.
"""

from quintet.engines.perfect import Perfect
from quintet.rules import Position

CHANCES = (0.95, 0.75, 0.6, 0.5, 0.4, 0.3, 0.2, 0.12, 0.06, 0.0)
"""How often each level, from the first, moves without looking."""


class Level:
    """Plays as well as its level."""

    def __init__(self, level: int, seed: int | None = None) -> None:
        """A level from 1 to 10, with a seed."""
        self.chance = CHANCES[level - 1]
        self.perfect = Perfect(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """A best move, or by chance any."""
        if position.legal and self.perfect.dice.happens(self.chance):
            return self.perfect.dice.pick(position.legal)
        return self.perfect.choose(position, seconds)

    def close(self) -> None:
        """It holds nothing."""
