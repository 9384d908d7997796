"""What runs on the machines of a cluster: an actor with one of our worker processes."""

import sys
from threading import Lock
from typing import Generic

from quintet.version import __version__
from quintet.workers.crew import Entry, Outcome, Skipped
from quintet.workers.interface import Answer, Task
from quintet.workers.processes import ProcessWorker

CONTROL = "control"
"""The concurrency group that hears about dropped tasks while another task runs."""


class Host(Generic[Task, Answer]):
    """What runs on the cluster: an actor with a worker process, which it outlives."""

    def __init__(self, packed: bytes) -> None:
        """Start the process; `packed` is the pickled work."""
        # In a new process, Python runs the file of the main module again, and that one loads Ray.
        vars(sys.modules["__main__"]).pop("__file__", None)
        self.worker: ProcessWorker[Task, Answer] = ProcessWorker(packed, ahead=1)
        self.lock = Lock()
        self.running = 0
        """The number of the task that is running."""
        self.dropped: set[int] = set()

    def version(self) -> str:
        """The version installed here."""
        return __version__

    def do(self, number: int, task: Task) -> Outcome[Answer]:
        """What becomes of a task."""
        with self.lock:
            if number in self.dropped:
                return Skipped()
            self.running = number
            self.worker.give(Entry(task, task))
        outcome = self.worker.receive()
        with self.lock:
            self.running = 0
            self.worker.entries.clear()
        return outcome

    def drop(self, number: int) -> None:
        """Forget a task. This is called while another method is running."""
        with self.lock:
            self.dropped.add(number)
            if number == self.running:
                self.worker.drop(self.worker.entries[0])


# What `ray.method(concurrency_group=CONTROL)` does, without loading Ray. A client cannot say it with each call.
vars(Host.drop)["__ray_concurrency_group__"] = CONTROL
