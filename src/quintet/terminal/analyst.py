"""Exact values in the background: one search at a time, given up as soon as nobody waits for it."""

from collections.abc import Callable
from contextvars import copy_context
from threading import Lock, Thread
from typing import Any

from quintet.analysis import Analysis, analyze
from quintet.rules import Position
from quintet.solve.solver import Solver

SECONDS = 5.0
"""How long a player waits for values before what is known so far is shown."""


def in_background(work: Callable[[], object]) -> None:
    """Do work in a thread that never keeps the program from ending."""
    Thread(target=copy_context().run, args=(work,), daemon=True).start()


class Analyst:
    """Grades the positions of one board. What it found out serves the next question."""

    def __init__(self, seconds: float = SECONDS) -> None:
        """Begin with no question."""
        self.seconds = seconds
        self._solver: Solver | None = None
        self._known: dict[Position, Analysis] = {}
        self._wanted: object = None
        self._lock = Lock()

    def drop(self) -> None:
        """Nobody waits any more."""
        self._wanted = None

    def known(self, position: Position) -> Analysis | None:
        """The values of a position, if they were found before."""
        return self._known.get(position)

    def ask(self, position: Position, tell: Callable[[Analysis], Any]) -> None:
        """Grade a position in the background and tell, unless another question comes first."""
        ticket = self._wanted = object()

        def watch(solver: Solver) -> None:
            if self._wanted is not ticket:
                solver.stop()

        def work() -> None:
            with self._lock:
                if self._wanted is not ticket:
                    return
                found = self._known.get(position)
                if found is None:
                    solver = self.solver(position)
                    solver.resume()
                    found = analyze(position, solver, self.seconds, watch)
                    if found.complete:
                        self._known[position] = found
            if self._wanted is ticket:
                tell(found)

        in_background(work)

    def solver(self, position: Position) -> Solver:
        """The one solver of the board."""
        if self._solver is None or self._solver.board != position.board:
            self._solver = Solver(position.game, position.board)
        return self._solver

    def borrow(self, position: Position, work: Callable[[Solver], None]) -> None:
        """Do work with the solver in the background, when the search that runs now has ended."""
        self.drop()

        def run() -> None:
            with self._lock:
                solver = self.solver(position)
                solver.resume()
                work(solver)

        in_background(run)
