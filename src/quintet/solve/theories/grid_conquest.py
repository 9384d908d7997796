"""Grid Conquest: the future depends only on the unclaimed cells.

Gains only shrink as cells are taken. So a player who always takes the largest gain never gains less than the
opponent's reply, and the margin that is still open is never negative. It is never more than the largest gain either:
after the claim the opponent is to move, and the margin then open is not negative for them. The margin has the same
parity as the number of unclaimed cells, so at most three values are possible.

Nothing is open if a half-turn or a mirror of the board maps the unclaimed cells onto themselves, and no claim takes
anything that the claim of its image takes: each claim is answered at its image, for the same gain. Connected parts of
the unclaimed cells are independent. So two equal parts cancel in the same way, however they are turned or mirrored.

If both sides of an empty board are odd, the first player wins by exactly the gain of the centre: 5, or 3 on a line of
three or more cells, or 1 on a single cell. More is impossible, as just shown. To win that much, the first player takes
the centre. A cell and its image under a half-turn are an even number of rows and of columns apart. So they are not
neighbours, and they have a common neighbour only if both are next to the centre, which makes them taken.

On two rows of odd length, 3 or more, the first player wins by exactly 4: they start in the middle column, which takes
all of it, and what is left can be answered in the mirror.
"""

from typing import TYPE_CHECKING

from quintet.board import Board, near, popcount
from quintet.solve.theories.generic import (
    Features,
    Symmetries,
    Symmetry,
    image_of,
    least_image,
    part_of,
    shape,
)

if TYPE_CHECKING:
    from quintet.solve.dict_table import Table

BOARDS = ("9", "2x3", "2x5", "2x7", "3x3", "3x4", "4x4", "4x5", "5x5", "5x6", "6x6", "6x7", "7x7", "7x8", "7x9")
BIG_BOARDS = ("8x8",)

CONJECTURE = """If both sides are odd, only the centre wins by that much. If a side is even, the first player wins by 2,
except on two rows of odd length."""

STEP = 2  # The margin has the parity of the cells.
PARTS = True  # A claim gains cells of one part, and is never worse than waiting.


def view(
    board: Board, symmetries: Symmetries, mine: int, theirs: int, cell: int, ply: int
) -> tuple[int, int, Features, int]:
    """The unclaimed cells."""
    mine, theirs = least_image(board, symmetries, mine, theirs)
    empty = board.full & ~(mine | theirs)
    return mine, theirs, (empty, 0, 0), popcount(mine) - popcount(theirs)


def by_gain(board: Board, empty: int) -> tuple[int, int, int, int]:
    """The cells that gain 5, 4, 3 and 2."""
    left = (empty & board.east) << 1 & empty
    right = (empty & board.west) >> 1 & empty
    up = empty << board.cols & empty
    down = empty >> board.cols & empty
    row, half_row = left & right, left ^ right
    column, half_column = up & down, up ^ down
    five = row & column
    four = row & half_column | column & half_row
    many = row | column | half_row & half_column
    return five, four, many & ~(five | four), (half_row | half_column) & ~many


def bounds(board: Board, features: Features) -> tuple[int, int]:
    """From nothing to the largest gain, by parity."""
    empty, _, _ = features
    five, four, three, two = by_gain(board, empty)
    most = 5 if five else 4 if four else 3 if three else 2 if two else 1 if empty else 0
    odd = popcount(empty) & 1
    return odd, most - ((most ^ odd) & 1)


def theorems(board: Board, symmetries: Symmetries, table: "Table", features: Features) -> tuple[int, int]:
    """Equal parts cancel; nothing is to win in the rest if every claim of it can be answered at its image."""
    empty = uncancelled(board, features[0])
    for symmetry in symmetries:
        if image_of(symmetry, empty) == empty and answers(board, symmetry, empty):
            return 0, 0
    return bounds(board, (empty, 0, 0))


def uncancelled(board: Board, empty: int) -> int:
    """The parts of the unclaimed cells without pairs of equal ones."""
    single = empty & ~near(board, empty)
    kept, rest = single & -single if popcount(single) & 1 else 0, empty ^ single
    while rest:
        part = part_of(board, rest & -rest, rest)
        rest ^= part
        others, twin = kept, 0
        while others and not twin:
            other = part_of(board, others & -others, others)
            others ^= other
            if popcount(other) == popcount(part) and shape(board, other) == shape(board, part):
                twin = other
        kept ^= twin if twin else part
    return kept


def answers(board: Board, symmetry: Symmetry, empty: int) -> bool:
    """Whether a symmetry swaps these cells in pairs, and no claim takes anything that the claim of its image takes."""
    rest = empty
    while rest:
        cell = rest & -rest
        rest ^= cell
        gained = (cell | near(board, cell)) & empty
        image = image_of(symmetry, cell)
        if (image | near(board, image)) & gained or image_of(symmetry, image) != cell:
            return False
    return True


def order(board: Board, features: Features, wanted: int) -> tuple[int, int, int, int, int, int]:
    """Larger gains first; a gain below the margin wanted cannot reach it."""
    empty, _, _ = features
    five, four, three, two = by_gain(board, empty)
    return five, four * (wanted <= 4), three * (wanted <= 3), two * (wanted <= 2), 0, wanted - 2


def estimate(board: Board, features: Features) -> int:
    """The open margin if both players always take the first cell of the largest gain."""
    empty, _, _ = features
    margin, sign = 0, 1
    while empty:
        five, four, three, two = by_gain(board, empty)
        largest = five or four or three or two
        if not largest:
            return margin + sign * (popcount(empty) & 1)
        cell = largest & -largest
        margin += sign * (5 if five else 4 if four else 3 if three else 2)
        empty &= ~(cell | near(board, cell))
        sign = -sign
    return margin
