"""The player that plays games out: Monte Carlo tree search (UCT), on any board."""

from typing import TYPE_CHECKING

from quintet.board import Board
from quintet.engines.kinds import DEFAULT_ROLLOUTS
from quintet.engines.rng import Rng
from quintet.engines.rollout import (
    CHILD,
    MOVE,
    POINTS,
    RNG_STATE,
    ROW,
    SIBLING,
    VISITS,
    bind_rollouts,
)
from quintet.gears import FAST, PLAIN, ROLLOUTS, gear_board, prefers_compiled, takes_fast
from quintet.rules import PASS, Position
from quintet.solve.clock import now

if TYPE_CHECKING:
    from quintet.engines.rollout import Row, Rows

WORTH_COMPILING = 2_000_000
"""Rollouts times cells from which on compiling takes less time than it saves."""
ROLLOUTS_PER_CHECK = 8
"""Games played out between two looks at the clock."""


class Mcts:
    """Plays out a number of games from each position and takes the most visited move."""

    def __init__(self, rollouts: int = DEFAULT_ROLLOUTS, seed: int | None = None) -> None:
        """Begin with a seed."""
        self.rollouts = rollouts
        self.rng = Rng(seed)

    def choose(self, position: Position, seconds: float | None = None, among: int = -1) -> int:
        """The most visited move, of some moves if they are given; where time is short, after fewer games."""
        return most_visited(self.grow(position, seconds), among) if position.legal else PASS

    def grow(self, position: Position, seconds: float | None = None) -> "Rows":
        """The tree after all games, or after as many as there is time for."""
        until = None if seconds is None else now() + seconds
        gear = self.gear(position.board)
        bound = bind_rollouts(position.game, gear)
        board = gear_board(position.board, gear)
        tree, state = self.allocate(gear)
        state[RNG_STATE] = self.rng.next()
        bound.expand(board, tree, state, position.mine, position.theirs, 0, PASS)
        left = self.rollouts
        while left > 0 and (until is None or now() < until or left == self.rollouts):
            games = left if until is None else min(left, ROLLOUTS_PER_CHECK)
            bound.run_rollouts(board, tree, state, games)
            left -= games
        return tree

    def gear(self, board: Board) -> str:
        """The compiled one where it is preferred, or installed and worth its start."""
        if prefers_compiled(ROLLOUTS, board):
            return FAST
        return FAST if self.rollouts * board.cells > WORTH_COMPILING and takes_fast(board) else PLAIN

    def allocate(self, gear: str) -> "tuple[Rows, Row]":
        """Room for a tree, and the state of its search."""
        if gear == PLAIN:
            return [[0] * ROW for _ in range(self.rollouts + 2)], [0, 0]
        import numpy as np

        return np.zeros((self.rollouts + 2, ROW), np.int64), np.zeros(2, np.int64)

    def close(self) -> None:
        """It holds nothing."""


def most_visited(tree: "Rows", among: int) -> int:
    """The most visited of some moves; of equals the one that did best."""
    best, most, child = PASS, (-1, -1), tree[0][CHILD]
    while child:
        done = (int(tree[child][VISITS]), int(tree[child][POINTS]))
        if done > most and tree[child][MOVE] & among:
            best, most = int(tree[child][MOVE]), done
        child = tree[child][SIBLING]
    return best
