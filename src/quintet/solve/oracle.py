"""One oracle per board: a solver behind a lock, with every answer remembered. Any number of threads may ask.

A question is a function of a solver and a position. It runs while the oracle is locked, so it asks the solver it is
given and never the oracle; work that needs several answers asks one question after another, or is one `run`. What is
known without a search is answered at once, also while another question is being answered.
"""

from collections import OrderedDict
from collections.abc import Callable
from math import inf
from threading import TIMEOUT_MAX, Lock
from typing import TypeVar, cast

from quintet.board import Board
from quintet.errors import QuintetError
from quintet.gears import choose_gear
from quintet.rules import Game, Position
from quintet.solve.clock import now
from quintet.solve.solver import Solver
from quintet.solve.value import Value, value_of
from quintet.solve.watch import Watch, watched

WITHOUT_SEARCH: tuple[object, ...] = Solver.limits, Solver.outlook, Solver.foresee
"""Questions that are answered at once, while a search runs."""
REMEMBERED = 200_000
"""Answers an oracle remembers before it starts again; the solver's table still knows what they took."""

SOLVE_SECONDS = 60.0
"""How long exact values are waited for where somebody needs them to go on."""

Answer = TypeVar("Answer")
Question = Callable[[Solver, Position], Answer]
"""Any named function that never answers `None`, such as `Solver.number` or `Solver.grade`: answers go by its name."""


class Unsolved(QuintetError):
    """A board that is too large for exact values."""


class Oracle:
    """Exact values of one board's positions."""

    def __init__(self, game: Game, board: Board, gear: str | None = None, memory: int | None = None) -> None:
        """Start with an empty table of at most `memory` bytes."""
        self.solver = Solver(game, board, gear, shared.memory if memory is None else memory)
        self._lock = Lock()
        self._known: dict[tuple[object, int, int], object] = {}

    def ask(self, question: Question[Answer], position: Position) -> Answer:
        """The answer to a question, however long it takes, without the cost of starting a thread."""
        found = self.recall(question, position)
        if found is None and question in WITHOUT_SEARCH:
            return self._answer(question, position)
        if found is None:
            with self._lock:
                found = self._answer(question, position)
        return found

    def ask_within(
        self, question: Question[Answer], position: Position, seconds: float, watch: Watch | None = None
    ) -> Answer | None:
        """The answer to a question; `None` if it is not found in time, or if `watch` stopped the search.

        Waiting for another thread's question counts. Ctrl-C goes through as `KeyboardInterrupt`.
        """
        found = self.recall(question, position)
        if found is None and (question in WITHOUT_SEARCH or (seconds == inf and watch is None)):
            return self.ask(question, position)
        if found is None:
            answers: list[Answer] = []
            self.run(lambda _: answers.append(self._answer(question, position)), seconds, watch)
            found = answers[0] if answers else None
        return found

    def run(self, work: Callable[[Solver], object], seconds: float = inf, watch: Watch | None = None) -> bool:
        """Work with the solver alone; false if it was stopped by the clock or by `watch`.

        Waiting for another thread's work counts: if that takes all the time, this work is not started. It runs in a
        thread of its own, so that Ctrl-C ends it at once. What the work finds out before it is stopped, it leaves where
        the caller sees it; it must not ask this oracle.
        """
        until = None if seconds == inf else now() + seconds
        if not self._lock.acquire(timeout=-1 if until is None else min(max(0.0, seconds), TIMEOUT_MAX)):
            return False
        try:
            return watched(self.solver, lambda: work(self.solver), until, watch)
        finally:
            self._lock.release()

    def recall(self, question: Question[Answer], position: Position) -> Answer | None:
        """The answer to a question, if it was found before."""
        return cast(Answer | None, self._known.get((question, position.mine, position.theirs)))

    def _answer(self, question: Question[Answer], position: Position) -> Answer:
        """Find an answer and remember it, while the oracle is locked; another thread may have just found it."""
        found = self.recall(question, position)
        if found is None:
            found = question(self.solver, position)
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[question, position.mine, position.theirs] = found
        return found

    def number(self, position: Position) -> int:
        """The value of a position for the player to move, as the solver counts: more is better."""
        return self.ask(Solver.number, position)

    def value(self, position: Position) -> Value:
        """The value of a position for the player to move."""
        return value_of(position.game, self.number(position))

    def grade(self, position: Position) -> dict[int, Value]:
        """The value of every legal move, in board order."""
        return self.ask(Solver.grade, position)


class Oracles:
    """The oracles of a process, one for each board and gear; the boards asked about least recently are forgotten."""

    def __init__(self, boards: int = 8, memory: int = 1 << 28) -> None:
        """Remember up to `boards` boards, each with a table of at most `memory` bytes."""
        self.boards = boards
        self.memory = memory
        self._lock = Lock()
        self._known: OrderedDict[tuple[Game, Board, str], Oracle] = OrderedDict()

    def of(self, position: Position, gear: str | None = None) -> Oracle:
        """The oracle of a position's board, the same for everyone who asks."""
        key = position.game, position.board, gear or choose_gear(position.board)
        with self._lock:
            found = self._known.get(key)
            if found is None:
                found = self._known[key] = Oracle(*key, self.memory)
                if len(self._known) > self.boards:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
        return found

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._known.clear()


shared = Oracles()
"""The oracles that everything in this process shares. A process that must stay small lowers its limits."""


def oracle_of(position: Position, gear: str | None = None) -> Oracle:
    """The oracle of a position's board, the same for everyone in this process."""
    return shared.of(position, gear)


def solve_within(question: Question[Answer], position: Position) -> Answer:
    """The answer of the shared oracle; `Unsolved` if it is not found within `SOLVE_SECONDS`."""
    found = oracle_of(position).ask_within(question, position, SOLVE_SECONDS)
    if found is None:
        where = f"{position.game.title} {position.board.size}"
        raise Unsolved(f"{where} was not solved within {SOLVE_SECONDS:g} s: choose a smaller board")
    return found
