"""Gridlock: the future depends on the contested cells open to me, those open to them, and the lead in free cells.

A cell of mine is free if it and its neighbours are closed to them: they can neither take it nor be hurt by it. Such
cells are moves in hand, and nobody needs one before the contest is over, for the reason that makes `needless`
right: if claim B touches every cell of theirs that claim A touches, then after B cell A is free, and I do no worse
than after A. (I follow my plan after A, and play the free cell A where it says B. Their cells after B are a part of
those after A.)

When nothing is contested, whoever has fewer free cells runs out first, the player to move in case of a tie. A free
cell more for both sides makes the game two plies longer and changes nothing else.

On an empty board the half-turn decides who wins. If both sides are even, no cell is its own image or next to it,
and the second player always answers at the image: what kept the first player's claim off the second's markers keeps
the answer off the first's. If a side is odd, the first player begins in the middle, and then answers in the same
way; the image of that first marker, where it is another cell, is next to it and closed to the second player.
"""

from quintet.board import Board, near, popcount
from quintet.solve.theories.generic import MOST, Features, Symmetries, least, legal

BOARDS = ("8", "3x3", "3x4", "4x4", "4x5", "5x5", "5x6", "6x6")
BIG_BOARDS = ("5x7", "6x7", "7x7")


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
    if mine_open & theirs_open == board.full:
        cells = board.rows * board.cols
        return (low, cells - MOST) if board.rows % 2 == 0 and board.cols % 2 == 0 else (MOST - cells, high)
    if lead >= popcount(theirs_open) - 1:  # My next claim takes one at least.
        low = MOST - 2 * (their_free + popcount(theirs_open) - 1) - 1
    elif -lead >= popcount(mine_open):
        high = 2 * (free + popcount(mine_open)) - MOST
    return low, high


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
