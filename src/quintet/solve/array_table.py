"""The table of the compiled search: rows of an array, of which as many are in use as are needed. Compiled."""

import numpy as np
import numpy.typing as npt

from quintet.solve.theories.generic import MOST, Features

ROW_BYTES = 32
"""Three words of the key and one of limits."""

FIRST_ROWS = 1 << 12
NEIGHBOURS = 8
"""How many rows a key may be in once more than half of them are taken."""

Table = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""The rows and a few numbers: positions visited, whether to stop, rows taken, rows there are, and rows in use."""


def visit(table: Table) -> bool:
    """Count a position; true if the search was told to stop."""
    table[1][0] += 1
    return bool(table[1][1])


def pick(_: Table, cells: int) -> int:
    """The next cell to try."""
    return cells & -cells


def place(table: Table, key: Features) -> int:
    """The row a key is in; else a free one; else, where it is crowded, the last it may have."""
    a, b, c = key
    rows, mask = table[0], table[1][4] - 1
    crowded = 2 * table[1][2] > table[1][4]
    mixed = a * np.int64(-7046029254386353131) ^ b * np.int64(-4417276706812531889) ^ c * np.int64(1609587929392839161)
    mixed ^= (mixed >> 29) & 0x7FFFFFFFF
    mixed *= np.int64(-4658895280553007687)
    row: int = (mixed >> 20) & mask
    for _ in range(NEIGHBOURS - 1 if crowded else mask):
        if rows[row, 3] == 0 or (rows[row, 0] == a and rows[row, 1] == b and rows[row, 2] == c):
            break
        row = (row + 1) & mask
    return row


def probe(table: Table, key: Features) -> tuple[int, int]:
    """The limits known of a position."""
    a, b, c = key
    row = table[0][place(table, key)]
    if row[3] and row[0] == a and row[1] == b and row[2] == c:
        return (row[3] >> 32) - 2 * MOST, (row[3] & 0xFFFFFFFF) - 2 * MOST
    return -MOST, MOST


def store(table: Table, key: Features, low: int, high: int) -> None:
    """Remember limits, in a larger part of the array if this one gets crowded, if need be in place of others."""
    a, b, c = key
    state = table[1]
    if state[1]:
        return
    if 2 * state[2] >= state[4] and state[4] < state[3]:
        grow(table)
    row = table[0][place(table, key)]
    state[2] += row[3] == 0
    row[0], row[1], row[2], row[3] = a, b, c, (low + 2 * MOST) << 32 | high + 2 * MOST


def grow(table: Table) -> None:
    """Use twice as many rows."""
    rows, state = table
    old = rows[: state[4]].copy()
    rows[: state[4]] = 0
    state[4] *= 2
    for row in old:
        if row[3]:
            rows[place(table, (row[0], row[1], row[2]))] = row
