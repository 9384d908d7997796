"""Work for the tests of workers."""

import os
import signal
import time
from pathlib import Path

from quintet.workers import Signals, Work


class Chores(Work[str, str]):
    """Tasks say what happens: `square 3`, `fail why`, `exit 3`, `once FILE`, `listen FILE`, `pid`."""

    def __init__(self, blamed: bool = False) -> None:
        """Whether a task over which a process ended is answered by its blame."""
        self.blamed = blamed
        self.prepared = 0

    def prepare(self) -> None:
        self.prepared += 1

    def do(self, task: str, signals: Signals) -> str:
        assert self.prepared == 1
        signals.announce(1)
        verb, _, rest = task.partition(" ")
        answer: str = getattr(self, verb)(rest, signals)
        signals.announce(2)
        return answer

    def blame(self, task: str, announced: int, how: str) -> str | None:
        return f"{announced} {how}" if self.blamed else None

    def parts(self, task: str) -> list[str]:
        return task.removeprefix("all ").split(", ")

    def title(self, task: str) -> str:
        return f"the chore {task!r}"

    def all(self, rest: str, signals: Signals) -> str:
        return " ".join(self.do(part, signals) for part in rest.split(", "))

    def square(self, rest: str, signals: Signals) -> str:
        return str(int(rest) ** 2)

    def pid(self, rest: str, signals: Signals) -> str:
        return str(os.getpid())

    def fail(self, rest: str, signals: Signals) -> str:
        raise ValueError(rest)

    def exit(self, rest: str, signals: Signals) -> str:
        os._exit(int(rest))

    def kill(self, rest: str, signals: Signals) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return "it lives"

    def once(self, rest: str, signals: Signals) -> str:
        """End the process the first time."""
        try:
            Path(rest).touch(exist_ok=False)
        except FileExistsError:
            return "again"
        os._exit(7)

    def listen(self, rest: str, signals: Signals) -> str:
        """Run until dropped; the file says where it is."""
        Path(f"{rest}.begun").touch()
        while not signals.dropped:
            time.sleep(0.01)
        Path(f"{rest}.dropped").touch()
        return "never seen"
