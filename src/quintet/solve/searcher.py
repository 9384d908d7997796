"""The search of one board in one gear: bound to a game's rules and theory, with its table."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from quintet import board as geometry
from quintet.board import Board, symmetries
from quintet.gears import PLAIN, Names, bind, digest, gather, names_of, pad_values, reachable, rules_of
from quintet.rules import Game
from quintet.solve import dict_table, search
from quintet.solve.alarm import Alarm
from quintet.solve.theories import theory_of
from quintet.solve.theories.generic import Symmetries

if TYPE_CHECKING:
    from quintet.gears.arrays import Numbers
    from quintet.solve import array_table, shared_table

    Table: TypeAlias = dict_table.Table | array_table.Table | shared_table.Table
    Images: TypeAlias = Symmetries | Numbers
    """The symmetries of a board, as lists or as an array."""

FEWEST_VALUES = 8
"""Compiled code is made for one number of values, so most boards are given the same number."""
DICT_TABLE, ARRAY_TABLE, SHARED_TABLE = "dict_table", "array_table", "shared_table"
"""The modules of the tables: of the plain gear, of the compiled one, and of several threads."""


@dataclass(frozen=True, slots=True)
class BoundSearch:
    """The search bound to a game's rules and theory and to a gear's primitives."""

    search: Callable[[Board, "Images", "Table", int, int, int, int, int], int]
    limits: Callable[[Board, "Images", "Table", int, int, bool], tuple[int, int]]
    grundy: Callable[[Board, "Images", "Table", int], int]


def search_names(game: Game) -> Names:
    """The names of a game's search, still to be bound to a gear."""
    theory = theory_of(game)
    rules = rules_of(game) | {"PASSES": theory.PASSES}  # A theory may see a game without passes.
    return names_of(search, geometry, dict_table, theory) | rules


@cache
def bind_search(game: Game, table: str) -> BoundSearch:
    """A game's search with a table; it is plain with the first of them, and compiled with the others."""
    names = search_names(game)
    if table == DICT_TABLE:
        return gather(BoundSearch, bind(names))
    import numpy as np

    from quintet.gears.fast import compile_names

    names |= names_of(import_module(f"quintet.solve.{table}"))
    names |= {name: np.array(value) for name, value in names.items() if name.isupper() and isinstance(value, tuple)}
    return gather(BoundSearch, compile_names(names, "search", "limits", "grundy", label=game.name))


def search_digest(game: Game) -> str:
    """A short name for a game's search, another one as soon as any function of it changes."""
    return digest(reachable(search_names(game), "search"))


def images_of(board: Board) -> list[list[list[int]]]:
    """The symmetries of a board but the identity, each as one row of 256 images for every eight cells."""
    images = []
    for symmetry in symmetries(board)[1:]:
        rows = []
        for start in range(0, board.area, 8):
            row = [0]
            for i in range(8):
                image = 1 << symmetry[start + i] if start + i < board.area else 0
                row += [known | image for known in row]
            rows.append(row)
        images.append(rows)
    return images


def compiled_board(board: Board) -> "tuple[Board, Numbers]":
    """A board and its symmetries, as compiled code takes them."""
    import numpy as np

    padded = pad_values(board, max(FEWEST_VALUES, 1 << (len(board.values) - 1).bit_length()))
    return padded, np.array(images_of(board), np.int64).reshape(-1, (board.area + 7) // 8, 256)


class Searcher:
    """A search in one thread."""

    def __init__(self, game: Game, board: Board, gear: str, memory: int) -> None:
        """Make an empty table of at most `memory` bytes."""
        bound = bind_search(game, DICT_TABLE if gear == PLAIN else ARRAY_TABLE)
        self.search, self.find_grundy = bound.search, bound.grundy
        self.arguments: tuple[Board, Images, Table]
        """The board, its symmetries and the table, as the gear takes them."""
        if gear == PLAIN:
            self.arguments = board, images_of(board), ({}, [0, 0, 0, memory // dict_table.ENTRY_BYTES])
            return
        import numpy as np

        from quintet.solve.array_table import FIRST_ROWS, ROW_BYTES

        # While it grows, the table needs half as much again.
        rows = max(FIRST_ROWS, 1 << (2 * memory // (3 * ROW_BYTES)).bit_length() - 1)
        table = np.zeros((rows, 4), np.int64), np.array([0, 0, 0, rows, FIRST_ROWS], np.int64)
        self.arguments = *compiled_board(board), table

    @property
    def visited(self) -> int:
        """How many positions were visited."""
        return int(self.arguments[2][1][0])

    @property
    def fill(self) -> float:
        """The share of the table that is taken."""
        state = self.arguments[2][1]
        return float(state[2] / state[3])

    @property
    def progress(self) -> str:
        """What a progress line says besides the positions visited and the value."""
        return f"table {self.fill:.0%} full"

    @property
    def stopped(self) -> bool:
        """Whether the search was told to stop; then its answer has no meaning."""
        return bool(self.arguments[2][1][1])

    @stopped.setter
    def stopped(self, told: bool) -> None:
        self.arguments[2][1][1] = int(told)

    def stop_at(self, until: float) -> None:
        """Stop by itself at a time of the clock; in the plain gear only."""
        self.arguments[2][1][1] = Alarm(until)

    def ask(self, mine: int, theirs: int, bound: int) -> int:
        """A limit of a position's value: a lower one if that is `bound` or more, an upper one if not."""
        return int(self.search(*self.arguments, mine, theirs, 0, 0, bound))

    def close(self) -> None:
        """End what the search has started."""

    def grundy(self, open_cells: int) -> int:
        """The Grundy number of the cells open to both players; -1 in a game where they differ."""
        return int(self.find_grundy(*self.arguments, open_cells))
