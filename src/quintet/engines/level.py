"""Ten levels: a perfect player that, by a chance of its level, makes a mistake.

A mistake is any move but those a perfect player chooses from, all with the same chance. Who only ever makes mistakes
plays worse than at random, which leaves room for a level 1 that everyone beats. The chances are chosen so that each
level scores between 55 % and 75 % against the one below, over both sides and all games at the rule books' sizes;
`quintet arena --ladder` measures it.
"""

from quintet.engines.perfect import Perfect
from quintet.rules import Position

CHANCES = (0.98, 0.855, 0.74, 0.63, 0.52, 0.415, 0.31, 0.205, 0.1, 0.0)
"""How often each level, from the first, makes a mistake where it can."""

LEVELS = [f"level:{number}" for number in range(1, len(CHANCES) + 1)]


class Level(Perfect):
    """Plays as well as its level."""

    def __init__(self, level: int, seed: int | None = None) -> None:
        """A level from 1 to 10, with a seed."""
        super().__init__(seed)
        self.chance = CHANCES[level - 1]

    def best(self, position: Position, seconds: float | None) -> int:
        """The best moves, or by chance the others."""
        best = super().best(position, seconds)
        mistake = self.chance > 0 and self.dice.happens(self.chance)
        return position.legal & ~best or best if mistake else best
