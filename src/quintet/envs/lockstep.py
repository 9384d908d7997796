"""Many games at once: the rules combined into whole steps without a branch, for every gear.

Like the rules, it is written once, on integers; bound to a gear, the same functions take NumPy or JAX arrays, or are
compiled. A game that has ended starts again at once, so that every step of every game is a move.
"""

import sys
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from quintet import board as geometry
from quintet.board import Board, place_values, popcount
from quintet.engines import rng
from quintet.engines.rng import WORD, next_state, share
from quintet.envs.space import InvalidSetting
from quintet.gears import Names, names_of, rules_of
from quintet.rules import Game
from quintet.solve.theories.generic import gain, legal, score

PASSES = False
TERRITORY = False
WIDTHS: tuple[int, ...] = (1,)
"""Half the board, rounded up to a power of two, and so on down to one cell."""
WHOLE = 1
"""All places of the board, holes included."""

Array = TypeVar("Array")


class Steps(NamedTuple, Generic[Array]):
    """The functions below and those they use, bound to a game, a board and a gear; an array has an item per game."""

    legal: Callable[[Board, Array, Array], Array]
    options: Callable[[Board, Array], Array]
    action_of: Callable[[Board, Array], Array]
    advance: Callable[[Board, Array, Array, Array], tuple[Array, Array, Array, Array]]
    result: Callable[[Board, Array, Array], Array]
    step: Callable[[Board, Array, Array, Array, Array, Array], tuple[Array, Array, Array, Array, Array, Array]]
    choose: Callable[[Array, Array], Array]
    random_step: Callable[
        [Board, Array, Array, Array, Array, Array, Array, Array],
        tuple[Array, Array, Array, Array, Array, Array, Array],
    ]
    seed_states: Callable[[Array, Array | int], Array]
    next_state: Callable[[Array], Array]
    share: Callable[[Array, int], Array]
    cell_at: Callable[[Array, Array | int], Array]
    popcount: Callable[[Array], Array]


def advance(board: Board, mine: int, theirs: int, cell: int) -> tuple[int, int, int, int]:
    """The sets after a claim or a pass as the next player sees them, what that player may claim, and 1 at the end."""
    gained = gain(board, mine, theirs, cell)
    if PASSES:
        gained = gained * (cell != 0)
    mine, theirs = theirs, mine | gained
    cells = legal(board, mine, theirs)
    over = (cells == 0) * 1
    if PASSES:
        over = over * (legal(board, theirs, mine) == 0)
    return mine, theirs, cells, over


def result(board: Board, mine: int, theirs: int) -> int:
    """The result of a finished game for the player to move: 1, 0 or -1."""
    if TERRITORY:
        ahead = score(board, mine) - score(board, theirs)
        return (ahead > 0) * 1 - (ahead < 0) * 1
    return -1


def options(board: Board, cells: int) -> int:
    """The legal actions as bits: claims by their places; if only a pass is legal, the bit after the last place."""
    if PASSES:
        cells = cells | (cells == 0) * ~WHOLE
    return cells


def action_of(board: Board, cell: int) -> int:
    """The number of a cell's place; of a pass, the number after the last place."""
    return popcount((cell - 1) & WHOLE)


def cell_at(number: int, claims: int) -> int:
    """The cell of this number, if `claims` is 1; else nothing."""
    return claims << number


def step(
    board: Board, mine: int, theirs: int, player: int, action: int, is_legal: int
) -> tuple[int, int, int, int, int, int]:
    """The next position, player and legal cells; 1 if the game ended, and the reward of player 0.

    An action that is not legal loses at once.
    """
    mine, theirs, cells, over = advance(board, mine, theirs, cell_at(action, is_legal) & board.full)
    reward = (0 - result(board, mine, theirs)) * over * is_legal - (1 - is_legal)
    over = over | 1 - is_legal
    goes_on = 1 - over
    cells = cells * goes_on + legal(board, 0, 0) * over
    return mine * goes_on, theirs * goes_on, (1 - player) * goes_on, cells, over, reward * (1 - 2 * player)


def choose(cells: int, state: int) -> int:
    """The cell that `rng.pick` would choose, found by halving the board; none of an empty set."""
    skip = share(state, popcount(cells))
    rest, place = cells, 0
    for width in WIDTHS:
        low = popcount(rest & ((1 << width) - 1))
        up = skip >= low
        skip = skip - low * up
        rest = rest >> width * up
        place = place + width * up
    return cells & cell_at(place, 1)


def random_step(
    board: Board, mine: int, theirs: int, player: int, cells: int, state: int, games: int, balance: int
) -> tuple[int, int, int, int, int, int, int]:
    """A random move. `games` counts finished games, `balance` the rewards of player 0, who goes first."""
    state = next_state(state)
    mine, theirs, cells, over = advance(board, mine, theirs, choose(cells, state))
    player = 1 - player
    games = games + over
    balance = balance + over * result(board, mine, theirs) * (1 - 2 * player)
    goes_on = 1 - over
    cells = cells * goes_on + legal(board, 0, 0) * over
    return mine * goes_on, theirs * goes_on, player * goes_on, cells, state, games, balance


def seed_states(game: int, seed: int) -> int:
    """The first state of a game's random numbers, never 0: a hash of the game's number and the seed."""
    state = (game + seed) & WORD
    for _ in range(2):
        state = ((state ^ state >> 16) * 0x7FEB352D) & WORD
    state = state ^ state >> 15
    return state + (state == 0)


def names_for(game: Game, board: Board) -> Names:
    """All of these names with a game's rules and constants, to be bound to a gear."""
    names = {"WIDTHS": halves(board.area), "WHOLE": board.full | board.holes}
    return names_of(geometry, rng, sys.modules[__name__]) | rules_of(game) | names


def halves(count: int) -> tuple[int, ...]:
    """The widths of the halves of a number of cells, of their halves, and so on down to one cell."""
    return tuple(1 << i for i in reversed(range(max(1, (count - 1).bit_length()))))


def cell_values(board: Board) -> npt.NDArray[np.int16 | np.int8]:
    """The value of each place, 0 for a hole, in the smallest type that holds it; empty if cells have no values."""
    values = place_values(board)
    return np.array(values, np.int8 if max(values, default=0) <= np.iinfo(np.int8).max else np.int16)


def count_actions(game: Game, board: Board) -> int:
    """The number of actions: every place, holes included, and a pass in games that have passes."""
    if not game.legal(board, 0, 0):
        raise InvalidSetting("the first player has no legal move on this board: choose another size or target")
    return board.area + game.passes
