"""Somebody else's player in our own process: watched, so that one that hangs loses its game and not our program.

A thread cannot be ended from outside, so a player that hangs is left behind in its thread, which ends with the program.
Code that is not trusted plays as `exec:COMMAND`, in a process of its own.
"""

import weakref
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from math import inf
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from quintet.engines import Engine, EngineFault, UnknownPlayer
from quintet.engines.door import as_fault, complain, read_answer
from quintet.rules import Position

PLUGIN_SECONDS = 60.0
"""The time for a move if none is given: some plug-ins compile a network first."""
START_SECONDS = 60.0
"""The time to start."""
MARGIN = 1.0
"""What a plug-in may take beyond the time that it was given."""
CLOSING_SECONDS = 1.0
"""The time to give back what it holds."""

_hanging: dict[str, Thread] = {}
"""The plug-ins that did not answer in time, and the threads in which they are still busy."""

Result = TypeVar("Result")


class Worker:
    """The thread that a plug-in lives in: everything it does happens there, one thing after another."""

    def __init__(self, name: str) -> None:
        """Start the thread."""
        self.tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.thread = Thread(target=run_tasks, args=(self.tasks,), daemon=True, name=name)
        self.thread.start()
        self.end = weakref.finalize(self, self.tasks.put, None)
        """Ends the thread when its last task is done, at the latest when nobody holds this object any more."""

    def begin(self, work: Callable[[], Result]) -> "Future[Result]":
        """The result of some work, which is to come."""
        future: Future[Result] = Future()
        self.tasks.put(partial(fulfil, future, work))
        return future


def run_tasks(tasks: "SimpleQueue[Callable[[], None] | None]") -> None:
    """Do one task after another."""
    while task := tasks.get():
        task()
        del task  # Or it would hold the engine until the next one comes.


def fulfil(future: "Future[Result]", work: Callable[[], Result]) -> None:
    """Do some work for whoever waits for it."""
    try:
        future.set_result(work())
    except BaseException as error:  # Plug-ins fail in any way, `sys.exit()` included.
        future.set_exception(error)


class PlugIn:
    """A plug-in as an engine. After a hang it starts again as soon as it can."""

    def __init__(self, name: str, factory: Callable[[], Engine]) -> None:
        """Start it, or raise `UnknownPlayer`. The name is that of the plug-in, the same in all its games."""
        self.name, self.factory = name, factory
        self.worker: Worker | None = None
        self.engine: Engine | None = None
        if not self.hangs:
            self.start()

    @property
    def hangs(self) -> bool:
        """Whether it is still busy with something that it did not do in time, in this game or another."""
        thread = _hanging.get(self.name)
        return thread is not None and thread.is_alive()

    def start(self) -> Engine:
        """Make the engine."""
        try:
            self.engine = self.do(partial(make_checked, self.factory), START_SECONDS)
        except EngineFault as fault:
            raise UnknownPlayer(f"{self.name[:80]!r} cannot be started: {fault}") from None
        return self.engine

    def do(self, work: Callable[[], Result], seconds: float) -> Result:
        """What the plug-in does, in its thread. `EngineFault` or `UnknownPlayer` if it fails or hangs."""
        self.worker = worker = self.worker or Worker(self.name)
        future, late = worker.begin(work), True
        try:
            late = not wait([future], None if seconds == inf else seconds).done
        finally:
            if late:  # It hangs, or we were interrupted: either way it is left behind.
                _hanging[self.name] = worker.thread
                worker.end()
                self.worker = self.engine = None
        if late:
            raise EngineFault(f"it gave no answer within {seconds:.3g} s")
        error = future.exception()
        if isinstance(error, EngineFault | UnknownPlayer):
            raise error
        if error:
            raise as_fault(error)
        return future.result()

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """Its move, which is checked by whoever asks."""
        if self.hangs:
            raise EngineFault("it is still busy with an earlier move")
        try:
            engine = self.engine or self.start()
        except UnknownPlayer as error:
            raise EngineFault(str(error)) from None
        limit = PLUGIN_SECONDS if seconds is None else seconds + MARGIN
        return self.do(lambda: read_answer(position, engine.choose(position, seconds)), limit)

    def close(self) -> None:
        """Let it give back what it holds. If that fails, it is said and no more."""
        if self.engine:
            try:
                self.do(self.engine.close, CLOSING_SECONDS)
            except (EngineFault, UnknownPlayer) as fault:
                complain(self.name, str(fault))
        if self.worker:
            self.worker.end()
        self.worker = self.engine = None


def make_checked(factory: Callable[[], Engine]) -> Engine:
    """The engine that a factory makes, if it can be asked for moves."""
    made = factory()
    if not callable(getattr(made, "choose", None)):
        raise EngineFault("it has no method `choose`")
    return made
