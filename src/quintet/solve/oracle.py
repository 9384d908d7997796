"""One oracle per board: a solver behind a lock, with every answer remembered. Any number of threads may ask."""

import time
from collections import OrderedDict
from collections.abc import Callable
from importlib.util import find_spec
from math import inf
from threading import Lock
from typing import TypeVar, cast

from quintet.board import Board
from quintet.gears import WORD_CELLS
from quintet.rules import Game, Position
from quintet.solve.solver import FAST, Solver
from quintet.solve.value import Value
from quintet.solve.watch import Watch, watched

REMEMBERED = 200_000
"""Answers an oracle remembers before it starts again; the solver's table goes on knowing what they took."""

Answer = TypeVar("Answer")
Question = Callable[[Solver, Position], Answer]
"""Any function of a solver and a position that is never `None`, such as `Solver.number` or `Solver.grade`."""


class Oracle:
    """Exact values of one board's positions."""

    def __init__(self, game: Game, board: Board, gear: str | None = None, memory: int | None = None) -> None:
        """Start with an empty table of at most `memory` bytes."""
        self.solver = Solver(game, board, gear, shared.memory if memory is None else memory)
        self._lock = Lock()
        self._known: dict[tuple[object, int, int], object] = {}

    def ask(self, question: Question[Answer], position: Position) -> Answer:
        """The answer to a question, however long it takes."""
        found = self.ask_within(question, position, inf)
        assert found is not None
        return found

    def ask_within(
        self, question: Question[Answer], position: Position, seconds: float, watch: Watch | None = None
    ) -> Answer | None:
        """The answer to a question; `None` if it is not found in time, or if `watch` stopped the search.

        The time counts from when the solver is free. Ctrl-C goes through as `KeyboardInterrupt`.
        """
        found = self.recall(question, position)
        if found is None:
            with self._lock:
                found = self.recall(question, position)
                if found is None:
                    found = self._find(question, position, seconds, watch)
        return found

    def recall(self, question: Question[Answer], position: Position) -> Answer | None:
        """The answer to a question, if it was found before."""
        return cast(Answer | None, self._known.get((question, position.mine, position.theirs)))

    def _find(
        self, question: Question[Answer], position: Position, seconds: float, watch: Watch | None
    ) -> Answer | None:
        """Find an answer and remember it; `None` if it is not found in time."""
        found: list[Answer] = []
        if seconds == inf and watch is None:
            found.append(question(self.solver, position))  # To start a thread takes longer than most searches.
        else:
            until = None if seconds == inf else time.monotonic() + seconds
            watched(self.solver, lambda: found.append(question(self.solver, position)), until, watch)
        if not found:
            return None
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[question, position.mine, position.theirs] = found[0]
        return found[0]

    def number(self, position: Position) -> int:
        """The value of a position for the player to move, as the solver counts: more is better."""
        return self.ask(Solver.number, position)

    def value(self, position: Position) -> Value:
        """The value of a position for the player to move."""
        number = self.number(position)
        return Value(number, number, position.game.territory)

    def grade(self, position: Position) -> dict[int, Value]:
        """The value of every legal move, in board order."""
        return self.ask(Solver.grade, position)


class Oracles:
    """The oracles of a process, one for each board and gear; the boards asked about least recently are forgotten."""

    def __init__(self, boards: int = 8, memory: int = 1 << 28) -> None:
        """Remember so many boards, each with a table of at most `memory` bytes."""
        self.boards = boards
        self.memory = memory
        self._lock = Lock()
        self._known: OrderedDict[tuple[Game, Board, str | None], Oracle] = OrderedDict()

    def of(self, position: Position, gear: str | None = None) -> Oracle:
        """The oracle of a position's board, the same for everyone who asks."""
        key = position.game, position.board, gear
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


def fastest_gear(board: Board) -> str | None:
    """The compiled gear where it is installed and takes the board: worth it for many questions."""
    return FAST if board.cells <= WORD_CELLS and find_spec("numba") else None
