"""A solved position: its value, its best moves, and what it took to find them."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from quintet.files import write_file
from quintet.notation import write_position
from quintet.rules import Position
from quintet.solve.clock import now
from quintet.solve.searcher import Searcher, search_digest
from quintet.solve.solver import MEMORY, Solver
from quintet.solve.value import Value, value_of
from quintet.solve.watch import Watch, watched

VALUE_SHARE = 0.8
"""The share of the time limit for the value; the rest is for the best moves."""
MOMENT = 1.0
"""Seconds for the best moves after Ctrl-C."""
WORTH_SAVING = 1.0
"""Seconds from which on a solution is saved."""

log = logging.getLogger("quintet")


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of a position; limits of its value, where the search was stopped."""

    value: Value
    best: tuple[int, ...]
    """The best moves, where the value is known."""
    keeps_win: tuple[int, ...]
    """The moves that keep the win, where no more than the winner is known."""
    nodes: int
    """Positions visited to find the value."""
    seconds: float
    gear: str
    complete: bool
    """Whether all that was asked for is known: value and best moves, or the winner and the moves that win."""
    grundy: int | None = None
    """The Grundy number, where only the winner was asked for and the game has one."""


def solve(
    position: Position,
    gear: str | None = None,
    memory: int = MEMORY,
    seconds: float | None = None,
    watch: Watch | None = None,
    threads: int = 1,
    searcher: Searcher | None = None,
    winner: bool = False,
) -> Solution:
    """Find the value and the best moves, or only the winner, as far as time and Ctrl-C allow."""
    solver = Solver(position.game, position.board, gear, memory, threads, searcher)
    started = now()

    def watch_over(work: Callable[[], object], until: float | None) -> bool:
        try:
            return watched(solver, work, until, watch)
        except KeyboardInterrupt:
            return False

    # 1. The value, in the larger part of the time.
    begun = time.perf_counter()
    grundy: list[int | None] = [None]

    def find() -> None:
        if winner:
            grundy[0] = solver.decide(position)
        else:
            solver.value(position)

    done = watch_over(find, None if seconds is None else started + seconds * VALUE_SHARE)
    took, nodes, value = time.perf_counter() - begun, solver.nodes, solver.known()

    # 2. The moves, in the rest of it; after Ctrl-C in a moment.
    until = started + seconds if seconds is not None else None if done else now() + MOMENT
    moves: list[int] = []
    wanted = value.low if value.exact else 1
    if value.outcome == "win" or (value.exact and not winner):

        def find_moves() -> None:
            moves.extend(solver.winning(position) if winner else solver.best(position, wanted))

        done = watch_over(find_moves, until) and done
    best, keeps_win = (moves, []) if value.exact and not winner else ([], moves)
    return Solution(value, tuple(best), tuple(keeps_win), nodes, took, solver.gear, done, grundy[0])


def save(folder: Path, position: Position, solution: Solution) -> None:
    """Save a solution that took long."""
    if solution.complete and solution.seconds >= WORTH_SAVING:
        write(folder, position, solution)


class SavedSolution(msgspec.Struct):
    """The contents of a solution's file."""

    position: str
    number: int
    best: list[str]
    nodes: int
    seconds: float
    gear: str
    checksum: str = ""
    """Of all the rest, so that a damaged file is recognized."""

    def checked(self) -> "SavedSolution":
        """The same with its checksum."""
        text = msgspec.json.encode(msgspec.structs.replace(self, checksum=""))
        return msgspec.structs.replace(self, checksum=sha256(text).hexdigest())


def path_of(folder: Path, position: Position) -> Path:
    """The file of a position's solution: another one as soon as the search or the contents of these files change."""
    text = f"{write_position(position)} {search_digest(position.game)} {SavedSolution.__struct_fields__}"
    return folder / f"{sha256(text.encode()).hexdigest()[:24]}.json"


def write(folder: Path, position: Position, solution: Solution) -> None:
    """Write a solution, all of it or nothing. If the folder cannot be written, the answer is not lost: do nothing."""
    saved = SavedSolution(
        write_position(position),
        solution.value.low,
        [position.label(move) for move in solution.best],
        solution.nodes,
        solution.seconds,
        solution.gear,
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_file(path_of(folder, position), msgspec.json.encode(saved.checked()).decode())
    except OSError:
        return


def read(folder: Path, position: Position) -> Solution | None:
    """The saved solution of a position; `None` if there is none, or if its file is damaged, which is logged."""
    path = path_of(folder, position)
    moves = {position.label(move): move for move in position.moves}
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=SavedSolution)
        if saved != saved.checked() or saved.position != write_position(position):
            raise ValueError
        best = tuple(moves[label] for label in saved.best)
        value = value_of(position.game, saved.number)
    except OSError:
        return None
    except (ValueError, KeyError, RecursionError):
        log.warning("quintet: the saved solution %s is damaged; solving again", path)
        return None
    return Solution(value, best, (), saved.nodes, saved.seconds, saved.gear, complete=True)
