"""What the search remembers: limits of values, found again by three words, in a dictionary."""

from typing import Any

from quintet.solve.theories.generic import MOST

ENTRY_BYTES = 350
"""What an entry costs, measured: the dictionary's share, the key, its numbers and the limits."""


# A table is what is remembered and a few numbers: positions visited, whether to stop, entries, and their limit.


def visit(table: Any) -> bool:
    """Count a position; true if the search was told to stop."""
    table[1][0] += 1
    return bool(table[1][1])


def probe(table: Any, a: int, b: int, c: int) -> tuple[int, int]:
    """The limits known of a position."""
    limits: tuple[int, int] = table[0].get((a, b, c), (-MOST, MOST))
    return limits


def store(table: Any, a: int, b: int, c: int, low: int, high: int) -> None:
    """Keep limits while there is room and the search goes on."""
    entries, state = table
    if not state[1] and (state[2] < state[3] or (a, b, c) in entries):
        entries[a, b, c] = low, high
        state[2] = len(entries)
