"""What a chaos test runs and breaks: servers, their database, the connections between them and the disk under it."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from quintet.bench.postgres_process import USER, PostgresFault, PostgresProcess
from quintet.bench.proxy import Proxy
from quintet.bench.server_process import ServerFault, ServerProcess
from quintet.errors import QuintetError

RETRY = 0.2
"""Seconds before something that does not start is started again, as a process manager does it."""
STARTS = 100
"""How often that is tried."""
STARTUP_FAILED = 1
"""The exit status of a server that could not start, such as without its database."""
BLOCK = 1 << 20
"""Bytes of the blocks that fill a disk."""


class StoreKind(StrEnum):
    """Where the matches are stored."""

    sqlite = "sqlite"
    postgresql = "postgresql"


DISK_SIZE = {StoreKind.sqlite: "48m", StoreKind.postgresql: "192m"}
"""Of the disk that is filled."""


class ChaosFault(QuintetError):
    """A chaos test that cannot be run."""

    status = 1


class Disk:
    """A small disk of its own (tmpfs) for the store. Without the right to mount one, it is an ordinary folder."""

    def __init__(self, size: str) -> None:
        """Make a temporary folder, on a small disk if possible."""
        self.folder = Path(tempfile.mkdtemp(prefix="quintet-chaos-"))
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(self.folder)]
        can_try = sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mount")
        self.small = bool(can_try) and subprocess.run(mount, capture_output=True).returncode == 0
        self.ballast = self.folder / "ballast"

    def fill(self) -> None:
        """Fill the disk to its last byte."""
        size = BLOCK
        with self.ballast.open("ab", buffering=0) as file:
            while size:
                try:
                    file.write(bytes(size))
                except OSError:
                    size //= 2

    def free(self) -> None:
        """Free what was filled."""
        self.ballast.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove it with everything on it."""
        if self.small:
            subprocess.run(["umount", "--lazy", str(self.folder)], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


class ManagedServer:
    """A server process that is started again, at the same port, whenever a fault has ended it."""

    def __init__(self, number: int, database: str, proxy: Proxy | None = None) -> None:
        """A server, not yet started."""
        self.number, self.database, self.proxy = number, database, proxy
        self.port, self.shift = 0, 0.0
        self.process: ServerProcess | None = None
        self.log = ""
        """What earlier processes wrote to standard error."""
        self.broken = asyncio.Lock()
        """Held while a fault has not been repaired."""
        self.exits: list[int] = []
        """The exit statuses of processes that ended by themselves."""

    async def start(self) -> None:
        """Start it; until that succeeds, for a database that is down will come back."""
        clock = ["quintet.bench.shifted_clock", str(self.shift)] if self.shift else ["quintet"]
        serve = ["serve", "--database", self.database, "--port", str(self.port), "--workers", "1", "--no-limits"]
        for attempt in range(STARTS):
            try:
                command = [sys.executable, "-m", *clock, *serve]
                self.process = await asyncio.to_thread(ServerProcess, command)
                break
            except ServerFault as fault:
                if attempt == STARTS - 1:
                    raise ChaosFault(str(fault)) from None
                await asyncio.sleep(RETRY)
        assert self.process
        self.port = urlsplit(self.process.url).port or 0

    @property
    def running(self) -> bool:
        """Whether its process has not ended."""
        return self.process is not None and self.process.process.poll() is None

    async def watch(self) -> None:
        """Start it again, as a process manager does, whenever it ends by itself."""
        while True:
            if not self.running and not self.broken.locked():
                async with self.broken:
                    await self.end(ServerProcess.kill)
                    assert self.process
                    self.exits.append(self.process.process.returncode)
                    await self.start()
            await asyncio.sleep(RETRY)

    async def end(self, how: Callable[[ServerProcess], str]) -> None:
        """Stop or kill it."""
        assert self.process
        self.log += await asyncio.to_thread(how, self.process)

    def close(self) -> None:
        """Kill it if it runs."""
        if self.process:
            self.process.kill()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process
        self.process.process.send_signal(number)


class Parts:
    """All parts of one test."""

    def __init__(self, kind: StoreKind, disk: Disk) -> None:
        """Nothing runs yet."""
        self.kind, self.disk = kind, disk
        self.servers: list[ManagedServer] = []
        self.postgres: PostgresProcess | None = None
        self.database_broken = asyncio.Lock()
        """Held while a fault of the database has not been repaired."""
        self.url = f"sqlite:///{disk.folder}/quintet.db"
        """The store, past all proxies."""

    async def start_postgres(self) -> None:
        """Start PostgreSQL until it starts: recovering may fail while its disk is full."""
        assert self.postgres
        for attempt in range(STARTS):
            try:
                await asyncio.to_thread(self.postgres.start)
                return
            except PostgresFault as fault:
                if attempt == STARTS - 1:
                    raise ChaosFault(str(fault)) from None
                await asyncio.sleep(RETRY)

    async def revive_postgres(self) -> None:
        """Start PostgreSQL again if it has ended, and wait until it is ready."""
        assert self.postgres and self.postgres.process
        while not self.postgres.ready():
            if self.postgres.process.poll() is not None:
                await self.start_postgres()
            await asyncio.sleep(RETRY / 10)

    async def watch_postgres(self) -> None:
        """Start PostgreSQL again if it ends by itself, as it does when it cannot recover on a full disk."""
        while self.postgres and self.postgres.process:
            if self.postgres.process.poll() is not None and not self.database_broken.locked():
                async with self.database_broken:
                    await self.start_postgres()
            await asyncio.sleep(RETRY)

    @property
    def healthy(self) -> bool:
        """Whether everything runs and no fault is being repaired."""
        servers = all(server.running and not server.broken.locked() for server in self.servers)
        return servers and not self.database_broken.locked() and (not self.postgres or self.postgres.ready())

    def tracebacks(self) -> list[str]:
        """The tracebacks in the servers' logs, each as its last line."""
        found = []
        for server in self.servers:
            for text in server.log.split("Traceback (most recent call last)")[1:]:
                lines = [line for line in text.splitlines()[1:] if line and not line.startswith(" ")]
                found.append((lines or ["a traceback without an end"])[0])
        return found


@asynccontextmanager
async def running_parts(kind: StoreKind, servers: int) -> AsyncIterator[Parts]:
    """Everything running and healthy; in the end it is stopped and removed."""
    async with AsyncExitStack() as stack:
        disk = Disk(DISK_SIZE[kind])
        stack.callback(disk.close)
        parts = Parts(kind, disk)
        if kind == StoreKind.postgresql:
            folder = disk.folder / "postgresql"
            folder.mkdir()
            # Small files of its log, so that a full disk is noticed soon.
            parts.postgres = postgres = PostgresProcess(
                folder, ["-c", "min_wal_size=2MB", "-c", "max_wal_size=8MB"], ["--wal-segsize=1"]
            )
            stack.callback(postgres.kill)
            await parts.start_postgres()
            parts.url = postgres.url
        for number in range(servers):
            url, proxy = parts.url, None
            if parts.postgres:
                proxy = Proxy(parts.postgres.socket)
                await proxy.open()
                stack.push_async_callback(proxy.close)
                url = f"postgresql://{USER}@127.0.0.1:{proxy.port}/{USER}"
            server = ManagedServer(number, url, proxy)
            parts.servers.append(server)
            stack.callback(server.close)
        await asyncio.gather(*(server.start() for server in parts.servers))
        yield parts
