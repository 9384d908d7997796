"""The player that plays games out: a tree that grows where it does well (UCT). Any board will do."""

import time
from importlib.util import find_spec
from typing import Any

from quintet.board import Board
from quintet.engines import playout
from quintet.engines.dice import Dice
from quintet.engines.kinds import PLAYOUTS
from quintet.engines.playout import CHILD, MOVE, POINTS, ROW, SIBLING, VISITS, bind_playout, gear_board, is_warm
from quintet.rules import PASS, Position
from quintet.solve.solver import FAST, PLAIN

WORTH = 2_000_000
"""From so many play-outs times cells on, compiling takes less time than it saves."""
MOMENT = 8
"""Games played out between two looks at the clock."""


class Mcts:
    """Plays out a number of games from each position and takes the move it looked at most."""

    def __init__(self, playouts: int = PLAYOUTS, seed: int | None = None) -> None:
        """Begin with a seed."""
        self.playouts = playouts
        self.dice = Dice(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """The move most looked at; where time is short, after as many games as it allows."""
        if not position.legal:
            return PASS
        until = None if seconds is None else time.monotonic() + seconds
        gear = self.gear(position.board)
        names = bind_playout(position.game, gear)
        board = gear_board(position.board, gear)
        tree, head = self.seedling(gear)
        head[1] = self.dice.roll()
        names["plant"](board, tree, head, position.mine, position.theirs, 0, PASS)
        left = self.playouts
        while left > 0 and (until is None or time.monotonic() < until or left == self.playouts):
            slice = left if until is None else min(left, MOMENT)
            names["grow"](board, tree, head, slice)
            left -= slice
        return most_visited(tree)

    def gear(self, board: Board) -> str:
        """The compiled one where it is warm, or installed and worth its start."""
        if is_warm(playout.PLAYOUTS, board):
            return FAST
        worth = self.playouts * board.cells > WORTH and board.cells <= 63 and find_spec("numba")
        return FAST if worth else PLAIN

    def seedling(self, gear: str) -> tuple[Any, Any]:
        """Room for a tree, and its head."""
        if gear == PLAIN:
            return [[0] * ROW for _ in range(self.playouts + 2)], [0, 0]
        import numpy as np

        return np.zeros((self.playouts + 2, ROW), np.int64), np.zeros(2, np.int64)

    def close(self) -> None:
        """It holds nothing."""


def most_visited(tree: Any) -> int:
    """The move looked at most; of equals the one that did best."""
    best, most, child = PASS, (-1, -1), tree[0][CHILD]
    while child:
        done = (int(tree[child][VISITS]), int(tree[child][POINTS]))
        if done > most:
            best, most = int(tree[child][MOVE]), done
        child = tree[child][SIBLING]
    return best
