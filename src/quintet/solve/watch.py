"""A long search under watch: it reports its progress, keeps a time limit, and stops at Ctrl-C."""

import sys
from collections.abc import Callable
from threading import Event, Thread

from quintet.solve.clock import now
from quintet.solve.solver import Solver, Stopped

Watch = Callable[[Solver], None]
"""Called every now and then while a search runs; it may show progress, or stop the search with `Solver.stop`."""

THREADS = sys.platform != "emscripten"
"""Whether threads can be started; in a browser they cannot."""
GLANCE = 0.1
"""Seconds between two calls of a watch."""


def watched(solver: Solver, work: Callable[[], object], until: float | None = None, watch: Watch | None = None) -> bool:
    """Do the work in a thread; false if it was stopped before its end, by the clock or by `watch`. Ctrl-C stops it."""
    if not THREADS:
        return timed(solver, work, until)
    failure: list[BaseException] = []
    over = Event()  # Not Thread.join: when Ctrl-C interrupts that, Python takes a running thread for a finished one.

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failure.append(error)
        finally:
            over.set()

    Thread(target=run, daemon=True).start()
    try:
        while not over.wait(GLANCE if until is None else max(0.0, min(GLANCE, until - now()))):
            if until is not None and now() >= until:
                break
            if watch:
                watch(solver)
    finally:
        if not over.is_set():
            solver.stop()
            over.wait()
        solver.resume()  # The watch may have stopped it as well.
    if failure and not isinstance(failure[0], Stopped):
        raise failure[0]
    return not failure


def timed(solver: Solver, work: Callable[[], object], until: float | None) -> bool:
    """Do the work here, where no thread can watch it: the search looks at the clock itself."""
    if until is not None:
        solver.stop_at(until)
    try:
        work()
    except Stopped:
        return False
    finally:
        solver.resume()
    return True
