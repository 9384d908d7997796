"""What the search knows of a game without a theory of its own: nothing but the rules.

A theory says how to look at a position so that the search is short. Its functions work on the features of a position:
three numbers, read off it by `view`, that the rest of the game depends on. A game's theory may replace any name here:

- `view(board, symmetries, mine, theirs, cell, ply)`: the position, perhaps simplified or turned, its features, and what
  is already settled: the margin so far, or the plies so far. `cell` is the claim just made, 0 where none is known;
- `key(board, symmetries, features)`: what the table knows the position by;
- `bounds(board, features)`: limits of what is still open, equal when the game is decided;
- `theorems(board, symmetries, table, features)`: more limits, which take longer to find. A search asks for them at its
  first plies, if it is shorter then. `table` may remember what they are made of;
- `order(board, features, wanted)`: the cells worth trying in five sets, best first, and a limit for those left out, if
  only `wanted` or more will do;
- `needless(board, cell, tried, features)`: whether a cell cannot do better than those tried;
- `estimate(board, features)`: what is still open, as far as it can be told at a glance; where the exact search cannot
  finish, moves are chosen by it. In a race it is any number that is larger for the player who is ahead;
- `shift(value, amount)`: a value of what is still open together with what is settled.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quintet.board import Board, near, popcount

if TYPE_CHECKING:
    from quintet.solve.dict_table import Table

Features = tuple[int, int, int]
"""Sets of cells or counts, as each theory says."""
Symmetry = Sequence[Sequence[int]]
"""Where a symmetry takes cells: one row of 256 images for every eight cells."""
Symmetries = Sequence[Symmetry]
"""The symmetries of a board but the identity."""

MOST = 1000
"""More than any value: no game has as many cells or plies."""

BOARDS: tuple[str, ...] = ("2x2", "2x3", "3x3")
"""Boards worth solving, the smallest first."""
BIG_BOARDS: tuple[str, ...] = ()
"""Boards that take a while."""
LONG_SEARCHES: tuple[tuple[str, str, str, str, str], ...] = ()
"""What longer searches found: board, value, best opening moves, positions visited, and what it took."""

GRUNDY_BOARDS: tuple[str, ...] = ()
"""Boards whose Grundy number is worth finding, in games that have one."""
LARGE_GRUNDY: tuple[tuple[str, int, int, float], ...] = ()
"""Boards that take longer: the Grundy number, positions visited and seconds in the compiled gear."""

CONJECTURE = ""
"""What the solved boards suggest but is not proved."""

FACT = ""
"""What a theory knows of all boards at once."""

PASSES = False
"""Whether a player may have to pass in this view of the game."""

TERRITORY = False
STEP = 1
"""The least difference between two values."""

THEOREM_PLIES = 0
"""The first plies of a search on an even number of cells, at which it asks for `theorems`; elsewhere, and where this is
0, that takes more time than it saves."""

WAITING = False
"""Whether, once both players have a cell, a claim is never worse than it would be to pass. Then a theory also has
`lead_by_turns`, a quick estimate of the lead."""

PARTS = False
"""Whether each connected part of the open cells is a game of its own, and two equal ones cancel."""

LARGE_PART = 0
"""The most cells of a part whose Grundy number is found where limits are asked for: that takes milliseconds."""


def legal(board: Board, mine: int, theirs: int) -> int:
    """The game's own rule, bound in its place."""
    raise AssertionError  # pragma: no cover (every gear binds the game's rule in its place)


def gain(board: Board, mine: int, theirs: int, cell: int) -> int:
    """The game's own rule, bound in its place."""
    raise AssertionError  # pragma: no cover (every gear binds the game's rule in its place)


def score(board: Board, cells: int) -> int:
    """The game's own rule, bound in its place."""
    raise AssertionError  # pragma: no cover (every gear binds the game's rule in its place)


def shift(value: int, amount: int) -> int:
    """Margins add up. In a race the end comes `amount` plies later, so a win is worth less and a loss more."""
    if TERRITORY or value <= 0:
        return value + amount
    return value - amount


def image_of(symmetry: Symmetry, cells: int) -> int:
    """The image of a set under a symmetry."""
    image, i = 0, 0
    while cells:
        image |= symmetry[i][cells & 255]
        cells >>= 8
        i += 1
    return image


def least(symmetries: Symmetries, first: int, second: int) -> tuple[int, int]:
    """The least of the images of two sets."""
    best_first, best_second = first, second
    for symmetry in symmetries:
        image = image_of(symmetry, first)
        if image <= best_first:
            other = image_of(symmetry, second)
            if image < best_first or other < best_second:
                best_first, best_second = image, other
    return best_first, best_second


def least_image(board: Board, symmetries: Symmetries, mine: int, theirs: int) -> tuple[int, int]:
    """The least of a position's images while few cells are claimed; later that does not pay."""
    if popcount(mine | theirs) * 4 > board.rows * board.cols:
        return mine, theirs
    claimed, mine = least(symmetries, mine | theirs, mine)
    return mine, claimed ^ mine


def view(
    board: Board, symmetries: Symmetries, mine: int, theirs: int, cell: int, ply: int
) -> tuple[int, int, Features, int]:
    """Both players' cells as they are."""
    settled = score(board, mine) - score(board, theirs) if TERRITORY else ply
    return mine, theirs, (mine, theirs, 0), settled


def key(board: Board, symmetries: Symmetries, features: Features) -> Features:
    """The position itself."""
    return features


def bounds(board: Board, features: Features) -> tuple[int, int]:
    """Only the end of the game is known."""
    mine, theirs, _ = features
    if legal(board, mine, theirs) or (PASSES and legal(board, theirs, mine)):
        return -MOST, MOST
    return (0, 0) if TERRITORY else (-MOST, -MOST)


def theorems(board: Board, symmetries: Symmetries, table: "Table", features: Features) -> tuple[int, int]:
    """None."""
    return -MOST, MOST


def grundy(board: Board, symmetries: Symmetries, table: "Table", open_cells: int) -> int:
    """The Grundy number of a game in which both players have the same moves; -1 in any other."""
    return -1


def swaps(board: Board, symmetry: Symmetry, cells: int, distance: int) -> bool:
    """Whether a symmetry swaps each of these cells with another one that is more than `distance` steps away."""
    while cells:
        cell = cells & -cells
        cells ^= cell
        image = image_of(symmetry, cell)
        close = cell
        for _ in range(distance):
            close |= near(board, close)
        if image & close or image_of(symmetry, image) != cell:
            return False
    return True


def part_of(board: Board, part: int, cells: int) -> int:
    """The connected part of these cells around a part of it."""
    grown = part | near(board, part) & cells
    while grown != part:
        part = grown
        grown |= near(board, grown) & cells
    return part


def shape(board: Board, part: int) -> Features:
    """A part, the same wherever it lies and however it is turned: its least image, how wide that is, and 1."""
    rest, top, bottom, left, right = part, board.rows, 0, board.cols, 0
    while rest:
        row, col = divmod(popcount((rest & -rest) - 1), board.cols)
        rest &= rest - 1
        top, bottom, left, right = min(top, row), max(bottom, row), min(left, col), max(right, col)
    height, width = bottom - top + 1, right - left + 1
    long, short = max(height, width), min(height, width)
    least_image = -1
    for turn in range(8):
        transposed = turn & 1
        if transposed == (height > width) or height == width:
            image, rest = 0, part
            while rest:
                row, col = divmod(popcount((rest & -rest) - 1), board.cols)
                rest &= rest - 1
                row, col = row - top, col - left
                if transposed:
                    row, col = col, row
                row, col = short - 1 - row if turn & 2 else row, long - 1 - col if turn & 4 else col
                image |= 1 << row * long + col
            least_image = image if least_image < 0 else min(least_image, image)
    return least_image, long, 1


def order(board: Board, features: Features, wanted: int) -> tuple[int, int, int, int, int, int]:
    """In board order."""
    mine, theirs, _ = features
    return legal(board, mine, theirs), 0, 0, 0, 0, -MOST


def needless(board: Board, cell: int, tried: int, features: Features) -> bool:
    """Never."""
    return False


def estimate(board: Board, features: Features) -> int:
    """No idea."""
    return 0
