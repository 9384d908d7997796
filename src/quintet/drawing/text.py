"""A board as text, drawn as its rule book draws it."""

from collections.abc import Callable
from dataclasses import dataclass

from quintet.board import Board, cell_label, column_label, row_label, worth_of

HATCH = "#"
"""Fills a hole between ruled lines, where a blank would look like an unclaimed cell. Elsewhere a hole is blank."""

Paint = Callable[[str, int, int], str]
"""`paint(text, owner, cell)` may colour a mark; the owner is 0, 1 or 2."""


def no_paint(text: str, owner: int, cell: int) -> str:
    """Text as it is."""
    return text


@dataclass(frozen=True, slots=True)
class Style:
    """How a game's board looks in plain text."""

    marks: tuple[str, str, str] = (" ", "X", "O")
    """An unclaimed cell, Player 1's, Player 2's. Where cells carry values, an unclaimed one shows its value."""
    cell: str = "[{mark}]"
    gap: str = " "
    labels: bool = False
    """Whether rows and columns are labelled."""
    ruled: bool = False
    """Whether lines are ruled between the rows."""


def draw(style: Style, board: Board, corner: str, first: int, second: int, paint: Paint = no_paint) -> str:
    """The board with the cells of both players."""
    worth = worth_of(board)
    wide = max((len(str(value)) for value in worth.values()), default=0)

    def text(cell: int) -> str:
        owner = 1 if cell & first else 2 if cell & second else 0
        mark = str(worth[cell]) if cell in worth and not owner else style.marks[owner]
        padding = " " * (wide - len(mark))
        name = cell_label(board, corner, cell)
        if cell & board.holes:
            return (HATCH if style.ruled else " ") * len(style.cell.format(mark=padding + mark, name=name))
        return style.cell.format(mark=padding + paint(mark, owner, cell), name=name)

    cells = [text(1 << i) for i in range(board.area)]
    rows = [cells[start : start + board.cols] for start in range(0, board.area, board.cols)]
    edge = "|" if style.ruled else ""
    lines = [edge + style.gap.join(row) + edge for row in rows]
    if style.ruled:
        rule = "+---" * board.cols + "+"
        lines = [rule] + [piece for line in lines for piece in (line, rule)]
    if not style.labels:
        return "\n".join(lines)

    names = [row_label(corner, row) for row in range(board.rows)]
    margin = max(map(len, names))
    if style.ruled:
        names = [""] + [piece for name in names for piece in (name, "")]
    header = " ".join(f"{column_label(corner, col):^3}" for col in range(board.cols))
    top = " " * (margin + 1 + len(edge)) + header.rstrip()
    return "\n".join([top] + [f"{name:>{margin}} {line}" for name, line in zip(names, lines, strict=True)])
