"""What workers do, what they are given, and what they answer."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from quintet.errors import QuintetError

Task = TypeVar("Task", bound=Hashable)
Answer = TypeVar("Answer")


class WorkerDied(QuintetError):
    """Workers that keep dying over one task."""

    status = 1


class Signals(Protocol):
    """What a task can say and hear while it runs."""

    def announce(self, number: int) -> None:
        """Say who is thinking (1, 2; 0: nobody): the one to blame if the worker process ends now."""

    @property
    def dropped(self) -> bool:
        """Whether nobody needs the answer any more; a long task asks this from time to time and returns anything."""


class Work(ABC, Generic[Task, Answer]):
    """What workers do. It is pickled and sent to each worker once; so are tasks and answers."""

    def prepare(self) -> None:
        """Do what is needed once in each worker process."""
        return

    @abstractmethod
    def do(self, task: Task, signals: Signals) -> Answer:
        """The answer to a task. An exception is raised again in the caller."""

    def parts(self, task: Task) -> Sequence[Task]:
        """The tasks to do instead of one over which a worker process ended; each is answered by itself."""
        return [task]

    def blame(self, task: Task, announced: int, how: str) -> Answer | None:
        """The answer to a single task over which a worker process ended; `None` to try it again."""
        return None

    def title(self, task: Task) -> str:
        """A task in an error, after "a worker process ended with status 9 in "."""
        return "a task"


class Pool(ABC, Generic[Task, Answer]):
    """Workers that are doing one kind of work. Leaving its context ends them.

    Every task is answered exactly once, however many workers die. Give each task only once.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of workers now."""

    @abstractmethod
    def give(self, task: Task) -> None:
        """Add a task; tasks are begun in the order given."""

    @abstractmethod
    def drop(self, task: Task) -> None:
        """Forget a task: it is not begun, or told that it is dropped. Its answer is not passed on."""

    @abstractmethod
    def answers(self, seconds: float | None = None) -> list[tuple[Task, Answer]]:
        """Wait for at least one answer, at most this long. Empty if time is up or no task is left."""

    @abstractmethod
    def close(self) -> None:
        """End all workers, whatever they are doing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Workers(ABC):
    """Where work is done, as `--workers` says."""

    count: Callable[[], int] | None = None
    """Counts the workers of the last pool."""

    @property
    @abstractmethod
    def most(self) -> int:
        """The number of workers if there are enough tasks."""

    @property
    def size(self) -> int:
        """The number of workers now, for a progress line."""
        return self.count() if self.count else 0

    def pool(self, work: Work[Task, Answer], ahead: int = 1) -> Pool[Task, Answer]:
        """Workers for this work; each is sent up to `ahead` tasks at a time."""
        pool = self.make_pool(work, ahead)
        self.count = lambda: pool.size
        return pool

    @abstractmethod
    def make_pool(self, work: Work[Task, Answer], ahead: int) -> Pool[Task, Answer]:
        """A pool of these workers."""

    def run(self, work: Work[Task, Answer], tasks: Iterable[Task], ahead: int = 1) -> Iterator[Answer]:
        """The answers to all tasks, as they come."""
        with self.pool(work, ahead) as pool:
            for task in tasks:
                pool.give(task)
            while answers := pool.answers():
                yield from (answer for _, answer in answers)
