"""Isolation: the future depends only on the open squares. On a line it depends only on the lengths of the gaps.

On a line this is Node Kayles, the octal game 0.137. A position is the sum of its gaps. By the Sprague-Grundy theorem
it is lost exactly if the exclusive or of the Grundy numbers of its gaps is 0. The search finds how long the game
lasts. The Grundy numbers repeat with period 34 after a few exceptions (Guy and Smith, 1956).
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

BOARDS = ("7", "13", "14", "20", "30", "40", "3x3", "4x4", "5x5")
BIG_BOARDS = ("50", "6x6", "6x7")

THEOREM_PLIES = 0  # To know the winner does not shorten the search for the number of moves.


LARGE_PART = 12
"""The most cells of a part whose Grundy number is found where limits are asked for: that takes milliseconds."""


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
