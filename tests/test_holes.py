"""Boards with holes: how they are written, and exact values on all of their positions."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards import HOLED, every_game
from minimax import minimax
from naive import NAIVE, Naive, count
from quintet.board import Board, index, is_connected, make_board, near, place_values, split, symmetries, value_list
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN
from quintet.notation import InvalidMove, InvalidPosition, read_move, read_position, write_position
from quintet.options import InvalidOptions, describe, start
from quintet.perft import perft
from quintet.record import Record, read_record, write_record
from quintet.rules import Game, IllegalMove, Position
from quintet.solve.parts import PartSearcher
from quintet.solve.searcher import images_of
from quintet.solve.solver import Solver
from quintet.solve.verify import verify
from quintet.study.analysis import analyze, value_map

SHAPES = ("2x4-A1", "3x3-A1", "3x3-A2", "3x3-B2", "3x3-A1-C3", "3x3-A1-A3-C1-C3", "3x4-A1-A2-C4", "3x4-B2-B3")
"""Small boards with holes: a corner, an edge, a ring, a cross, an S and others."""
SMALL_TARGET = 5


def empty_board(game: Game, size: str) -> Position:
    """The empty board; where cells have values, with a target that makes the game short."""
    return start(game, size, SMALL_TARGET if game.target else None)


def all_positions(empty: Position) -> set[Position]:
    """Every position that can come up, by the rules alone, with Player 1 to move."""
    seen, waiting = {empty}, [empty]
    while waiting:
        position = waiting.pop()
        after = {replace(position.play(move), player=1) for move in position.moves} - seen
        seen |= after
        waiting += after
    return seen


def every_set_up(empty: Position) -> Iterator[Position]:
    """Every way to claim cells, also those that no game leads to."""
    board = empty.board
    for mine in range(board.full + 1):
        rest = board.full & ~mine
        theirs = rest
        while not mine & ~board.full:
            position = replace(empty, mine=mine, theirs=theirs)
            if not board.target or position.scores[0] < board.target >= position.scores[1]:
                yield position
            if not theirs:
                break
            theirs = (theirs - 1) & rest


def exact(position: Position) -> int:
    """The value of a position by playing everything out, as the solver counts."""
    margin, plies = minimax(position)
    return margin if position.game.territory else (1000 - plies) * margin


@pytest.mark.parametrize("size", SHAPES)
@every_game
def test_every_position_has_the_value_of_playing_it_out(game: Game, size: str) -> None:
    """What a theory knows without a search holds, and the search finds the value."""
    empty = empty_board(game, size)
    solver = Solver(game, empty.board, PLAIN)
    for position in all_positions(empty):
        value = exact(position)
        for known in (solver.limits(position), solver.limits(position, False), solver.foresee(position)):
            assert known.low <= value <= known.high, repr(position)
        assert solver.number(position) == value, repr(position)


@pytest.mark.no_cover  # Counting branches makes it slow, and others run the same ones.
@pytest.mark.parametrize("size", ["2x4-B2", "3x3-A1-B2"])
@every_game
def test_every_set_up_has_the_value_of_playing_it_out(game: Game, size: str) -> None:
    """The same where no game leads, as in a position that somebody wrote."""
    empty = empty_board(game, size)
    solver = Solver(game, empty.board, PLAIN)
    for position in every_set_up(empty):
        value = exact(position)
        known = solver.limits(position)
        assert known.low <= value <= known.high and solver.number(position) == value, repr(position)


@pytest.mark.no_cover  # Counting branches makes it slow, and others run the same ones.
@every_game
def test_the_compiled_search_finds_the_same_values(game: Game) -> None:
    for size in HOLED:
        empty = empty_board(game, size)
        plain, fast = Solver(game, empty.board, PLAIN), Solver(game, empty.board, FAST)
        assert fast.grade(empty) == plain.grade(empty)
        assert fast.grundy(empty) == plain.grundy(empty)


@pytest.mark.parametrize("size", ["3x4-B2", "3x4-A1-C4"])
@every_game
def test_a_proof_agrees_with_the_search(game: Game, size: str) -> None:
    """Every position by the rules alone, identified both ways, and each value compared with the search."""
    empty = empty_board(game, size)
    proof = verify(empty, PLAIN, keys=True)
    assert proof.value.low == exact(empty) and proof.keys_checked == len(all_positions(empty))


@every_game
def test_games_go_as_the_rule_books_say(game: Game) -> None:
    """Perft against the plain reading."""
    for size in HOLED:
        board = start(game, size).board
        holes = [divmod(index(hole), board.cols) for hole in split(board.holes)]
        naive: Naive = NAIVE[game.name](board.rows, board.cols, place_values(board), board.target, holes)
        assert perft(start(game, size), 3) == count(naive, 3)


def test_a_search_by_parts_moves_shapes_over_holes() -> None:
    """Grid Conquest: the holes are in the corner that shapes are moved to."""
    rng = random.Random(1)
    for size in ("3x4-A1-A2", "4x4-A1-B1", "4x4-A1-B2-C3"):
        empty = start("grid-conquest", size)
        whole = make_board(empty.board.rows, empty.board.cols)
        by_parts = PartSearcher(empty.game, whole, images_of(whole), 1 << 20, empty.board.holes)
        plain = Solver(empty.game, empty.board, PLAIN)
        for _ in range(30):
            position = empty
            for _ in range(rng.randint(0, 5)):
                position = position.play(rng.choice(position.moves)) if position.moves else position
            value = plain.number(position)
            assert by_parts.ask(position.mine, position.theirs, value) == value
            assert by_parts.ask(position.mine, position.theirs, value + 2) <= value


def test_a_large_board_with_holes_is_searched_by_parts() -> None:
    position = read_position(f"grid-conquest {'XOXOXOXO/' * 7}X.-..O.X X")
    solver = Solver(position.game, position.board)
    assert isinstance(solver.searcher, PartSearcher)
    assert solver.number(position) == exact(position)


@every_game
def test_text_reads_back(game: Game) -> None:
    empty = start(game, "4x3-A1-C2")
    assert empty.board.size == "4x3-A1-C2"
    assert write_position(empty).split()[1] == "-../.../.-./..."
    after = empty.play(empty.moves[0])
    assert read_position(write_position(after)) == after
    assert start(game, **describe(empty.board)) == empty == start(game, " 4 X 3 - c2 -a1-A1 ")
    record = Record(after, (after.moves[-1],))
    text = write_record(record)
    assert '[Size "4x3-A1-C2"]' in text and read_record(text) == record


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, (1 << 25) - 1), st.sampled_from(sorted(GAMES)))
def test_any_shape_reads_back_or_is_refused(rows: int, cols: int, holes: int, name: str) -> None:
    holes &= (1 << rows * cols) - 1
    rectangle = make_board(rows, cols)
    left = rectangle.full & ~holes
    found, grown = 0, left & -left
    while grown != found:
        found, grown = grown, (grown | near(rectangle, grown)) & left
    marks = "".join("-" if holes >> i & 1 else "." for i in range(rows * cols))
    text = f"{name} {'/'.join(marks[i : i + cols] for i in range(0, rows * cols, cols))} X"
    if not left or found != left:
        with pytest.raises(InvalidPosition, match="connected"):
            read_position(text)
        return
    position = read_position(text)
    board = position.board
    assert board.holes == holes and board.cells + holes.bit_count() == board.area == rows * cols
    assert start(name, **describe(board)) == position == read_position(write_position(position))
    for cell in split(board.full):
        assert near(board, cell) == near(rectangle, cell) & left
        assert bool(cell & board.east) == bool(cell << 1 & near(board, cell)) or cols == 1
        assert bool(cell & board.west) == bool(cell >> 1 & near(board, cell)) or cols == 1
    for symmetry in symmetries(board):
        assert {symmetry[index(hole)] for hole in split(holes)} == set(map(index, split(holes)))


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        ("3x3-A2-B1", "the cells that are left must be connected"),
        ("3x3-B1-B2-B3", "the cells that are left must be connected"),
        ("1-1", "the cells that are left must be connected"),
        ("2x2-A1-A2-B1-B2", "the cells that are left must be connected"),
        ("7-4", "the cells that are left must be connected"),
        ("3x3-D1", "a board of 3x3 has no cell D1 to leave out"),
        ("3x3-A4", "a board of 3x3 has no cell A4 to leave out"),
        ("3x3-A0", "a board of 3x3 has no cell A0 to leave out"),
        ("3x3-5", "a board of 3x3 has no cell 5 to leave out"),
        ("7-A1", "a board of 7 has no cell A1 to leave out"),
        ("3x3-", "cannot read the size '3x3-'"),
        ("3x3-A", "cannot read the size '3x3-A'"),
        ("3x3" + "-A1" * 1000, "cannot read the size '3x3-A1-A1"),
    ],
)
def test_a_size_that_is_no_board(size: str, reason: str) -> None:
    with pytest.raises(InvalidOptions) as caught:
        start("gridlock", size)
    assert str(caught.value).startswith(reason) and caught.value.option == "size"


def test_a_board_is_connected() -> None:
    with pytest.raises(ValueError, match="connected"):
        make_board(2, 2, holes=0b0110)
    assert is_connected(make_board(2, 2, holes=0b0010))
    assert not is_connected(Board(1, 1, 0, 0, 0))


def test_values_are_those_of_the_cells() -> None:
    empty = start("point-capture", "2x3-A2")
    assert value_list(empty.board) == [1, 3, 1, 2, 3] and place_values(empty.board) == [1, 0, 3, 1, 2, 3]
    assert value_list(start("point-capture", "2x3-A2", values="5,4,3,2,1").board) == [5, 4, 3, 2, 1]
    assert sorted(value_list(start("point-capture", "2x3-A2", shuffle=3).board)) == [1, 1, 2, 3, 3]
    with pytest.raises(InvalidOptions, match="this board has 5 cells, but 6 values were given"):
        start("point-capture", "2x3-A2", values="1,2,3,4,5,6")


@every_game
def test_a_hole_is_no_cell(game: Game) -> None:
    empty = start(game, "3x3-B2")
    hole = 1 << 4
    with pytest.raises(InvalidMove, match=r"^That is not a cell of this board\.$"):
        read_move(empty, "5" if game.name == "isolation" else "B2")
    with pytest.raises(InvalidMove, match="the cells go from "):
        read_move(empty, "D4" if game.name != "isolation" else "10")
    with pytest.raises(IllegalMove, match=r"^That is not a cell of this board\.$"):
        empty.play(hole)
    with pytest.raises(IllegalMove, match=r"^That is not a cell of this board\.$"):
        empty.action(hole)
    assert [empty.action(move) for move in empty.moves] == [0, 1, 2, 3, 5, 6, 7, 8]
    with pytest.raises(InvalidMove, match=r"^Name a cell, such as "):
        read_move(empty, "?")


def test_a_hole_is_not_drawn() -> None:
    marks = {game: str(start(game, "3x3-B2")).count("[") for game in ("adjacent-claim", "isolation", "point-capture")}
    assert set(marks.values()) == {8}
    assert str(start("grid-conquest", "2x3-A2")) == ". .\n. . .".replace(". .\n", ".   .\n")
    assert str(start("gridlock", "2x2-A2")).splitlines()[2] == "1 |   |###|"
    empty = start("gridlock", "3x3-B2")
    assert empty.picture().count('class="cell"') == 8
    assert value_map(analyze(empty)).splitlines()[2] == "2" + " L6" + "   " + " L6"
