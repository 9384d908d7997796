"""Exact values of the positions of one board: the search with its table, in the gear that suits the board."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from quintet import board as geometry
from quintet.board import Board, index, move_cells, symmetries
from quintet.gears import PLAIN, Names, bind, choose_gear, digest, gather, names_of, pad_values, reachable, rules_of
from quintet.rules import PASS, Game, Position
from quintet.solve import dict_table, search
from quintet.solve.theories import theory_of
from quintet.solve.theories.generic import MOST, Features, Symmetries
from quintet.solve.value import Value, one_earlier, one_later, value_of

if TYPE_CHECKING:
    from quintet.gears.arrays import Numbers
    from quintet.solve import array_table

    Table: TypeAlias = dict_table.Table | array_table.Table
    Images: TypeAlias = Symmetries | Numbers
    """The symmetries of a board, as lists or as an array."""

MEMORY = 1 << 30
"""Bytes of a table where no limit is given."""
FEWEST_VALUES = 8
"""Compiled code is made for one number of values, so most boards are given the same number."""


class Stopped(Exception):
    """The search was told to stop."""


@dataclass(frozen=True, slots=True)
class BoundSearch:
    """The search bound to a game's rules and theory and to a gear's primitives."""

    search: Callable[[Board, "Images", "Table", int, int, int, int, int], int]
    view: Callable[[Board, "Images", int, int, int, int], tuple[int, int, Features, int]]
    bounds: Callable[[Board, Features], tuple[int, int]]
    shift: Callable[[int, int], int]


def search_names(game: Game) -> Names:
    """The names of a game's search, still to be bound to a gear."""
    theory = theory_of(game)
    rules = rules_of(game) | {"PASSES": theory.PASSES}  # A theory may see a game without passes.
    return names_of(search, geometry, dict_table, theory) | rules


@cache
def bind_search(game: Game, gear: str) -> BoundSearch:
    """A game's search in a gear."""
    names = search_names(game)
    if gear == PLAIN:
        return gather(BoundSearch, bind(names))
    import numpy as np

    from quintet.gears.fast import compile_names
    from quintet.solve import array_table

    names |= names_of(array_table)
    names |= {name: np.array(value) for name, value in names.items() if name.isupper() and isinstance(value, tuple)}
    return gather(BoundSearch, compile_names(names, "search", label=game.name))


def search_digest(game: Game) -> str:
    """A short name for a game's search, another one as soon as any function of it changes."""
    return digest(reachable(search_names(game), "search"))


def images_of(board: Board) -> list[list[list[int]]]:
    """The symmetries of a board but the identity, each as one row of 256 images for every eight cells."""
    images = []
    for symmetry in symmetries(board)[1:]:
        rows = []
        for start in range(0, board.cells, 8):
            row = [0]
            for i in range(8):
                image = 1 << symmetry[start + i] if start + i < board.cells else 0
                row += [known | image for known in row]
            rows.append(row)
        images.append(rows)
    return images


class Solver:
    """Finds exact values on one board. What it has found out serves the next question."""

    def __init__(self, game: Game, board: Board, gear: str | None = None, memory: int = MEMORY) -> None:
        """Make an empty table of at most `memory` bytes."""
        self.game, self.board = game, board
        self.gear = gear or choose_gear(board)
        self.step: int = theory_of(game).STEP
        self._search = bind_search(game, self.gear).search
        self._plain, self._plain_images = bind_search(game, PLAIN), images_of(board)
        self._board, self._images, self._table = self._arguments(memory)
        self.most = board.cells if game.territory else MOST
        self.least = -self.most
        self.low, self.high = self.least, self.most

    def _arguments(self, memory: int) -> "tuple[Board, Images, Table]":
        """The board, its symmetries and an empty table, as the gear takes them."""
        if self.gear == PLAIN:
            return self.board, self._plain_images, ({}, [0, 0, 0, memory // dict_table.ENTRY_BYTES])
        import numpy as np

        from quintet.solve.array_table import FIRST_ROWS, ROW_BYTES

        # While it grows, the table needs half as much again.
        rows = max(FIRST_ROWS, 1 << (2 * memory // (3 * ROW_BYTES)).bit_length() - 1)
        board = pad_values(self.board, max(FEWEST_VALUES, 1 << (len(self.board.values) - 1).bit_length()))
        images = np.array(self._plain_images, np.int64).reshape(-1, (board.cells + 7) // 8, 256)
        return board, images, (np.zeros((rows, 4), np.int64), np.array([0, 0, 0, rows, FIRST_ROWS], np.int64))

    @property
    def nodes(self) -> int:
        """How many positions the search has visited."""
        return int(self._table[1][0])

    @property
    def fill(self) -> float:
        """The share of the table that is taken."""
        return float(self._table[1][2] / self._table[1][3])

    @property
    def parts(self) -> "tuple[Callable[..., int], tuple[Board, Images, Table]]":
        """The bound search and the arguments it always gets, for loops compiled around it."""
        return self._search, (self._board, self._images, self._table)

    def known(self) -> Value:
        """What is known so far of the value asked for last."""
        return Value(self.low, self.high, self.game.territory)

    def stop(self) -> None:
        """Stop the search that runs now, in another thread."""
        self._table[1][1] = 1

    def resume(self) -> None:
        """Let the next search run again."""
        self._table[1][1] = 0

    def ask(self, position: Position, bound: int) -> int:
        """A limit of a position's value: a lower one if that is `bound` or more, an upper one if not."""
        bound = self.aligned(bound)
        limit = self._search(self._board, self._images, self._table, position.mine, position.theirs, 0, 0, bound)
        if self._table[1][1]:
            raise Stopped
        return int(limit)

    def limits(self, position: Position) -> Value:
        """What the theory knows of a position's value without a search."""
        plain = self._plain
        *_, features, settled = plain.view(self.board, self._plain_images, position.mine, position.theirs, 0, 0)
        low, high = (plain.shift(limit, settled) for limit in plain.bounds(self.board, features))
        return Value(max(self.least, low), min(self.most, high), self.game.territory)

    def earlier(self, number: int) -> int:
        """What a move into a position of this value is worth to its player."""
        return one_earlier(number, self.game.territory)

    def aligned(self, bound: int) -> int:
        """The bound, or the next number that a value can be: margins are two apart where every cell gets claimed."""
        return bound + (bound + self.most) % self.step

    def number(self, position: Position, guess: int = 0) -> int:
        """The exact value as a number, found by a series of questions that narrow its limits."""
        self.low, self.high, _ = self.limits(position)
        bound = guess
        while self.low < self.high:
            bound = max(self.low + self.step, min(self.high, bound))
            bound = self.aligned(bound)
            found = self.ask(position, bound)
            if found >= bound:
                self.low, bound = found, found + self.step
            else:
                self.high, bound = found, found
        return self.low

    def value(self, position: Position) -> Value:
        """The exact value of a position."""
        return value_of(self.game, self.number(position))

    def after(self, position: Position, move: int, guess: int = 0) -> int:
        """The exact value of a move for its player, as a number."""
        return self.earlier(self.number(position.play(move), -guess))

    def later(self, number: int) -> int:
        """What a value is one best move later, for the other player."""
        return one_later(number, self.game.territory)

    def grade(self, position: Position, grades: dict[int, Value] | None = None) -> dict[int, Value]:
        """The exact value of every legal move in board order; put into `grades` as well, as soon as each is known."""
        like = alike(position)
        numbers: dict[int, int] = {}
        guess = 0
        for first in dict.fromkeys(like.values()):
            guess = numbers[first] = self.after(position, first, guess)
            if grades is not None:
                grades |= {move: value_of(self.game, guess) for move in like if like[move] == first}
        return {move: value_of(self.game, numbers[first]) for move, first in like.items()}

    def reaches(self, position: Position, move: int, number: int) -> bool:
        """Whether a move is worth `number` or more: one question."""
        target = self.later(self.aligned(number))
        return self.ask(position.play(move), target + self.step) <= target

    def best(self, position: Position, number: int) -> list[int]:
        """The moves worth `number` or more."""
        first = alike(position)
        good = {move for move, like in first.items() if move == like and self.reaches(position, move, number)}
        return [move for move, like in first.items() if like in good]

    def first_best(self, position: Position, number: int) -> int:
        """The first move on the board worth `number` or more, which one is known to be."""
        return next(move for move in position.moves if self.reaches(position, move, number))


def alike(position: Position) -> dict[int, int]:
    """For every move, in board order, the first of those that a symmetry of the position makes of it."""
    maps = [
        s
        for s in symmetries(position.board)
        if move_cells(position.mine, s) == position.mine and move_cells(position.theirs, s) == position.theirs
    ]
    return {move: min(1 << s[index(move)] for s in maps) if move else PASS for move in position.moves}
