"""The gear of graphics cards: the rules on JAX arrays, 32-bit where the board fits, else 64-bit."""

import jax
import jax.numpy as jnp
import numpy as np

from quintet.board import Board
from quintet.errors import InvalidArgument
from quintet.gears import WORD_CELLS, Names, bind

HALF_CELLS = 31
"""The most cells of a board whose sets fit in 32 bits."""


def popcount(cells: jax.Array | int) -> jax.Array | int:
    """How many cells each set has."""
    if isinstance(cells, int):
        return cells.bit_count()
    if cells.dtype != jnp.int64:
        return jax.lax.population_count(cells)
    # By halves, because a kernel cannot count 64 bits at once.
    low, high = (jax.lax.population_count(half.astype(jnp.int32)) for half in (cells, cells >> 32))
    return (low + high).astype(cells.dtype)


def word_type(board: Board) -> np.dtype[np.signedinteger]:
    """The type of numbers that hold this board's sets."""
    half, word = np.dtype(np.int32), np.dtype(np.int64)
    if board.cells <= HALF_CELLS:
        return half
    if board.cells > WORD_CELLS:
        raise InvalidArgument(f"JAX takes boards of up to {WORD_CELLS} cells, not {board.cells}")
    if jnp.arange(1).dtype != word:
        raise InvalidArgument(
            f"a board of {board.cells} cells needs JAX's 64-bit mode: jax.config.update('jax_enable_x64', True)"
        )
    return word


def bind_names(names: Names) -> Names:
    """Functions over sets of cells for JAX arrays; random numbers have 32 bits without a sign."""
    return bind(names | {"popcount": popcount, "jax": jax, "jnp": jnp, "WORD": np.uint32(0xFFFFFFFF)})
