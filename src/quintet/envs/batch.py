"""Thousands of games in lock-step on NumPy arrays, compiled if Numba is installed.

    batch = Batch("gridlock", count=4096)
    rewards, done = batch.step(batch.sample())

Steps, rewards and restarts are those of `quintet.envs.jax`; the same seed gives the same random games.
"""

import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from quintet.board import Board
from quintet.engines.rng import seeded
from quintet.envs import lockstep
from quintet.envs.lockstep import Steps, random_step, step
from quintet.envs.space import InvalidSetting
from quintet.errors import QuintetError
from quintet.gears import FAST, PLAIN, WORD_CELLS, gather, gear_board, names_of
from quintet.gears.arrays import Numbers, bind_names
from quintet.options import ValueOptions, start
from quintet.rules import Game

Booleans = npt.NDArray[np.bool_]
RAISE, LOSE = "raise", "lose"

MINE, THEIRS, PLAYER, CELLS, RNG_STATE, GAMES, BALANCE = range(7)
"""The rows of the array `lanes`; each column is a game."""
BLOCK = 256
"""Games that fit in the processor's cache while they are played."""


class IllegalAction(QuintetError, ValueError):
    """An action that is not legal in its game; no game has moved."""


class Loops(NamedTuple):
    """The compiled loops over all games."""

    step_lanes: Callable[[Board, Numbers, Numbers, Numbers, Numbers, Numbers], None]
    play_lanes: Callable[[Board, Numbers, int], None]


def step_lanes(
    board: Board, lanes: Numbers, actions: Numbers, is_legal: Numbers, over: Numbers, reward: Numbers
) -> None:
    """A step of every game."""
    for i in range(lanes.shape[1]):
        mine, theirs, player = lanes[MINE, i], lanes[THEIRS, i], lanes[PLAYER, i]
        mine, theirs, player, cells, over[i], reward[i] = step(board, mine, theirs, player, actions[i], is_legal[i])
        lanes[MINE, i], lanes[THEIRS, i], lanes[PLAYER, i], lanes[CELLS, i] = mine, theirs, player, cells


def play_lanes(board: Board, lanes: Numbers, steps: int) -> None:
    """Random steps of every game."""
    for first in range(0, lanes.shape[1], BLOCK):
        block = lanes[:, first : first + BLOCK].copy()  # Contiguous, so that several games can be read at once.
        for _ in range(steps):
            for i in range(block.shape[1]):
                mine, theirs, player, cells = block[MINE, i], block[THEIRS, i], block[PLAYER, i], block[CELLS, i]
                state, games, balance = block[RNG_STATE, i], block[GAMES, i], block[BALANCE, i]
                mine, theirs, player, cells, state, games, balance = random_step(
                    board, mine, theirs, player, cells, state, games, balance
                )
                block[MINE, i], block[THEIRS, i], block[PLAYER, i], block[CELLS, i] = mine, theirs, player, cells
                block[RNG_STATE, i], block[GAMES, i], block[BALANCE, i] = state, games, balance
        lanes[:, first : first + BLOCK] = block


@cache
def bind_steps(game: Game, board: Board) -> Steps[Numbers]:
    """The steps for NumPy arrays."""
    return gather(Steps, bind_names(lockstep.names_for(game, board)))


@cache
def compile_loops(game: Game, board: Board) -> Loops:
    """The loops compiled by Numba, each when it is first called."""
    from quintet.gears.fast import compile_names

    names = names_of(sys.modules[__name__]) | lockstep.names_for(game, board)
    return gather(Loops, compile_names(names, *Loops._fields, label=game.name, flat=True))


class Batch:
    """A number of games on the same board; each starts again as soon as it has ended."""

    def __init__(
        self,
        game: str,
        size: str | None = None,
        count: int = 1024,
        seed: int | None = None,
        illegal: str = RAISE,
        gear: str | None = None,
        **options: Unpack[ValueOptions],
    ) -> None:
        """Set up the boards. An `illegal` action can `raise` an error or `lose`; the `gear` is `plain` or `fast`."""
        if gear not in (None, PLAIN, FAST):
            raise InvalidSetting(f"gear must be {PLAIN} or {FAST}, not {gear!r}")
        if illegal not in (RAISE, LOSE):
            raise InvalidSetting(f"illegal must be {RAISE} or {LOSE}, not {illegal!r}")
        empty = start(game, size, **options)
        self.game, self.board = empty.game, empty.board
        if self.board.area > WORD_CELLS:
            raise InvalidSetting(f"a batch takes boards of up to {WORD_CELLS} cells, not {self.board.area}")
        self.count, self.illegal = count, illegal
        self.actions = lockstep.count_actions(self.game, self.board)
        self.gear = gear or (FAST if find_spec("numba") else PLAIN)
        self.steps = bind_steps(self.game, self.board)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start all games again."""
        self.lanes = np.zeros((7, self.count), np.int64)
        self.lanes[CELLS] = self.game.legal(self.board, 0, 0)
        self.lanes[RNG_STATE] = self.steps.seed_states(np.arange(self.count), seeded(seed))

    @property
    def player(self) -> Numbers:
        """The player to move in each game: 0 went first, 1 second."""
        players: Numbers = self.lanes[PLAYER].copy()
        return players

    @property
    def mask(self) -> Booleans:
        """The legal actions of each game: every cell, then a pass in games that have passes."""
        return to_bits(self.steps.options(self.board, self.lanes[CELLS]), self.actions)

    def observe(self) -> npt.NDArray[np.int16 | np.int8]:
        """Rows, columns and planes: the cells of the player to move, those of the opponent, and the cells' values."""
        return stack_planes(self.board, *self.lanes[: THEIRS + 1])

    def sample(self) -> Numbers:
        """A random legal action for each game."""
        self.lanes[RNG_STATE] = self.steps.next_state(self.lanes[RNG_STATE])
        return self.steps.action_of(self.board, self.steps.choose(self.lanes[CELLS], self.lanes[RNG_STATE]))

    def step(self, actions: npt.ArrayLike) -> tuple[npt.NDArray[np.float32], Booleans]:
        """Take an action in each game; returns the rewards of player 0 and player 1, and which games have ended."""
        chosen = self.check_actions(actions)
        on_board = (chosen >= 0) & (chosen < self.actions)
        chosen = np.where(on_board, chosen, 0)
        is_legal = (self.steps.options(self.board, self.lanes[CELLS]) >> chosen) & on_board
        if self.illegal == RAISE and not is_legal.all():
            lane = int(np.argmin(is_legal))
            raise IllegalAction(f"action {np.asarray(actions)[lane]} is not legal in game {lane}: choose by the mask")
        over, reward = np.zeros((2, self.count), np.int64)
        if self.gear == FAST:
            loops = compile_loops(self.game, self.board)
            loops.step_lanes(gear_board(self.board, FAST), self.lanes, chosen, is_legal, over, reward)
        else:
            mine, theirs, player = self.lanes[: PLAYER + 1]
            *after, over, reward = self.steps.step(self.board, mine, theirs, player, chosen, is_legal)
            self.lanes[: CELLS + 1] = after
        return np.stack([reward, -reward], -1).astype(np.float32), over != 0

    def check_actions(self, actions: npt.ArrayLike) -> Numbers:
        """The actions as an array, if there is one whole number per game."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise IllegalAction(f"actions must be {self.count} whole numbers, one per game")
        return chosen.astype(np.int64)

    def play(self, steps: int) -> tuple[int, int]:
        """Play random moves; returns how many games have ended so far, and player 0's wins minus losses in them."""
        if self.gear == FAST:
            loops = compile_loops(self.game, self.board)
            loops.play_lanes(gear_board(self.board, FAST), self.lanes, steps)
        else:
            for _ in range(steps):
                mine, theirs, player, cells, state, games, balance = self.lanes
                self.lanes[:] = self.steps.random_step(self.board, mine, theirs, player, cells, state, games, balance)
        return int(self.lanes[GAMES].sum()), int(self.lanes[BALANCE].sum())


def stack_planes(board: Board, mine: Numbers, theirs: Numbers) -> npt.NDArray[np.int16 | np.int8]:
    """The observations of games: rows, columns and planes."""
    values = lockstep.cell_values(board)
    planes = [to_bits(cells, board.area).astype(values.dtype) for cells in (mine, theirs)]
    if values.size:
        planes.append(np.broadcast_to(values, planes[0].shape))
    return np.stack(planes, -1).reshape(len(mine), board.rows, board.cols, len(planes))


def to_bits(numbers: Numbers, count: int) -> Booleans:
    """The lowest `count` bits of numbers."""
    bits: Booleans = (numbers[..., None] >> np.arange(count)) & 1 != 0
    return bits
