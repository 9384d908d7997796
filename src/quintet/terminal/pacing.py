"""When the moves of engines are shown: a moment after the move before, so that a person can follow them."""

import time
from collections.abc import Callable
from functools import partial

from textual.screen import Screen

from quintet.engines import Engine, EngineFault
from quintet.rules import Position
from quintet.terminal.app_session import engine_answer
from quintet.terminal.background import in_background

FASTEST, SLOWEST = 0.05, 4.0
"""Seconds for a move."""

Answer = int | EngineFault


class Pacing:
    """Asks one engine at a time in the background, and gives its answer when the moment for it has come."""

    def __init__(self, screen: Screen[None], seconds: float, play: Callable[[Answer], None]) -> None:
        """Give each answer to `play`, at least `seconds` after the question."""
        self.screen = screen
        self.seconds = seconds
        self.play = play
        self.paused = False
        self.answer: Answer | None = None
        """An answer whose moment has not come yet."""
        self._ticket: object = None
        """Identifies the question whose answer is waited for."""
        self._asked = 0.0

    @property
    def waiting(self) -> bool:
        """Whether an engine is to move."""
        return self._ticket is not None

    def drop(self) -> None:
        """Stop waiting for the answer."""
        self._ticket = self.answer = None

    def ask(self, engine: Engine, position: Position) -> None:
        """Ask an engine for its move."""
        self.drop()
        self._ticket, self._asked = object(), time.monotonic()
        in_background(self.screen, lambda: engine_answer(engine, position), partial(self.take, self._ticket))

    def take(self, ticket: object, answer: Answer) -> None:
        """Note an answer, unless nobody waits for it any more."""
        if ticket is self._ticket:
            self.answer = answer
            self.wait(ticket)

    def wait(self, ticket: object) -> None:
        """Play the answer if its moment has come, or wait for it."""
        if ticket is not self._ticket or self.answer is None or self.paused:
            return
        left = self._asked + self.seconds - time.monotonic()
        if left > 0:
            self.screen.set_timer(left, partial(self.wait, ticket))
        else:
            self.step()

    def step(self) -> None:
        """Play the answer now, if there is one."""
        answer = self.answer
        if answer is not None:
            self.drop()
            self.play(answer)

    def pause(self) -> None:
        """Pause, or continue."""
        self.paused = not self.paused
        self.wait(self._ticket)

    def change(self, factor: float) -> None:
        """Change the seconds for a move."""
        self.seconds = min(max(self.seconds * factor, FASTEST), SLOWEST)
        self.wait(self._ticket)
