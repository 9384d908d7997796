"""A solved position: its value, its best moves, and what it took to find them."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from quintet.notation import write_position
from quintet.rules import Position
from quintet.solve.searcher import search_digest
from quintet.solve.solver import MEMORY, Solver
from quintet.solve.value import Value, value_of
from quintet.solve.watch import Watch, watched

VALUE_SHARE = 0.8
"""The share of the time limit for the value; the rest is for the best moves."""
MOMENT = 1.0
"""Seconds for the best moves after Ctrl-C."""
WORTH_SAVING = 1.0
"""Seconds from which on a solution is saved."""


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
    """Whether value and best moves are all known."""


def solve(
    position: Position,
    gear: str | None = None,
    memory: int = MEMORY,
    seconds: float | None = None,
    watch: Watch | None = None,
    threads: int = 1,
) -> Solution:
    """Find the value and the best moves, as far as time and Ctrl-C allow."""
    solver = Solver(position.game, position.board, gear, memory, threads)
    now = time.monotonic()

    def watch_over(work: Callable[[], object], until: float | None) -> bool:
        try:
            return watched(solver, work, until, watch)
        except KeyboardInterrupt:
            return False

    # 1. The value, in the larger part of the time.
    begun = time.perf_counter()
    done = watch_over(lambda: solver.number(position), None if seconds is None else now + seconds * VALUE_SHARE)
    took, nodes, value = time.perf_counter() - begun, solver.nodes, solver.known()

    # 2. The moves, in the rest of it; after Ctrl-C in a moment.
    until = now + seconds if seconds is not None else None if done else time.monotonic() + MOMENT
    moves: list[int] = []
    wanted = value.low if value.exact else 1
    if value.exact or value.outcome == "win":
        done = watch_over(lambda: moves.extend(solver.best(position, wanted)), until) and done
    best, keeps_win = (moves, []) if value.exact else ([], moves)
    return Solution(value, tuple(best), tuple(keeps_win), nodes, took, solver.gear, done)


def save(folder: Path, position: Position, solution: Solution) -> None:
    """Save a solution that took long."""
    if solution.complete and solution.seconds >= WORTH_SAVING:
        write(folder, position, solution)


def path_of(folder: Path, position: Position) -> Path:
    """The file of a position's solution: another one as soon as the search changes."""
    text = f"{write_position(position)} {search_digest(position.game)}"
    return folder / f"{sha256(text.encode()).hexdigest()[:24]}.json"


def write(folder: Path, position: Position, solution: Solution) -> None:
    """Write a solution, all of it or nothing. If the folder cannot be written, the answer is not lost: do nothing."""
    facts = {
        "position": write_position(position),
        "number": solution.value.low,
        "best": list(solution.best),
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "gear": solution.gear,
    }
    path = path_of(folder, position)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(facts), encoding="utf-8")
        part.replace(path)
    except OSError:
        return


def read(folder: Path, position: Position) -> Solution | None:
    """The saved solution of a position; `None` if there is no file that can be read."""
    try:
        facts = json.loads(path_of(folder, position).read_text(encoding="utf-8"))
        if facts["position"] != write_position(position) or not set(facts["best"]) <= set(position.moves):
            return None
        number = int(facts["number"])
        value, best = value_of(position.game, number), tuple(facts["best"])
        return Solution(
            value, best, (), int(facts["nodes"]), float(facts["seconds"]), str(facts["gear"]), complete=True
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
