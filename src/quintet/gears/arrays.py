"""The gear of many positions at once: the rules on NumPy arrays of 64-bit integers."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quintet import board as geometry
from quintet.board import Board
from quintet.gears import Names, bind, gather, names_of, rules_of
from quintet.rules import Game

Numbers = npt.NDArray[np.int64]


class ArrayRules(NamedTuple):
    """A game's rules for arrays of sets."""

    legal: Callable[[Board, Numbers, Numbers], Numbers]
    gain: Callable[[Board, Numbers, Numbers, int], Numbers]
    score: Callable[[Board, Numbers], Numbers]


def popcount(cells: Numbers) -> Numbers:
    """How many cells each set has."""
    counts: Numbers = np.bitwise_count(cells).astype(np.int64)
    return counts


def bind_names(names: Names) -> Names:
    """Functions over sets of cells for arrays of sets."""
    return bind(names | {"popcount": popcount, "np": np})


def bind_rules(game: Game) -> ArrayRules:
    """A game's rules for arrays of sets."""
    return gather(ArrayRules, bind_names(names_of(geometry) | rules_of(game)))
