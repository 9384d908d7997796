"""Players that choose by themselves."""

import random
from collections.abc import Callable

from quintet.rules import Position

Engine = Callable[[Position], int]
"""From a position that is not over to one of its moves."""

HUMAN = "human"


class UnknownPlayer(ValueError):
    """A description that names no player."""


def make_engine(who: str, seed: int | None = None) -> Engine | None:
    """The engine a description such as `random` names; `None` for `human`."""
    if who == HUMAN:
        return None
    if who == "random":
        rng = random.Random(seed)
        return lambda position: rng.choice(position.moves)
    raise UnknownPlayer(f"there is no player {who[:40]!r}: choose human or random")
