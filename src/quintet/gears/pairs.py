"""Sets of up to 64 cells as two words of 32 bits, because JAX has no 64-bit integers unless a whole program uses them.

A pair takes the operators that the rules and the steps use, so the same functions run on it.
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from quintet.board import Board

BITS = 32
WORD = 0xFFFFFFFF

Word = jax.Array | np.uint32
"""One half: arrays of any shape, or a constant."""
Count = jax.Array | int
"""How far to shift, or a flag that is 0 or 1."""


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Pair:
    """Sets of cells: cells 0 to 31 are the bits of `low`, the others those of `high`."""

    low: Word
    high: Word

    @classmethod
    def cell_at(cls, number: jax.Array, claims: Count) -> "Pair":
        """The cell of this number, where `claims` is 1."""
        return (as_pair(1) * claims) << number

    def __and__(self, other: "Pair | int") -> "Pair":
        other = as_pair(other)
        return Pair(self.low & other.low, self.high & other.high)

    def __or__(self, other: "Pair | int") -> "Pair":
        other = as_pair(other)
        return Pair(self.low | other.low, self.high | other.high)

    def __xor__(self, other: "Pair | int") -> "Pair":
        other = as_pair(other)
        return Pair(self.low ^ other.low, self.high ^ other.high)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> "Pair":
        return Pair(~self.low, ~self.high)

    def __lshift__(self, count: Count) -> "Pair":
        places, far = split_count(count)
        low = self.low << places
        high = self.high << places | self.low >> 1 >> (BITS - 1 - places)
        return Pair(jnp.where(far, 0, low), jnp.where(far, low, high))

    def __rshift__(self, count: Count) -> "Pair":
        places, far = split_count(count)
        high = self.high >> places
        low = self.low >> places | self.high << 1 << (BITS - 1 - places)
        return Pair(jnp.where(far, high, low), jnp.where(far, 0, high))

    def __add__(self, other: "Pair | int") -> "Pair":
        other = as_pair(other)
        low = jnp.add(self.low, other.low)
        return Pair(low, jnp.add(self.high, other.high) + (low < other.low).astype(jnp.uint32))

    __radd__ = __add__

    def __neg__(self) -> "Pair":
        return ~self + 1

    def __sub__(self, other: "Pair | int") -> "Pair":
        return self + -as_pair(other)

    def __mul__(self, flag: Count) -> "Pair":
        """The sets where the flag is 1, and nothing where it is 0."""
        word = jnp.asarray(flag).astype(jnp.uint32)
        return Pair(self.low * word, self.high * word)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> Any:  # Arrays compare item by item, which `object` does not declare.
        if not isinstance(other, Pair | int):
            return NotImplemented
        other = as_pair(other)
        return (self.low == other.low) & (self.high == other.high)

    def __ne__(self, other: object) -> Any:
        if not isinstance(other, Pair | int):
            return NotImplemented
        other = as_pair(other)
        return (self.low != other.low) | (self.high != other.high)

    __hash__ = None


def as_pair(cells: Pair | int) -> Pair:
    """A constant set as a pair."""
    if isinstance(cells, Pair):
        return cells
    return Pair(np.uint32(cells & WORD), np.uint32(cells >> BITS & WORD))


def split_count(count: Count) -> tuple[jax.Array, jax.Array]:
    """How far to shift within a word, and whether to shift by a whole word as well."""
    number = jnp.asarray(count).astype(jnp.uint32)
    return number & BITS - 1, number >= BITS


def pair_board(board: Board) -> Board:
    """The board with pairs as its sets."""
    sets = {name: as_pair(getattr(board, name)) for name in ("full", "east", "west")}
    values = tuple((value, as_pair(where)) for value, where in board.values)
    return Board(**(board._asdict() | sets | {"values": values}))
