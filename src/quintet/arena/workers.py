"""Worker processes that play games. A plug-in that ends its process loses that game, and the others are played on."""

import os
import signal
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_byte
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread

from quintet.arena.results import Duel, Result
from quintet.engines import read_player
from quintet.errors import QuintetError

ENDING_SECONDS = 2.0
"""The time a worker has to close its engines and exit."""
TRIES = 3
"""How often a game is begun whose worker died, though no plug-in was thinking."""

# A process that is not a copy of this one does not inherit its threads.
_spawn = get_context("spawn")

Batch = Sequence[Duel]
Announce = Callable[[int], None]
PlayBatch = Callable[[Batch, Announce], list[Result]]
"""Plays games, and announces which player is asked next."""


class WorkerDied(QuintetError):
    """A worker process that keeps dying while no plug-in is thinking."""

    status = 1


class Ended(BaseException):
    """The worker was told to end; engines are closed on the way out."""


class Worker:
    """One process, the batches of games that it was given, and who is thinking in it."""

    def __init__(self, play: PlayBatch, prepare: Callable[[], None]) -> None:
        """Start the process."""
        self.batches: deque[Batch] = deque()
        self.turn = _spawn.RawValue(c_byte, 0)
        """The player who is asked, 1 or 2; 0 if none is."""
        self.connection, theirs = _spawn.Pipe()
        self.process = _spawn.Process(target=serve, args=(theirs, self.turn, play, prepare), daemon=True)
        # Ctrl-C is for this process. The other must not meet it before it can ignore it.
        with blocked(signal.SIGINT):
            self.process.start()
        theirs.close()

    def give(self, batch: Batch) -> None:
        """Hand over games to be played."""
        self.batches.append(batch)
        try:
            self.connection.send(batch)
        except OSError:
            pass  # It has just died, which is noticed where its results are read.

    def receive(self) -> list[Result] | None:
        """The results of its first batch; `None` if it has died."""
        try:
            answer: list[Result] | Exception = self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            return None
        if isinstance(answer, Exception):
            raise answer
        self.batches.popleft()
        return answer

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.connection.close()
        self.process.terminate()
        self.process.join(ENDING_SECONDS)
        self.process.kill()
        self.process.join()
        self.process.close()


def serve(connection: Connection, turn: c_byte, play: PlayBatch, prepare: Callable[[], None]) -> None:
    """Play batches of games until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked.
    sys.stdout = sys.stderr  # What a plug-in prints must not get into the results.

    def announce(player: int) -> None:
        turn.value = player

    try:
        signal.signal(signal.SIGTERM, end)
        Thread(target=follow_parent, daemon=True).start()
        try:
            prepare()
            while True:
                batch: Batch = connection.recv()
                try:
                    connection.send(play(batch, announce))
                except Exception as error:
                    connection.send(error)
        except (EOFError, OSError):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # It ends already.
    except Ended:
        pass


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


def play_in_workers(
    batches: Sequence[Batch], jobs: int, play: PlayBatch, prepare: Callable[[], None], ahead: int = 1
) -> Iterator[Result]:
    """Results as they come; each worker has up to `ahead` batches at a time."""
    waiting, tries = deque(batches), Counter[Duel]()
    workers: list[Worker] = []
    try:
        while waiting or any(worker.batches for worker in workers):
            workers += [Worker(play, prepare) for _ in range(min(jobs, len(waiting)) - len(workers))]
            for worker in workers:
                while waiting and len(worker.batches) < ahead:
                    worker.give(waiting.popleft())
            ready = wait([worker.connection for worker in workers])
            for worker in [worker for worker in workers if worker.connection in ready]:
                results = worker.receive()
                if results is None:
                    workers.remove(worker)
                    results = blame(worker, waiting, tries)
                    worker.end()
                yield from results
    finally:
        for worker in workers:
            worker.end()


def blame(worker: Worker, waiting: deque[Batch], tries: Counter[Duel]) -> list[Result]:
    """The loss of the plug-in that ended a worker. What else the worker was to play goes back to the others."""
    if not worker.batches:
        return []
    batch, *later = worker.batches
    waiting.extendleft(reversed(later))
    if len(batch) > 1:
        waiting.extendleft([duel] for duel in reversed(batch))
        return []
    (duel,), player, ended = batch, worker.turn.value, how_it_ended(worker.process.exitcode)
    if player and read_player(duel.players[player - 1]).kind.plugin:
        return [Result(duel, 3 - player, 0, f"it ended the worker process {ended}")]
    tries[duel] += 1
    if tries[duel] >= TRIES:
        raise WorkerDied(f"a worker process ended {ended} in a game between {' and '.join(duel.players)}")
    waiting.appendleft(batch)
    return []


def how_it_ended(status: int | None) -> str:
    """How a process ended, for a sentence."""
    if status is not None and status < 0:
        return f"by {signal.Signals(-status).name}"
    return f"with status {status}"
