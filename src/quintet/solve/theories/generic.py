"""What the search knows of a game without a theory of its own: nothing but the rules.

A theory says how to look at a position so that the search is short. All of its functions work on three words that
`view` reads off a position, and every name here may be replaced by a game's theory:

- `view(board, turns, mine, theirs, cell, ply)`: the position, perhaps simplified or turned, its three words, and what
  is already settled: the margin so far, or the plies so far. `cell` is the claim just made, 0 where none is known;
- `key(board, turns, x, y, z)`: the three words the table knows the position by;
- `bounds(board, x, y, z)`: limits of what is still open, equal when the game is decided;
- `order(board, x, y, z, wanted)`: the cells worth trying in five sets, best first, and a limit for those left out, if
  only `wanted` or more will do;
- `needless(board, cell, tried, x, y, z)`: whether a cell cannot do better than those tried;
- `shift(value, amount)`: a value of what is still open together with what is settled.
"""

from typing import Any

from quintet.board import Board, popcount

Turns = Any
"""The symmetries of a board but the identity, each as one row of 256 images for every eight cells."""

MOST = 1000
"""No value is larger: no game has so many cells or plies."""

BOARDS: tuple[str, ...] = ("2x2", "2x3", "3x3")
"""Boards worth solving, the smallest first; then those that take a while."""
BIG_BOARDS: tuple[str, ...] = ()

CONJECTURE = ""
"""What the solved boards suggest and nobody has proved."""

FACT = ""
"""What a theory knows of all boards at once."""

PASSES = False
"""Whether a player may have to pass in this view of the game."""

TERRITORY = False
STEP = 1
"""How far apart two values are at least."""


def legal(board: Board, mine: int, theirs: int) -> int:
    """The game's own rule stands here."""
    raise AssertionError  # pragma: no cover (every gear binds the game's rule in its place)


def gain(board: Board, mine: int, theirs: int, cell: int) -> int:
    """The game's own rule stands here."""
    raise AssertionError  # pragma: no cover (every gear binds the game's rule in its place)


def score(board: Board, cells: int) -> int:
    """The game's own rule stands here."""
    raise AssertionError  # pragma: no cover (every gear binds the game's rule in its place)


def shift(value: int, amount: int) -> int:
    """Margins add up. The end of a race comes so many plies later, for better or worse."""
    if TERRITORY or value <= 0:
        return value + amount
    return value - amount


def turned(turn: Any, cells: int) -> int:
    """A set carried along by a symmetry."""
    image, i = 0, 0
    while cells:
        image |= turn[i][cells & 255]
        cells >>= 8
        i += 1
    return image


def least(turns: Turns, first: int, second: int) -> tuple[int, int]:
    """The least of the images of two sets."""
    best_first, best_second = first, second
    for turn in turns:
        image = turned(turn, first)
        if image <= best_first:
            other = turned(turn, second)
            if image < best_first or other < best_second:
                best_first, best_second = image, other
    return best_first, best_second


def turn_early(board: Board, turns: Turns, mine: int, theirs: int) -> tuple[int, int]:
    """The position turned to the least of its images while few cells are claimed; later that does not pay."""
    if popcount(mine | theirs) * 4 > board.rows * board.cols:
        return mine, theirs
    claimed, mine = least(turns, mine | theirs, mine)
    return mine, claimed ^ mine


def view(
    board: Board, turns: Turns, mine: int, theirs: int, cell: int, ply: int
) -> tuple[int, int, int, int, int, int]:
    """Both players' cells as they are."""
    settled = score(board, mine) - score(board, theirs) if TERRITORY else ply
    return mine, theirs, mine, theirs, 0, settled


def key(board: Board, turns: Turns, x: int, y: int, z: int) -> tuple[int, int, int]:
    """The position itself."""
    return x, y, z


def bounds(board: Board, x: int, y: int, z: int) -> tuple[int, int]:
    """Only the end of the game is known."""
    if legal(board, x, y) or (PASSES and legal(board, y, x)):
        return -MOST, MOST
    return (0, 0) if TERRITORY else (-MOST, -MOST)


def order(board: Board, x: int, y: int, z: int, wanted: int) -> tuple[int, int, int, int, int, int]:
    """As they come."""
    return legal(board, x, y), 0, 0, 0, 0, -MOST


def needless(board: Board, cell: int, tried: int, x: int, y: int, z: int) -> bool:
    """Never."""
    return False
