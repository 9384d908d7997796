"""Exact values in the background of a screen. A search is given up as soon as nobody waits for it."""

from collections.abc import Callable

from textual.screen import Screen

from quintet.notation import screen_label
from quintet.rules import Position
from quintet.solve.solver import Solver
from quintet.study.analysis import Analysis, analyze
from quintet.study.coach import hint
from quintet.terminal.background import in_background

SECONDS = 5.0
"""Time limit of a search; then what is known so far is shown."""


class BackgroundAnalysis:
    """Answers one question at a time: a new one replaces the one before. The oracle of the board remembers."""

    def __init__(self, screen: Screen[None], seconds: float = SECONDS) -> None:
        """Start without a question."""
        self.screen = screen
        self.seconds = seconds
        self._waiting: object = None
        """Identifies the question whose answer is waited for."""

    def drop(self) -> None:
        """Stop waiting for the answer."""
        self._waiting = None

    def analyze(self, position: Position, show: Callable[[Analysis], None]) -> None:
        """Grade every move of a position, and show the result unless it is dropped before."""
        ticket = self._waiting = object()

        def watch(solver: Solver) -> None:
            if self._waiting is not ticket:
                solver.stop()

        def work() -> Analysis | None:
            return analyze(position, seconds=self.seconds, watch=watch) if self._waiting is ticket else None

        def answer(found: Analysis | None) -> None:
            if found and self._waiting is ticket:
                show(found)

        in_background(self.screen, work, answer)

    def hint(self, position: Position, show: Callable[[int, str], None]) -> None:
        """Find a good move, and show it with the reason unless it is dropped before."""
        ticket = self._waiting = object()

        def answer(found: tuple[int, str]) -> None:
            if self._waiting is ticket:
                show(*found)

        in_background(self.screen, lambda: hint(position, seconds=self.seconds, name=screen_label), answer)
