"""Work for a thread, carried there in loads: with hundreds of games at once, the way there is longer than the work."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

from anyio import CancelScope, CapacityLimiter, Event, to_thread
from anyio.lowlevel import RunVar

LOAD = 32
"""Errands in a load, at most: of games whose turn comes at one time, the first go on while the last still wait."""

Result = TypeVar("Result")


class Errand(NamedTuple):
    """Work, and what comes of it."""

    work: Callable[[], Any]
    outcome: Future[Any]
    back: Event


class Way:
    """The way to the thread: while one load is there, the next one gathers."""

    def __init__(self) -> None:
        """The way is free."""
        self.gathering: list[Errand] = []
        self.sent: deque[Errand] = deque()
        """What nobody waits for; each load takes some of it along."""
        self.room = CapacityLimiter(1)

    def leave(self, load: list[Errand]) -> None:
        """Whoever comes now goes with the next one."""
        if self.gathering is load:
            self.gathering = []


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
    errand = Errand(work, Future(), Event())
    load.append(errand)
    if len(load) == LOAD:
        way.leave(load)
    if load[0] is errand:  # The first one goes for all.
        with CancelScope(shield=True):
            async with way.room:
                way.leave(load)
                sent = [way.sent.popleft() for _ in range(min(LOAD, len(way.sent)))]
                try:
                    await to_thread.run_sync(carry, [*load, *sent])
                finally:
                    for each in load:
                        each.back.set()
    else:
        try:
            await errand.back.wait()
        finally:
            errand.outcome.cancel()  # It may be that nobody waits any more.
    result: Result = errand.outcome.result(0)
    return result


def send(work: Callable[[], object]) -> None:
    """Let work be done soon that somebody will want to have been done. If it fails, it will fail again then."""
    find_way().sent.append(Errand(work, Future(), Event()))


def carry(load: list[Errand]) -> None:
    """Do all the work, unless those who wanted it have gone. What goes wrong is for the one that waits for it."""
    for errand in load:
        if errand.outcome.set_running_or_notify_cancel():
            try:
                errand.outcome.set_result(errand.work())
            except BaseException as error:
                errand.outcome.set_exception(error)
