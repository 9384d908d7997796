"""Thousands of games in lock-step on NumPy arrays, compiled where Numba is installed.

    batch = Batch("gridlock", count=4096)
    rewards, done = batch.step(batch.sample())

The steps, rewards and restarts are those of `quintet.envs.jax`; one seed gives the same random games here and there.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from quintet.board import Board
from quintet.engines.rng import seeded
from quintet.envs import lockstep
from quintet.envs.lockstep import random_step, step
from quintet.games import find_game
from quintet.gears import FAST, PLAIN, WORD_CELLS, Names, gear_board
from quintet.gears.arrays import Numbers, bind_names
from quintet.options import start
from quintet.rules import Game

Truths = npt.NDArray[np.bool_]
RAISE, LOSE = "raise", "lose"

MINE, THEIRS, PLAYER, CELLS, LUCK, GAMES, BALANCE = range(7)
"""The rows of an array of lanes; each column is a game."""
BLOCK = 256
"""Lanes that stay in the processor's nearest memory while they are played on."""


class IllegalAction(ValueError):
    """An action that is not legal where it was chosen; no game has moved."""


def step_lanes(board: Any, lanes: Any, actions: Any, fine: Any, over: Any, worth: Any) -> None:
    """A step of every lane."""
    for i in range(lanes.shape[1]):
        mine, theirs, player = lanes[MINE, i], lanes[THEIRS, i], lanes[PLAYER, i]
        mine, theirs, player, cells, over[i], worth[i] = step(board, mine, theirs, player, actions[i], fine[i])
        lanes[MINE, i], lanes[THEIRS, i], lanes[PLAYER, i], lanes[CELLS, i] = mine, theirs, player, cells


def play_lanes(board: Any, lanes: Any, steps: int) -> None:
    """Random steps of every lane."""
    for begin in range(0, lanes.shape[1], BLOCK):
        block = lanes[:, begin : begin + BLOCK].copy()  # In one piece, so that several lanes can be read at once.
        for _ in range(steps):
            for i in range(block.shape[1]):
                mine, theirs, player, cells = block[MINE, i], block[THEIRS, i], block[PLAYER, i], block[CELLS, i]
                luck, games, balance = block[LUCK, i], block[GAMES, i], block[BALANCE, i]
                mine, theirs, player, cells, luck, games, balance = random_step(
                    board, mine, theirs, player, cells, luck, games, balance
                )
                block[MINE, i], block[THEIRS, i], block[PLAYER, i], block[CELLS, i] = mine, theirs, player, cells
                block[LUCK, i], block[GAMES, i], block[BALANCE, i] = luck, games, balance
        lanes[:, begin : begin + BLOCK] = block


@cache
def bind_batch(game: Game, board: Board, entry: str = "") -> Names:
    """The steps for arrays; or one of the loops above compiled."""
    names = lockstep.statement(game, board)
    if not entry:
        return bind_names(names)
    from quintet.gears.fast import compile_names

    names |= {name: value for name, value in globals().items() if not name.startswith("_") and name not in names}
    return compile_names(names, entry, label=game.name, flat=True)


class Batch:
    """So many games of one kind; each begins anew as soon as it has ended."""

    def __init__(
        self,
        game: str,
        size: str | None = None,
        count: int = 1024,
        seed: int | None = None,
        illegal: str = RAISE,
        gear: str | None = None,
        target: int | None = None,
        values: str | Sequence[int] | None = None,
        shuffle: int | None = None,
    ) -> None:
        """Set up the boards. An `illegal` action raises an error, or loses; the `gear` is `plain` or `fast`."""
        if gear not in (None, PLAIN, FAST):
            raise ValueError(f"a batch runs in the gear {PLAIN} or {FAST}, not {gear!r}")
        if illegal not in (RAISE, LOSE):
            raise ValueError(f"an illegal action can {RAISE} or {LOSE}, not {illegal!r}")
        empty = start(find_game(game), size, target, values, shuffle)
        self.game, self.board = empty.game, empty.board
        if self.board.cells > WORD_CELLS:
            raise ValueError(f"a batch takes boards of up to {WORD_CELLS} cells, not {self.board.cells}")
        self.count, self.illegal = count, illegal
        self.actions = lockstep.count_actions(self.game, self.board)
        self.gear = gear or (FAST if find_spec("numba") else PLAIN)
        self._names = bind_batch(self.game, self.board)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew."""
        self.lanes = np.zeros((7, self.count), np.int64)
        self.lanes[CELLS] = self.game.legal(self.board, 0, 0)
        self.lanes[LUCK] = self._names["seed_luck"](np.arange(self.count), seeded(seed))

    @property
    def player(self) -> Numbers:
        """Who is to move in each game: 0 began, 1 answered."""
        players: Numbers = self.lanes[PLAYER].copy()
        return players

    @property
    def mask(self) -> Truths:
        """Which actions are legal in each game: every cell, then a pass in games that know one."""
        return spread(self._names["options"](self.board, self.lanes[CELLS]), self.actions)

    def observe(self) -> npt.NDArray[np.int16 | np.int8]:
        """Rows, columns and planes: the cells of the player to move, those of the other, and what cells are worth."""
        worth = lockstep.worth(self.board)
        planes = [spread(cells, self.board.cells).astype(worth.dtype) for cells in self.lanes[: THEIRS + 1]]
        if worth.size:
            planes.append(np.broadcast_to(worth, planes[0].shape))
        return np.stack(planes, -1).reshape(self.count, self.board.rows, self.board.cols, len(planes))

    def sample(self) -> Numbers:
        """A random legal action for each game."""
        self.lanes[LUCK] = self._names["next_state"](self.lanes[LUCK])
        cells: Numbers = self._names["choose"](self.lanes[CELLS], self.lanes[LUCK])
        chosen: Numbers = self._names["action_of"](self.board, cells)
        return chosen

    def step(self, actions: npt.ArrayLike) -> tuple[npt.NDArray[np.float32], Truths]:
        """An action in each game: the rewards of player 0 and player 1, and which games have ended."""
        chosen = self.checked(actions)
        on_board = (chosen >= 0) & (chosen < self.actions)
        chosen = np.where(on_board, chosen, 0)
        fine = (self._names["options"](self.board, self.lanes[CELLS]) >> chosen) & on_board
        if self.illegal == RAISE and not fine.all():
            lane = int(np.argmin(fine))
            raise IllegalAction(f"action {np.asarray(actions)[lane]} is not legal in game {lane}")
        over, worth = np.zeros((2, self.count), np.int64)
        if self.gear == FAST:
            run = bind_batch(self.game, self.board, "step_lanes")["step_lanes"]
            run(gear_board(self.board, FAST), self.lanes, chosen, fine, over, worth)
        else:
            *after, over, worth = self._names["step"](self.board, *self.lanes[: PLAYER + 1], chosen, fine)
            self.lanes[: CELLS + 1] = after
        return np.stack([worth, -worth], -1).astype(np.float32), over != 0

    def checked(self, actions: npt.ArrayLike) -> Numbers:
        """One whole number for each game."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"give one whole number for each of the {self.count} games")
        return chosen.astype(np.int64)

    def play(self, steps: int) -> tuple[int, int]:
        """Random moves in each game: how many games have ended so far, and how many more player 0 won than lost."""
        if self.gear == FAST:
            bind_batch(self.game, self.board, "play_lanes")["play_lanes"](
                gear_board(self.board, FAST), self.lanes, steps
            )
        else:
            for _ in range(steps):
                self.lanes[:] = self._names["random_step"](self.board, *self.lanes)
        return int(self.lanes[GAMES].sum()), int(self.lanes[BALANCE].sum())


def spread(numbers: Numbers, count: int) -> Truths:
    """The lowest bits of numbers as truth values."""
    truths: Truths = (numbers[..., None] >> np.arange(count)) & 1 != 0
    return truths
