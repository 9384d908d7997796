"""Positions as sums of parts; Grid Conquest by parts: the same values as the plain search, on boards of any size."""

import random
from threading import Timer

import pytest

from boards import every_game
from quintet.games import GAMES
from quintet.gears import PLAIN
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.parts import ENTRY_BYTES, Halted, PartSearcher
from quintet.solve.searcher import images_of
from quintet.solve.solver import Solver, Stopped

GAME = GAMES["grid-conquest"]


def by_parts(position: Position, memory: int = 1 << 24) -> Solver:
    """A solver that searches by parts, also on a small board."""
    solver = Solver(GAME, position.board, PLAIN)
    solver.searcher = PartSearcher(GAME, position.board, images_of(position.board), memory)
    return solver


def random_positions(empty: Position, number: int, most: int) -> list[Position]:
    """Positions after some random moves."""
    rng = random.Random(7)
    found = []
    for _ in range(number):
        position = empty
        for _ in range(rng.randint(0, most)):
            if position.moves:
                position = position.play(rng.choice(position.moves))
        found.append(position)
    return found


@pytest.mark.parametrize("size", ["2x7", "3x3", "3x4", "3x5", "4x4", "4x5"])
def test_parts_agree_with_the_whole_search(size: str) -> None:
    empty = start(GAME, size)
    parts, whole = by_parts(empty), Solver(GAME, empty.board, PLAIN)
    assert not isinstance(whole.searcher, PartSearcher)
    for position in random_positions(empty, 60, 6):
        assert parts.number(position) == whole.number(position)
    assert parts.nodes < whole.nodes


def test_equal_parts_cancel() -> None:
    """Turned and mirrored too; what is left over counts alone."""
    searcher = PartSearcher(GAME, start(GAME, "6x6").board, images_of(start(GAME, "6x6").board), 1 << 20)
    corner, mirrored = 0b000011_000001, 0b001100_001000  # Two and one below, at the left or at the right.
    assert len(searcher.shapes_of(corner)) == 1
    assert searcher.shapes_of(corner | mirrored << 18) == frozenset()
    assert searcher.shapes_of(corner | mirrored << 18 | 1 << 35) == searcher.shapes_of(1)


def test_large_boards_are_searched_by_parts() -> None:
    """More than half of the board is open; the whole search would take hours."""
    position = start(GAME, "10x10")
    rng = random.Random(3)
    while (position.mine | position.theirs).bit_count() < 48:
        best = max(position.gain(move).bit_count() for move in position.moves)
        position = position.play(
            rng.choice([move for move in position.moves if position.gain(move).bit_count() == best])
        )
    solver = Solver(GAME, position.board, PLAIN)
    assert isinstance(solver.searcher, PartSearcher)
    value = solver.number(position)
    assert value == max(-solver.number(position.play(move)) for move in position.moves)
    assert 0 < solver.nodes < 100_000 and 0 < solver.fill <= 1 and "full" in solver.searcher.progress
    assert solver.grundy(position) is None


def test_little_memory_is_enough() -> None:
    empty = start(GAME, "4x4")
    small, large = by_parts(empty, 20 * ENTRY_BYTES), by_parts(empty)
    for position in random_positions(empty, 10, 4):
        assert small.number(position) == large.number(position)
    assert small.fill <= 1


def test_it_stops_when_told() -> None:
    position = start(GAME, "20x20")
    solver = Solver(GAME, position.board, PLAIN)
    timer = Timer(0.05, solver.stop)
    timer.start()
    with pytest.raises(Stopped):
        solver.number(position)
    timer.join()
    solver.resume()
    full = Position(GAME, position.board, position.board.full)
    assert solver.number(full) == 400
    solver.stop()
    with pytest.raises(Stopped):
        solver.number(start(GAME, "20x20").play(1))
    assert isinstance(solver.searcher, PartSearcher)
    with pytest.raises(Halted):  # Also between the many claims of a large part.
        solver.searcher.claims_in(0)


@every_game
def test_parts_do_not_affect_each_other(game: Game) -> None:
    rng = random.Random(9)
    empty = start(game, "4x5")
    solver = Solver(game, empty.board, PLAIN)
    for _ in range(5):
        position = empty
        while position.legal:
            parts = solver.parts(position)
            assert not parts or sum(parts) == position.legal
            for move in position.moves if parts else ():
                left = solver.parts(position.play(move))
                assert set(left) >= {part for part in parts if not part & move}
            position = position.play(rng.choice(position.moves))


def test_nimbers_of_small_parts_are_known_without_a_search() -> None:
    for size, known in (("3x4", True), ("60", True), ("4x5", False)):
        empty = start("isolation", size)
        solver = Solver(empty.game, empty.board, PLAIN)
        (part,) = solver.parts(empty)
        assert solver.known_nimber(part) == (solver.nimber(part) if known else None)
    empty = start("grid-conquest", "3x3")
    solver = Solver(empty.game, empty.board, PLAIN)
    assert [solver.known_nimber(part) for part in solver.parts(empty)] == [None] and solver.nimber(1) is None
