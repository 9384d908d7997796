"""The table of the compiled search: rows of an array, of which as many are in use as are needed. Compiled."""

from typing import Any

import numpy as np

from quintet.solve.theories.generic import MOST

ROW_BYTES = 32
"""Three words of the key and one of limits."""

FIRST_ROWS = 1 << 12
NEIGHBOURS = 8
"""How many rows a key may stand in once more than half of all are taken."""


def visit(table: Any) -> bool:
    """Count a position; true if the search was told to stop."""
    table[1][0] += 1
    return bool(table[1][1])


def place(table: Any, a: int, b: int, c: int) -> int:
    """The row a key is in; else a free one; else, where it is crowded, the last it may have."""
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


def probe(table: Any, a: int, b: int, c: int) -> tuple[int, int]:
    """The limits known of a position."""
    row = table[0][place(table, a, b, c)]
    if row[3] and row[0] == a and row[1] == b and row[2] == c:
        return (row[3] >> 32) - 2 * MOST, (row[3] & 0xFFFFFFFF) - 2 * MOST
    return -MOST, MOST


def store(table: Any, a: int, b: int, c: int, low: int, high: int) -> None:
    """Keep limits, in a larger part of the array if this one gets crowded, if need be in place of others."""
    state = table[1]
    if state[1]:
        return
    if 2 * state[2] >= state[4] and state[4] < state[3]:
        grow(table)
    row = table[0][place(table, a, b, c)]
    state[2] += row[3] == 0
    row[0], row[1], row[2], row[3] = a, b, c, (low + 2 * MOST) << 32 | high + 2 * MOST


def grow(table: Any) -> None:
    """Use twice as many rows."""
    rows, state = table
    old = rows[: state[4]].copy()
    rows[: state[4]] = 0
    state[4] *= 2
    for row in old:
        if row[3]:
            rows[place(table, row[0], row[1], row[2])] = row
