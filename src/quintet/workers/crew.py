"""A pool of workers outside this process: who does what, and what happens when one dies."""

from abc import abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from time import monotonic
from typing import Generic, Protocol

from quintet.workers.interface import Answer, Pool, Task, Work, WorkerDied

TRIES = 3
"""How often a task is begun whose worker process ends, though nobody is to blame for it."""
LOSSES = 10
"""How often a task is begun whose worker is lost with its machine or its connection."""


@dataclass(eq=False)
class Entry(Generic[Task]):
    """A task in the pool."""

    task: Task
    given: Task
    """What the caller gave: this task, or a larger one of which it is a part."""
    deaths: int = 0
    losses: int = 0
    dropped: bool = False


@dataclass(frozen=True)
class Done(Generic[Answer]):
    """The answer to a task."""

    answer: Answer


@dataclass(frozen=True)
class Skipped:
    """A task that was dropped before it began."""


@dataclass(frozen=True)
class Failed:
    """The exception that a task raised."""

    error: Exception


@dataclass(frozen=True)
class Died:
    """The process ended over a task; its worker has started another for the next."""

    announced: int
    how: str


Outcome = Done[Answer] | Skipped | Failed | Died


class Lost(Exception):
    """A worker that will not come back, with all that it was given."""


class Worker(Protocol[Task, Answer]):
    """Does its tasks in the order given."""

    entries: deque[Entry[Task]]
    """What it was given and has not answered; the first is running."""

    def give(self, entry: Entry[Task]) -> None:
        """Send a task."""

    def drop(self, entry: Entry[Task]) -> None:
        """Tell it that one of its tasks is dropped."""

    def receive(self) -> Outcome[Answer]:
        """What became of its first task, or raise `Lost`."""

    def end(self) -> None:
        """End it, whatever it is doing."""


class Crew(Pool[Task, Answer]):
    """Distributes tasks among workers."""

    def __init__(self, work: Work[Task, Answer], ahead: int) -> None:
        """Workers are started when there are tasks."""
        self.work = work
        self.ahead = ahead
        self.waiting: deque[Entry[Task]] = deque()

    @property
    @abstractmethod
    def workers(self) -> Sequence[Worker[Task, Answer]]:
        """Those who can be given tasks."""

    @abstractmethod
    def start_workers(self, wanted: int) -> None:
        """Start up to this number of workers more, if there is room for them."""

    @abstractmethod
    def ready(self, seconds: float | None) -> Sequence[Worker[Task, Answer]]:
        """Wait for workers from which something can be received, at most this long; it may return earlier."""

    @abstractmethod
    def end_worker(self, worker: Worker[Task, Answer]) -> None:
        """End a worker."""

    @property
    def size(self) -> int:
        """The number of workers now."""
        return len(self.workers)

    def give(self, task: Task) -> None:
        """Add a task."""
        self.waiting.append(Entry(task, task))
        self.distribute()

    def drop(self, task: Task) -> None:
        """Forget a task."""
        self.waiting = deque(entry for entry in self.waiting if entry.given != task)
        for worker in self.workers:
            for entry in worker.entries:
                if entry.given == task and not entry.dropped:
                    entry.dropped = True
                    worker.drop(entry)

    def answers(self, seconds: float | None = None) -> list[tuple[Task, Answer]]:
        """Wait for answers."""
        end = None if seconds is None else monotonic() + seconds
        found: list[tuple[Task, Answer]] = []
        while not found and self.awaited():
            self.distribute()
            left = None if end is None else end - monotonic()
            for worker in self.ready(None if left is None else max(left, 0)):
                found += self.receive(worker)
            if left is not None and left <= 0:
                break
        self.distribute()  # Nobody waits while the caller thinks.
        return found

    def awaited(self) -> bool:
        """Whether an answer will come."""
        given = chain.from_iterable(worker.entries for worker in self.workers)
        return bool(self.waiting) or any(not entry.dropped for entry in given)

    def distribute(self) -> None:
        """Give waiting tasks to workers; everybody gets a first one before anybody gets a second."""
        if not self.waiting:
            return
        idle = sum(not worker.entries for worker in self.workers)
        if len(self.waiting) > idle:
            self.start_workers(len(self.waiting) - idle)
        for place in range(self.ahead):
            for worker in self.workers:
                if self.waiting and len(worker.entries) == place:
                    worker.give(self.waiting.popleft())

    def receive(self, worker: Worker[Task, Answer]) -> list[tuple[Task, Answer]]:
        """The answer to a worker's first task, if there is one."""
        try:
            outcome = worker.receive()
        except Lost as loss:
            self.end_worker(worker)
            self.put_back(worker, str(loss).partition("\n")[0])
            return []
        entry = worker.entries.popleft()
        if entry.dropped:
            return []
        match outcome:
            case Done(answer):
                return [(entry.task, answer)]
            case Failed(error):
                raise error
            case Died(announced, how):
                return self.blame(entry, announced, how)
        raise AssertionError("only a dropped task is skipped")

    def blame(self, entry: Entry[Task], announced: int, how: str) -> list[tuple[Task, Answer]]:
        """The answer to a task over which a process ended; if there is none, it is done again, in parts if possible."""
        parts = self.work.parts(entry.task)
        if len(parts) > 1:
            self.waiting.extendleft(Entry(part, entry.given) for part in reversed(parts))
            return []
        answer = self.work.blame(entry.task, announced, how)
        if answer is not None:
            return [(entry.task, answer)]
        entry.deaths += 1
        if entry.deaths >= TRIES:
            raise WorkerDied(f"a worker process ended {how} in {self.work.title(entry.task)}")
        self.waiting.appendleft(entry)
        return []

    def put_back(self, worker: Worker[Task, Answer], why: str) -> None:
        """Have a lost worker's tasks done by others."""
        entries = [entry for entry in worker.entries if not entry.dropped]
        for entry in entries[:1]:
            entry.losses += 1
            if entry.losses >= LOSSES:
                raise WorkerDied(f"{entry.losses} workers were lost in {self.work.title(entry.task)}: {why}")
        self.waiting.extendleft(reversed(entries))

    def close(self) -> None:
        """End all workers."""
        self.waiting.clear()
        for worker in list(self.workers):
            self.end_worker(worker)
