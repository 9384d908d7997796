"""Workers on a Ray cluster. On its machines, each runs one of our worker processes, with all that these can do."""

import logging
import os
import pickle
import signal
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from math import inf
from threading import current_thread, main_thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Generic
from urllib.parse import urlsplit
from warnings import catch_warnings

from quintet.errors import InvalidArgument, QuintetError
from quintet.version import DISTRIBUTION, __version__, missing
from quintet.workers.crew import Crew, Entry, Lost, Outcome, Worker
from quintet.workers.host import CONTROL, Host
from quintet.workers.interface import Answer, Pool, Task, Work, Workers

if TYPE_CHECKING:
    import ray

RAY = "ray"
CLIENT_PORT = 10001
"""Where a cluster expects `ray://` unless told otherwise."""
CONNECT_SECONDS = 10.0
PASSING = "psutil", "Starting Ray client server failed"
"""Reasons why Ray's server refuses a client, and not the next one: it looked at a process that was just ending, or a
process of its own was not there in time."""
POLL_SECONDS = 1.0
"""How often the cluster is asked whether it has room for more workers."""
FAILED_STARTS = 5
"""How many workers may fail to start, one after the other."""
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
}
"""Ray reports nothing to its makers, and prints nothing between our results, not even that a machine was lost."""


class ClusterFault(QuintetError):
    """A cluster that cannot be reached, or cannot do the work."""

    status = 1


class Cluster(Workers):
    """A Ray cluster: as many workers as it has CPUs."""

    def __init__(self, address: str) -> None:
        """`ray://HOST:PORT`, or `ray` for the cluster that Ray finds, or else starts on this machine."""
        self.address = None if address == RAY else address
        if self.address:
            read_port(self.address)
        for module in ("ray", "grpc") if self.address else ("ray",):
            if not find_spec(module):
                raise InvalidArgument(f"a Ray cluster {missing('cluster', module)}")

    @property
    def most(self) -> int:
        """The number of CPUs of the cluster."""
        self.connect()
        return max(1, count_cpus())

    def make_pool(self, work: Work[Task, Answer], ahead: int) -> Pool[Task, Answer]:
        """A pool of actors."""
        self.connect()
        return RayPool(work, ahead)

    def connect(self) -> None:
        """Connect to the cluster, unless this process is connected to one."""
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        import ray

        if ray.is_initialized():
            return
        where = self.address or os.environ.get("RAY_ADDRESS", "")
        options = {} if where else {"include_dashboard": False}
        try:
            if ":" in where:  # Ray itself would try for minutes.
                socket.create_connection(read_port(where), CONNECT_SECONDS).close()
            with own_signals(), catch_warnings(action="ignore"):
                try:
                    ray.init(self.address, logging_level=logging.CRITICAL, log_to_driver=False, **options)
                except (ConnectionError, RuntimeError) as error:
                    if not any(reason in str(error) for reason in PASSING):
                        raise
                    ray.init(self.address, logging_level=logging.CRITICAL, log_to_driver=False, **options)
        except (OSError, RuntimeError, ValueError) as error:
            raise ClusterFault(f"cannot connect to the Ray cluster {where or RAY}: {last_line(error)}") from None
        for name in ("ray", "ray.util.client.logsclient"):  # Ray has just set them to something else.
            logging.getLogger(name).setLevel(logging.CRITICAL)


def read_port(address: str) -> tuple[str, int]:
    """The host and port of a cluster."""
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port or CLIENT_PORT
    except ValueError:
        host = None
    if not host:
        raise InvalidArgument(f"a Ray cluster is named ray://HOST:PORT, not {address[:60]!r}")
    return host, port


@contextmanager
def own_signals() -> Iterator[None]:
    """Keep our own way to end on SIGTERM, whatever is called in between."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if current_thread() is main_thread():
            signal.signal(signal.SIGTERM, before)


def count_cpus() -> int:
    """The CPUs of the cluster now."""
    import ray

    return int(ray.cluster_resources().get("CPU", 0))


def last_line(error: BaseException) -> str:
    """The last line of an error: that of a traceback says what was wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


class RayPool(Crew[Task, Answer]):
    """A pool of actors."""

    def __init__(self, work: Work[Task, Answer], ahead: int) -> None:
        """Actors are started when there are tasks."""
        import ray

        super().__init__(work, ahead)
        self.packed = pickle.dumps(work)
        self.host = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, concurrency_groups={CONTROL: 1})(Host)
        self.starting: dict[ray.ObjectRef, RayWorker[Task, Answer]] = {}
        """Actors for which the cluster may have no room yet, by what they will say first."""
        self.actors: list[RayWorker[Task, Answer]] = []
        self.room, self.asked = 0, -inf
        self.failed_starts = 0

    @property
    def workers(self) -> Sequence[Worker[Task, Answer]]:
        """The actors that run."""
        return self.actors

    def give(self, task: Task) -> None:
        """Add a task."""
        with connected():
            super().give(task)

    def drop(self, task: Task) -> None:
        """Forget a task."""
        with connected():
            super().drop(task)

    def answers(self, seconds: float | None = None) -> list[tuple[Task, Answer]]:
        """Wait for answers."""
        with connected():
            return super().answers(seconds)

    def start_workers(self, wanted: int) -> None:
        """Ask for actors, one for each CPU. If the cluster has lost them, it is asked again."""
        if monotonic() >= self.asked + POLL_SECONDS:
            self.room, self.asked = count_cpus(), monotonic()
        there = len(self.actors) + len(self.starting)
        for _ in range(min(wanted - len(self.starting), self.room - there)):
            worker = RayWorker[Task, Answer](self.host.remote(self.packed))
            self.starting[worker.actor.version.remote()] = worker

    def end_worker(self, worker: Worker[Task, Answer]) -> None:
        """End an actor."""
        self.actors = [actor for actor in self.actors if actor is not worker]
        worker.end()

    def ready(self, seconds: float | None) -> Sequence[Worker[Task, Answer]]:
        """Wait for actors that have answered or are lost. Those that have started join."""
        import ray

        busy = {actor.answers[0]: actor for actor in self.actors if actor.answers}
        awaited = [*busy, *self.starting]
        patience = POLL_SECONDS if seconds is None else min(seconds, POLL_SECONDS)
        if not awaited:
            sleep(patience)
            return []
        ray.wait(awaited, timeout=patience)
        ready, _ = ray.wait(awaited, num_returns=len(awaited), timeout=0)
        for first in [first for first in ready if first in self.starting]:
            self.add_started(first)
        return [busy[answer] for answer in ready if answer in busy]

    def add_started(self, first: "ray.ObjectRef") -> None:
        """Let an actor join that has started."""
        import ray

        worker = self.starting.pop(first)
        try:
            with losses():
                theirs = ray.get(first)
        except Lost as loss:
            worker.end()
            self.failed_starts += 1
            if self.failed_starts >= FAILED_STARTS:
                hint = f"Install {DISTRIBUTION} {__version__} on all its machines"
                raise ClusterFault(f"no worker can start on the Ray cluster: {last_line(loss)}. {hint}") from None
            return
        if theirs != __version__:
            worker.end()
            raise ClusterFault(f"the Ray cluster has quintet {theirs}, this machine has {__version__}")
        self.failed_starts = 0
        self.actors.append(worker)

    def close(self) -> None:
        """End all actors."""
        super().close()
        while self.starting:
            self.starting.popitem()[1].end()


class RayWorker(Generic[Task, Answer]):
    """An actor and its tasks."""

    def __init__(self, actor: "ray.actor.ActorHandle") -> None:
        """The actor may not have started yet."""
        self.actor = actor
        self.entries: deque[Entry[Task]] = deque()
        self.answers: deque[ray.ObjectRef] = deque()
        self.sent = 0

    def give(self, entry: Entry[Task]) -> None:
        """Send a task."""
        self.sent += 1
        self.entries.append(entry)
        self.answers.append(self.actor.do.remote(self.sent, entry.task))

    def drop(self, entry: Entry[Task]) -> None:
        """Tell the actor that a task is dropped."""
        number = self.sent - len(self.entries) + 1 + self.entries.index(entry)
        self.actor.drop.remote(number)

    def receive(self) -> Outcome[Answer]:
        """What became of the first task."""
        import ray

        with losses():
            outcome: Outcome[Answer] = ray.get(self.answers.popleft())
        return outcome

    def end(self) -> None:
        """End the actor, and so its process."""
        import ray

        with suppress(ConnectionError):  # If the connection is lost, the cluster ends it.
            if ray.is_initialized():
                ray.kill(self.actor)


@contextmanager
def connected() -> Iterator[None]:
    """A lost connection as one line, whatever Ray calls it."""
    import ray

    try:
        yield
    except QuintetError:
        raise
    except Exception as error:
        if isinstance(error, ConnectionError) or not ray.is_initialized():
            raise ClusterFault("the connection to the Ray cluster is lost") from None
        raise


@contextmanager
def losses() -> Iterator[None]:
    """What Ray says about a lost actor as `Lost`. Exceptions raised by our own code stay as they are."""
    import ray

    try:
        yield
    except ray.exceptions.RayTaskError:
        raise
    except ray.exceptions.RayError as error:
        raise Lost(str(error)) from None
