"""Work done in this process, one task after the other."""

from collections import deque

from quintet.workers.interface import Answer, Pool, Task, Work, Workers


class NoSignals:
    """Nobody else is there to hear or say anything."""

    dropped = False

    def announce(self, number: int) -> None:
        """Do nothing: if this process ends, nobody is left to be told why."""


class Here(Workers):
    """One worker: this process."""

    most = 1

    def make_pool(self, work: Work[Task, Answer], ahead: int) -> Pool[Task, Answer]:
        """A pool that is this process."""
        return HerePool(work)


class HerePool(Pool[Task, Answer]):
    """Tasks are done when their answers are asked for."""

    size = 1

    def __init__(self, work: Work[Task, Answer]) -> None:
        """Nothing is prepared before the first task."""
        self.work = work
        self.waiting: deque[Task] = deque()
        self.prepared = False

    def give(self, task: Task) -> None:
        """Add a task."""
        self.waiting.append(task)

    def drop(self, task: Task) -> None:
        """Forget a task."""
        if task in self.waiting:
            self.waiting.remove(task)

    def answers(self, seconds: float | None = None) -> list[tuple[Task, Answer]]:
        """The answer to the next task, which is done to its end."""
        if not self.waiting:
            return []
        if not self.prepared:
            self.work.prepare()
            self.prepared = True
        task = self.waiting.popleft()
        return [(task, self.work.do(task, NoSignals()))]

    def close(self) -> None:
        """Forget all tasks."""
        self.waiting.clear()
