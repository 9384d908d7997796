"""A queue in which the addresses take turns, however much one of them asks for."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from quintet.language import tr, tr_count
from quintet.web.api_error import ApiError
from quintet.web.metrics import LIMITED, WAITING


class FairQueue:
    """Places for work. Whoever finds none free waits; the next free place goes to the next address in turn."""

    def __init__(self, places: int, most: int, most_per_address: int, kind: str = "study") -> None:
        """A number of places, how many may wait for one, and what the metrics call them."""
        self.kind = kind
        self.free, self.most, self.most_per_address = places, most, most_per_address
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Those who wait, by address; the address whose turn is next comes first."""

    @property
    def length(self) -> int:
        """How many wait."""
        return sum(map(len, self.waiting.values()))

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """A place, when it is the address's turn. `ApiError` if too many wait already."""
        if self.free:
            self.free -= 1
        else:
            await self.wait(address)
        try:
            yield
        finally:
            self.pass_on()

    async def wait(self, address: str) -> None:
        """Wait for a place."""
        queue = self.waiting.get(address, deque())
        if len(queue) >= self.most_per_address:
            LIMITED.labels(self.kind).inc()
            text = tr_count(
                "{count} of your requests is waiting already; try again in a moment.",
                "{count} of your requests are waiting already; try again in a moment.",
                len(queue),
            )
            raise ApiError(429, text)
        if self.length >= self.most:
            LIMITED.labels("queue").inc()
            self.make_room(len(queue))
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        self.waiting[address] = queue
        try:
            with WAITING.labels(self.kind).track_inprogress():
                await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                if not turn.exception():
                    self.pass_on()  # Its turn came at the same moment.
            elif turn in queue:
                queue.remove(turn)
                if not queue and self.waiting.get(address) is queue:
                    del self.waiting[address]
            raise

    def make_room(self, waiting: int) -> None:
        """Send away the last of the address with the most waiting, for one with fewer. `ApiError` if there is none."""
        busy = ApiError(503, tr("The server is busy; try again in a moment."))
        longest = max(self.waiting.values(), key=len)
        if len(longest) <= waiting + 1:
            raise busy
        turn = longest.pop()
        if not turn.done():
            turn.set_exception(busy)

    def pass_on(self) -> None:
        """Give a place that is free again to whoever is next."""
        while self.waiting:
            address, queue = next(iter(self.waiting.items()))
            del self.waiting[address]
            turn = queue.popleft()
            if queue:
                self.waiting[address] = queue  # Behind the others.
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1
