"""Clients that try to disturb the others of a load test: sockets that flood the server, and half-open connections.

They run in a process of their own at a low priority: real ones have a machine of their own.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

import msgspec

from quintet.bench.meter import HostileFigures
from quintet.bench.websocket import WebSocket, WebSocketFault

NICENESS = 15
PAUSE = 0.1
"""Seconds until a client comes back that was closed or refused."""
BATCH = 100
"""Messages that are sent at a time."""
FULL = 1 << 16
"""Bytes waiting to be sent at which a flooding socket waits."""
PER_ADDRESS = 100
"""Half-open connections of one address."""
PING = b'{"type":"ping"}'
HALF = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n"


class HalfOpen(asyncio.Protocol):
    """A connection with half a request."""

    def __init__(self) -> None:
        """Not yet connected."""
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first half."""
        cast(asyncio.Transport, transport).write(HALF)

    def connection_lost(self, _: Exception | None) -> None:
        """The server has closed it."""
        if not self.ended.done():
            self.ended.set_result(None)


class Hostile:
    """All hostile clients of a load test."""

    def __init__(self, host: str, port: int, path: str, spread: bool) -> None:
        """Clients of one server, from one address or spread over many."""
        self.host, self.port, self.path, self.spread = host, port, path, spread
        self.figures = HostileFigures()

    async def flood(self, number: int) -> None:
        """Send messages without waiting for answers, again and again."""
        address = f"127.2.0.{1 + number % 250}" if self.spread else None
        while True:
            socket = WebSocket(self.path, lambda _: None, lambda _: None)
            try:
                await socket.open(self.host, self.port, address)
                while not socket.closed:
                    for _ in range(BATCH):
                        socket.send(PING)
                    self.figures.messages += BATCH
                    await asyncio.sleep(0)
                    while not socket.closed and socket.transport and socket.transport.get_write_buffer_size() > FULL:
                        await asyncio.sleep(0.005)
            except WebSocketFault:
                pass
            self.figures.closed += 1
            await asyncio.sleep(PAUSE)

    async def stay_half_open(self, number: int) -> None:
        """Hold a connection, again and again."""
        local = (f"127.3.0.{1 + number // PER_ADDRESS}", 0) if self.spread else None
        while True:
            try:
                connect = asyncio.get_running_loop().create_connection
                _, protocol = await connect(HalfOpen, self.host, self.port, local_addr=local)
                await protocol.ended
            except OSError:
                pass
            self.figures.half_open_closed += 1
            await asyncio.sleep(PAUSE)

    async def run(self, flooding: int, half_open: int) -> None:
        """Disturb until standard input ends."""
        clients = [asyncio.create_task(self.flood(number)) for number in range(flooding)]
        clients += [asyncio.create_task(self.stay_half_open(number)) for number in range(half_open)]
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)


@contextmanager
def hostile_clients(
    host: str, port: int, path: str, flooding: int, half_open: int, spread: bool
) -> Iterator[Callable[[], HostileFigures]]:
    """Hostile clients in a process of their own; gives a function that ends them and gives what they achieved."""
    words = [host, str(port), path, str(flooding), str(half_open), "spread" if spread else "together"]
    command = [sys.executable, "-m", "quintet.bench.hostile_clients", *words]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield lambda: msgspec.json.decode(process.communicate(timeout=30)[0] or "{}", type=HostileFigures)
    finally:
        process.kill()
        process.communicate()


def main(host: str, port: str, path: str, flooding: str, half_open: str, spread: str) -> None:
    """Run hostile clients until standard input ends, and print what they achieved."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    hostile = Hostile(host, int(port), path, spread == "spread")
    asyncio.run(hostile.run(int(flooding), int(half_open)))
    print(msgspec.json.encode(hostile.figures).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
