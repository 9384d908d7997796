"""A long search under watch: it can be looked at, runs out of time, and heeds Ctrl-C."""

import time
from collections.abc import Callable
from threading import Thread

from quintet.solve.solver import Solver
from quintet.solve.table import Stopped

Watch = Callable[[Solver], None]

GLANCE = 0.1
"""Seconds between two looks."""


def watched(solver: Solver, work: Callable[[], object], until: float | None = None, watch: Watch | None = None) -> bool:
    """Do the work in a thread until it is done (true), the clock says `until`, or Ctrl-C comes (false)."""
    failure: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failure.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(GLANCE if until is None else max(0.0, min(GLANCE, until - time.monotonic())))
            if until is not None and time.monotonic() >= until:
                break
            if watch and thread.is_alive():
                watch(solver)
    except KeyboardInterrupt:
        pass
    if thread.is_alive():
        solver.stop()
        thread.join()
        solver.resume()
    if failure and not isinstance(failure[0], Stopped):
        raise failure[0]
    return not failure
