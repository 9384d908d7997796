"""How a board is shown to a model: the names of its cells, its marks and its title, the same in drawing and moves."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from quintet.board import Board, cell_label, column_label, index, is_numbered, row_label, split, value_list
from quintet.rules import PASS, Game, Position

NOTATIONS = {"book": "", "letters": "A1", "zero": "0 0", "one": "1 1", "numbers": "1"}
"""How cells are named, by the name of the top-left one; the rule book's own way first."""
PASSING = "pass"
_SYMBOLS = ("#", "@", "%", "&", "$", "+", "=", "~")
_SYLLABLES = ("bel", "dor", "fim", "gax", "hul", "jor", "kel", "lum", "mir", "nok", "pru", "sti", "tav", "vex", "zan")


@dataclass(frozen=True)
class Dress:
    """What a game is called, and what stands for what on its board."""

    title: str
    marks: tuple[str, str, str]
    """An unclaimed cell, Player 1's, Player 2's."""
    rows: tuple[str, ...]
    """The names of the rows; none where each cell has a name of its own."""
    cols: tuple[str, ...]
    names: tuple[str, ...]
    """The names of the cells, in board order."""
    passes: bool
    """Whether there is passing in the game."""
    shuffled: bool = False
    """Whether the names say nothing about where cells lie."""

    @cached_property
    def moves(self) -> dict[str, int]:
        """Every move by its name, passing included where there is passing."""
        return {name: 1 << i for i, name in enumerate(self.names)} | ({PASSING: PASS} if self.passes else {})

    def label(self, move: int) -> str:
        """The name of a move."""
        return self.names[index(move)] if move else PASSING

    def draw(self, position: Position) -> str:
        """The board as text. Where cells carry values, an unclaimed one shows its value."""
        board, (first, second) = position.board, position.claims
        worth = value_list(board)
        shown = []
        for i, cell in enumerate(split(board.full)):
            mark = self.marks[1] if cell & first else self.marks[2] if cell & second else ""
            mark = mark or (str(worth[i]) if worth else self.marks[0])
            shown.append(mark if self.rows else f"{self.names[i]}:{mark}")
        lines = [shown[start : start + board.cols] for start in range(0, board.cells, board.cols)]
        if self.rows:
            lines = [["", *self.cols], *([name, *line] for name, line in zip(self.rows, lines, strict=True))]
        width = max(len(text) for line in lines for text in line)
        return "\n".join(" ".join(f"{text:>{width}}" for text in line) for line in lines)

    def history(self, position: Position, moves: Sequence[int]) -> str:
        """The moves that led to a position in a line. Players take turns, so who moved last tells who moved first."""
        first = position.player + len(moves)
        played = [f"Player {(first + ply - 1) % 2 + 1} {self.label(move)}" for ply, move in enumerate(moves)]
        return "; ".join(played) or "none"


def plain_dress(game: Game, board: Board, notation: str = "book") -> Dress:
    """The game under its own name, with cells named in a notation."""
    corner = NOTATIONS[notation] or game.corner
    numbered = is_numbered(corner)
    return Dress(
        game.title,
        (".", *game.style.marks[1:]),
        () if numbered else tuple(row_label(corner, row) for row in range(board.rows)),
        () if numbered else tuple(column_label(corner, col) for col in range(board.cols)),
        tuple(cell_label(board, corner, cell) for cell in split(board.full)),
        game.passes,
    )


def strange_dress(game: Game, board: Board, seed: str) -> Dress:
    """The obfuscated twin: another title, other symbols, and coordinates in no order."""
    rng = random.Random(seed)
    title = "".join(rng.sample(_SYLLABLES, 2)).title()
    first, second = rng.sample(_SYMBOLS, 2)
    marks = ("_", first, second)
    if board.rows == 1:
        names = tuple(map(str, rng.sample(range(10, 1000), board.cols)))
        return Dress(title, marks, (), (), names, game.passes, True)
    rows = tuple(rng.sample("ABCDEFGHIJKLMNOPQRSTUVWXYZ", board.rows))
    cols = tuple(map(str, rng.sample(range(10, 100), board.cols)))
    return Dress(title, marks, rows, cols, tuple(row + col for row in rows for col in cols), game.passes, True)
