"""The table of a compiled search on several threads: each reads and writes it, and none ever waits. Compiled.

A row is three words of the key and a word of limits. That last word also says whether a thread is writing the row, and
counts how often it was written. A reader trusts a row only if its last word is the same before and after reading the
key. A writer that finds another thread at a row leaves it alone. So a row is read whole or not at all.
"""

import numpy as np
import numpy.typing as npt

from quintet.solve.theories.generic import MOST, Features

ROW_WORDS = 4
NEIGHBOURS = 8
"""How many rows a key may be in."""
WRITING = np.int64(-1 << 63)
"""Set in the last word of a row while a thread is writing it; below are 31 bits that count writes, and the limits."""
COUNT = (1 << 31) - 1

Words = npt.NDArray[np.int64]
Table = tuple[Words, Words, Words]
"""The words of all rows; the threads' common numbers: unused, whether to stop, whether to pause; one thread's own
numbers: positions visited, rows taken, and the cell from which it starts."""


def load_word(words: Words, at: int) -> int:
    """A word; the compiled gear reads it at once, and before the words that are loaded after it."""
    return int(words[at])


def store_word(words: Words, at: int, word: int) -> None:
    """Write a word; the compiled gear writes it at once, and after the words that are stored before it."""
    words[at] = word


def swap_word(words: Words, at: int, old: int, new: int) -> bool:
    """Write a word if it is still the old one; whether it was. The compiled gear lets no other thread in between."""
    if words[at] != old:
        return False
    words[at] = new
    return True


def visit(table: Table) -> bool:
    """Count a position; true if the search was told to stop or to pause."""
    table[2][0] += 1
    return bool(table[1][1] | table[1][2])


def pick(table: Table, cells: int) -> int:
    """The next cell to try: each thread starts from another part of the board."""
    later = cells & -(1 << table[2][2])
    return later & -later if later else cells & -cells


def first_word(table: Table, key: Features) -> int:
    """Where the first row of a key begins; the number of rows is a power of two."""
    a, b, c = key
    mixed = a * np.int64(-7046029254386353131) ^ b * np.int64(-4417276706812531889) ^ c * np.int64(1609587929392839161)
    mixed ^= (mixed >> 29) & 0x7FFFFFFFF
    mixed *= np.int64(-4658895280553007687)
    return int((mixed >> 18) & (len(table[0]) - ROW_WORDS))


def has_key(words: Words, at: int, key: Features) -> bool:
    """Whether the row that begins there has this key at the moment."""
    a, b, c = key
    return load_word(words, at) == a and load_word(words, at + 1) == b and load_word(words, at + 2) == c


def look_at(words: Words, at: int, key: Features) -> tuple[int, bool]:
    """The last word of the row that begins there, and whether the row has this key."""
    last = load_word(words, at + 3)
    return last, last > 0 and has_key(words, at, key)


def limits_in(last: int) -> tuple[int, int]:
    """The limits in the last word of a row."""
    return ((last >> 16) & 0xFFFF) - 2 * MOST, (last & 0xFFFF) - 2 * MOST


def probe(table: Table, key: Features) -> tuple[int, int]:
    """The limits known of a position."""
    words, at = table[0], first_word(table, key)
    for _ in range(NEIGHBOURS):
        last, same = look_at(words, at, key)
        if last == 0:
            break
        if same and load_word(words, at + 3) == last:
            return limits_in(last)
        at = (at + ROW_WORDS) & (len(words) - ROW_WORDS)
    return -MOST, MOST


def store(table: Table, key: Features, low: int, high: int) -> None:
    """Remember limits, if need be in place of others."""
    words, common, own = table
    if common[1] | common[2]:
        return

    # 1. Find the row of the key, else a free one, else the last it may have.
    at, tried = first_word(table, key), 1
    last, same = look_at(words, at, key)
    while last and not same and tried < NEIGHBOURS:
        at, tried = (at + ROW_WORDS) & (len(words) - ROW_WORDS), tried + 1
        last, same = look_at(words, at, key)

    # 2. Claim it. That fails if another thread has written it since.
    if last < 0 or not swap_word(words, at + 3, last, int(last | WRITING)):
        return
    own[1] += last == 0

    # 3. Write it. Another thread may have found out more of the same position.
    if same:
        known_low, known_high = limits_in(last)
        low, high = max(low, known_low), min(high, known_high)
    a, b, c = key
    store_word(words, at, a)
    store_word(words, at + 1, b)
    store_word(words, at + 2, c)
    store_word(words, at + 3, (((last >> 32) + 1) & COUNT) << 32 | (low + 2 * MOST) << 16 | high + 2 * MOST)
