"""Isolation: the future depends only on the open squares. On a line it depends only on the lengths of the gaps.

This is Node Kayles. A position is the sum of its connected parts. By the Sprague-Grundy theorem it is lost exactly if
the exclusive or of their Grundy numbers is 0. On a line, where the parts are gaps, it is the octal game 0.137, and the
Grundy numbers repeat with period 34 after a few exceptions (Guy and Smith, 1956). On other boards the Grundy number of
a part is the same wherever it lies and however it is turned or mirrored. The search finds how long the game lasts.

A position is also lost if a half-turn or a mirror of the board maps the open squares onto themselves, and none of them
is its own image or next to it: each claim is answered at its image. So the second player wins if both sides are even.
The first player wins if both are odd, by starting in the centre, and on two rows of odd length, by starting in the
middle. On four rows the second player wins: each claim is answered in its column, two rows away.
"""

from quintet.board import MAX_LINE, Board, near, popcount
from quintet.solve.dict_table import Table, probe, store, visit
from quintet.solve.theories.generic import MOST, Features, Symmetries, image_of, least, legal, part_of, shape, swaps


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

GRUNDY_BOARDS = ("3x4", "3x8", "3x12", "3x16", "4x7", "5x5", "5x6", "5x7", "5x8", "6x7")
"""Boards whose Grundy number is worth finding."""

LARGE_GRUNDY = (
    ("3x17", 2, 1_711_816, 2.8),
    ("3x18", 2, 3_354_057, 5.8),
    ("3x19", 1, 6_557_884, 10.3),
    ("3x20", 1, 12_766_979, 27.7),
    ("5x9", 4, 2_179_061, 3.2),
    ("5x10", 1, 8_749_813, 16.1),
    ("6x9", 5, 36_570_476, 76.9),
    ("7x7", 1, 4_707_877, 7.4),
)
"""Boards that take longer: the Grundy number, positions visited and seconds in the compiled gear."""

BOARDS = ("7", "13", "14", "20", "30", "40", "3x3", "4x4", "5x5")
BIG_BOARDS = ("50", "6x6", "6x7")
LONG_SEARCHES = (
    ("6x6", "loss in 18", "8 of 36", "1,539,416", "0.3 s, compiled, 1 core"),
    ("6x7", "win in 19", "18; 25", "28,835,734", "9 s, compiled, 1 core"),
    ("7x7", "win in 21", "8 of 49", "397,980,497", "compiled, 1 worker, 117 tasks, 3.3 GB"),
)

PARTS = True
LARGE_PART = 12


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


def theorems(board: Board, symmetries: Symmetries, table: Table, features: Features) -> tuple[int, int]:
    """Who wins, if the Grundy numbers of all parts are known: large ones cancel if they can be answered at an image."""
    open_cells, _, _ = features
    if board.rows == 1 or board.cols == 1:
        return -MOST, MOST
    total, large, rest = 0, 0, open_cells
    while rest:
        part = part_of(board, rest & -rest, rest)
        rest ^= part
        if popcount(part) > LARGE_PART:
            large |= part
        else:
            total ^= grundy(board, symmetries, table, part)
    if large and not cancels(board, symmetries, large):
        return -MOST, MOST
    count = popcount(open_cells)
    return (MOST - count, MOST) if total else (-MOST, count - MOST)


def grundy(board: Board, symmetries: Symmetries, table: Table, open_cells: int) -> int:
    """The Grundy number of the open cells: that of each part is the least number that no claim in it leaves behind."""
    if visit(table):
        return 0
    total = 0
    while open_cells:
        part = part_of(board, open_cells & -open_cells, open_cells)
        open_cells ^= part
        entry = shape(board, part)
        number, unknown = probe(table, entry)
        if entry[0] == (1 << entry[1]) - 1:  # A straight line.
            number = GRUNDY[entry[1]]
        elif unknown == MOST:
            number, left, cells = 0, 0, part
            while cells:
                cell = cells & -cells
                cells ^= cell
                left |= 1 << grundy(board, symmetries, table, part & ~(cell | near(board, cell)))
            while left >> number & 1:
                number += 1
            store(table, entry, number, number)
        total ^= number
    return total


def cancels(board: Board, symmetries: Symmetries, open_cells: int) -> bool:
    """Whether every claim can be answered at an image that is neither the same cell nor next to it."""
    if swap_rows(board, open_cells) == open_cells or swap_columns(board, open_cells) == open_cells:
        return True
    for symmetry in symmetries:
        if image_of(symmetry, open_cells) == open_cells and swaps(board, symmetry, open_cells, 1):
            return True
    return False


def swap_rows(board: Board, cells: int) -> int:
    """Cells of a board with four rows, with the rows swapped that are two apart; else none."""
    return (cells << 2 * board.cols | cells >> 2 * board.cols) & board.full * (board.rows == 4)


def swap_columns(board: Board, cells: int) -> int:
    """Cells of a board with four columns, with the columns swapped that are two apart; else none."""
    left, right = board.east & board.east >> 1, board.west & board.west << 1
    return ((cells & left) << 2 | (cells & right) >> 2) * (board.cols == 4)


def order(board: Board, features: Features, wanted: int) -> tuple[int, int, int, int, int, int]:
    """In board order."""
    open_cells, _, _ = features
    return open_cells, 0, 0, 0, 0, -MOST
