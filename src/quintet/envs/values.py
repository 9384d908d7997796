"""Exact values for learning: what an action is worth, and what it gives away."""

from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from quintet.board import Board
from quintet.envs.space import Space
from quintet.gears import FAST, WORD_CELLS
from quintet.rules import Game, Position
from quintet.solve.solver import Solver

TABLE_BYTES = 1 << 28
REMEMBERED = 1_000_000
"""Positions of a board whose values are remembered."""
MANY = 1_000
"""From so many actions on it is worth it to wait for the compiled gear."""


class Regrets(NamedTuple):
    """What each action gives away; 0 is perfect."""

    outcome: npt.NDArray[np.int8]
    """In outcomes, where a win is 1, a draw 0 and a loss -1: 2 turns a win into a loss."""
    margin: npt.NDArray[np.float64]
    """In cells of the final margin, in a territory game; not a number in the others."""


class Judge:
    """Knows the value of every position of a board, and remembers those it was asked about."""

    def __init__(self, game: Game, board: Board) -> None:
        """Begin with nothing known."""
        self.space = Space(Position(game, board))
        self.solver = Solver(game, board, memory=TABLE_BYTES)
        self.known: dict[tuple[int, int], int] = {}

    def number(self, position: Position) -> int:
        """The value of a position for the player to move, as the search counts it: more is better."""
        key = position.mine, position.theirs
        number = self.known.get(key)
        if number is None:
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            number = self.known[key] = self.solver.number(position)
        return number

    def hurry(self) -> None:
        """Change to the compiled gear, where there is one."""
        if self.solver.gear != FAST and self.space.cells <= WORD_CELLS and find_spec("numba"):
            self.solver = Solver(self.solver.game, self.solver.board, FAST, TABLE_BYTES)

    def after(self, position: Position, move: int) -> int:
        """The value of a move for its player."""
        return self.solver.earlier(self.number(position.play(move)))

    def facts(self, position: Position) -> dict[str, Any]:
        """What an environment tells: the value for the player to move, and a mask of the best actions."""
        number = self.number(position)
        best = self.solver.best(position, number)
        value = self.solver.value(position)
        told = {"margin": value.margin} if position.game.territory else {"plies": value.plies}
        return {"value": sign(number), **told, "optimal_actions": self.space.mask(best)}


def sign(number: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (number > 0) - (number < 0)


@lru_cache(maxsize=8)
def judge(game: Game, board: Board) -> Judge:
    """The judge of a board, the same for everyone."""
    return Judge(game, board)


def exact_facts(position: Position) -> dict[str, Any]:
    """`value` (1, 0 or -1 for the player to move), `margin` or `plies`, and the mask `optimal_actions`."""
    return judge(position.game, position.board).facts(position)


def regrets(positions: Iterable[Position], actions: Iterable[SupportsIndex]) -> Regrets:
    """Grade actions, each taken in the position beside it, against perfect play."""
    pairs = list(zip(positions, actions, strict=True))
    outcome, margin = [], []
    for position, action in pairs:
        known = judge(position.game, position.board)
        if len(pairs) >= MANY:
            known.hurry()
        best, got = known.number(position), known.after(position, known.space.move(action))
        outcome.append(sign(best) - sign(got))
        margin.append(best - got if position.game.territory else np.nan)
    return Regrets(np.array(outcome, np.int8), np.array(margin, np.float64))
