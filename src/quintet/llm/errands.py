"""Work for a thread, carried there in loads: with hundreds of games at once, the way there is longer than the work."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

from anyio import CancelScope, CapacityLimiter, Event, to_thread
from anyio.lowlevel import RunVar

LOAD = 32
"""Errands in a load, about: of games whose turn comes at one time, the first go on while the last still wait."""

Result = TypeVar("Result")


class Errand(NamedTuple):
    """Work that somebody may wait for."""

    work: Callable[[], Any]
    outcome: Future[Any]
    back: Event


class Load:
    """Errands that go together. The first one that is waited for takes the others along."""

    def __init__(self) -> None:
        """Nothing is in it yet."""
        self.errands: list[Errand] = []
        self.led = False

    def add(self, work: Callable[[], Any]) -> Errand:
        """One more."""
        errand = Errand(work, Future(), Event())
        self.errands.append(errand)
        return errand

    def carry(self) -> None:
        """Do all the work, unless those who wanted it have gone. What goes wrong is for the one that waits for it."""
        for errand in self.errands:
            if errand.outcome.set_running_or_notify_cancel():
                try:
                    errand.outcome.set_result(errand.work())
                except BaseException as error:
                    errand.outcome.set_exception(error)


class Way:
    """The way to the thread: while one load is there, the next one gathers."""

    def __init__(self) -> None:
        """The way is free."""
        self.gathering = Load()
        self.room = CapacityLimiter(1)

    def leave(self, load: Load) -> None:
        """Whoever comes now goes with the next one."""
        if self.gathering is load:
            self.gathering = Load()


_way: RunVar[Way] = RunVar("way")
"""Each event loop has its own."""


def find_way() -> Way:
    """The way of this event loop."""
    way = _way.get(None) or Way()
    _way.set(way)
    return way


async def in_thread(work: Callable[[], Result]) -> Result:
    """What comes of work, done in a thread so that games go on, together with other work that is to be done.

    It is done one after another, so this is for work that is short, or of which one would wait for the other anyway.
    """
    way = find_way()
    load = way.gathering
    errand = load.add(work)
    if len(load.errands) >= LOAD:
        way.leave(load)
    if load.led:
        try:
            await errand.back.wait()
        finally:
            errand.outcome.cancel()  # It may be that nobody waits any more.
    else:
        load.led = True
        with CancelScope(shield=True):
            async with way.room:
                way.leave(load)
                try:
                    await to_thread.run_sync(load.carry)
                finally:
                    for each in load.errands:
                        each.back.set()
    result: Result = errand.outcome.result(0)
    return result


def send(work: Callable[[], object]) -> None:
    """Let work be done soon that somebody else will want to be done. If it fails, it will fail again there."""
    find_way().gathering.add(work)
