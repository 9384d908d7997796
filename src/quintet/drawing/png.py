"""A board as PNG, for programs that cannot show SVG: the same picture."""

import struct
import zlib
from functools import lru_cache
from typing import NamedTuple

from quintet.board import Board, cell_label, column_label, index, is_numbered, row_label, split, worth_of
from quintet.drawing.canvas import Canvas, Mask, Shape, box, colour_table, cross, disc, mask_of, stroke
from quintet.drawing.svg import CELL, MARGIN

WIDEST = 1_500
"""Pixels, roughly: cells shrink on boards that would be wider, as far as a number can be read."""
SMALLEST = 19
LOWEST = 5.5
"""The height of the smallest letters that can be read."""
NAMED = 36
"""Pixels of a cell with room for its name beside a mark."""
FOLD = 20
"""Cells of a line that are side by side where it is folded."""


class Layout(NamedTuple):
    """Where the cells of a board are in a picture."""

    side: int
    """Pixels of a cell."""
    across: int
    """Cells side by side."""
    down: int
    folded: bool = False
    """Whether it is a line that goes to and fro."""

    @property
    def margin(self) -> int:
        """Pixels around the cells, for labels."""
        return MARGIN * self.side // CELL

    @property
    def size(self) -> tuple[int, int]:
        """The width and height of the picture."""
        return self.across * self.side + 2 * self.margin, self.down * self.side + 2 * self.margin

    def place(self, number: int) -> tuple[int, int]:
        """The top left corner of a cell."""
        row, col = divmod(number, self.across)
        if self.folded and row % 2:
            col = self.across - 1 - col
        return self.margin + col * self.side, self.margin + row * self.side

    def letters(self, height: float) -> float:
        """The height of letters that are so high on a cell of the usual size."""
        return max(LOWEST, height * self.side / CELL)


def layout_of(board: Board, largest: int = CELL, widest: int = WIDEST, fold: bool = False) -> Layout:
    """A layout with cells as large as there is room for; a long line may be folded."""
    folded = fold and board.rows == 1 and board.cols > FOLD
    down = -(-board.cols // FOLD) if folded else board.rows
    across = -(-board.cols // down) if folded else board.cols
    return Layout(max(SMALLEST, min(largest, widest // max(down, across))), across, down, folded)


@lru_cache(maxsize=256)
def mask(kind: str, side: int) -> Mask:
    """One of the shapes of a cell."""
    scale = side / CELL
    square = box((CELL / 2 - 2) * scale, 7 * scale)
    shapes: dict[str, Shape] = {
        "square": square,
        "edge": stroke(square, 1),
        "fresh": stroke(square, max(1.8, 2.5 * scale)),
        "cross": stroke(cross(10 * scale), max(2, 6 * scale)),
        "ring": stroke(disc(12 * scale), max(2, 6 * scale)),
        "dot": disc(max(1.5, 4 * scale)),
    }
    return mask_of(shapes[kind], side)


@lru_cache(maxsize=512)
def tile(layout: Layout, owner: int, fresh: bool, legal: bool, worth: str) -> Canvas:
    """One cell. Only few differ, so each is painted once."""
    side = layout.side
    canvas = Canvas(side, side)
    canvas.paint(mask("square", side), ("cell", "one-cell", "two-cell")[owner], 0, 0)
    canvas.paint(mask("fresh" if fresh else "edge", side), "ink" if fresh else "line", 0, 0)
    if owner:
        canvas.paint(mask("cross" if owner == 1 else "ring", side), "one" if owner == 1 else "two", 0, 0)
    elif worth:
        canvas.write(worth, layout.letters(14), (side / 2, side / 2))
    if legal:
        quarter = side // 4
        dot = mask("dot", 2 * quarter)
        place = side - 2 * quarter if worth else side // 2 - quarter
        canvas.paint(dot, "dot", place, place)
    return canvas


def pixels(
    board: Board, corner: str, first: int, second: int, legal: int, last: int, layout: Layout | None = None
) -> Canvas:
    """Two players' cells: marks, labels, values, what the last move gained, and dots on the legal cells."""
    layout = layout or layout_of(board)
    canvas = empty_board(board, corner, layout)
    paste_cells(canvas, board, corner, board.full, first, second, legal, last, layout)
    return canvas


def empty_board(board: Board, corner: str, layout: Layout) -> Canvas:
    """The paper with the labels around the cells."""
    side, margin = layout.side, layout.margin
    canvas = Canvas(*layout.size)
    height = layout.letters(11)
    if board.rows == 1 and is_numbered(corner) and not layout.folded:
        for cell in split(board.full):
            left, top = layout.place(index(cell))
            canvas.write(cell_label(board, corner, cell), height, (left + side / 2, top + side + margin * 0.4))
    elif not is_numbered(corner):
        for col in range(board.cols):
            canvas.write(column_label(corner, col), height, (margin + (col + 0.5) * side, margin * 0.55))
        for row in range(board.rows):
            canvas.write(row_label(corner, row), height, (margin * 0.55, margin + (row + 0.5) * side))
    return canvas


def paste_cells(
    canvas: Canvas,
    board: Board,
    corner: str,
    cells: int,
    first: int,
    second: int,
    legal: int,
    last: int,
    layout: Layout,
) -> None:
    """Draw some of the cells."""
    worth = worth_of(board)
    named = is_numbered(corner) and (board.rows > 1 or layout.folded)
    height = layout.letters(8)
    for cell in split(cells):
        number = index(cell)
        owner = 1 if cell & first else 2 if cell & second else 0
        value = str(worth[cell]) if worth and not owner else ""
        left, top = layout.place(number)
        canvas.paste(tile(layout, owner, bool(cell & last), bool(cell & legal), value), left, top)
        if named and (not owner or layout.side >= NAMED):
            name = cell_label(board, corner, cell)
            edge = layout.side / 12 + height / 2
            canvas.write(name, height, (left + edge + height * len(name) / 4, top + edge))


def png(canvas: Canvas, dark: bool = False) -> bytes:
    """Pixels as a PNG file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", canvas.width, canvas.height, 8, 3, 0, 0, 0)
    width = canvas.width
    rows = b"".join(b"\0" + canvas.numbers[y * width : (y + 1) * width] for y in range(canvas.height))
    parts = chunk(b"IHDR", header), chunk(b"PLTE", colour_table(dark)), chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")
