"""Positions as arrays and moves as numbers: the one convention of all environments.

An **action** is a number. 0 to `cells - 1` claim that cell, row by row from the top left. A game with passes has one
more, `cells`, which passes; like every pass it is legal only where nothing else is.

An **observation** has rows, columns and planes, seen by one player: my cells, theirs, and, where cells carry values,
what each is worth. A **mask** has a 1 for every action that is legal: none for a player who is not to move, and none
when the game is over.

A **reward** comes with the last move: 1 for the winner, -1 for the loser, 0 for both in a draw.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from quintet.board import index, value_list
from quintet.rules import PASS, IllegalMove, Outcome, Position

if TYPE_CHECKING:
    from gymnasium import spaces

Mask = npt.NDArray[np.int8]
MASK = np.dtype(np.int8)

CLAIMS = 2
"""The planes before that of the values."""


class Space:
    """The actions and observations of one game on one board."""

    def __init__(self, position: Position) -> None:
        """Take the measures of a position's board."""
        board = position.board
        self.cells, self.passes = board.cells, position.game.passes
        self.actions = self.cells + self.passes
        """How many actions there are, legal or not."""
        values = value_list(board)
        self.shape = board.rows, board.cols, CLAIMS + bool(values)
        """Rows, columns and planes of an observation."""
        self.end = self.cells * self.shape[2]
        """How many numbers that is."""
        self.most = max([1, *values])
        """The largest number in an observation."""
        self.wide = self.most > np.iinfo(np.int8).max
        """Whether a value needs more than eight bits."""
        self.kind = np.dtype(np.int16 if self.wide else np.int8)
        self.worth = np.array(values, np.uint16 if self.wide else np.uint8)
        # Planes lie one after another in memory, as the sets of cells come.
        self.strides = tuple(self.kind.itemsize * step for step in (board.cols, 1, board.cells))

    def move(self, action: SupportsIndex | None) -> int:
        """The move that an action stands for, legal or not."""
        if action is not None:
            number = action.__index__()
            if 0 <= number < self.cells:
                return 1 << number
            if number == self.cells and self.passes:
                return PASS
        raise IllegalMove(f"There is no action {action}: they go from 0 to {self.actions - 1}.")

    def action(self, move: int) -> int:
        """The action that stands for a move."""
        return index(move) if move else self.cells

    def mask(self, moves: Iterable[int]) -> Mask:
        """A mask of these moves."""
        return unpack(sum(1 << self.action(move) for move in moves), self.actions).view(MASK)

    def observe(self, position: Position, player: int, over: bool = False) -> dict[str, Any]:
        """What a player sees and may do: `observation` and `action_mask`, an empty one if the game was given up."""
        cells, turn = self.cells, position.player == player
        mine, theirs = (position.mine, position.theirs) if turn else (position.theirs, position.mine)
        legal = (position.legal or position.must_pass << cells) if turn and not over else 0
        end = self.end
        bits = unpack(mine | theirs << cells | legal << end, end + self.actions)
        planes: npt.NDArray[Any] = bits.astype(np.uint16) if self.wide else bits
        if end > CLAIMS * cells:
            planes[CLAIMS * cells : end] = self.worth
        return {
            "observation": np.ndarray(self.shape, self.kind, planes, 0, self.strides),
            "action_mask": np.ndarray((self.actions,), MASK, bits, end),
        }

    def action_space(self) -> "spaces.Discrete":
        """All actions, for Gymnasium and PettingZoo."""
        from gymnasium import spaces

        return spaces.Discrete(self.actions)

    def observation_space(self) -> "spaces.Dict":
        """All observations with their masks, for Gymnasium and PettingZoo."""
        from gymnasium import spaces

        return spaces.Dict(
            {
                "observation": spaces.Box(0, self.most, self.shape, self.kind.type),
                "action_mask": spaces.Box(0, 1, (self.actions,), MASK.type),
            }
        )


def unpack(cells: int, count: int) -> npt.NDArray[np.uint8]:
    """The lowest so many bits of a set, one by one."""
    packed = np.frombuffer(cells.to_bytes(count + 7 >> 3, "little"), np.uint8)
    return np.unpackbits(packed, None, count, "little")


def forfeit(player: int, reason: str) -> Outcome:
    """How a game ends for a player who takes no legal action."""
    return Outcome(3 - player, f"Player {player} forfeits: {reason}", "forfeit")


def reward(outcome: Outcome | None, player: int) -> float:
    """What a player gets."""
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == player else -1.0
