"""Players that choose by themselves."""

import random
from typing import Protocol

from quintet.rules import Position

HUMAN = "human"


class Engine(Protocol):
    """A player that chooses by itself, the same for the same seed."""

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """A legal move in a position that is not over."""

    def close(self) -> None:
        """Give back what it holds."""


class EngineFault(Exception):
    """A player that cannot go on; the text says why, and it loses the game."""


class UnknownPlayer(ValueError):
    """A description that names no player."""


class RandomPlayer:
    """Plays any legal move."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin a run of chance."""
        self.rng = random.Random(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """Any legal move."""
        return self.rng.choice(position.moves)

    def close(self) -> None:
        """Nothing to give back."""


def make_engine(who: str, seed: int | None = None) -> Engine | None:
    """The engine a description such as `random` names; `None` for `human`."""
    if who == HUMAN:
        return None
    if who == "random":
        return RandomPlayer(seed)
    raise UnknownPlayer(f"there is no player {who[:40]!r}: choose human or random")
