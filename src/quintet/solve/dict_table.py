"""What the search remembers: limits of values by key, in a dictionary."""

from quintet.solve.theories.generic import MOST, Features

ENTRY_BYTES = 350
"""What an entry costs, measured: its share of the dictionary, the key, its numbers and the limits."""

Table = tuple[dict[Features, tuple[int, int]], list[int]]
"""The entries and a few numbers: positions visited, whether to stop, the number of entries, and its limit."""


def visit(table: Table) -> bool:
    """Count a position; true if the search was told to stop."""
    table[1][0] += 1
    return bool(table[1][1])


def pick(_: Table, cells: int) -> int:
    """The next cell to try."""
    return cells & -cells


def probe(table: Table, key: Features) -> tuple[int, int]:
    """The limits known of a position."""
    return table[0].get(key, (-MOST, MOST))


def store(table: Table, key: Features, low: int, high: int) -> None:
    """Remember limits while there is room, unless the search was told to stop."""
    entries, state = table
    if not state[1] and (state[2] < state[3] or key in entries):
        entries[key] = low, high
        state[2] = len(entries)
