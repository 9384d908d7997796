"""Isolation: the future depends only on the open squares. On a line it depends only on the lengths of the gaps.

On a line this is Node Kayles, the octal game 0.137. A position is the sum of its gaps. By the Sprague-Grundy theorem
it is lost exactly if the exclusive or of the Grundy numbers of its gaps is 0. The search finds how long the game
lasts. The Grundy numbers repeat with period 34 after a few exceptions (Guy and Smith, 1956).
"""

from quintet.board import MAX_LINE, Board, popcount
from quintet.solve.theories.generic import MOST, Features, Symmetries, least, legal


def grundy_numbers(longest: int) -> tuple[int, ...]:
    """The Grundy number of every gap: the least number that no claim in it leaves behind."""
    numbers: list[int] = []
    for length in range(longest + 1):
        left = {numbers[max(i - 1, 0)] ^ numbers[max(length - i - 2, 0)] for i in range((length + 1) // 2)}
        numbers.append(next(n for n in range(length + 1) if n not in left))
    return tuple(numbers)


GRUNDY = grundy_numbers(MAX_LINE)

LOST = ", ".join(str(length) for length, number in enumerate(GRUNDY) if length and number == 0)
FACT = f"On lines of up to {MAX_LINE} squares, the second player wins exactly at these lengths: {LOST}."

BOARDS = ("7", "13", "14", "20", "30", "40", "3x3", "4x4", "5x5")
BIG_BOARDS = ("50", "6x6", "6x7")
LONG_SEARCHES = (
    ("6x6", "loss in 18", "8 of 36", "1,539,416", "0.3 s, compiled, 1 core"),
    ("6x7", "win in 19", "18; 25", "28,835,734", "9 s, compiled, 1 core"),
    ("7x7", "win in 21", "8 of 49", "397,980,497", "701 s, compiled, 1 worker, 117 tasks, 3.3 GB, on a busy machine"),
)


def view(
    board: Board, symmetries: Symmetries, mine: int, theirs: int, cell: int, ply: int
) -> tuple[int, int, Features, int]:
    """The open cells: open to both."""
    return mine, theirs, (legal(board, mine, theirs), 0, 0), ply


def key(board: Board, symmetries: Symmetries, features: Features) -> Features:
    """On a line the gaps in order of length, one cell between two; a gap of two counts as one: both hold one claim."""
    open_cells, _, _ = features
    if board.rows > 1 and board.cols > 1:
        return least(symmetries, open_cells, 0)[0], 0, 0
    open_cells &= ~(open_cells >> 1 & ~(open_cells >> 2 | open_cells << 1))
    packed, size, runs = 0, 1, open_cells  # `runs`: where `size` open cells in a row begin.
    while runs:
        longer = runs & open_cells >> size
        for _ in range(popcount(runs & ~longer & ~(open_cells << 1))):
            packed = packed << size + 1 | (1 << size) - 1
        runs = longer
        size += 1
    return packed, 0, 0


def bounds(board: Board, features: Features) -> tuple[int, int]:
    """On a line the winner is known."""
    open_cells, _, _ = features
    if open_cells == 0:
        return -MOST, -MOST
    count = popcount(open_cells)
    if board.rows > 1 and board.cols > 1:
        return 2 - MOST, MOST - 1
    total, rest = 0, open_cells
    while rest:
        gap = rest & ~(rest + (rest & -rest))
        total ^= GRUNDY[popcount(gap)]
        rest ^= gap
    return (MOST - count, MOST - 1) if total else (2 - MOST, count - MOST)


def order(board: Board, features: Features, wanted: int) -> tuple[int, int, int, int, int, int]:
    """In board order."""
    open_cells, _, _ = features
    return open_cells, 0, 0, 0, 0, -MOST
