"""Pictures made of pixels: shapes and letters with soft edges, in the few colours of the palette.

A pixel is the number of a colour. The numbers mean the same in the light and in the dark colours.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil, hypot, sqrt
from typing import NamedTuple

from quintet.drawing.palette import DARK, LIGHT

STEPS = 6
"""How many steps there are from one colour to another at an edge."""
NAMES = ("paper", "cell", "line", "ink", "one", "two", "one-cell", "two-cell", "dot")
"""The colours, in the order of their numbers. A dot is faint ink on a cell."""
FADING = 0.35
MIXED = (
    *(("paper", name) for name in ("line", "ink", "one", "two")),
    *((fill, name) for fill in ("cell", "one-cell", "two-cell") for name in ("line", "ink")),
    ("cell", "dot"),
    ("one-cell", "one"),
    ("two-cell", "two"),
)
"""Which colours meet at an edge: each pair has its steps after the colours themselves."""
COLOURS = len(NAMES) + len(MIXED) * (STEPS - 1)

Colour = tuple[int, ...]
Point = tuple[float, float]
Shape = Callable[[float, float], float]
"""How far a point is outside a shape in the middle, in pixels; negative inside."""

LETTERS = {
    "A": "06 20 46,14 34",
    "B": "03 33 42 41 30 00 06 36 45 44 33",
    "C": "41 30 10 01 05 16 36 45",
    "D": "00 20 42 44 26 06 00",
    "E": "40 00 06 46,03 33",
    "F": "40 00 06,03 33",
    "G": "41 30 10 01 05 16 36 45 43 23",
    "H": "00 06,40 46,03 43",
    "I": "00 06",
    "J": "30 35 26 16 05",
    "K": "00 06,40 03 46",
    "L": "00 06 36",
    "M": "06 00 23 40 46",
    "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03",
    "Q": "10 30 41 45 36 16 05 01 10,34 46",
    "R": "06 00 30 41 42 33 03,23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05",
    "T": "00 40,20 26",
    "U": "00 05 16 36 45 40",
    "V": "00 26 40",
    "W": "00 16 22 36 40",
    "X": "00 46,40 06",
    "Y": "00 23 40,23 26",
    "Z": "00 40 06 46",
    "0": "10 20 31 35 26 16 05 01 10",
    "1": "01 10 16",
    "2": "01 10 20 31 32 06 36",
    "3": "01 10 20 31 32 23 13,23 34 35 26 16 05",
    "4": "34 04 20 26",
    "5": "30 00 02 22 33 35 26 16 05",
    "6": "30 10 01 05 16 26 35 34 23 03",
    "7": "00 30 16",
    "8": "10 20 31 32 23 13 02 01 10,13 04 05 16 26 35 34 23",
    "9": "33 13 02 01 10 20 31 35 26 06",
    ",": "15 07",
}
"""Letters as lines through points: how far to the right, of about 4, and how far down, of 6."""
DOWN, GAP, SPACE = 6, 2.0, 2.0
"""The height of a letter, the gap after it, and the width of a space, in the same units."""
THICKNESS = 0.95


class Mask(NamedTuple):
    """How much of each pixel something covers, in steps, row by row."""

    width: int
    height: int
    cover: bytes


def steps(distance: float) -> int:
    """How much of a pixel is covered whose middle is so far outside an edge."""
    return round(STEPS * min(1.0, max(0.0, 0.5 - distance)))


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


def mask_of(shape: Shape, side: int) -> Mask:
    """A shape in the middle of a square. The shapes here are the same in all four quarters."""
    half, rest = (side + 1) // 2, side // 2
    rows = []
    for y in range(half):
        quarter = bytes(steps(shape(x + 0.5 - side / 2, y + 0.5 - side / 2)) for x in range(half))
        rows.append(quarter + quarter[:rest][::-1])
    return Mask(side, side, b"".join(rows + rows[:rest][::-1]))


@lru_cache(maxsize=512)
def letter(character: str, height: float) -> Mask:
    """A letter of a height in pixels, with room around it for its strokes."""
    unit = height / DOWN
    radius = max(0.55, THICKNESS * unit / 2)
    room = ceil(radius + 0.5)
    lines = list(segments(character))
    width, tall = (
        ceil(breadth(character) * unit) + 2 * room,
        ceil(max(max(y1, y2) for _, y1, _, y2 in lines) * unit) + 2 * room,
    )
    cover = bytearray(width * tall)
    near, far = (radius - 0.5) ** 2, (radius + 0.5) ** 2
    for x1, y1, x2, y2 in ([room + unit * end for end in line] for line in lines):
        across, along = x2 - x1, y2 - y1
        length = across * across + along * along
        for y in range(int(min(y1, y2)) - room, ceil(max(y1, y2)) + room):
            down = y + 0.5 - y1
            for x in range(int(min(x1, x2)) - room, ceil(max(x1, x2)) + room):
                right = x + 0.5 - x1
                share = (right * across + down * along) / length
                share = 0.0 if share < 0 else min(share, 1.0)
                square = (right - share * across) ** 2 + (down - share * along) ** 2
                if square < far:
                    found = STEPS if square < near else round(STEPS * (0.5 + radius - sqrt(square)))
                    if found > cover[y * width + x]:
                        cover[y * width + x] = found
    return Mask(width, tall, bytes(cover))


def segments(character: str) -> Iterator[tuple[float, float, float, float]]:
    """The lines of a letter, each from a point to another."""
    for line in LETTERS[character].split(","):
        points = [(float(point[0]), float(point[1])) for point in line.split()]
        for start, end in pairwise(rounded(rounded(points))):
            yield *start, *end


def rounded(points: list[Point]) -> list[Point]:
    """A line with its blunt corners cut off, also where it comes back to its start."""
    closed = points[0] == points[-1]
    around = [points[-2], *points] if closed else points
    found: list[Point] = [] if closed else [points[0]]
    for before, at, after in zip(around, around[1:], around[2:], strict=False):
        one, two = (at[0] - before[0], at[1] - before[1]), (after[0] - at[0], after[1] - at[1])
        if one[0] * two[0] + one[1] * two[1] > 0.5 * hypot(*one) * hypot(*two):
            found += [(at[0] - one[0] / 4, at[1] - one[1] / 4), (at[0] + two[0] / 4, at[1] + two[1] / 4)]
        else:
            found.append(at)
    return [*found, found[0]] if closed else [*found, points[-1]]


@cache
def breadth(character: str) -> float:
    """How wide a character is, in units of a letter; what has no letter is left blank."""
    if character not in LETTERS:
        return SPACE
    return max(max(x1, x2) for x1, _, x2, _ in segments(character))


def text_width(text: str, height: float) -> float:
    """How many pixels wide a text is."""
    return (sum(breadth(character) + GAP for character in text) - GAP) * height / DOWN


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two."""
    return tuple(round(a + share * (b - a)) for a, b in zip(one, other, strict=True))


@cache
def colour_table(dark: bool = False) -> bytes:
    """All colours in the order of their numbers, three bytes each."""
    named: dict[str, Colour] = {
        name: tuple(bytes.fromhex(code.removeprefix("#"))) for name, code in (DARK if dark else LIGHT).items()
    }
    named["dot"] = mix(named["cell"], named["ink"], FADING)
    colours = [named[name] for name in NAMES]
    colours += [mix(named[one], named[two], step / STEPS) for one, two in MIXED for step in range(1, STEPS)]
    return bytes(value for colour in colours for value in colour)


@cache
def covered(name: str) -> list[bytes]:
    """For each colour, what becomes of it where another covers it, by steps; a mixed colour takes the nearer one."""
    number = NAMES.index(name)
    found = [bytes(old if 2 * step <= STEPS else number for step in range(STEPS + 1)) for old in range(COLOURS)]
    for pair, (one, two) in enumerate(MIXED):
        if two == name:
            first = len(NAMES) + pair * (STEPS - 1)
            found[NAMES.index(one)] = bytes([NAMES.index(one), *range(first, first + STEPS - 1), number])
    return found


class Canvas:
    """Pixels in rows, each the number of a colour."""

    def __init__(self, width: int, height: int, colour: int = 0) -> None:
        """Begin with one colour, usually that of the paper."""
        self.width, self.height = width, height
        self.numbers = bytearray([colour]) * (width * height)

    @property
    def pixels(self) -> bytes:
        """The light colours, three bytes for each pixel."""
        table, found = colour_table(), bytearray(3 * len(self.numbers))
        for part in range(3):
            found[part::3] = self.numbers.translate(table[part::3].ljust(256, b"\0"))
        return bytes(found)

    def paint(self, mask: Mask, name: str, left: int, top: int) -> None:
        """Colour what a mask covers."""
        table, numbers = covered(name), self.numbers
        for y in range(mask.height):
            start = (top + y) * self.width + left
            row = mask.cover[y * mask.width : (y + 1) * mask.width]
            for at, cover in enumerate(row, start):
                if cover:
                    numbers[at] = table[numbers[at]][cover]

    def fill(self, name: str, left: int, top: int, width: int, height: int) -> None:
        """Colour a rectangle."""
        row = bytes([NAMES.index(name)]) * width
        for y in range(top, top + height):
            self.numbers[y * self.width + left : y * self.width + left + width] = row

    def write(self, text: str, height: float, at: tuple[float, float], name: str = "ink") -> None:
        """Put a text around a place, in capital letters."""
        left = at[0] - text_width(text, height) / 2
        for character in text:
            if character in LETTERS:
                mask = letter(character, height)
                room = (mask.width - ceil(breadth(character) * height / DOWN)) // 2
                self.paint(mask, name, round(left) - room, round(at[1] - height / 2) - room)
            left += (breadth(character) + GAP) * height / DOWN

    def paste(self, other: "Canvas", left: int, top: int) -> None:
        """Put another canvas on this one."""
        for y in range(other.height):
            start = (top + y) * self.width + left
            self.numbers[start : start + other.width] = other.numbers[y * other.width : (y + 1) * other.width]

    def crop(self, left: int, top: int, width: int, height: int) -> "Canvas":
        """A rectangle of it."""
        part = Canvas(width, height)
        starts = ((top + y) * self.width + left for y in range(height))
        part.numbers = bytearray().join(self.numbers[start : start + width] for start in starts)
        return part
