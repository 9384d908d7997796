"""The oracle: one solver for many threads, with time limits, Ctrl-C, a memory of answers and of boards."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import inf
from threading import Event, Thread

import pytest

from boards import every_game
from quintet.engines.perfect import Perfect
from quintet.games import GAMES
from quintet.gears import PLAIN
from quintet.match import Match
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve import oracle as module
from quintet.solve import watch as watching
from quintet.solve.oracle import Oracle, Oracles, Unsolved, oracle_of, shared, solve_within
from quintet.solve.solver import Solver
from quintet.study.analysis import analyze
from quintet.study.coach import hint
from quintet.study.puzzles import make_puzzle
from quintet.study.reviews import review

SMALL = start("gridlock", "3x3")
HUGE = start("gridlock", "8x8")
"""Nobody can solve it: a search for its value runs until it is stopped."""


@pytest.fixture
def oracle() -> Oracle:
    """One that knows nothing yet."""
    return Oracle(SMALL.game, SMALL.board)


@pytest.fixture
def huge() -> Oracle:
    """One that never finds the value of the empty board."""
    return Oracle(HUGE.game, HUGE.board, PLAIN)


def lines(position: Position) -> Iterator[Position]:
    """Every position after one move and after two."""
    for move in position.moves:
        yield position.play(move)
        yield from (position.play(move).play(reply) for reply in position.play(move).moves)


def test_many_threads_get_the_same_answers_as_one(oracle: Oracle) -> None:
    positions = list(lines(SMALL))
    alone = [Solver(SMALL.game, SMALL.board).grade(position) for position in positions]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(oracle.grade, positions * 4))
    assert together == alone * 4


def test_a_question_is_worked_out_once(oracle: Oracle) -> None:
    asked = []

    def question(solver: Solver, position: Position) -> int:
        asked.append(position)
        return solver.number(position)

    assert oracle.recall(question, SMALL) is None
    found = oracle.ask(question, SMALL)
    again = oracle.ask(question, SMALL), oracle.ask_within(question, SMALL, 5), oracle.recall(question, SMALL)
    assert again == (found,) * 3
    assert asked == [SMALL]
    assert oracle.recall(Solver.grade, SMALL) is None, "another question is another answer"


def test_somebody_elses_answer_is_taken(oracle: Oracle) -> None:
    """A thread that waited while another found the answer does not look for it again."""
    asked, begun, waiting = [], Event(), Event()

    def question(solver: Solver, position: Position) -> int:
        asked.append(position)
        begun.set()
        assert waiting.wait(10)
        return solver.number(position)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(oracle.ask, question, SMALL)
        assert begun.wait(10)
        second = pool.submit(oracle.ask_within, question, SMALL, 10)
        waiting.set()
        assert first.result(10) == second.result(10)
    assert asked == [SMALL]


def test_answers_are_forgotten_when_there_are_too_many(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 3)
    positions = list(lines(SMALL))[:4]
    for position in positions:
        oracle.number(position)
    assert [oracle.recall(Solver.number, position) is None for position in positions] == [True, True, True, False]


def test_a_question_that_takes_too_long_has_no_answer_and_does_no_harm(huge: Oracle) -> None:
    assert huge.ask_within(Solver.number, HUGE, 0.05) is None
    assert huge.recall(Solver.number, HUGE) is None
    late = HUGE
    while len(late.moves) > 6:
        late = late.play(late.moves[0])
    assert huge.ask_within(Solver.number, late, 60) == huge.number(late) == Solver(late.game, late.board).number(late)


def test_a_watch_may_stop_the_search_and_the_next_one_runs(huge: Oracle) -> None:
    assert huge.ask_within(Solver.number, HUGE, inf, watch=Solver.stop) is None
    assert huge.run(lambda solver: solver.ask(HUGE, -1000)), "the solver was told to go on"


def test_ctrl_c_goes_through_and_frees_the_oracle(huge: Oracle) -> None:
    def interrupt(solver: Solver) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        huge.ask_within(Solver.number, HUGE, inf, watch=interrupt)
    assert huge.ask_within(Solver.number, HUGE, 0.05) is None, "the next question is asked, and takes too long"


def test_a_fault_in_a_question_is_raised_and_frees_the_oracle(oracle: Oracle) -> None:
    def broken(solver: Solver, position: Position) -> int:
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            oracle.ask(broken, SMALL)
        with pytest.raises(ZeroDivisionError):
            oracle.ask_within(broken, SMALL, 5)


def test_without_a_limit_no_thread_is_started(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thread, "start", lambda thread: pytest.fail(f"{thread} was started"))
    assert oracle.ask_within(Solver.number, SMALL, inf) == oracle.number(SMALL)


def test_an_analysis_that_is_stopped_gives_limits_that_hold(huge: Oracle) -> None:
    part = analyze(HUGE, huge, 0.05)
    assert not part.complete and part.value.outcome == "loss" and part.line == ()
    assert set(part.moves) == set(HUGE.moves)

    def interrupt(solver: Solver) -> None:
        raise KeyboardInterrupt

    assert not analyze(HUGE, huge, watch=interrupt).complete


def test_all_of_study_at_once_on_one_board() -> None:
    """Hints, analyses, reviews and puzzles share an oracle and never wait for each other forever."""
    shared.clear()
    match = Match(SMALL, analyze(SMALL).line)
    tasks: list[Callable[[], bool]] = [
        lambda: analyze(SMALL, seconds=20).complete,
        lambda: hint(SMALL, seconds=20)[0] in SMALL.moves,
        lambda: review(match, seconds=20).complete,
        lambda: bool(make_puzzle("gridlock", 1).answers),
    ]
    with ThreadPoolExecutor(8) as pool:
        results = [pool.submit(task) for task in tasks * 4]
        assert all(result.result(60) for result in results)


def test_a_board_has_one_oracle_until_others_take_its_place() -> None:
    oracles = Oracles(boards=2, memory=1 << 20)
    first, second, third = (start(GAMES["gridlock"], size) for size in ("2x2", "2x3", "3x3"))
    known = oracles.of(first)
    assert oracles.of(first.play(1)) is known is oracles.of(first, PLAIN)
    oracles.of(second)
    assert oracles.of(first) is known, "it is the latest now"
    oracles.of(third)
    assert oracles.of(first) is known and len(oracles._known) == 2
    oracles.clear()
    assert oracles.of(first) is not known


def test_the_process_shares_its_oracles() -> None:
    assert oracle_of(SMALL) is oracle_of(SMALL.play(1)) is shared.of(SMALL)


def test_threads_that_ask_for_a_new_board_get_one_oracle() -> None:
    oracles = Oracles()
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: oracles.of(SMALL), range(64)))
    assert len(found) == 1


def test_time_limits_hold_while_another_thread_searches(huge: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known without a search is told at once; what needs the solver waits for it no longer than its time."""
    monkeypatch.setattr(shared, "of", lambda *_: huge)
    searching, enough = Event(), Event()

    def watch(solver: Solver) -> None:
        searching.set()
        if enough.is_set():
            solver.stop()

    def busy() -> list[object]:
        return [
            huge.ask(Solver.outlook, HUGE) == huge.solver.outlook(HUGE),
            huge.ask_within(Solver.limits, HUGE, 0.0) == huge.solver.limits(HUGE),
            huge.solver.known_nimber(0b11) is None,
            huge.ask_within(Solver.grade, HUGE, 0.01) is None,
            not huge.run(Solver.resume, 0.0),
            not analyze(HUGE, huge, 0.0).complete,
            HUGE.allows(Perfect(0).choose(HUGE, 0.1)),
        ]

    with ThreadPoolExecutor(2) as pool:
        search = pool.submit(huge.ask_within, Solver.number, HUGE, inf, watch)
        assert searching.wait(10)
        try:
            assert all(pool.submit(busy).result(10))
            assert not search.done()
        finally:
            enough.set()
        assert search.result(10) is None


@every_game
def test_threads_may_share_a_solver(game: Game) -> None:
    """A solver narrows the limits of one value over several questions: two at a time would mix them up."""
    empty = start(game, "3x4")
    positions = list(lines(empty))[::3]
    teller, solver = Solver(game, empty.board), Solver(game, empty.board)
    alone = [teller.number(position) for position in positions]
    switch_interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(solver.number, positions * 4))
    finally:
        sys.setswitchinterval(switch_interval)
    assert together == alone * 4


def test_a_board_that_is_too_large_is_refused_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve_within(Solver.grade, SMALL) == Solver(SMALL.game, SMALL.board).grade(SMALL)
    monkeypatch.setattr(module, "SOLVE_SECONDS", 0.01)
    with pytest.raises(Unsolved, match="Gridlock 8x8 was not solved within"):
        solve_within(Solver.grade, HUGE)


def test_where_no_thread_can_start_the_search_keeps_its_time_limit_by_itself(
    monkeypatch: pytest.MonkeyPatch, huge: Oracle, oracle: Oracle
) -> None:
    monkeypatch.setattr(watching, "THREADS", False)
    assert oracle.ask_within(Solver.grade, SMALL, 60.0) == Solver(SMALL.game, SMALL.board).grade(SMALL)
    assert oracle.run(lambda solver: solver.number(SMALL))
    assert huge.ask_within(Solver.grade, HUGE, 0.05) is None
    assert huge.solver.nodes > 0
    by_parts = start("grid-conquest", "8x8")
    parts = Oracle(by_parts.game, by_parts.board, PLAIN)
    assert parts.ask_within(Solver.grade, by_parts, 0.05) is None
    assert not huge.solver.searcher.stopped, "the next question has all of its time"
    with pytest.raises(ZeroDivisionError):
        oracle.run(lambda _: 1 // 0)
