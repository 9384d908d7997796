"""Many clients of one server, and the trial they put it to."""

import asyncio
import time
from urllib.parse import urlsplit

from quintet.bench.meter import Figures, Meter, usage
from quintet.bench.websocket import Wire

AT_ONCE = 50
"""Sockets that are being opened at a time."""
WARM_UP = 2.0
"""Seconds of play before the meter runs."""
LAST_ANSWERS = 10.0
"""Seconds to wait at the end for the answers that are under way."""


class Client:
    """Somebody with a socket."""

    def __init__(self, crowd: "Crowd") -> None:
        """One of a crowd, who has not come yet."""
        self.crowd = crowd
        self.wire: Wire | None = None

    @property
    def path(self) -> str:
        """Where the socket is to be had."""
        raise NotImplementedError

    def heard(self, text: bytes) -> None:
        """The server has said something."""
        raise NotImplementedError

    def greet(self) -> None:
        """The socket is open."""

    async def come(self) -> None:
        """Open a socket, and only then leave the one before."""
        before, self.wire = self.wire, Wire(self.path, self.heard, self.lost)
        await self.wire.open(self.crowd.host, self.crowd.port)
        self.greet()
        if before:
            before.close()

    def say(self, text: bytes) -> None:
        """Say something to the server."""
        assert self.wire
        self.wire.send(text)

    def lost(self, why: str) -> None:
        """The connection broke."""
        self.crowd.meter.failed(f"a socket was lost: {why}")


class Crowd:
    """All clients of one server."""

    def __init__(self, url: str) -> None:
        """A crowd of nobody yet, for the server at an address."""
        address = urlsplit(url)
        self.host, self.port = address.hostname or "", address.port or 80
        self.clients: list[Client] = []
        self.meter = Meter()
        self.resting = False
        """Whether it is time to move no more."""

    async def come(self) -> None:
        """Open all sockets."""
        self.loop = asyncio.get_running_loop()
        gate = asyncio.Semaphore(AT_ONCE)

        async def come(client: Client) -> None:
            async with gate:
                await client.come()

        await asyncio.gather(*map(come, self.clients))

    def leave(self) -> None:
        """Close all sockets."""
        for client in self.clients:
            if client.wire:
                client.wire.close()


async def trial(crowd: Crowd, seconds: float, server: int | None) -> Figures:
    """Let a crowd play for so long; `server` is the process to be watched meanwhile, if it is known."""
    await crowd.come()
    await asyncio.sleep(WARM_UP)
    meter = crowd.meter
    before, own, begun = usage(server), time.process_time(), time.perf_counter()
    meter.running = True
    await asyncio.sleep(seconds)
    meter.running, crowd.resting = False, True
    after, took = usage(server), time.perf_counter() - begun
    own = time.process_time() - own
    for _ in range(round(LAST_ANSWERS / 0.05)):
        if not meter.waiting:
            break
        await asyncio.sleep(0.05)
    figures = meter.read(took)
    crowd.leave()
    figures.client_cores = round(own / took, 2)
    if before and after:
        figures.server_mb = round(after.memory / 1e6, 1)
        figures.server_cores = round((after.seconds - before.seconds) / took, 2)
    return figures
