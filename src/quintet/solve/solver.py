"""Exact values of the positions of one board: the search with its table, in the gear the board is worth."""

from functools import cache
from importlib.util import find_spec
from typing import Any

from quintet import board as geometry
from quintet.board import Board, index, move_cells, symmetries
from quintet.gears import WORD_CELLS, Names, bind
from quintet.rules import PASS, Game, Position
from quintet.solve import dict_table as dictionary
from quintet.solve import search as statement
from quintet.solve.theories import generic, theory_of
from quintet.solve.value import Value, value_of

PLAIN, FAST = "plain", "fast"
MEMORY = 1 << 30
SMALL_BOARD = 25
"""Up to this many cells the compiled gear takes longer to start than the plain one to finish."""


class Stopped(Exception):
    """The search was told to stop."""


def choose_gear(board: Board) -> str:
    """The compiled gear where it is installed, the board fits it and is worth it."""
    return FAST if SMALL_BOARD < board.cells <= WORD_CELLS and find_spec("numba") else PLAIN


@cache
def bind_search(game: Game, gear: str) -> Names:
    """The search bound to a game's rules and theory and to a gear's primitives."""
    names: Names = {}
    for source in (statement, geometry, dictionary, theory_of(game)):
        names |= {name: value for name, value in vars(source).items() if not name.startswith("_")}
    names |= {"legal": game.legal, "gain": game.gain, "score": game.score}
    if gear == PLAIN:
        return bind(names)
    import numpy as np

    from quintet.gears.fast import compile_names
    from quintet.solve import array_table

    names |= {name: value for name, value in vars(array_table).items() if not name.startswith("_")}
    names |= {name: np.array(value) for name, value in names.items() if name.isupper() and isinstance(value, tuple)}
    return compile_names(reachable(names, "search"), "search", game.name)


def reachable(names: Names, name: str, found: Names | None = None) -> Names:
    """A function with all it uses."""
    found = {} if found is None else found
    if name in names and name not in found:
        found[name] = names[name]
        for other in getattr(getattr(names[name], "__code__", None), "co_names", ()):
            reachable(names, other, found)
    return found


def turn_rows(board: Board) -> list[list[list[int]]]:
    """The symmetries of a board but the identity, each as one row of 256 images for every eight cells."""
    turns = []
    for symmetry in symmetries(board)[1:]:
        rows = []
        for start in range(0, board.cells, 8):
            row = [0]
            for i in range(8):
                image = 1 << symmetry[start + i] if start + i < board.cells else 0
                row += [known | image for known in row]
            rows.append(row)
        turns.append(rows)
    return turns


class Solver:
    """Finds exact values on one board. What it has found out serves the next question."""

    def __init__(self, game: Game, board: Board, gear: str | None = None, memory: int = MEMORY) -> None:
        """Make an empty table of at most `memory` bytes."""
        self.game, self.board = game, board
        self.gear = gear or choose_gear(board)
        names = bind_search(game, self.gear)
        self._search = names["search"]
        self.step: int = names["STEP"]
        self._turns: Any = turn_rows(board)
        self._plain = bind_search(game, PLAIN), self._turns
        if self.gear == PLAIN:
            self._board = board
            self._table: Any = ({}, [0, 0, 0, memory // dictionary.ENTRY_BYTES])
        else:
            import numpy as np

            from quintet.solve.array_table import FIRST_ROWS, ROW_BYTES

            # While it grows, the table needs half as much again.
            rows = max(FIRST_ROWS, 1 << (2 * memory // (3 * ROW_BYTES)).bit_length() - 1)
            # A tuple of another length would be compiled anew, so most have the same.
            length = max(8, 1 << (len(board.values) - 1).bit_length())
            self._board = board._replace(values=board.values + ((0, 0),) * (length - len(board.values)))
            self._turns = np.array(self._turns, np.int64).reshape(-1, (board.cells + 7) // 8, 256)
            self._table = (np.zeros((rows, 4), np.int64), np.array([0, 0, 0, rows, FIRST_ROWS], np.int64))
        self.most = board.cells if game.territory else generic.MOST
        self.least = -self.most
        self.low, self.high = self.least, self.most

    @property
    def nodes(self) -> int:
        """How many positions the search has visited."""
        return int(self._table[1][0])

    @property
    def fill(self) -> float:
        """Which part of the table is taken."""
        return float(self._table[1][2] / self._table[1][3])

    @property
    def parts(self) -> tuple[Any, Any, Any, Any]:
        """The bound search and the arguments it always gets: board, symmetries, table. For loops compiled around it."""
        return self._search, self._board, self._turns, self._table

    def known(self) -> Value:
        """What is known so far of the value asked for last."""
        return Value(self.low, self.high, self.game.territory)

    def stop(self) -> None:
        """Make the search that runs now, in another thread, give up."""
        self._table[1][1] = 1

    def resume(self) -> None:
        """Let the next search run again."""
        self._table[1][1] = 0

    def ask(self, position: Position, bound: int) -> int:
        """A limit of a position's value: a lower one if that is `bound` or more, an upper one if not."""
        bound = self.aligned(bound)
        limit = self._search(self._board, self._turns, self._table, position.mine, position.theirs, 0, 0, bound)
        if self._table[1][1]:
            raise Stopped
        return int(limit)

    def limits(self, position: Position) -> tuple[int, int]:
        """What the theory knows of a position's value without a search."""
        names, turns = self._plain
        *_, x, y, z, settled = names["view"](self.board, turns, position.mine, position.theirs, 0, 0)
        low, high = names["bounds"](self.board, x, y, z)
        shift = names["shift"]
        return max(self.least, shift(low, settled)), min(self.most, shift(high, settled))

    def limits_after(self, position: Position, move: int) -> Value:
        """What the theory knows of a move's value without a search."""
        low, high = self.limits(position.play(move))
        return Value(self.earlier(high), self.earlier(low), self.game.territory)

    def earlier(self, number: int) -> int:
        """What a move into a position of this value is worth to its player."""
        return -number if self.game.territory else int(self._plain[0]["shift"](-number, 1))

    def aligned(self, bound: int) -> int:
        """The next number that a value can be: margins are two apart where every cell gets claimed."""
        return bound + (bound + self.most) % self.step

    def number(self, position: Position, guess: int = 0) -> int:
        """The exact value as a number; question by question, each one as far as the answer allows."""
        self.low, self.high = self.limits(position)
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
        return -number if self.game.territory else -int(self._plain[0]["shift"](number, -1))

    def grade(self, position: Position, grades: dict[int, Value] | None = None) -> dict[int, Value]:
        """The exact value of every legal move in board order, also into `grades`, each with all that are like it."""
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
