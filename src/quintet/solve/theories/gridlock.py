"""Gridlock: the future depends on the contested cells open to me, those open to them, and my lead in free cells.

A cell open to me is free if neither it nor any of its neighbours is open to the opponent. They cannot take it, and
claiming it takes nothing from them. So free cells are moves in hand, and nobody needs one until the contests are
over. That is a special case of `needless`: if claim B touches every cell open to them that claim A touches, then B is
at least as good as A. After B, cell A is free for me. I follow my plan for A, and play A where the plan says B. What
is open to them after B is a subset of what is open to them after A.

When nothing is contested, the player with fewer free cells runs out first, or the player to move if they have equally
many. One more free cell for both players makes the game two moves longer and changes nothing else: whoever loses plays
theirs at the latest when nothing else is left, and the winner answers it with the other.

Symmetry decides many positions. If a half-turn or a mirror of the board takes every contested cell open to me to one
open to them, none of these cells is its own image or next to it, and I have no lead in free cells, I have lost: they
answer each claim at its image. This is legal, because my marker is not next to it, and it closes to me the images of
what my claim closed to them. An image that touches no contested cell open to me may be missing if they have a free cell
to play in its place.

So the winner is known on every empty board without holes. If both sides are even, the second player answers like this.
If a side is odd, the first player starts in the middle. If the image of that first marker is another cell, it is next
to the marker, so it is closed to the second player.
"""

from typing import TYPE_CHECKING

from quintet.board import Board, near, popcount
from quintet.solve.theories.generic import MOST, Features, Symmetries, Symmetry, image_of, least, legal, swaps

if TYPE_CHECKING:
    from quintet.solve.dict_table import Table

BOARDS = ("8", "3x3", "3x4", "4x4", "4x5", "5x5", "5x6", "6x6")
BIG_BOARDS = ("5x7", "6x7", "7x7")
LONG_SEARCHES = (
    ("5x7", "win in 23", "27 of 35", "3,640,023", "1.1 s, compiled, 1 core"),
    ("6x7", "win in 27", "16 of 42", "67,623,551", "25 s, compiled, 1 core"),
)


def touch(board: Board, cells: int) -> int:
    """These cells and their neighbours."""
    return cells | near(board, cells)


def view(
    board: Board, symmetries: Symmetries, mine: int, theirs: int, cell: int, ply: int
) -> tuple[int, int, Features, int]:
    """The contested cells open to me, those open to them, and my lead in free cells."""
    mine_open, theirs_open = legal(board, mine, theirs), legal(board, theirs, mine)
    free, their_free = mine_open & ~touch(board, theirs_open), theirs_open & ~touch(board, mine_open)
    count, their_count = popcount(free), popcount(their_free)
    settled = ply + 2 * min(count, their_count)
    return mine, theirs, (mine_open ^ free, theirs_open ^ their_free, count - their_count), settled


def key(board: Board, symmetries: Symmetries, features: Features) -> Features:
    """The least of the images."""
    mine_open, theirs_open, lead = features
    mine_open, theirs_open = least(symmetries, mine_open, theirs_open)
    return mine_open, theirs_open, lead


def bounds(board: Board, features: Features) -> tuple[int, int]:
    """Whoever has more free cells than the other side can ever claim has won; free cells must be played off first."""
    mine_open, theirs_open, lead = features
    free, their_free = max(lead, 0), max(-lead, 0)
    if mine_open == 0:
        return (MOST - 1, MOST - 1) if lead > 0 else (-MOST, -MOST)
    low, high = 2 * free + 2 - MOST, MOST - 2 * their_free - 1
    if mine_open & theirs_open == board.full and (board.rows % 2 or board.cols % 2):
        area = board.rows * board.cols
        if popcount(board.full) == area:
            return MOST - area, high
    if lead >= popcount(theirs_open) - 1:  # My next claim takes one at least.
        low = MOST - 2 * (their_free + popcount(theirs_open) - 1) - 1
    elif -lead >= popcount(mine_open):
        high = 2 * (free + popcount(mine_open)) - MOST
    return low, high


def theorems(board: Board, symmetries: Symmetries, table: "Table", features: Features) -> tuple[int, int]:
    """Lost if they can answer every claim; won if I can, and have a free cell to play first."""
    mine_open, theirs_open, lead = features
    low, high = -MOST, MOST
    for symmetry in symmetries:
        if lead <= 0 and answers(board, symmetry, mine_open, theirs_open, -lead):
            high = min(high, popcount(mine_open | image_of(symmetry, mine_open)) - MOST)
        elif lead > 0 and answers(board, symmetry, theirs_open, mine_open, lead - 1):
            low = max(low, MOST - popcount(theirs_open | image_of(symmetry, theirs_open)) - 1)
    return low, high


def answers(board: Board, symmetry: Symmetry, open_cells: int, other_open: int, free: int) -> bool:
    """Whether every claim can be answered: at its image or, where that is of no use, with a free cell."""
    image = image_of(symmetry, open_cells)
    missing = image & ~other_open
    if missing and (popcount(missing) > free or missing & touch(board, open_cells)):
        return False
    return swaps(board, symmetry, open_cells, 1)


def order(board: Board, features: Features, wanted: int) -> tuple[int, int, int, int, int, int]:
    """The more cells of theirs a claim touches, the better. All counts are added up at once, bit by bit."""
    mine_open, theirs_open, _ = features
    right, left = (theirs_open & board.east) << 1, (theirs_open & board.west) >> 1
    down, up = theirs_open << board.cols, theirs_open >> board.cols
    side, pole = right ^ left, down ^ up
    both_sides, both_poles, corner = right & left, down & up, side & pole
    odd = side ^ pole
    carry = odd & theirs_open
    pairs = both_sides ^ both_poles ^ corner
    ones, twos = odd ^ theirs_open, pairs ^ carry
    fours = both_sides & both_poles | corner & (both_sides ^ both_poles) | pairs & carry
    large, small = mine_open & fours, mine_open & ~fours
    return large & ones, large & ~ones, small & twos & ones, small & twos & ~ones, small & ~twos, -MOST


def needless(board: Board, cell: int, tried: int, features: Features) -> bool:
    """Whether a cell tried before touches all of theirs that this one touches."""
    _, theirs_open, _ = features
    touched = touch(board, cell) & theirs_open
    while touched and tried:
        one = touched & -touched
        tried &= touch(board, one)
        touched ^= one
    return tried != 0


def estimate(board: Board, features: Features) -> int:
    """The lead in open cells; free ones count twice, because nobody can close them."""
    mine_open, theirs_open, lead = features
    return 2 * lead + popcount(mine_open) - popcount(theirs_open)
