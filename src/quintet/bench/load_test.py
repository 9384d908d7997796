"""A load test: many clients of one server, each with a socket, and what they measure."""

import asyncio
import random
import time
from collections.abc import Coroutine
from urllib.parse import urlsplit

from quintet.bench.meter import Figures, Meter, usage
from quintet.bench.outages import FIRST_WAIT, LONGEST_WAIT, Outages
from quintet.bench.websocket import WebSocket, WebSocketFault

CONNECTING = 50
"""Sockets that are opened at the same time."""
WARM_UP = 2.0
"""Seconds of play before the measurement."""
LAST_ANSWERS = 10.0
"""Seconds to wait at the end for answers to moves already sent."""


class Client:
    """A client with a socket."""

    def __init__(self, test: "LoadTest") -> None:
        """A client of a test, not yet connected."""
        self.test = test
        self.socket: WebSocket | None = None
        self.address: str | None = None
        """The address it connects from; by default the system chooses."""

    @property
    def path(self) -> str:
        """The path of its socket."""
        raise NotImplementedError

    def on_message(self, text: bytes) -> None:
        """Receive a message."""
        raise NotImplementedError

    def on_connect(self) -> None:
        """The socket is open."""

    async def connect(self) -> None:
        """Open a socket, and only then close the one before."""
        before, self.socket = self.socket, WebSocket(self.path, self.on_message, self.on_disconnect)
        await self.socket.open(self.test.host, self.test.port, self.address)
        self.on_connect()
        if before:
            before.close()

    def send(self, text: bytes) -> None:
        """Send a message."""
        assert self.socket
        self.socket.send(text)

    def on_disconnect(self, reason: str) -> None:
        """The connection broke."""
        outages = self.test.outages
        if not outages:
            self.test.meter.failed(f"a socket was lost: {reason}")
            return
        restarting = outages.lost(reason)
        if not restarting and outages.orderly:
            self.test.meter.failed(f"a socket was lost while servers drained: {reason}")
        self.test.start(self.reconnect(FIRST_WAIT * random.random() if restarting else None))

    async def reconnect(self, pause: float | None) -> None:
        """Connect again as the page does: after a pause, and with longer pauses as long as that fails."""
        wait = FIRST_WAIT
        while True:
            await asyncio.sleep(wait * random.uniform(0.5, 1) if pause is None else pause)
            wait, pause = min(2 * wait, LONGEST_WAIT), None
            try:
                await self.connect()
                return
            except WebSocketFault as fault:
                assert self.test.outages
                if self.test.outages.orderly:
                    self.test.meter.failed(f"a client could not connect while servers drained: {fault}")


class LoadTest:
    """The clients of one server and their measurements."""

    def __init__(self, url: str, outages: Outages | None = None) -> None:
        """A test of the server at a URL, still without clients; perhaps its processes are ended meanwhile."""
        address = urlsplit(url)
        self.host, self.port = address.hostname or "", address.port or 80
        self.clients: list[Client] = []
        self.meter = Meter()
        self.outages = outages
        self.tasks: set[asyncio.Task[None]] = set()
        self.stopping = False
        """Whether clients should stop moving."""

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run work that nobody waits for."""
        task = self.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def connect(self) -> None:
        """Open all sockets."""
        self.loop = asyncio.get_running_loop()
        limit = asyncio.Semaphore(CONNECTING)

        async def connect(client: Client) -> None:
            async with limit:
                await client.connect()

        await asyncio.gather(*map(connect, self.clients))

    def disconnect(self) -> None:
        """Close all sockets."""
        for client in self.clients:
            if client.socket:
                client.socket.close()

    async def run(self, seconds: float, server: int | None) -> Figures:
        """Let the clients play; `server` is the id of the server's process, if it is to be measured."""
        await self.connect()
        await asyncio.sleep(WARM_UP)
        meter = self.meter
        before, own, started = usage(server), time.process_time(), time.perf_counter()
        meter.running = True
        ending = self.start(self.outages.run(server)) if self.outages and server else None
        await asyncio.sleep(seconds)
        meter.running, self.stopping = False, True
        if ending:
            ending.cancel()
        after, took = usage(server), time.perf_counter() - started
        own = time.process_time() - own
        for _ in range(round(LAST_ANSWERS / 0.05)):
            if not meter.waiting and not (self.outages and self.outages.disagreeing):
                break
            await asyncio.sleep(0.05)
        if self.outages and (tables := self.outages.disagreeing):
            meter.failed("the players of a table were shown different states in the end", tables)
        figures = meter.figures(took)
        for task in self.tasks:
            task.cancel()
        self.disconnect()
        figures.client_cores = round(own / took, 2)
        if before and after and not self.outages:  # What ended processes have used is not known any more.
            figures.server_mb = round(after.memory / 1e6, 1)
            figures.server_cores = round((after.seconds - before.seconds) / took, 2)
        return figures
