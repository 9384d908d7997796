"""The search divided among workers, who are asked about positions some moves deeper.

The answers are merged at the front (`front.py`). A position that takes a worker too long is divided further, and one
that can no longer change the answer is dropped. So the front is deep where the search is hard.
"""

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from quintet.board import Board
from quintet.gears import FAST, choose_gear
from quintet.rules import Game, Position
from quintet.solve.front import Front, Question
from quintet.solve.proved import Proved, ProvedFile
from quintet.solve.searcher import Searcher
from quintet.solve.solver import MEMORY, Solver, Stopped
from quintet.solve.watch import watched
from quintet.workers import Signals, Work, Workers
from quintet.workers.processes import Processes

if TYPE_CHECKING:
    from quintet.solve.common_table import CommonTable

HAS_MEMORY_FILES = sys.platform == "linux"
"""Whether memory can be opened by other processes like a file."""
TASK_SECONDS = 10.0
"""Processor time that a worker spends on a position before it is divided."""
OPEN_TASKS = 3
"""Tasks open at a time, for each worker."""
GLANCE = 0.1
"""Seconds after which a search that waits for answers looks whether it was told to stop."""

Task = tuple[int, int, int]
"""My cells, theirs, and the bound."""


class Found(NamedTuple):
    """What a worker found."""

    limit: int | None
    """`None` if the time ran out."""
    visited: int


@dataclass
class LeafWork(Work[Task, Found]):
    """Answers questions about positions of one board, with one table for all of them."""

    game: Game
    board: Board
    gear: str
    memory: int
    threads: int
    seconds: float
    table: Path | None = None
    """The table that all workers of this machine have in common."""
    stopped: bool = False
    """Whether all work was stopped; seen where the work is done in the process that asked for it."""

    def prepare(self) -> None:
        """Make the table, or find it."""
        searcher = None
        if self.table:
            from quintet.solve.common_table import map_words
            from quintet.solve.threads import SearchThreads

            searcher = SearchThreads(self.game, self.board, self.memory, self.threads, map_words(self.table))
        self.solver = Solver(self.game, self.board, self.gear, self.memory, self.threads, searcher)

    def do(self, task: Task, signals: Signals) -> Found:
        """Search a position, as long as that makes sense."""
        solver, visited, limits = self.solver, self.solver.nodes, list[int]()
        begun = time.process_time()

        def search() -> None:
            limit = solver.searcher.ask(*task)
            if solver.searcher.stopped:
                raise Stopped
            limits.append(limit)

        def watch(solver: Solver) -> None:
            if self.stopped or signals.dropped or time.process_time() - begun >= self.seconds:
                solver.stop()

        watched(solver, search, watch=watch)
        return Found(limits[0] if limits else None, solver.nodes - visited)

    def title(self, task: Task) -> str:
        """A task in an error."""
        return f"a search of {self.game.name} {self.board.size}"


def divide(
    position: Position,
    workers: Workers,
    file: Path | None = None,
    gear: str | None = None,
    memory: int = MEMORY,
    threads: int = 1,
    seconds: float = TASK_SECONDS,
) -> "DividedSearch":
    """A search of a position's board by workers; `file` has what is proved.

    Worker processes on this machine share `memory` bytes: one table, where the system and the gear can do that, or else
    each has its part. On a cluster each worker has as much.
    """
    game, board = position.game, position.board
    work = LeafWork(game, board, FAST if threads > 1 else gear or choose_gear(board), memory, threads, seconds)
    proved = ProvedFile(file, game, board) if file else Proved()
    if not isinstance(workers, Processes):
        return DividedSearch(work, workers, proved)
    if work.gear == FAST and HAS_MEMORY_FILES:
        from quintet.solve.common_table import CommonTable

        table = CommonTable(memory)
        return DividedSearch(replace(work, table=table.path), workers, proved, table)
    return DividedSearch(replace(work, memory=memory // workers.most), workers, proved)


class DividedSearch(Searcher):
    """A search by workers."""

    def __init__(self, work: LeafWork, workers: Workers, proved: Proved, table: "CommonTable | None" = None) -> None:
        """Workers are started when there is something to ask. The table is what they have in common."""
        self.work, self.proved, self.table = work, proved, table
        self.most = workers.most
        self.front = Front(work.game, work.board, proved)
        self.pool = workers.pool(work)
        self.given: dict[Task, Question] = {}
        self.answered = 0
        self._visited = 0

    @property
    def visited(self) -> int:
        """How many positions the workers have visited, in tasks that have ended."""
        return self._visited

    @property
    def fill(self) -> float:
        """Not known here: the tables are the workers'."""
        return 0.0

    @property
    def progress(self) -> str:
        """What the workers are doing."""
        tasks = f"{len(self.given):,} tasks open, {self.answered:,} answered"
        workers = f"{self.pool.size} worker{'s' * (self.pool.size != 1)}"
        return f"{workers}, {tasks}, {len(self.proved.limits):,} proved"

    @property
    def stopped(self) -> bool:
        """Whether the search was told to stop."""
        return self.work.stopped

    @stopped.setter
    def stopped(self, told: bool) -> None:
        self.work.stopped = told

    def grundy(self, open_cells: int) -> int:
        """Not found here: questions tell who wins."""
        return -1

    def close(self) -> None:
        """End the workers."""
        self.pool.close()
        self.proved.close()
        if self.table:
            self.table.close()

    def ask(self, mine: int, theirs: int, bound: int) -> int:
        """A limit, found by questions about the positions of the front."""
        node, settled = self.front.place(mine, theirs)
        question = node, self.front.wanted(bound, settled)
        while self.choose(question) and not self.stopped:
            for task, found in self.pool.answers(GLANCE):
                self.take(self.given.pop(task), found)
        self.drop(list(self.given))
        return self.front.theory.shift(node.low if node.low >= question[1] else node.high, settled)

    def choose(self, question: Question) -> bool:
        """Give the workers what can decide a question, and drop what cannot any more; false if it is decided."""
        front = self.front
        while front.weigh(question):
            leaves = {self.task(leaf): leaf for leaf in front.leaves(question, OPEN_TASKS * self.most)}
            assert leaves, "an open question depends on open leaves"
            new = [task for task in leaves if task not in self.given]
            if len(leaves) >= self.most or not new:
                break
            front.divide(leaves[new[0]][0])  # There are workers without a task.
        else:
            return False
        self.drop([task for task, asked in self.given.items() if asked not in front.efforts])
        for task in new:
            self.given[task] = leaves[task]
            self.pool.give(task)
        return True

    def task(self, question: Question) -> Task:
        """A question about a leaf as a task."""
        return question[0].mine, question[0].theirs, self.front.bound(question)

    def take(self, question: Question, found: Found) -> None:
        """Merge an answer. A position that took too long is divided."""
        self.answered += 1
        self._visited += found.visited
        if found.limit is not None:
            self.front.answer(question, found.limit)
        elif not self.stopped:
            self.front.divide(question[0])

    def drop(self, tasks: Iterable[Task]) -> None:
        """Forget tasks."""
        for task in tasks:
            del self.given[task]
            self.pool.drop(task)
