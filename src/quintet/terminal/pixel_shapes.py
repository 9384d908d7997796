"""Crosses, rings and digits as pixels."""

from functools import cache
from math import hypot

Shape = tuple[str, ...]

_DIGITS = {
    "0": "### # # # # # # ###",
    "1": " #  ##   #   #  ###",
    "2": "###   # ### #   ###",
    "3": "###   #  ##   # ###",
    "4": "# # # # ###   #   #",
    "5": "### #   ###   # ###",
    "6": "### #   ### # # ###",
    "7": "###   #   #   #   #",
    "8": "### # # ### # # ###",
    "9": "### # # ###   # ###",
}
DIGIT_HEIGHT = 5


@cache
def cross(side: int) -> Shape:
    """Player 1's mark."""
    reach = 0 if side < 7 else 1
    last = side - 1
    return tuple(
        "".join("#" if abs(x - y) <= reach or abs(x + y - last) <= reach else " " for x in range(side))
        for y in range(side)
    )


@cache
def ring(side: int) -> Shape:
    """Player 2's mark."""
    if side < 5:
        return ("###", "# #", "###")
    middle = (side - 1) / 2
    outer, inner = middle + 0.5, middle - (0.5 if side < 7 else 1.1)

    def dot(x: int, y: int) -> str:
        return "#" if inner < hypot(x - middle, y - middle) <= outer else " "

    return tuple("".join(dot(x, y) for x in range(side)) for y in range(side))


@cache
def number(value: int) -> Shape:
    """A number in digits of three by five."""
    digits = [[_DIGITS[digit].ljust(19)[i * 4 : i * 4 + 3] for i in range(DIGIT_HEIGHT)] for digit in str(value)]
    return tuple(" ".join(rows) for rows in zip(*digits, strict=True))
