"""Geometry: a board's cells are the bits of an integer, row by row from the top left.

A board is a rectangle, perhaps with holes: places without a cell, whose bits are never set. Its cells are connected.

Every function here is made of `&`, `|`, `~` and shifts alone, so it means the same on Python integers, NumPy and
JAX arrays and inside Numba.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

MAX_SIDE = 20
MAX_LINE = 400

popcount = int.bit_count
"""How many cells a set has. The other gears put their own function in its place."""


class Board(NamedTuple):
    """The constants of one board, handed to every rule."""

    rows: int
    cols: int
    full: int
    """Every cell."""
    east: int
    """The cells with a neighbour on their right."""
    west: int
    """The cells with a neighbour on their left."""
    target: int = 0
    """The score that wins at once; 0 where the game has none."""
    values: tuple[tuple[int, int], ...] = ()
    """What cells are worth: pairs of a value and the set of cells that carry it, smallest value first."""

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.full.bit_count()

    @property
    def area(self) -> int:
        """How many places there are, holes included: the number of bits of a set."""
        return self.rows * self.cols

    @property
    def holes(self) -> int:
        """The places without a cell."""
        return (1 << self.area) - 1 & ~self.full

    @property
    def size(self) -> str:
        """The size as a player writes it: `4x4`, `13` for a line, `4x4-A1-B3` without the cells A1 and B3."""
        return write_size(self.rows, self.cols, map(index, split(self.holes)))


def make_board(rows: int, cols: int, target: int = 0, values: Sequence[int] = (), holes: int = 0) -> Board:
    """A board of `rows` times `cols` cells but the holes, each worth its entry of `values` where there are any."""
    full = (1 << rows * cols) - 1 & ~holes
    first_column = sum(1 << row * cols for row in range(rows))
    worth = list(zip(values, split(full), strict=True)) if values else []
    carriers = {value: sum(cell for some, cell in worth if some == value) for value in sorted(set(values))}
    board = Board(
        rows=rows,
        cols=cols,
        full=full,
        east=full & ~(first_column << cols - 1) & full >> 1,
        west=full & ~first_column & full << 1,
        target=target,
        values=tuple(carriers.items()),
    )
    if holes and not is_connected(board):
        raise ValueError("the cells of a board must be connected")
    return board


def write_size(rows: int, cols: int, holes: Iterable[int]) -> str:
    """A size as a player writes it, with the names of the holes as on screens."""
    if rows == 1:
        return "-".join(map(str, [cols, *(hole + 1 for hole in holes)]))
    return "-".join([f"{rows}x{cols}", *(f"{chr(ord('A') + hole // cols)}{hole % cols + 1}" for hole in holes)])


def is_connected(board: Board) -> bool:
    """Whether there are cells, and each can be reached from every other one."""
    found, grown = 0, board.full & -board.full
    while grown != found:
        found, grown = grown, grown | near(board, grown)
    return found == board.full != 0


def near(board: Board, cells: int) -> int:
    """The cells that share a side with one of these."""
    return (
        (cells & board.east) << 1 | (cells & board.west) >> 1 | cells << board.cols | cells >> board.cols
    ) & board.full


def split(cells: int) -> Iterator[int]:
    """The cells of a set one by one, each as a set of its own, in board order."""
    while cells:
        cell = cells & -cells
        yield cell
        cells ^= cell


def index(cell: int) -> int:
    """The number of a cell, given as a set of one cell."""
    return cell.bit_length() - 1


def worth_of(board: Board) -> dict[int, int]:
    """What each cell is worth, by the cell; empty where cells carry no value."""
    return {cell: value for value, where in board.values for cell in split(where)}


def value_list(board: Board) -> list[int]:
    """What each cell is worth, in board order; empty where cells carry no value."""
    worth = worth_of(board)
    return [worth[cell] for cell in split(board.full)] if worth else []


def place_values(board: Board) -> list[int]:
    """The same for every place, 0 for a hole."""
    worth = worth_of(board)
    return [worth.get(1 << i, 0) for i in range(board.area)] if worth else []


@lru_cache(maxsize=64)
def symmetries(board: Board) -> tuple[tuple[int, ...], ...]:
    """The symmetries of the board, its holes and values included: `s[i]` is where place `i` goes.

    The identity comes first.
    """
    rows, cols = board.rows, board.cols
    places = [divmod(i, cols) for i in range(board.area)]
    maps = [
        tuple((rows - 1 - r if flip else r) * cols + (cols - 1 - c if mirror else c) for r, c in places)
        for flip in (False, True)
        for mirror in (False, True)
    ]
    if rows == cols:
        transpose = tuple(c * cols + r for r, c in places)
        maps += [tuple(transpose[i] for i in s) for s in maps]
    sets = [board.full, *(where for _, where in board.values)]
    return tuple(dict.fromkeys(s for s in maps if all(move_cells(cells, s) == cells for cells in sets)))


def move_cells(cells: int, symmetry: Sequence[int]) -> int:
    """The image of a set of cells under a symmetry."""
    return sum(1 << symmetry[index(cell)] for cell in split(cells))


def screen_corner(board: Board) -> str:
    """The name of the top-left cell on screens, which is the same for all games: `A1`, or `1` on a line."""
    return "A1" if board.rows > 1 else "1"


def is_lettered(corner: str) -> bool:
    """Whether rows have letters, by the name of the top-left cell."""
    return corner[0].isalpha()


def is_numbered(corner: str) -> bool:
    """Whether each cell has one number, without rows, by the name of the top-left cell."""
    return " " not in corner and not is_lettered(corner)


def row_label(corner: str, row: int) -> str:
    """The name of a row, in the style of the top-left cell's: `A1`, `0 0`, `1 1`; a numbered line has none."""
    if is_lettered(corner):
        return chr(ord(corner[0]) + row)
    return str(int(corner.split()[0]) + row) if " " in corner else ""


def column_label(corner: str, col: int) -> str:
    """The name of a column, in the style of the top-left cell's."""
    return str(int(corner.split()[-1].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) + col)


def cell_label(board: Board, corner: str, cell: int) -> str:
    """The name of a cell in the style of the top-left cell's: `C3` after `A1`, `2 2` after `0 0`, `7` after `1`."""
    row, col = divmod(index(cell), board.cols)
    if is_lettered(corner):
        return row_label(corner, row) + column_label(corner, col)
    return (
        f"{row_label(corner, row)} {column_label(corner, col)}" if " " in corner else column_label(corner, index(cell))
    )
