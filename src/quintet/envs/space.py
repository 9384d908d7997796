"""Positions as arrays and moves as numbers: the convention of all environments.

An **action** is a number. 0 to `rows * columns - 1` claim that cell, row by row from the top left; where the board has
a hole, the action is never legal. A game with passes has one more action, the last one, which passes; it is legal only
if nothing else is.

An **observation** has rows, columns and planes, seen by one player: my cells, the opponent's, and the cells' values if
they have any. A **mask** has a 1 for every legal action: none for a player who is not to move, and none when the game
is over.

A **reward** comes with the last move: 1 for the winner, -1 for the loser, 0 for both in a draw.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, SupportsIndex, TypedDict

import numpy as np
import numpy.typing as npt

from quintet.board import place_values
from quintet.errors import QuintetError
from quintet.rules import IllegalMove, Outcome, Position

if TYPE_CHECKING:
    from gymnasium import spaces

Mask = npt.NDArray[np.int8]
MASK = np.dtype(np.int8)

CLAIMS = 2
"""The planes before that of the values."""
ILLEGAL = ("lose", "raise")
"""What an illegal action can do: lose the game, or raise an error."""


class InvalidSetting(QuintetError, ValueError):
    """An option of an environment that is not valid."""


class Observation(TypedDict):
    """What a player sees, and the mask of legal actions."""

    observation: npt.NDArray[np.integer]
    action_mask: Mask


def check_choice(name: str, given: object, choices: Sequence[object]) -> None:
    """Raise an error unless an option has one of its values."""
    if given not in choices:
        raise InvalidSetting(f"{name} must be one of {', '.join(map(str, choices))}, not {given!r}")


class Space:
    """The actions and observations of one game on one board."""

    def __init__(self, position: Position) -> None:
        """Take the sizes of a position's board."""
        board = position.board
        self._position = position
        self.area, self.passes = board.area, position.game.passes
        self.actions = self.area + self.passes
        """The number of actions, legal or not."""
        values = place_values(board)
        self.shape = board.rows, board.cols, CLAIMS + bool(values)
        """Rows, columns and planes of an observation."""
        self.length = self.area * self.shape[2]
        """The number of items of an observation."""
        self.largest = max([1, *values])
        """The largest number in an observation."""
        self.wide = self.largest > np.iinfo(np.int8).max
        """Whether a value needs more than eight bits."""
        self.dtype = np.dtype(np.int16 if self.wide else np.int8)
        self.values = np.array(values, np.uint16 if self.wide else np.uint8)
        # Planes are one after another in memory, as the sets of cells come.
        self.strides = tuple(self.dtype.itemsize * step for step in (board.cols, 1, board.area))

    def move(self, action: SupportsIndex | None) -> int:
        """The move that an action stands for, legal or not."""
        if action is None:
            raise IllegalMove(f"No action {action}: actions are numbers from 0 to {self.actions - 1}.")
        return self._position.move(action)

    def action(self, move: int) -> int:
        """The action that stands for a move."""
        return self._position.action(move)

    def mask(self, moves: Iterable[int]) -> Mask:
        """A mask of these moves."""
        return unpack(sum(1 << self.action(move) for move in moves), self.actions).view(MASK)

    def observe(self, position: Position, player: int, over: bool = False) -> Observation:
        """What a player sees and may do; nothing may be done if the game is `over` by a forfeit."""
        area, turn = self.area, position.player == player
        mine, theirs = (position.mine, position.theirs) if turn else (position.theirs, position.mine)
        legal = (position.legal or position.must_pass << area) if turn and not over else 0
        end = self.length
        bits = unpack(mine | theirs << area | legal << end, end + self.actions)
        planes: npt.NDArray[np.uint8 | np.uint16] = bits.astype(np.uint16) if self.wide else bits
        if end > CLAIMS * area:
            planes[CLAIMS * area : end] = self.values
        return {
            "observation": np.ndarray(self.shape, self.dtype, planes, 0, self.strides),
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
                "observation": spaces.Box(0, self.largest, self.shape, self.dtype.type),
                "action_mask": spaces.Box(0, 1, (self.actions,), MASK.type),
            }
        )


def unpack(cells: int, count: int) -> npt.NDArray[np.uint8]:
    """The lowest `count` bits of a set, one by one."""
    packed = np.frombuffer(cells.to_bytes(count + 7 >> 3, "little"), np.uint8)
    return np.unpackbits(packed, None, count, "little")


def reward(outcome: Outcome | None, player: int) -> float:
    """The reward of a player."""
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == player else -1.0
