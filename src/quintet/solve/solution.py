"""A solved position: its value, its best moves, and what it took to find them."""

import json
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from quintet.notation import write_position
from quintet.rules import Position
from quintet.solve.solver import MEMORY, Solver
from quintet.solve.value import Value
from quintet.solve.watch import Watch, watched

VALUE_SHARE = 0.8
MOMENT = 1.0
KEPT_AFTER = 1.0
"""Seconds from which on a solution is worth keeping."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of a position; limits, where time ran out."""

    value: Value
    best: tuple[int, ...]
    """The best moves. Where only the winner is known, the moves that keep the win."""
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
    keep: Path | None = None,
) -> Solution:
    """Find the value and the best moves, within limits. `keep` is the folder of earlier solutions."""
    if keep and (known := read(keep, position)):
        return known
    solver = Solver(position.game, position.board, gear, memory)
    now = time.monotonic()
    until = None if seconds is None else now + seconds * VALUE_SHARE
    begun = time.perf_counter()
    done = watched(solver, lambda: solver.number(position), until, watch)
    took, nodes = time.perf_counter() - begun, solver.nodes
    value = solver.known()

    # The rest of the time, or after Ctrl-C a moment, is for the moves.
    until = now + seconds if seconds is not None else None if done else time.monotonic() + MOMENT
    best: list[int] = []
    wanted = value.low if value.exact else 1 if value.outcome == "win" else None
    if value.outcome == "loss" and not value.exact:
        best = position.moves
    elif wanted is not None and watched(solver, lambda: best.extend(solver.best(position, wanted)), until, watch):
        done = done and value.exact
    else:
        done = False
    solution = Solution(value, tuple(best), nodes, took, solver.gear, done)
    if keep and done and took >= KEPT_AFTER:
        write(keep, position, solution)
    return solution


def path_of(folder: Path, position: Position) -> Path:
    """Where a position's solution is kept."""
    return folder / f"{sha256(write_position(position).encode()).hexdigest()[:24]}.json"


def write(folder: Path, position: Position, solution: Solution) -> None:
    """Keep a solution, whole or not at all. A folder that cannot be written is no reason to lose the answer."""
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
    """The solution kept of a position; a file that cannot be understood is as good as none."""
    try:
        facts: dict[str, Any] = json.loads(path_of(folder, position).read_text(encoding="utf-8"))
        if facts["position"] != write_position(position) or not set(facts["best"]) <= set(position.moves):
            return None
        number = int(facts["number"])
        value = Value(number, number, position.game.territory)
        best = tuple(facts["best"])
        return Solution(value, best, int(facts["nodes"]), float(facts["seconds"]), str(facts["gear"]), complete=True)
    except (OSError, ValueError, KeyError, TypeError):
        return None
