"""A board drawn as pixels, with nothing but NumPy."""

import numpy as np
import numpy.typing as npt

from quintet.board import index, split, value_list
from quintet.rules import Position

Pixels = npt.NDArray[np.uint8]
Stencil = npt.NDArray[np.bool_]

CELL = 40
"""The side of a cell, with a line of paper around it."""
THICK = 2.5
DOT = 3
"""The side of a digit's dot."""

PAPER, FREE, INK = (251, 250, 247), (240, 237, 228), (93, 87, 71)
CLAIMED = (215, 229, 246), (249, 224, 210)
MARKS = (40, 102, 177), (196, 80, 27)

DIGITS = """\
### .#. ### ### #.# ### ### ### ### ###
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ### ### ### ### ### ..# ### ###
#.# .#. #.. ..# ..# ..# #.# ..# #.# ..#
### ### ### ### ..# ### ### ..# ### ###"""


def stencils() -> tuple[Stencil, Stencil]:
    """Where a cross and a circle leave ink in a cell."""
    down, right = np.indices((CELL - 2, CELL - 2)) - (CELL - 3) / 2
    reach = CELL / 5
    inside = (abs(down) <= reach) & (abs(right) <= reach)
    cross = inside & (np.minimum(abs(down - right), abs(down + right)) <= THICK * 2**0.5)
    return cross, abs(np.hypot(down, right) - reach) <= THICK


STENCILS = stencils()


def number(value: int) -> Stencil:
    """Where a number leaves ink in a cell."""
    grid = np.array([list(line) for line in DIGITS.splitlines()]) == "#"
    digits = [np.pad(grid[:, 4 * int(digit) : 4 * int(digit) + 3], ((0, 0), (0, 1))) for digit in str(value)]
    ink = np.kron(np.hstack(digits)[:, :-1], np.ones((DOT, DOT))) > 0
    free = [CELL - 2 - side for side in ink.shape]
    return np.pad(ink, [(side // 2, side - side // 2) for side in free])


def picture(position: Position) -> Pixels:
    """The position in rows, columns and colours: crosses, circles, and what the unclaimed cells are worth."""
    board, worth = position.board, value_list(position.board)
    image = np.full((board.rows * CELL, board.cols * CELL, 3), PAPER, np.uint8)
    for cell in split(board.full):
        row, col = divmod(index(cell), board.cols)
        tile = image[row * CELL + 1 : (row + 1) * CELL - 1, col * CELL + 1 : (col + 1) * CELL - 1]
        owners = [player for player, cells in enumerate(position.claims) if cell & cells]
        tile[:] = CLAIMED[owners[0]] if owners else FREE
        if owners:
            tile[STENCILS[owners[0]]] = MARKS[owners[0]]
        elif worth:
            tile[number(worth[index(cell)])] = INK
    return image
