"""A small TCP proxy between a server and its database, which can break the connection in every way a network can."""

import asyncio
from pathlib import Path

CHUNK = 65_536
COMMITTED = b"COMMIT\0"
"""In PostgreSQL's answer to a COMMIT."""


class Proxy:
    """Passes connections on to a Unix socket, as long as it is told to."""

    def __init__(self, target: Path) -> None:
        """A proxy for a socket, not yet open."""
        self.target = target
        self.passing = asyncio.Event()
        self.passing.set()
        self.losing_commits = False
        """Whether the answer to a COMMIT is lost, and the connection with it."""
        self.server: asyncio.Server | None = None
        self.writers: set[asyncio.StreamWriter] = set()
        self.connections: set[asyncio.Task[None]] = set()
        self.port = 0

    async def open(self) -> None:
        """Listen on a free port."""
        self.server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def connect(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Pass on one connection until either side ends it."""
        writers, task = {to_client}, asyncio.current_task()
        assert task
        self.connections.add(task)
        try:
            database, to_database = await asyncio.open_unix_connection(self.target)
            writers.add(to_database)
            self.writers |= writers
            async with asyncio.TaskGroup() as group:
                group.create_task(self.pass_on(client, to_database, False))
                group.create_task(self.pass_on(database, to_client, True))
        except* OSError:
            pass  # Either side is gone, or there is no database.
        finally:
            self.writers -= writers
            self.connections.discard(task)
            for writer in writers:
                writer.transport.abort()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool) -> None:
        """Pass on one direction."""
        while data := await reader.read(CHUNK):
            await self.passing.wait()
            if answers and self.losing_commits and COMMITTED in data:
                break
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError  # Ends the other direction too.

    def cut(self) -> None:
        """Break all connections."""
        for writer in self.writers:
            writer.transport.abort()

    def stall(self) -> None:
        """Pass nothing on until `resume`; no connection breaks."""
        self.passing.clear()

    def resume(self) -> None:
        """Pass everything on again, including what has waited."""
        self.passing.set()
        self.losing_commits = False

    async def close(self) -> None:
        """Stop listening, and break all connections."""
        if self.server:
            self.server.close()
        self.resume()
        self.cut()
        await asyncio.gather(*self.connections, return_exceptions=True)
