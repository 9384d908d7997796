"""Point Capture: only the number of cells left of each value matters, and the points that each player still needs."""

from quintet.board import Board, popcount
from quintet.solve.theories.generic import MOST, Features, Symmetries, score

BOARDS = ("3x3", "4x4", "5x5", "5x6", "6x6")
BIG_BOARDS = ("7x7",)


def view(
    board: Board, symmetries: Symmetries, mine: int, theirs: int, cell: int, ply: int
) -> tuple[int, int, Features, int]:
    """The unclaimed cells that still fit a player, my room under the target, and theirs."""
    room, their_room = board.target - score(board, mine), board.target - score(board, theirs)
    fits = 0
    for value, where in board.values:
        fits |= where * (value <= max(room, their_room))
    return mine, theirs, (fits & ~(mine | theirs), room, their_room), ply


def key(board: Board, symmetries: Symmetries, features: Features) -> Features:
    """Of each value the last cells of the board, as many as are left and as both players together can still take."""
    left, room, their_room = features
    alike = 0
    for value, where in board.values:
        last, taken, count = where, popcount(where & ~left), popcount(where)
        if value * count > room + their_room:
            taken = max(taken, count - room // value - their_room // value)
        for _ in range(taken):
            last &= last - 1
        alike |= last
    return alike, room, their_room


def bounds(board: Board, features: Features) -> tuple[int, int]:
    """Lost if they have reached the target or nothing fits; won at once if a cell fills my room."""
    left, room, their_room = features
    fits, fills = 0, 0
    for value, where in board.values:
        fits |= where * (value <= room)
        fills |= where * (value == room)
    if their_room == 0 or not fits & left:
        return -MOST, -MOST
    if fills & left:
        return MOST - 1, MOST - 1
    return 2 - MOST, MOST - 1


def order(board: Board, features: Features, wanted: int) -> tuple[int, int, int, int, int, int]:
    """One cell of each value that fits; those that take what they need first."""
    left, room, their_room = features
    ones, urgent = 0, 0
    for value, where in board.values:
        such = where & left
        ones |= (such & -such) * (value <= room)
        urgent |= where * (value == their_room)
    return ones & urgent, ones & ~urgent, 0, 0, 0, -MOST
