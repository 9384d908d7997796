"""Chance: a small generator of numbers that is the same in every gear."""

import random
from zlib import crc32

from quintet.board import popcount

WORD = 0xFFFFFFFF
BITS = 32


def stir(state: int) -> int:
    """The next state after this one, never 0: 32 bits, every state once in 2^32 - 1 steps."""
    state = state ^ (state << 13) & WORD  # Not in place: the state may be an array of them that somebody keeps.
    state = state ^ state >> 17
    return state ^ (state << 5) & WORD


def share(state: int, number: int) -> int:
    """Which of `number` things, at most 2^15, the state chooses: `state * number / 2^32` in steps of 32 bits."""
    return (state >> 16) * number + ((state & 0xFFFF) * number >> 16) >> 16


def pick(cells: int, state: int) -> int:
    """One cell of a set that is not empty, chosen by the state."""
    skip = share(state, popcount(cells))
    while skip:
        cells &= cells - 1
        skip -= 1
    return cells & -cells


def seeded(seed: int | None) -> int:
    """The first state for a seed; any where none is given."""
    number = random.getrandbits(BITS) if seed is None else crc32(str(seed).encode())
    return stir(stir(number or 1))


class Dice:
    """Chance that an engine holds in its hand."""

    def __init__(self, seed: int | None) -> None:
        """Begin with a seed."""
        self.state = seeded(seed)

    def roll(self) -> int:
        """A number, never 0."""
        self.state = stir(self.state)
        return self.state

    def pick(self, cells: int) -> int:
        """One cell of a set."""
        return pick(cells, self.roll())

    def happens(self, chance: float) -> bool:
        """Whether something of this chance happens now."""
        return self.roll() < chance * (WORD + 1)
