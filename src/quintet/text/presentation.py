"""How a board is presented to a model: the game's title, the marks, and the names of the cells."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from quintet.board import Board, cell_label, column_label, index, is_numbered, row_label, worth_of
from quintet.rules import HOLE, PASS, Game, Position

NOTATIONS = {"book": "", "letters": "A1", "zero": "0 0", "one": "1 1", "numbers": "1"}
"""The notations, each with the name of the top left cell; `book` is the rule book's own."""
PASS_LABEL = "pass"
_SYMBOLS = ("#", "@", "%", "&", "$", "+", "=", "~")
_SYLLABLES = ("bel", "dor", "fim", "gax", "hul", "jor", "kel", "lum", "mir", "nok", "pru", "sti", "tav", "vex", "zan")


@dataclass(frozen=True)
class Presentation:
    """The title, marks and cell names of one board; the same in the drawing and in the moves."""

    title: str
    marks: tuple[str, str, str]
    """An unclaimed cell, Player 1's, Player 2's."""
    rows: tuple[str, ...]
    """The names of the rows; empty if each cell has a name of its own."""
    cols: tuple[str, ...]
    names: tuple[str, ...]
    """The names of the cells, in board order; empty for holes."""
    passes: bool
    """Whether the game has passes."""
    disguised: bool = False
    """Whether the game is disguised: other title, symbols and coordinates."""
    pictured: bool = False
    """Whether a picture shows the board, and not a drawing of text."""

    @cached_property
    def moves(self) -> dict[str, int]:
        """Every move by its name; a pass only in a game that has passes."""
        cells = {name: 1 << i for i, name in enumerate(self.names) if name}
        return cells | ({PASS_LABEL: PASS} if self.passes else {})

    def label(self, move: int) -> str:
        """The name of a move."""
        return self.names[index(move)] if move else PASS_LABEL

    def draw(self, position: Position) -> str:
        """The board as text. In a game with values, an unclaimed cell shows its value."""
        board, (first, second) = position.board, position.claims
        worth = worth_of(board)
        cells = []
        for i, name in enumerate(self.names):
            cell = 1 << i
            mark = self.marks[1] if cell & first else self.marks[2] if cell & second else ""
            mark = mark or (str(worth[cell]) if cell in worth else self.marks[0])
            cells.append(HOLE if not name else mark if self.rows else f"{name}:{mark}")
        lines = [cells[start : start + board.cols] for start in range(0, board.area, board.cols)]
        if self.rows:
            lines = [["", *self.cols], *([name, *line] for name, line in zip(self.rows, lines, strict=True))]
        width = max(len(text) for line in lines for text in line)
        return "\n".join(" ".join(f"{text:>{width}}" for text in line) for line in lines)

    def history(self, position: Position, moves: Sequence[int]) -> str:
        """The moves that led to a position, on one line. Players alternate, so the last mover gives the first."""
        first = position.player + len(moves)
        played = [f"Player {(first + ply - 1) % 2 + 1} {self.label(move)}" for ply, move in enumerate(moves)]
        return "; ".join(played) or "none"


def cell_names(board: Board, names: Sequence[str]) -> tuple[str, ...]:
    """The names of all places, without those of the holes."""
    return tuple("" if board.holes >> i & 1 else name for i, name in enumerate(names))


def plain_presentation(game: Game, board: Board, notation: str = "book") -> Presentation:
    """The game under its own name, with cells named in a notation."""
    corner = NOTATIONS[notation] or game.corner
    numbered = is_numbered(corner)
    return Presentation(
        game.title,
        (".", *game.style.marks[1:]),
        () if numbered else tuple(row_label(corner, row) for row in range(board.rows)),
        () if numbered else tuple(column_label(corner, col) for col in range(board.cols)),
        cell_names(board, [cell_label(board, corner, 1 << i) for i in range(board.area)]),
        game.passes,
    )


def disguised_presentation(game: Game, board: Board, seed: str) -> Presentation:
    """The game disguised: another title, other symbols, and coordinates in random order."""
    rng = random.Random(seed)
    title = "".join(rng.sample(_SYLLABLES, 2)).title()
    first, second = rng.sample(_SYMBOLS, 2)
    marks = ("_", first, second)
    if board.rows == 1:
        names = cell_names(board, [str(number) for number in rng.sample(range(10, 1000), board.cols)])
        return Presentation(title, marks, (), (), names, game.passes, True)
    rows = tuple(rng.sample("ABCDEFGHIJKLMNOPQRSTUVWXYZ", board.rows))
    cols = tuple(map(str, rng.sample(range(10, 100), board.cols)))
    names = cell_names(board, [row + col for row in rows for col in cols])
    return Presentation(title, marks, rows, cols, names, game.passes, True)
