"""The gear of many positions at once: the rules on NumPy arrays of 64-bit integers."""

from typing import Any

import numpy as np
import numpy.typing as npt

from quintet import board as geometry
from quintet.gears import Names, bind
from quintet.rules import Game

Numbers = npt.NDArray[np.int64]


def popcount(cells: Any) -> Numbers:
    """How many cells each set has."""
    counts: Numbers = np.bitwise_count(cells).astype(np.int64)
    return counts


def bind_names(names: Names) -> Names:
    """Functions over sets of cells for arrays of sets."""
    return bind(names | {"popcount": popcount, "np": np})


def bind_rules(game: Game) -> Names:
    """A game's `legal`, `gain` and `score` for arrays of sets."""
    names = {name: value for name, value in vars(geometry).items() if not name.startswith("_")}
    return bind_names(names | {"legal": game.legal, "gain": game.gain, "score": game.score})
