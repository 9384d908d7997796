"""Worker processes on this machine. One that ends is blamed on the player who was thinking, and another is started."""

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import Array, c_byte, c_longlong
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from tempfile import gettempdir
from threading import Thread
from typing import Generic

from quintet.errors import QuintetError
from quintet.workers.crew import Crew, Died, Done, Entry, Failed, Lost, Outcome, Skipped, Worker
from quintet.workers.interface import Answer, Pool, Task, Work, Workers

ENDING_SECONDS = 2.0
"""The time a worker has to close its engines and exit."""

# A process that is not a copy of this one does not inherit its threads.
_spawn = get_context("spawn")


class NoSharedMemory(QuintetError):
    """The system gives no memory that processes can share."""

    status = 1


class Ended(BaseException):
    """The worker was told to end; engines are closed on the way out."""


class Processes(Workers):
    """Worker processes on this machine."""

    def __init__(self, number: int) -> None:
        """They are started when there is work."""
        self.number = number

    @property
    def most(self) -> int:
        """The number of processes."""
        return self.number

    def make_pool(self, work: Work[Task, Answer], ahead: int) -> Pool[Task, Answer]:
        """A pool of processes."""
        return ProcessPool(work, ahead, self.number)


class ProcessPool(Crew[Task, Answer]):
    """A pool of processes."""

    def __init__(self, work: Work[Task, Answer], ahead: int, number: int) -> None:
        """At most this number of processes."""
        super().__init__(work, ahead)
        self.number = number
        self.packed = pickle.dumps(work)
        self.processes: list[ProcessWorker[Task, Answer]] = []

    @property
    def workers(self) -> Sequence[Worker[Task, Answer]]:
        """The processes."""
        return self.processes

    def start_workers(self, wanted: int) -> None:
        """Start processes."""
        for _ in range(min(wanted, self.number - len(self.processes))):
            self.processes.append(ProcessWorker(self.packed, self.ahead))

    def end_worker(self, worker: Worker[Task, Answer]) -> None:
        """End a process."""
        self.processes = [process for process in self.processes if process is not worker]
        worker.end()

    def ready(self, seconds: float | None) -> Sequence[Worker[Task, Answer]]:
        """Wait for processes that have answered or ended."""
        ready = wait([worker.connection for worker in self.processes], seconds)
        return [worker for worker in self.processes if worker.connection in ready]


class ProcessWorker(Generic[Task, Answer]):
    """One process, its tasks, and who is thinking in it. If the process ends, another takes its place."""

    def __init__(self, packed: bytes, ahead: int) -> None:
        """Start the process; `packed` is the pickled work."""
        self.packed = packed
        self.ahead = ahead
        self.entries: deque[Entry[Task]] = deque()
        self.start()

    def start(self) -> None:
        """Start the process, and give it what is to be done."""
        try:
            self.announced = _spawn.RawValue(c_byte, 0)
            self.dropped = _spawn.RawArray(c_longlong, self.ahead)
        except OSError as error:
            text = f"cannot share memory with worker processes, a file in /dev/shm or {gettempdir()}"
            raise NoSharedMemory(f"{text}: {error.strerror}") from None
        """The numbers of tasks that were dropped, each in a place of its own."""
        self.sent = 0
        self.connection, theirs = _spawn.Pipe()
        arguments = (theirs, self.announced, self.dropped, self.packed)
        self.process = _spawn.Process(target=serve, args=arguments, daemon=True)
        # Ctrl-C is for this process. The other must not meet it before it can ignore it.
        with blocked(signal.SIGINT):
            self.process.start()
        theirs.close()
        left, self.entries = self.entries, deque()
        for entry in left:
            self.give(entry)
            if entry.dropped:
                self.drop(entry)

    def give(self, entry: Entry[Task]) -> None:
        """Send a task."""
        self.entries.append(entry)
        self.sent += 1
        try:
            self.connection.send(entry.task)
        except OSError:
            pass  # It has just died, which is noticed where its answers are received.

    def drop(self, entry: Entry[Task]) -> None:
        """Tell the process that a task is dropped."""
        number = self.sent - len(self.entries) + 1 + self.entries.index(entry)
        self.dropped[number % self.ahead] = number

    def receive(self) -> Outcome[Answer]:
        """What became of the first task."""
        try:
            outcome: Outcome[Answer] = pickle.loads(self.connection.recv_bytes())
            return outcome
        except (EOFError, OSError):
            self.process.join()
        died = Died(self.announced.value, how_it_ended(self.process.exitcode))
        if not self.entries:
            raise Lost(f"a worker process ended {died.how}")
        self.end()
        first = self.entries.popleft()
        self.start()
        self.entries.appendleft(first)
        return died

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.connection.close()
        self.process.terminate()
        self.process.join(ENDING_SECONDS)
        self.process.kill()
        self.process.join()
        self.process.close()


class SharedSignals:
    """Signals in memory that both processes see."""

    def __init__(self, announced: c_byte, dropped: "Array[c_longlong]") -> None:
        """One for all tasks of a process."""
        self.announced = announced
        self.numbers = dropped
        self.number = 0
        """The task that is running, counted from 1."""

    def announce(self, number: int) -> None:
        """Say who is thinking."""
        self.announced.value = number

    @property
    def dropped(self) -> bool:
        """Whether the task that is running was dropped."""
        return self.numbers[self.number % len(self.numbers)] == self.number


def serve(connection: Connection, announced: c_byte, dropped: "Array[c_longlong]", packed: bytes) -> None:
    """Do tasks until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked.
    sys.stdout = sys.stderr  # What a plug-in prints must not get into the results.
    try:
        signal.signal(signal.SIGTERM, end)
        Thread(target=follow_parent, daemon=True).start()
        try:
            answer_tasks(connection, SharedSignals(announced, dropped), packed)
        except (EOFError, OSError):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # It ends already.
    except Ended:
        pass


def answer_tasks(connection: Connection, signals: SharedSignals, packed: bytes) -> None:
    """Answer tasks until the connection is closed."""
    work: Work[Hashable, object] | None = None
    while True:
        task = connection.recv()
        signals.number += 1
        outcome: Outcome[object]
        try:
            if work is None:
                work = unpack(packed)
            outcome = Skipped() if signals.dropped else Done(work.do(task, signals))
        except Exception as error:
            outcome = Failed(portable(error))
        signals.announce(0)
        connection.send_bytes(pickle.dumps(outcome))


def unpack(packed: bytes) -> Work[Hashable, object]:
    """The work, prepared."""
    work: Work[Hashable, object] = pickle.loads(packed)
    work.prepare()
    return work


def portable(error: Exception) -> Exception:
    """An exception that can be pickled: itself, or one with its message."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def end(*_: object) -> None:
    """End from a signal."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # Once is enough.
    raise Ended


@contextmanager
def blocked(number: signal.Signals) -> Iterator[None]:
    """Hold a signal back; processes that are started meanwhile do so too."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow_parent() -> None:
    """End when the process ends that asked, however it ended."""
    parent = parent_process()
    assert parent
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


def how_it_ended(status: int | None) -> str:
    """How a process ended, for a sentence."""
    if status is not None and status < 0:
        return f"by {signal.Signals(-status).name}"
    return f"with status {status}"
