"""Every position of a board with a choice in it, and what each action gives away, to grade policies on arrays.

    everything = AllPositions(start("gridlock"))
    everything.grade(lambda mine, theirs: ...)

A policy is graded on all positions, not on a sample. They are identified by both players' cells, found by the rules
alone, and valued backwards from the ends, as in `quintet verify`. A policy that sees no more than a game's future
depends on can be graded on far fewer, one for each future: `AllPositions(start, key=start.game.future)`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quintet.gears.arrays import Numbers
from quintet.rules import Position
from quintet.solve.position_keys import CELLS
from quintet.solve.stages import ignore_progress, open_walk, walk_all
from quintet.solve.theories.generic import MOST
from quintet.solve.walk import Walk
from quintet.workers import Workers, read_workers

CHUNK = 1 << 20
"""How many positions are graded at a time."""

Sets = npt.NDArray[np.int32]
Policy = Callable[[Sets, Sets], npt.NDArray[np.integer]]
"""From the cells of the players to move, and of their opponents, to the numbers of the cells to claim."""


class Grade(NamedTuple):
    """How far a policy is from perfect play, over all positions."""

    regret: float
    """On average, in points of the result: a win is 1, a draw 1/2, a loss 0."""
    wrong: int
    """The positions in which its action gives something away."""
    lesser: int
    """The positions in which its action leads to a smaller margin than the best one does; more than `wrong`."""
    positions: int


class AllPositions:
    """The positions of a board in which there are at least two legal claims."""

    def __init__(self, start: Position, workers: Workers | int | str = 1, key: str = CELLS) -> None:
        """Find and value them; those with the same key count as one."""
        crew = read_workers(workers)
        with open_walk(start, None, crew, key=key) as walk:
            layers = walk_all(walk, crew, ignore_progress)
            parts = [losses(walk, claimed, part) for claimed in layers for part in walk.parts(claimed)]
        self.mine, self.theirs, self.half, self.whole, self.less, choices = (
            np.concatenate(column).astype(np.int32) for column in zip(*parts, strict=True)
        )
        """Both players' cells; as sets of cells too, the claims that lose half a point, a whole one, or margin."""
        lost = np.bitwise_count(self.half) / 2 + np.bitwise_count(self.whole)
        self.random = float(np.mean(lost / choices))
        """The regret of a random legal claim."""

    def __len__(self) -> int:
        return len(self.mine)

    def grade(self, policy: Policy) -> Grade:
        """What a policy gives away. A claim that is not legal gives away nothing, so it must be a legal one."""
        lost, wrong, lesser = 0.0, 0, 0
        for first in range(0, len(self), CHUNK):
            part = slice(first, first + CHUNK)
            action = policy(self.mine[part], self.theirs[part])
            sets = (self.half, self.whole, self.less)
            half, whole, less = (int((cells[part] >> action & 1).sum()) for cells in sets)
            lost, wrong, lesser = lost + half / 2 + whole, wrong + half + whole, lesser + less
        return Grade(lost / len(self), wrong, lesser, len(self))


def losses(walk: Walk, claimed: int, part: int) -> tuple[Numbers, ...]:
    """The positions of a part with a choice, as columns: both sets, what claims lose, and how many claims there are."""
    layer = walk.layer(claimed, part)
    places = layer.places[np.bitwise_count(walk.legal(*walk.sets(layer.places))) > 1]
    mine, theirs = walk.sets(places)
    score, board = walk.rules.score, walk.board
    ahead = score(board, mine) - score(board, theirs) if walk.game.territory else np.zeros_like(mine)
    worth = np.full((board.area, len(places)), -MOST, np.int16)
    for cell, able, after, gained in walk.claims(places):
        worth[cell, able] = walk.before(after, gained) + ahead[able]
    best, half, whole, less = worth.max(0, initial=-MOST), *(np.zeros_like(mine) for _ in range(3))
    for cell, value in enumerate(worth):
        lost = (np.sign(best) - np.sign(value)) * (value > -MOST)
        half |= (lost == 1).astype(np.int64) << cell
        whole |= (lost == 2).astype(np.int64) << cell
        less |= ((value < best) & (value > -MOST) if walk.game.territory else lost > 0).astype(np.int64) << cell
    return mine, theirs, half, whole, less, (worth > -MOST).sum(0)
