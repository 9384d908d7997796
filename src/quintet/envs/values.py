"""Exact values for learning: what a position is worth, and the regret of actions."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, SupportsIndex, TypedDict

import numpy as np
import numpy.typing as npt

from quintet.board import Board
from quintet.envs.space import Mask, Space
from quintet.gears import FAST, takes_fast
from quintet.rules import Game, Position
from quintet.solve.oracle import oracle_of, solve_within
from quintet.solve.regret import lost_margin, lost_points
from quintet.solve.solver import Solver
from quintet.solve.value import Value, value_of

MANY = 1_000
"""With this many actions it is worth waiting for the compiled gear."""


class Regrets(NamedTuple):
    """What each action gives away; 0 is perfect."""

    regret: npt.NDArray[np.float64]
    """Points of the result, in [0, 1]: a win is 1, a draw 1/2, a loss 0."""
    margin_loss: npt.NDArray[np.float64]
    """Cells of the final margin in a territory game; NaN in the others."""


@lru_cache(maxsize=8)
def space_of(game: Game, board: Board) -> Space:
    """How actions are numbered on a board."""
    return Space(Position(game, board))


class ExactFacts(TypedDict, total=False):
    """What the info of an environment has with `exact=True`."""

    value: int
    """1 for a win of the player to move, 0 for a draw, -1 for a loss."""
    margin: int | None
    """The final margin; only in a territory game."""
    plies: int | None
    """The moves left; only in the other games."""
    optimal_actions: Mask
    """The mask of the best actions."""


def exact_facts(position: Position) -> ExactFacts:
    """The exact value of a position and its best actions. A board that is too large to be solved is refused."""
    value, best = solve_within(value_and_best, position)
    facts = ExactFacts(
        value=int(np.sign(value.low)), optimal_actions=space_of(position.game, position.board).mask(best)
    )
    if position.game.territory:
        facts["margin"] = value.margin
    else:
        facts["plies"] = value.plies
    return facts


def value_and_best(solver: Solver, position: Position) -> tuple[Value, list[int]]:
    """The value of a position and its best moves."""
    number = solver.number(position)
    return value_of(position.game, number), solver.best(position, number)


def regrets(positions: Iterable[Position], actions: Iterable[SupportsIndex]) -> Regrets:
    """Grade actions, each taken in the position beside it, against perfect play."""
    pairs = list(zip(positions, actions, strict=True))
    regret, margin_loss = [], []
    for position, action in pairs:
        compiled = len(pairs) >= MANY and takes_fast(position.board)
        oracle = oracle_of(position, FAST if compiled else None)
        after = oracle.number(position.play(space_of(position.game, position.board).move(action)))
        best, played = oracle.value(position), value_of(position.game, oracle.solver.earlier(after))
        lost = lost_margin(best, played)
        regret.append(lost_points(best, played))
        margin_loss.append(np.nan if lost is None else lost)
    return Regrets(np.array(regret, np.float64), np.array(margin_loss, np.float64))
