"""The positions of a game as arrays: their moves, and what identifies them. Made of the rules alone."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quintet.errors import QuintetError
from quintet.gears.arrays import Numbers, bind_rules
from quintet.rules import Position
from quintet.solve.position_keys import CELLS, POSITION_KEYS

MOST_CELLS = 31
"""Two sets of 31 cells fit in 62 bits."""

Flags = npt.NDArray[np.bool_]


class TooLarge(QuintetError, ValueError):
    """A game with more positions than a proof can take."""


class Layer(NamedTuple):
    """Positions with the same number of claimed cells: a part of them."""

    keys: Numbers
    """In ascending order."""
    places: Numbers
    """One position for each key: my cells, and theirs shifted."""
    passed: Flags
    """Whether it takes a pass to get there."""

    def rows(self, chosen: "slice | Flags") -> "Layer":
        """Some of the positions."""
        return Layer(self.keys[chosen], self.places[chosen], self.passed[chosen])


class Positions:
    """Positions of one board, each a number: the cells of the player to move, and the other's shifted."""

    def __init__(self, start: Position, key: str) -> None:
        """Bind the rules to arrays; the key identifies positions."""
        if start.board.area > MOST_CELLS:
            raise TooLarge(f"a proof is limited to {MOST_CELLS} cells; this board has {start.board.area}")
        self.start, self.game, self.board = start, start.game, start.board
        self.key_name, self.position_key = key, POSITION_KEYS[key]
        self.plain = key == CELLS
        """Whether the key is the position itself."""
        self.rules = bind_rules(self.game)

    def sets(self, places: Numbers) -> tuple[Numbers, Numbers]:
        """The cells of the player to move, and the other's."""
        return places & self.board.full, places >> self.board.area

    def turn(self, places: Numbers) -> Numbers:
        """The positions with the other player to move."""
        mine, theirs = self.sets(places)
        return theirs | mine << self.board.area

    def legal(self, mine: Numbers, theirs: Numbers) -> Numbers:
        """The cells the player to move may claim."""
        return self.rules.legal(self.board, mine, theirs)

    def key(self, places: Numbers) -> Numbers:
        """What identifies these positions."""
        return self.position_key.function(self.rules, self.board, *self.sets(places))

    def stuck(self, mine: Numbers, theirs: Numbers) -> Flags:
        """Where the player to move must pass."""
        if not self.game.passes:
            return np.zeros(len(mine), np.bool_)
        stuck: Flags = (self.legal(mine, theirs) == 0) & (self.legal(theirs, mine) != 0)
        return stuck

    def claims(self, places: Numbers) -> Iterator[tuple[int, Flags, Numbers, Numbers]]:
        """For each cell: which one, where it may be claimed, what this leads to, and how much the score gains."""
        mine, theirs = self.sets(places)
        legal, score = self.legal(mine, theirs), self.rules.score
        for i in range(self.board.area):
            able = legal >> i & 1 != 0
            if able.any():
                ours, others = mine[able], theirs[able]
                taken = ours | self.rules.gain(self.board, ours, others, 1 << i)
                yield i, able, others | taken << self.board.area, score(self.board, taken) - score(self.board, ours)

    def by_claimed(self, places: Numbers) -> Iterator[tuple[int, Flags]]:
        """The numbers of claimed cells in these positions, each with the positions that have it."""
        counts = np.bitwise_count(places)
        for count in np.flatnonzero(np.bincount(counts)):
            yield int(count), counts == count

    def earlier(self, values: Numbers, gained: Numbers | np.int64) -> Numbers:
        """Values one move earlier, for the same player."""
        # In a race every move makes the way to the end one longer, for better or worse.
        return values + gained if self.game.territory else values - np.sign(values)
