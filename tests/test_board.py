"""Geometry: neighbours, symmetries and the names of cells."""

import pytest

from quintet.board import cell_label, index, is_numbered, make_board, move_cells, near, split, symmetries, value_list


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (2, 3), (5, 5), (7, 9), (20, 20), (1, 400)])
def test_near_is_what_shares_a_side(size: tuple[int, int]) -> None:
    rows, cols = size
    board = make_board(rows, cols)
    assert board.cells == rows * cols == board.full.bit_count()
    for cell in split(board.full):
        row, col = divmod(index(cell), cols)
        beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        expected = sum(1 << r * cols + c for r, c in beside if 0 <= r < rows and 0 <= c < cols)
        assert near(board, cell) == expected
    assert near(board, board.full) == (board.full if board.cells > 1 else 0)
    assert near(board, 0) == 0


@pytest.mark.parametrize(("size", "number"), [((1, 1), 1), ((1, 5), 2), ((2, 3), 4), ((2, 2), 8), ((5, 5), 8)])
def test_symmetries_are_a_group_that_keeps_neighbours(size: tuple[int, int], number: int) -> None:
    board = make_board(*size)
    maps = symmetries(board)
    assert len(maps) == number
    for s in maps:
        assert sorted(s) == list(range(board.cells))
        assert all(near(board, move_cells(cell, s)) == move_cells(near(board, cell), s) for cell in split(board.full))
        assert all(tuple(s[i] for i in t) in maps for t in maps)


def test_symmetries_keep_values() -> None:
    board = make_board(2, 3, 9, [1, 2, 3, 1, 2, 3])
    assert len(symmetries(board)) == 2
    assert value_list(board) == [1, 2, 3, 1, 2, 3]
    assert board.values == ((1, 0b001001), (2, 0b010010), (3, 0b100100))


@pytest.mark.parametrize(
    ("corner", "labels"), [("A1", "A1 A2 B1 B2"), ("0 0", "0 0"), ("1 1", "1 1"), ("1", "1 2 3 4")]
)
def test_cells_are_named_after_the_corner(corner: str, labels: str) -> None:
    board = make_board(2, 2)
    assert " ".join(cell_label(board, corner, cell) for cell in split(board.full)).startswith(labels)
    assert is_numbered(corner) == (corner == "1")


def test_sizes_print_as_players_write_them() -> None:
    assert make_board(4, 5).size == "4x5"
    assert make_board(1, 13).size == "13"
