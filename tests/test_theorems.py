"""Theorems against brute force: wherever a theory says something without a search, playing everything out agrees."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from quintet.board import Board
from quintet.games import GAMES
from quintet.notation import read_move, read_position
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.solver import Solver
from quintet.solve.theories.generic import MOST
from quintet.solve.value import one_earlier

SMALL = ("1", "2", "7", "2x2", "2x3", "2x4", "3x3")
LARGER = ("12", "2x5", "2x6", "3x4", "4x3")
"""Boards of up to 12 cells. All 19 of them with no more rows than columns were tried once."""


def values(game: Game, board: Board) -> dict[tuple[int, int], int]:
    """The value of every position that can come up, by the rules alone."""
    found: dict[tuple[int, int], int] = {}

    def moves(mine: int, theirs: int) -> Iterator[int]:
        cells = game.legal(board, mine, theirs)
        if not cells and game.passes and game.legal(board, theirs, mine):
            yield 0
        while cells:
            yield cells & -cells
            cells &= cells - 1

    def value(mine: int, theirs: int) -> int:
        if (mine, theirs) not in found:
            after = [
                one_earlier(value(theirs, mine | (cell and game.gain(board, mine, theirs, cell))), game.territory)
                for cell in moves(mine, theirs)
            ]
            lost = game.score(board, mine) - game.score(board, theirs) if game.territory else -MOST
            found[mine, theirs] = max(after, default=lost)
        return found[mine, theirs]

    value(0, 0)
    return found


def check_every_position(empty: Position) -> None:
    """Compare what is known without a search with the values."""
    solver = Solver(empty.game, empty.board)
    for (mine, theirs), number in values(empty.game, empty.board).items():
        known = solver.limits(Position(empty.game, empty.board, mine, theirs))
        assert known.low <= number <= known.high, (empty.board.size, mine, theirs)


@pytest.mark.parametrize("size", SMALL)
@pytest.mark.parametrize("name", GAMES)
def test_theorems_hold_in_every_position(name: str, size: str) -> None:
    check_every_position(start(name, size))


@pytest.mark.no_cover  # Counting branches makes it slow, and others run the same ones.
@pytest.mark.parametrize("size", LARGER)
@pytest.mark.parametrize("name", [name for name in GAMES if name != "point-capture"])
def test_theorems_hold_on_larger_boards(name: str, size: str) -> None:
    check_every_position(start(name, size))


@pytest.mark.parametrize(
    ("name", "sizes", "winner"),
    [
        ("gridlock", ("2x2", "4x4", "8x8", "6x20", "20x20"), 2),
        ("gridlock", ("1", "2", "2x3", "3x3", "8x9", "9x9", "13x13", "19x20", "400"), 1),
        ("grid-conquest", ("1", "3x3", "5x9", "13x13", "19x19", "399"), 1),
        ("isolation", ("1", "3x3", "2x3", "2x19", "9x9", "19x19", "400"), 1),
        ("isolation", ("2x2", "4x4", "4x19", "19x4", "6x8", "20x20", "8", "398"), 2),
    ],
)
def test_theorems_decide_the_game_from_the_start(name: str, sizes: tuple[str, ...], winner: int) -> None:
    """Whoever wins needs no search: each move is known to win as soon as it is looked at."""
    for size in sizes:
        empty = start(name, size)
        known = Solver(empty.game, empty.board).foresee(empty)
        assert known.outcome == ("win" if winner == 1 else "loss"), size


@pytest.mark.parametrize("size", ["2x2", "2x5", "3x4", "5x5", "7x7", "8x8", "9x9", "8x9", "13x13", "12x12"])
@pytest.mark.parametrize("name", ["grid-conquest", "isolation", "gridlock"])
def test_theorems_lead_to_the_end(name: str, size: str) -> None:
    """Whatever the loser does, the winner always has a move that is known to win."""
    empty = start(name, size)
    solver, rng = Solver(empty.game, empty.board), random.Random(1)
    outcome = solver.foresee(empty).outcome
    for _ in range(3 if outcome else 0):
        position, winner = empty, 1 if outcome == "win" else 2
        while not position.outcome:
            moves = position.moves
            if position.player == winner:
                known = solver.outlook(position)
                best = max(value.low for value in known.values())
                assert best > 0, repr(position)
                moves = [move for move, value in known.items() if value.low == best]
            position = position.play(rng.choice(moves))
        assert position.outcome.winner == winner


@pytest.mark.parametrize("text", [".X../.X../..OO X", "..O.O.X..X.. X", "XX.../X...O/..O.. O", "XX../X.../...O/..O. O"])
def test_a_move_in_hand_wins_a_symmetric_position(text: str) -> None:
    position = read_position(f"gridlock {text}")
    solver = Solver(position.game, position.board)
    known, value = solver.limits(position), solver.value(position)
    assert known.low > 0 > solver.limits(position, with_theorems=False).low
    assert known.low <= value.low <= known.high


def test_nobody_loses_as_second_player_on_an_even_board() -> None:
    """Adjacent Claim: an answer at the image under a half-turn keeps the draw."""
    for size in ("2x2", "3x4", "6x7", "8x8", "19x20", "20x20", "400"):
        empty = start("adjacent-claim", size)
        solver = Solver(empty.game, empty.board)
        assert solver.limits(empty).high == 0
        after = empty.play(empty.moves[3])
        answer = 1 << empty.board.cells - 4
        assert solver.limits(after).high >= 0 == solver.limits(after.play(answer)).low
        assert solver.limits(after.play(answer)).exact


def test_a_claim_is_never_worse_than_to_pass() -> None:
    """Adjacent Claim: where the draw would be kept by passing, every move keeps it; and so says brute force."""
    for size in ("2x3", "2x4", "3x3"):
        empty = start("adjacent-claim", size)
        solver, number = Solver(empty.game, empty.board), values(empty.game, empty.board)
        for mine, theirs in number:
            position = Position(empty.game, empty.board, mine, theirs)
            for move, known in solver.outlook(position).items():
                after = position.play(move)
                assert known.low <= -number[after.mine, after.theirs] <= known.high
    for line in ("E5 E4", "E5 E4 E6 E3", "E5 E4 E6 D4 D5 E3"):
        position = start("adjacent-claim", "8x8")
        for word in line.split():
            position = position.play(read_move(position, word))
        outlook = Solver(position.game, position.board).outlook(position)
        assert all(value.low == 0 for value in outlook.values()), line


def test_a_cell_more_keeps_the_draw_of_a_symmetric_position() -> None:
    """Adjacent Claim: the reply at the image is proved to draw, although the position is not symmetric any more."""
    position = start("adjacent-claim", "8x8")
    for word in ("E5", "E4", "E6", "D4"):
        position = position.play(read_move(position, word))
    solver = Solver(position.game, position.board)
    assert solver.outlook(position)[read_move(position, "D5")].low == 0
    after = position.play(read_move(position, "D5"))
    assert solver.limits(after).high == 0 < solver.limits(after, with_theorems=False).high


@cache
def sum_of_parts(size: str) -> int:
    empty = start("isolation", size)
    return Solver(empty.game, empty.board).grundy(empty) or 0


def test_grundy_numbers_agree_with_published_ones() -> None:
    """Boards of three rows are OEIS A316632; two rows alternate, four rows are all lost, lines are Dawson's chess."""
    assert [sum_of_parts(f"3x{n}") for n in range(1, 9)] == [2, 1, 1, 0, 3, 3, 2, 2]
    assert [sum_of_parts(f"{n}x2") for n in range(1, 8)] == [1, 0, 1, 0, 1, 0, 1]
    assert [sum_of_parts(f"4x{n}") for n in range(1, 6)] == [0, 0, 0, 0, 0]
    assert [sum_of_parts(str(n)) for n in range(1, 15)] == [1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0]
    assert Solver(GAMES["gridlock"], start("gridlock").board).grundy(start("gridlock")) is None
