"""Random numbers that are the same in every gear: a xorshift generator with 32 bits of state."""

import random
from zlib import crc32

from quintet.board import popcount

WORD = 0xFFFFFFFF
BITS = 32


def next_state(state: int) -> int:
    """The state after this one, never 0: 32 bits, every state once in 2^32 - 1 steps."""
    state = state ^ (state << 13) & WORD  # Not in place: the state may be an array that the caller still uses.
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
    """The first state for a seed; a random one where none is given."""
    number = random.getrandbits(BITS) if seed is None else crc32(str(seed).encode())
    return next_state(next_state(number or 1))


class Rng:
    """The random numbers of one engine."""

    def __init__(self, seed: int | None) -> None:
        """Begin with a seed."""
        self.state = seeded(seed)

    def next(self) -> int:
        """A number of 32 bits, never 0."""
        self.state = next_state(self.state)
        return self.state

    def pick(self, cells: int) -> int:
        """One cell of a set."""
        return pick(cells, self.next())

    def shuffle(self, moves: list[int]) -> None:
        """Put moves in a random order."""
        for last in range(len(moves) - 1, 0, -1):
            other = share(self.next(), last + 1)
            moves[last], moves[other] = moves[other], moves[last]

    def happens(self, probability: float) -> bool:
        """True with this probability."""
        return self.next() < probability * (WORD + 1)
