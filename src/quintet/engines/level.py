"""Ten levels: a perfect player that overlooks the best moves with a probability, higher where other moves tempt.

Where no other move looks as good by score and replies, a level seldom goes wrong; each one that does makes it likelier.
A mistake is any move but those a perfect player chooses from, all with the same probability: a player who only makes
mistakes is weaker than a random one, which leaves room for a level 1 that everyone beats. The probabilities are chosen
so that each level scores between 55 % and 75 % against the one below, over both sides and all games at the rule books'
sizes; `quintet arena --ladder` measures it.
"""

from quintet.engines.greedy import temptations
from quintet.engines.kinds import MISS_RATES
from quintet.engines.perfect import Perfect
from quintet.gears import SMALL_BOARD
from quintet.rules import Position

USUAL = 2
"""A level overlooks the best moves as often as `MISS_RATES` says where this many other moves tempt. On boards that are
not small nearly every move has many that tempt: there it is never more often."""


def oversight(miss_rate: float, tempting: int) -> float:
    """The probability that a level overlooks the best moves where a number of others tempt."""
    return float(miss_rate ** ((1 + USUAL) / (1 + tempting)))


class Level(Perfect):
    """Plays as well as its level."""

    def __init__(self, level: int, seed: int | None = None) -> None:
        """A level from 1 to 10, with a seed."""
        super().__init__(seed)
        self.miss_rate = MISS_RATES[level - 1]

    def best(self, position: Position, seconds: float | None) -> int:
        """The best moves, or at random the others."""
        best = super().best(position, seconds)
        others = position.legal & ~best
        if others and self.miss_rate:
            tempting = temptations(position, best).bit_count()
            if position.board.cells > SMALL_BOARD:
                tempting = min(tempting, USUAL)
            return others if self.rng.happens(oversight(self.miss_rate, tempting)) else best
        return best
