"""Exact values in the background: one search at a time, given up as soon as nobody waits for it."""

from collections.abc import Callable
from threading import Lock

from textual.message import Message
from textual.screen import Screen

from quintet.rules import Position
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.solver import Solver
from quintet.study.analysis import Analysis, analyze
from quintet.terminal.background import in_background

SECONDS = 5.0
"""How long a player waits for values before what is known so far is shown."""


class Analyst:
    """Grades the positions of one board for a screen. What it found out serves the next question."""

    def __init__(self, screen: Screen[None], seconds: float = SECONDS) -> None:
        """Begin with no question."""
        self.screen = screen
        self.seconds = seconds
        self._known: dict[Position, Analysis] = {}
        self._wanted: object = None
        self._lock = Lock()

    def drop(self) -> None:
        """Nobody waits any more."""
        self._wanted = None

    def known(self, position: Position) -> Analysis | None:
        """The values of a position, if they were found before."""
        return self._known.get(position)

    def ask(self, position: Position, tell: Callable[[Analysis], Message]) -> None:
        """Grade a position in the background and send the message of it, unless another question comes first."""
        ticket = self._wanted = object()

        def watch(solver: Solver) -> None:
            if self._wanted is not ticket:
                solver.stop()

        def work() -> Message | None:
            with self._lock:
                if self._wanted is not ticket:
                    return None
                found = self._known.get(position)
                if found is None:
                    found = analyze(position, seconds=self.seconds, watch=watch)
                    if found.complete:
                        self._known[position] = found
            return tell(found) if self._wanted is ticket else None

        in_background(self.screen, work)

    def borrow(self, position: Position, work: Callable[[Oracle], Message]) -> None:
        """Do work with the oracle in the background, when the search that runs now has ended, and send its message."""
        self.drop()

        def run() -> Message:
            with self._lock:
                return work(oracle_of(position))

        in_background(self.screen, run)
