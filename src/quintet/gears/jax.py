"""The gear of graphics cards: the rules on JAX arrays, with a set of cells in one word of 32 bits, or in two."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from quintet.board import Board
from quintet.errors import InvalidArgument
from quintet.gears import WORD_CELLS, Names, bind
from quintet.gears.pairs import BITS, Pair, as_pair, pair_board

HALF_CELLS = 31
"""The most cells of a board whose sets fit in one word."""

Sets = jax.Array | Pair
"""Sets of cells: 32-bit numbers, or pairs of them on a board of more than 31 cells."""


def takes_pairs(board: Board) -> bool:
    """Whether a set of this board takes two words."""
    if board.area > WORD_CELLS:
        raise InvalidArgument(f"JAX takes boards of up to {WORD_CELLS} cells, not {board.area}")
    return board.area > HALF_CELLS


def gear_board(board: Board) -> Board:
    """The board as the bound rules take it."""
    return pair_board(board) if takes_pairs(board) else board


def make_sets(board: Board, numbers: Sequence[int] | npt.NDArray[np.integer]) -> Sets:
    """Sets of cells, given as numbers."""
    words = np.asarray(numbers, np.uint64)
    low, high = jnp.asarray(words.astype(np.uint32)), jnp.asarray((words >> BITS).astype(np.uint32))
    return Pair(low, high) if takes_pairs(board) else low.astype(jnp.int32)


def to_numbers(sets: Sets) -> npt.NDArray[np.int64]:
    """Sets of cells as numbers."""
    if isinstance(sets, Pair):
        return np.asarray(sets.low, np.int64) | np.asarray(sets.high, np.int64) << BITS
    return np.asarray(sets, np.int64)


def popcount(cells: Sets | int) -> jax.Array | int:
    """How many cells each set has."""
    if isinstance(cells, int):
        return cells.bit_count()
    if isinstance(cells, Pair):
        low, high = (
            int(word).bit_count() if isinstance(word, np.uint32) else jax.lax.population_count(word).astype(jnp.int32)
            for word in (cells.low, cells.high)
        )
        return low + high
    return jax.lax.population_count(cells)


def bit(cells: Sets, place: int) -> jax.Array:
    """1 where a set has the cell of this number, else 0."""
    if isinstance(cells, Pair):
        return jnp.asarray(cells.high if place >= BITS else cells.low) >> place % BITS & 1
    return cells >> place & 1


def lowest_word(cells: Sets) -> jax.Array:
    """The first cells of each set, as a number."""
    return jnp.asarray(cells.low).astype(jnp.int32) if isinstance(cells, Pair) else cells


def to_bits(cells: Sets, count: int) -> jax.Array:
    """The first `count` cells of sets, each as a byte, along a new first axis."""
    if isinstance(cells, Pair):
        low, high = jnp.asarray(cells.low), jnp.asarray(cells.high)
        return jnp.concatenate([to_bits(low, BITS), to_bits(high, count - BITS)])
    found: jax.Array = (cells >> first_axis(np.arange(count, dtype=cells.dtype), cells.ndim)) & 1
    return found.astype(jnp.int8)


def first_axis(row: npt.ArrayLike, others: int) -> jax.Array:
    """A row of numbers as the first axis, before a number of other axes."""
    return jnp.reshape(jnp.asarray(row), (-1, *(1 for _ in range(others))))


def bind_names(names: Names, board: Board) -> Names:
    """Functions over sets of cells for JAX arrays; random numbers have 32 bits without a sign."""
    own: Names = {"popcount": popcount, "Pair": Pair, "jax": jax, "jnp": jnp, "np": np, "WORD": np.uint32(0xFFFFFFFF)}
    if takes_pairs(board):
        own |= {"cell_at": Pair.cell_at, "WHOLE": as_pair(names["WHOLE"])}
    return bind(names | own)
