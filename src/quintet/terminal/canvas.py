"""A canvas for the terminal: half a character is a pixel, and text goes on top."""

from itertools import groupby

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip

PAPER, TILE, MARK = range(3)
"""How far in front a colour is. It decides which half block is drawn, so that shapes can be seen without colour."""

Pixel = tuple[int, Color]


class Canvas:
    """Pixels, two in each character, and letters on top."""

    def __init__(self, columns: int, lines: int, paper: Color) -> None:
        """An empty canvas."""
        self.columns, self.lines = columns, lines
        self.pixels: list[list[Pixel]] = [[(PAPER, paper)] * columns for _ in range(2 * lines)]
        self.letters: dict[tuple[int, int], tuple[str, Color, bool]] = {}

    def fill(self, x: int, y: int, width: int, height: int, colour: Color, depth: int = TILE) -> None:
        """Paint a rectangle; what lies outside the canvas is left out."""
        x1, x2 = max(0, x), min(self.columns, x + width)
        for row in self.pixels[max(0, y) : max(0, y + height)]:
            row[x1:x2] = [(depth, colour)] * max(0, x2 - x1)

    def stamp(self, x: int, y: int, shape: tuple[str, ...], colour: Color) -> None:
        """Paint the pixels that are `#` in a shape."""
        for dy, line in enumerate(shape):
            for dx, dot in enumerate(line):
                if dot == "#" and 0 <= x + dx < self.columns and 0 <= y + dy < 2 * self.lines:
                    self.pixels[y + dy][x + dx] = (MARK, colour)

    def write(self, column: int, line: int, text: str, colour: Color, bold: bool = False) -> None:
        """Write letters over the pixels."""
        for i, letter in enumerate(text):
            if 0 <= column + i < self.columns and 0 <= line < self.lines:
                self.letters[line, column + i] = (letter, colour, bold)

    def strips(self) -> list[Strip]:
        """The lines of the canvas as the terminal prints them."""
        return [self.strip(line) for line in range(self.lines)]

    def strip(self, line: int) -> Strip:
        """One line; neighbours that look alike make one segment."""
        cells = [self.look(line, column) for column in range(self.columns)]
        segments = []
        for look, run in groupby(cells, key=lambda cell: cell[1:]):
            front, back, bold = look
            style = Style(color=front.rich_color, bgcolor=back.rich_color, bold=bold or None)
            segments.append(Segment("".join(cell[0] for cell in run), style))
        return Strip(segments, self.columns)

    def look(self, line: int, column: int) -> tuple[str, Color, Color, bool]:
        """The character at a place, its colour, its background, and whether it is bold."""
        upper, lower = self.pixels[2 * line][column], self.pixels[2 * line + 1][column]
        if (line, column) in self.letters:
            letter, colour, bold = self.letters[line, column]
            return letter, colour, lower[1], bold
        if upper[1] == lower[1]:
            return ("█" if upper[0] == MARK else " "), upper[1], upper[1], False
        if upper[0] > lower[0]:
            return "▀", upper[1], lower[1], False
        return "▄", lower[1], upper[1], False
