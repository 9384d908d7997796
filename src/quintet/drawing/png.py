"""A board as PNG, for programs that cannot show SVG: the same picture in the light colours."""

import struct
import zlib
from collections.abc import Callable
from functools import lru_cache
from math import hypot

from quintet.board import Board, cell_label, column_label, index, is_numbered, row_label, split, value_list
from quintet.drawing.palette import LIGHT
from quintet.drawing.svg import CELL, MARGIN

WIDEST = 1_500
"""Pixels, roughly: cells shrink on boards that would be wider, as far as a number can be read."""
SMALLEST = 19

FONT = {
    character: "".join(line[4 * i : 4 * i + 3] for line in block.splitlines())
    for characters, block in {
        "0123456789": """\
### .#. ### ### #.# ### ### ### ### ###
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ### .## ### ### ### .#. ### ###
#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
### ### ### ### ..# ### ### .#. ### ###""",
        "ABCDEFGHIJKLMNOPQRST": """\
### ##. ### ##. ### ### ### #.# ### ..# #.# #.. #.# ##. ### ### ### ##. .## ###
#.# #.# #.. #.# #.. #.. #.. #.# .#. ..# #.# #.. ### #.# #.# #.# #.# #.# #.. .#.
### ##. #.. #.# ##. ##. #.# ### .#. ..# ##. #.. ### #.# #.# ### #.# ##. .#. .#.
#.# #.# #.. #.# #.. #.. #.# #.# .#. #.# #.# #.. #.# #.# #.# #.. ### #.# ..# .#.
#.# ##. ### ##. ### #.. ### #.# ### ### #.# ### #.# #.# ### #.. ..# #.# ##. .#.""",
    }.items()
    for i, character in enumerate(characters)
}
"""Letters of three by five dots, row by row."""

Colour = tuple[int, ...]
Shape = Callable[[float, float], float]
"""How far a point is outside a shape in the middle, in pixels; negative inside."""

COLOURS: dict[str, Colour] = {name: tuple(bytes.fromhex(code.removeprefix("#"))) for name, code in LIGHT.items()}
"""The picture's colours on light paper."""


def box(half: float, round: float) -> Shape:
    """A square with round corners."""
    return lambda x, y: hypot(max(abs(x) - half + round, 0), max(abs(y) - half + round, 0)) - round


def disc(radius: float) -> Shape:
    """A disc."""
    return lambda x, y: hypot(x, y) - radius


def cross(arm: float) -> Shape:
    """Two lines from corner to corner, without width."""

    def distance(x: float, y: float) -> float:
        along = min((abs(x) + abs(y)) / 2, arm)
        return hypot(abs(x) - along, abs(y) - along)

    return distance


def stroke(shape: Shape, width: float) -> Shape:
    """The edge of a shape as a line."""
    return lambda x, y: abs(shape(x, y)) - width / 2


class Canvas:
    """Pixels in rows, three bytes each."""

    def __init__(self, width: int, height: int, colour: Colour = COLOURS["paper"]) -> None:
        """Begin with one colour."""
        self.width, self.height = width, height
        self.pixels = bytearray(bytes(colour) * (width * height))

    def paint(self, shape: Shape, colour: Colour, at: tuple[float, float], opacity: float = 1) -> None:
        """Put a shape at a place, its edge softened."""
        for y in range(self.height):
            for x in range(self.width):
                cover = opacity * min(1.0, max(0.0, 0.5 - shape(x + 0.5 - at[0], y + 0.5 - at[1])))
                if cover:
                    start = 3 * (y * self.width + x)
                    old = self.pixels[start : start + 3]
                    self.pixels[start : start + 3] = bytes(
                        round(a + cover * (b - a)) for a, b in zip(old, colour, strict=True)
                    )

    def write(self, text: str, dot: int, at: tuple[float, float]) -> None:
        """Put a text around a place, in letters of dots."""
        left, top = round(at[0] - dot * (4 * len(text) - 1) / 2), round(at[1] - dot * 5 / 2)
        for i, character in enumerate(text):
            for spot, mark in enumerate(FONT[character]):
                if mark == "#":
                    row, col = divmod(spot, 3)
                    for y in range(dot):
                        start = 3 * ((top + row * dot + y) * self.width + left + (4 * i + col) * dot)
                        self.pixels[start : start + 3 * dot] = bytes(COLOURS["ink"]) * dot

    def paste(self, other: "Canvas", left: int, top: int) -> None:
        """Put another canvas on this one."""
        for y in range(other.height):
            start = 3 * ((top + y) * self.width + left)
            row = other.pixels[3 * y * other.width : 3 * (y + 1) * other.width]
            self.pixels[start : start + len(row)] = row


@lru_cache(maxsize=256)
def tile(side: int, owner: int, fresh: bool, legal: bool, worth: str) -> Canvas:
    """One cell. Only few differ, so each is painted once."""
    scale, middle = side / CELL, (side / 2, side / 2)
    canvas = Canvas(side, side)
    square = box((CELL / 2 - 2) * scale, 7 * scale)
    canvas.paint(square, COLOURS[("cell", "one-cell", "two-cell")[owner]], middle)
    canvas.paint(stroke(square, 2.5 * scale if fresh else 1), COLOURS["ink" if fresh else "line"], middle)
    if owner:
        mark = cross(10 * scale) if owner == 1 else disc(12 * scale)
        canvas.paint(stroke(mark, max(2, 6 * scale)), COLOURS["one" if owner == 1 else "two"], middle)
    elif worth:
        canvas.write(worth, max(1, int(3 * scale)), middle)
    if legal:
        place = side - 12 * scale if worth else side / 2
        canvas.paint(disc(max(1.5, 4 * scale)), COLOURS["ink"], (place, place), 0.35)
    return canvas


def pixels(board: Board, corner: str, first: int, second: int, legal: int, last: int) -> Canvas:
    """Two players' cells: marks, labels, values, what the last move gained, and dots on the legal cells."""
    worth = value_list(board)
    numbered = is_numbered(corner)
    side = max(SMALLEST, min(CELL, WIDEST // max(board.rows, board.cols)))
    margin = MARGIN * side // CELL
    canvas = Canvas(board.cols * side + 2 * margin, board.rows * side + 2 * margin)
    for cell in split(board.full):
        row, col = divmod(index(cell), board.cols)
        owner = 1 if cell & first else 2 if cell & second else 0
        value = str(worth[index(cell)]) if worth and not owner else ""
        left, top = margin + col * side, margin + row * side
        canvas.paste(tile(side, owner, bool(cell & last), bool(cell & legal), value), left, top)
        if numbered:
            name, dot = cell_label(board, corner, cell), max(1, 2 * side // CELL)
            canvas.write(name, dot, (left + side // 14 + dot * (2 * len(name) + 1), top + side // 14 + dot * 4))
    if not numbered:
        dot = max(1, 3 * side // CELL)
        for col in range(board.cols):
            canvas.write(column_label(corner, col), dot, (margin + (col + 0.5) * side, margin / 2 + 1))
        for row in range(board.rows):
            canvas.write(row_label(corner, row), dot, (margin / 2 + 1, margin + (row + 0.5) * side))
    return canvas


def png(canvas: Canvas) -> bytes:
    """Pixels as a PNG file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", canvas.width, canvas.height, 8, 2, 0, 0, 0)
    width = 3 * canvas.width
    rows = b"".join(b"\0" + canvas.pixels[y * width : (y + 1) * width] for y in range(canvas.height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
