"""Many games at once, step by step: the rules joined into whole steps without a branch, for every gear.

As the rules, it is written once, on integers; bound to a gear, the same functions take NumPy or JAX arrays, or are
compiled. A game that has ended begins anew at once, so that every step of every lane is a move.
"""

import sys

import numpy as np
import numpy.typing as npt

from quintet import board as geometry
from quintet.board import Board, popcount, value_list
from quintet.engines import rng
from quintet.engines.rng import WORD, next_state, share
from quintet.gears import Names, names_of, rules_of
from quintet.rules import Game
from quintet.solve.theories.generic import gain, legal, score

PASSES = False
TERRITORY = False
WIDTHS: tuple[int, ...] = (1,)
"""Half the board, rounded up to a power of two, and so on down to one cell."""


def advance(board: Board, mine: int, theirs: int, cell: int) -> tuple[int, int, int, int]:
    """The sets after a claim or a pass as the next player sees them, what that one may claim, and 1 at the end."""
    gained = gain(board, mine, theirs, cell)
    if PASSES:
        gained = gained * (cell != 0)
    mine, theirs = theirs, mine | gained
    cells = legal(board, mine, theirs)
    over = (cells == 0) * 1
    if PASSES:
        over = over * (legal(board, theirs, mine) == 0)
    return mine, theirs, cells, over


def verdict(board: Board, mine: int, theirs: int) -> int:
    """What the end is worth to the player to move: 1, 0 or -1."""
    if TERRITORY:
        ahead = score(board, mine) - score(board, theirs)
        return (ahead > 0) * 1 - (ahead < 0) * 1
    return -1


def options(board: Board, cells: int) -> int:
    """The legal actions as bits: a claim by its cell; where a pass is all there is, what lies past the last cell."""
    if PASSES:
        cells = cells | (cells == 0) * ~board.full
    return cells


def action_of(board: Board, cell: int) -> int:
    """The number of a cell; of a pass, the one after the last cell."""
    return popcount((cell - 1) & board.full)


def step(
    board: Board, mine: int, theirs: int, player: int, action: int, fine: int
) -> tuple[int, int, int, int, int, int]:
    """The next position, player and legal cells; 1 where a game ended, and what that was worth to player 0.

    What is not `fine`, an action that is not legal, loses at once.
    """
    mine, theirs, cells, over = advance(board, mine, theirs, (fine << action) & board.full)
    worth = (0 - verdict(board, mine, theirs)) * over * fine - (1 - fine)
    over = over | 1 - fine
    on = 1 - over
    cells = cells * on + legal(board, 0, 0) * over
    return mine * on, theirs * on, (1 - player) * on, cells, over, worth * (1 - 2 * player)


def choose(cells: int, luck: int) -> int:
    """The cell that `rng.pick` would choose, found by halving the board; none of an empty set."""
    skip = share(luck, popcount(cells))
    rest, place = cells, 0
    for width in WIDTHS:
        low = popcount(rest & ((1 << width) - 1))
        up = skip >= low
        skip = skip - low * up
        rest = rest >> width * up
        place = place + width * up
    return cells & (1 << place)


def random_step(
    board: Board, mine: int, theirs: int, player: int, cells: int, luck: int, games: int, balance: int
) -> tuple[int, int, int, int, int, int, int]:
    """A random move. `games` counts those that ended, `balance` what they were worth to player 0, who begins."""
    luck = next_state(luck)
    mine, theirs, cells, over = advance(board, mine, theirs, choose(cells, luck))
    player = 1 - player
    games = games + over
    balance = balance + over * verdict(board, mine, theirs) * (1 - 2 * player)
    on = 1 - over
    return mine * on, theirs * on, player * on, cells * on + legal(board, 0, 0) * over, luck, games, balance


def seed_luck(lane: int, seed: int) -> int:
    """A state of chance for each lane, never 0: the lane's number and the seed well stirred."""
    luck = (lane + seed) & WORD
    for _ in range(2):
        luck = ((luck ^ luck >> 16) * 0x7FEB352D) & WORD
    luck = luck ^ luck >> 15
    return luck + (luck == 0)


def statement(game: Game, board: Board) -> Names:
    """All of these names with a game's rules and constants, still to be bound to a gear."""
    names = names_of(geometry, rng, sys.modules[__name__])
    return names | rules_of(game) | {"WIDTHS": halves(board.cells)}


def halves(count: int) -> tuple[int, ...]:
    """How wide the halves are of so many cells, and the halves of these, down to one cell."""
    return tuple(1 << i for i in reversed(range(max(1, (count - 1).bit_length()))))


def worth(board: Board) -> npt.NDArray[np.int16 | np.int8]:
    """What each cell is worth, in the smallest numbers that hold it; empty where cells carry no value."""
    values = value_list(board)
    return np.array(values, np.int8 if max(values, default=0) <= np.iinfo(np.int8).max else np.int16)


def count_actions(game: Game, board: Board) -> int:
    """How many actions there are: every cell, and a pass in games that know one."""
    if not game.legal(board, 0, 0):
        raise ValueError("nobody can begin on this board")
    return board.cells + game.passes
