"""Point Capture: where cells lie does not matter, only how many of each value are left, and both players' room."""

from quintet.board import Board, popcount
from quintet.solve.theories.generic import MOST, Turns, score

BOARDS = ("3x3", "4x4", "5x5", "5x6", "6x6")
BIG_BOARDS = ("7x7",)


def view(
    board: Board, turns: Turns, mine: int, theirs: int, cell: int, ply: int
) -> tuple[int, int, int, int, int, int]:
    """The unclaimed cells that still fit somebody, my room under the target, and theirs."""
    room, their_room = board.target - score(board, mine), board.target - score(board, theirs)
    fits = 0
    for value, where in board.values:
        fits |= where * (value <= max(room, their_room))
    return mine, theirs, fits & ~(mine | theirs), room, their_room, ply


def key(board: Board, turns: Turns, x: int, y: int, z: int) -> tuple[int, int, int]:
    """Of each value the last cells of the board, as many as are left."""
    kept = 0
    for _, where in board.values:
        last = where
        for _ in range(popcount(where & ~x)):
            last &= last - 1
        kept |= last
    return kept, y, z


def bounds(board: Board, x: int, y: int, z: int) -> tuple[int, int]:
    """Lost if they have reached the target or nothing fits; won at once if a cell fills my room."""
    fits, fills = 0, 0
    for value, where in board.values:
        fits |= where * (value <= y)
        fills |= where * (value == y)
    if z == 0 or not fits & x:
        return -MOST, -MOST
    if fills & x:
        return MOST - 1, MOST - 1
    return 2 - MOST, MOST - 1


def order(board: Board, x: int, y: int, z: int, wanted: int) -> tuple[int, int, int, int, int, int]:
    """One cell of each value that fits; those that take what they need first."""
    ones, urgent = 0, 0
    for value, where in board.values:
        left = where & x
        ones |= (left & -left) * (value <= y)
        urgent |= where * (value == z)
    return ones & urgent, ones & ~urgent, 0, 0, 0, -MOST
