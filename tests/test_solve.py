"""The exact search against playing everything out, gear against gear, and what is known of the games."""

import dataclasses
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from boards import every_game
from goldens import DATA
from minimax import minimax
from patience import WAIT
from quintet.board import move_cells, symmetries
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN, choose_gear
from quintet.match import Match
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve import array_table, memory
from quintet.solve.memory import InvalidMemory, installed_memory, read_memory, table_room, used_memory
from quintet.solve.solution import Solution, path_of, read, save, solve, write
from quintet.solve.solver import Solver
from quintet.solve.theories.generic import MOST
from quintet.solve.theories.isolation import GRUNDY
from quintet.solve.value import Value
from quintet.solve.watch import watched
from quintet.study.reports import value_report
from quintet.study.solved_boards import page

SIZES = ("1", "2", "5", "9", "2x2", "2x3", "3x3", "3x4", "4x4", "5x2", "5x5", "4x6")
PLAYABLE = 9
"""Unclaimed cells up to which everything is played out."""

every_gear = pytest.mark.parametrize("gear", [PLAIN, FAST])
uncounted = pytest.mark.no_cover
"""For searches and compilations that counting branches makes slow, while others run the same ones."""


def random_positions(game: Game, size: str, number: int, seed: int = 1) -> Iterator[Position]:
    """Positions late enough to be played out: half from random games, half set up by throwing dice."""
    rng = random.Random(f"{game.name} {size} {seed}")
    for turn in range(number):
        target, shuffle = rng.randint(3, 15), rng.randint(1, 99)
        empty = start(game, size, target=target, shuffle=shuffle) if game.target else start(game, size)
        cells = empty.board.cells
        if turn % 2:
            match = Match(empty)
            while match.position.moves and (rng.random() < 0.8 or cells > PLAYABLE):
                match.play(rng.choice(match.position.moves))
                if cells - (match.position.mine | match.position.theirs).bit_count() <= PLAYABLE and rng.random() < 0.3:
                    break
            yield match.position
        else:
            share = rng.uniform(max(0.1, 1 - PLAYABLE / cells), 1)
            dice = [rng.choice((1, 2)) if rng.random() < share else 0 for _ in range(cells)]
            mine, theirs = (sum(1 << i for i, owner in enumerate(dice) if owner == player) for player in (1, 2))
            position = Position(game, empty.board, mine, theirs, rng.choice((1, 2)))
            if not game.target or max(position.scores) <= empty.board.target != position.scores[position.player - 1]:
                yield position


def truth(position: Position) -> Value:
    """What playing everything out says."""
    margin, plies = minimax(position)
    number = margin if position.game.territory else margin * (1000 - plies)
    return Value(number, number, position.game.territory)


@uncounted
@every_gear
@every_game
def test_values_are_what_playing_everything_out_gives(game: Game, gear: str) -> None:
    checked = 0
    for size in SIZES:
        for position in random_positions(game, size, 60 if gear == PLAIN else 30):
            if position.legal.bit_count() > PLAYABLE or len(position.moves) > PLAYABLE:
                continue
            solver = Solver(game, position.board, gear, memory=1 << 22)
            assert solver.value(position) == truth(position), repr(position)
            for move, value in solver.grade(position).items():
                after = truth(position.play(move))
                expected = -after.low if game.territory else -after.low - (1 if after.low < 0 else -1)
                assert value.low == value.high == expected, (repr(position), move)
            best = max((value.low for value in solver.grade(position).values()), default=None)
            if best is not None:
                assert best == solver.value(position).low
                assert solver.best(position, best) == [
                    move for move, value in solver.grade(position).items() if value.low == best
                ]
            checked += 1
    assert checked > 150


@uncounted
@every_game
def test_a_game_without_a_theory_is_solved_by_its_rules(game: Game) -> None:
    """A sixth game needs no theory: the search gives the same values without one, passes included."""
    stranger = dataclasses.replace(game, name="stranger")
    for gear in (PLAIN, FAST):
        for position in random_positions(game, "3x4", 20):
            if position.legal.bit_count() <= PLAYABLE:
                strange = dataclasses.replace(position, game=stranger)
                assert Solver(stranger, position.board, gear, 1 << 22).value(strange) == truth(position), repr(position)


@uncounted
@every_game
def test_both_gears_visit_the_same_positions(game: Game) -> None:
    """The node counts of the data file are a signature of the search; on random positions gear equals gear."""
    for line in (DATA / "nodes" / f"{game.name}.txt").read_text().splitlines()[1:]:
        size, _, expected = line.partition(": ")
        for gear in (PLAIN, FAST):
            solver = Solver(game, start(game, size).board, gear)
            assert f"{solver.value(start(game, size))}, {solver.nodes}" == expected, (gear, size)
    rng = random.Random(3)
    for size in ("4x5", "5x5"):
        for _ in range(10):
            match = Match(start(game, size))
            while match.position.moves and match.ply < 5:
                match.play(rng.choice(match.position.moves))
            solvers = [Solver(game, match.position.board, gear) for gear in (PLAIN, FAST)]
            grades = [solver.grade(match.position) for solver in solvers]
            assert grades[0] == grades[1] and solvers[0].nodes == solvers[1].nodes, repr(match.position)


@uncounted
def test_a_crowded_table_changes_nothing_but_the_time() -> None:
    """Memory is a limit, not a source of errors: with next to none, values stay right."""
    for name, size in (("gridlock", "5x5"), ("adjacent-claim", "5x5"), ("grid-conquest", "5x5")):
        empty = start(GAMES[name], size)
        free = Solver(empty.game, empty.board, PLAIN).value(empty)
        for gear in (PLAIN, FAST):
            tight = Solver(empty.game, empty.board, gear, memory=1 << 15)
            assert tight.value(empty) == free
            assert tight.fill <= 1


def test_the_compiled_table_gives_back_what_it_was_given_or_nothing() -> None:
    """The table's functions as Python runs them, on a table so small that it grows and then gives up what is old."""
    rows, first = 256, 8
    half = rows // 2
    table = np.zeros((rows, 4), np.int64), np.array([0, 0, 0, rows, first], np.int64)
    unknown, rng = (-MOST, MOST), random.Random(1)
    kept: dict[tuple[int, int, int], tuple[int, int]] = {}
    with np.errstate(over="ignore"):  # Compiled, numbers wrap around without a word.
        for number in range(1, 1000):
            key = rng.getrandbits(62), rng.getrandbits(20), rng.randint(-40, 40)
            assert array_table.probe(table, key) == unknown
            kept[key] = rng.randint(-MOST, 0), rng.randint(0, MOST)
            array_table.store(table, key, *kept[key])
            if number <= half:
                assert table[1][2] == number and 2 * number <= table[1][4] + 2
            if number != half + 1:  # From here on a key is looked for in a few rows only.
                assert array_table.probe(table, key) == kept[key]
            if number in (half, 999):
                found = {known: limits for known in kept if (limits := array_table.probe(table, known)) != unknown}
                assert found.items() <= kept.items(), "no position is taken for another"
                assert len(found) == half if number == half else half < len(found) <= rows
        array_table.store(table, key, -1, 1)
        assert array_table.probe(table, key) == (-1, 1), "what is known better is kept"
        assert not array_table.visit(table)
        table[1][1] = 1
        array_table.store(table, key, 0, 0)
        assert array_table.visit(table) and table[1][0] == 2
        assert array_table.probe(table, key) == (-1, 1), "a search that was stopped has found out nothing"


@pytest.mark.parametrize(
    ("name", "value", "best"),
    [
        ("adjacent-claim", "+5", ["C3"]),
        ("grid-conquest", "+5", ["2 2"]),
        ("isolation", "win in 7", ["7"]),
        ("gridlock", "loss in 12", None),
        ("point-capture", "win in 5", ["0 4", "1 4", "2 4", "3 4", "4 4"]),
    ],
)
def test_the_rule_books_games_are_solved(name: str, value: str, best: list[str] | None) -> None:
    empty = start(GAMES[name])
    solution = solve(empty)
    assert str(solution.value) == value and solution.complete
    assert best is None or [empty.label(move) for move in solution.best] == best


def test_half_turns_decide_empty_gridlock_boards() -> None:
    """The theorem, against playing everything out as far as that goes and the bare search beyond."""
    game = GAMES["gridlock"]
    stranger = dataclasses.replace(game, name="stranger")
    for size in ("1", "2", "3", "4", "2x2", "2x3", "2x4", "3x3", "2x5", "3x4", "4x4"):
        empty = start(game, size)
        bare = Solver(stranger, empty.board, PLAIN).value(dataclasses.replace(empty, game=stranger))
        assert Solver(game, empty.board, PLAIN).value(empty) == bare
        assert bare.outcome == ("loss" if empty.board.rows % 2 == empty.board.cols % 2 == 0 else "win")
    for size, won in (("20x20", False), ("19x20", True), ("400", True)):
        empty = start(game, size)
        assert Solver(game, empty.board).foresee(empty).outcome == ("win" if won else "loss")


def test_lines_of_any_length_are_decided() -> None:
    game = GAMES["isolation"]
    for length in (14, 34, 58, 100, 399, 400):
        empty = start(game, str(length))
        outcome = "win" if GRUNDY[length] else "loss"
        assert solve(empty, seconds=0.1).value.outcome == outcome
        solver = Solver(game, empty.board)
        assert bool(solver.best(empty, 1)) == (outcome == "win")
    assert all(GRUNDY[n] == GRUNDY[n + 34] for n in range(53, len(GRUNDY) - 34))


@pytest.mark.parametrize(
    ("name", "size", "outcome", "grundy", "moves"),
    [
        ("isolation", "3x6", "win", 3, None),
        ("isolation", "4x5", "loss", 0, 0),
        ("isolation", "13", "win", 4, 1),
        ("gridlock", "7x7", "win", None, 1),
        ("gridlock", "20x20", "loss", None, 0),
        ("adjacent-claim", "3x3", "win", None, 1),
        ("adjacent-claim", "3x4", "draw", None, 0),
        ("point-capture", "3x3", "win", None, 1),
        ("grid-conquest", "13x13", "win", None, 121),  # Whoever takes five cells is ahead for good.
    ],
)
def test_the_winner_alone_is_found_sooner(
    name: str, size: str, outcome: str, grundy: int | None, moves: int | None
) -> None:
    empty = start(name, size)
    solution = solve(empty, PLAIN, winner=True)
    assert solution.complete and solution.value.outcome == outcome and solution.grundy == grundy
    assert solution.best == () and (moves is None or len(solution.keeps_win) == moves)
    for move in solution.keeps_win:
        assert Solver(empty.game, empty.board).foresee(empty.play(move)).outcome in ("loss", None)


def test_a_grundy_number_that_takes_too_long_is_not_told() -> None:
    empty = start("isolation", "9x9")
    solution = solve(empty, PLAIN, seconds=0.2, winner=True)
    assert not solution.complete and solution.grundy is None
    assert solution.value.outcome == "win", "that much is a theorem"


def test_boards_choose_their_gear() -> None:
    for size, gear in (("5x5", PLAIN), ("6x6", FAST), ("7x9", FAST), ("8x8", PLAIN)):
        assert choose_gear(start(GAMES["gridlock"], size).board) == gear


@uncounted
def test_the_page_of_solutions_is_the_programs() -> None:
    assert page() == (Path(__file__).parent.parent / "docs" / "solutions.md").read_text()


@every_gear
def test_time_runs_out_with_limits_that_hold(gear: str) -> None:
    empty = start(GAMES["gridlock"], "7x7")
    begun = time.monotonic()
    solution = solve(empty, gear, seconds=0.3)
    assert time.monotonic() - begun < WAIT, "compiling included"
    assert not solution.complete and not solution.value.exact
    assert solution.value.outcome == "win", "that much is a theorem"
    assert solution.value.low < solution.value.high


def test_a_stopped_solver_goes_on() -> None:
    empty = start(GAMES["gridlock"], "5x5")
    solver = Solver(empty.game, empty.board, PLAIN)
    assert not watched(solver, lambda: solver.number(empty), until=time.monotonic() + 0.01)
    assert watched(solver, lambda: solver.number(empty))
    assert str(solver.known()) == "win in 17"


def test_a_fault_in_a_watched_search_is_not_swallowed() -> None:
    empty = start(GAMES["gridlock"])
    with pytest.raises(ZeroDivisionError):
        watched(Solver(empty.game, empty.board), lambda: 1 // 0)


@pytest.mark.parametrize(("size", "outcome", "questions"), [("7x7", "win", 2), ("8x8", "loss", 1)])
def test_ctrl_c_leaves_what_is_known_so_far(size: str, outcome: str, questions: int) -> None:
    """Who wins is a theorem. Where that is the player to move, the moves that keep the win are asked for as well."""
    looks = []

    def interrupt(solver: Solver) -> None:
        looks.append(solver.nodes)
        assert 0 < solver.fill < 1
        raise KeyboardInterrupt

    solution = solve(start(GAMES["gridlock"], size), PLAIN, watch=interrupt)
    assert len(looks) == questions
    assert solution.value.outcome == outcome and not solution.value.exact and not solution.complete
    assert solution.best == () and solution.nodes >= looks[0] > 0


@pytest.mark.parametrize(
    ("value", "text", "facts"),
    [
        (Value(3, 3, True), "+3", {"outcome": "win", "margin": 3, "plies": None}),
        (Value(-2, 4, True), "-2 to +4", {"outcome": None, "margin": None, "plies": None, "limits": [-2, 4]}),
        (Value(0, 0, True), "draw", {"outcome": "draw", "margin": 0, "plies": None}),
        (Value(5 - MOST, 5 - MOST, False), "loss in 5", {"outcome": "loss", "margin": None, "plies": 5}),
        (Value(MOST - 9, MOST - 3, False), "win", {"outcome": "win", "margin": None, "plies": None}),
        (Value(-MOST, MOST, False), "unknown", {"outcome": None, "margin": None, "plies": None}),
    ],
)
def test_values_are_told(value: Value, text: str, facts: dict[str, object]) -> None:
    assert str(value) == text and json.loads(msgspec.json.encode(value_report(value))) == facts


def test_solutions_are_saved(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    empty = start(GAMES["gridlock"])
    assert read(tmp_path, empty) is None
    solution = Solution(Value(-988, -988, False), tuple(empty.moves), (), 386, 2.5, PLAIN, True)
    save(tmp_path, empty, solution)
    assert read(tmp_path, empty) == solution
    save(tmp_path, start(GAMES["gridlock"], "3x3"), solve(start(GAMES["gridlock"], "3x3")))
    assert len(list(tmp_path.glob("*.json"))) == 1, "what took no time is not kept"
    path = path_of(tmp_path, empty)
    whole = path.read_text()
    damaged = ["", "{", "[]", "{}", '{"position": 3}', "[" * 100_000, "NaN", whole[:-9], whole.replace("-988", "988")]
    damaged += [whole.replace("gridlock", "x"), whole.replace("386", "1e999"), whole.replace("386", "9" * 5000)]
    for text in damaged:
        path.write_text(text)
        assert read(tmp_path, empty) is None
        assert caplog.messages == [f"quintet: the saved solution {path} is damaged; solving again"]
        caplog.clear()
    write(tmp_path, empty, dataclasses.replace(solution, best=(1 << 20,)))
    assert read(tmp_path, empty) is None, "no move of this position"
    write(tmp_path, empty, solution)
    assert read(tmp_path, empty) == solution
    path.rename(path_of(tmp_path, start(GAMES["gridlock"], "3x3")))
    assert read(tmp_path, start(GAMES["gridlock"], "3x3")) is None, "the solution of another position"
    write(tmp_path / "file" / "in" / "the", empty, solution)
    (tmp_path / "wall").write_text("")
    write(tmp_path / "wall", empty, solution)
    assert read(tmp_path / "wall", empty) is None


@pytest.mark.parametrize(("text", "size"), [("512M", 1 << 29), ("2g", 1 << 31), ("1 GiB", 1 << 30), ("7", 7)])
def test_memory_is_read(text: str, size: int) -> None:
    assert read_memory(text) == size


def test_memory_that_does_not_do() -> None:
    for text in ("", "much", "-1", "1T", "1e9"):
        with pytest.raises(InvalidMemory, match="cannot read the memory"):
            read_memory(text)
    with pytest.raises(InvalidMemory, match="this machine has"):
        read_memory(f"{(installed_memory() >> 30) + 1}G")
    with pytest.raises(InvalidMemory, match="not enough"):
        table_room(start(GAMES["gridlock"]), 1 << 20)
    assert 0 < table_room(start(GAMES["gridlock"]), used_memory() + (1 << 28)) <= 1 << 28


def test_memory_is_counted_on_every_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = used_memory()
    assert 1 << 20 < here < installed_memory() < 1 << 48
    monkeypatch.delattr(os, "sysconf")
    assert installed_memory() == 1 << 48, "Windows"
    monkeypatch.setattr(memory, "Path", lambda _: tmp_path / "none")
    assert used_memory() > here // 2, "a Unix without /proc, which counts kilobytes, and not quite the same ones"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert used_memory() << 10 > here // 2, "macOS, which counts bytes"
    monkeypatch.setitem(sys.modules, "resource", None)
    assert used_memory() == 0, "Windows"


@pytest.mark.parametrize(("gear", "limit", "seconds"), [(PLAIN, 64, 3), (FAST, 256, 1)])
def test_no_more_memory_than_asked(gear: str, limit: int, seconds: int) -> None:
    """A search that would like more in that time stays within its limit, compiled or not."""
    program = str(Path(sys.executable).with_name("quintet"))
    arguments = f"solve gridlock --size 6x7 --gear {gear} --memory {limit}M --time {seconds} --fresh".split()
    code = f"import resource, subprocess; run = subprocess.run({[program, *arguments]!r}, capture_output=True); "
    code += "print(run.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    status, peak = map(int, run.stdout.split())
    assert status == 1, "it was stopped by the time"
    assert peak <= limit << 10


@every_game
def test_symmetries_keep_values(game: Game) -> None:
    for size in ("3x3", "3x4"):
        for position in random_positions(game, size, 10):
            solver = Solver(game, position.board, PLAIN)
            values = {
                solver.value(
                    dataclasses.replace(
                        position, mine=move_cells(position.mine, s), theirs=move_cells(position.theirs, s)
                    )
                )
                for s in symmetries(position.board)
            }
            assert len(values) == 1, repr(position)


@every_game
def test_what_a_theory_knows_without_a_search_holds(game: Game) -> None:
    for size in ("3x3", "2x5", "9"):
        for position in random_positions(game, size, 20):
            if position.legal.bit_count() > PLAYABLE:
                continue
            solver = Solver(game, position.board, PLAIN)
            limits = solver.limits(position)
            assert limits.low <= truth(position).low <= limits.high
            for move, value in solver.grade(position).items():
                known = solver.limits(position.play(move)).earlier()
                assert known.low <= value.low <= known.high
