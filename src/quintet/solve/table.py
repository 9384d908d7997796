"""What the search remembers: limits of values, found again by three words, in a dictionary."""

from typing import Any

from quintet.solve.theories.generic import MOST

ENTRY_BYTES = 350
"""What an entry costs, measured: the dictionary's share, the key, its numbers and the limits."""


# A table is what is remembered and a few numbers: positions visited, whether to stop, entries, and their limit.


class Stopped(Exception):
    """The search was told to stop."""


def visit(table: Any) -> None:
    """Count a position, and heed the word to stop."""
    table[1][0] += 1
    if table[1][1]:
        raise Stopped


def probe(table: Any, a: int, b: int, c: int) -> tuple[int, int]:
    """The limits known of a position."""
    limits: tuple[int, int] = table[0].get((a, b, c), (-MOST, MOST))
    return limits


def store(table: Any, a: int, b: int, c: int, low: int, high: int) -> None:
    """Keep limits while there is room."""
    entries, state = table
    if state[2] < state[3] or (a, b, c) in entries:
        entries[a, b, c] = low, high
        state[2] = len(entries)
