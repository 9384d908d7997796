"""A PostgreSQL for tests, which are skipped where it cannot run, and a proxy before it that fails."""

import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Literal

import pytest

from quintet.bench import postgres_process
from quintet.bench.postgres_process import why_not

__all__ = ["Proxy", "running_postgres", "why_not"]


@contextmanager
def running_postgres(*options: str) -> Iterator[str]:
    """The URL of a new, empty database for as long as it runs."""
    if reason := why_not():
        pytest.skip(reason)
    with postgres_process.running_postgres(*options) as postgres:
        yield postgres.url


class Proxy:
    """Stands between a program and its PostgreSQL, and fails as a network does."""

    def __init__(self, url: str) -> None:
        """Listen on a socket of its own."""
        self.behind = Path(url.partition("host=")[2]) / ".s.PGSQL.5432"
        self.folder = Path(tempfile.mkdtemp(prefix="quintet-proxy-"))
        self.url = url.replace(str(self.behind.parent), str(self.folder))
        self.losses = 0
        """How often a COMMIT of what was written is lost, or the answer to it, and the connection with it."""
        self.lose: Literal["commit", "answer"] = "commit"
        self.down = False
        """Whether nobody can connect."""
        self.flowing = Event()
        """Cleared, nothing goes through, and nobody is told."""
        self.flowing.set()
        self.open: list[socket.socket] = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / self.behind.name))
        self.listener.listen(100)
        Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.down:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self.behind))
            self.open += [client, server]
            Thread(target=self.forward, args=(client, server, True), daemon=True).start()
            Thread(target=self.forward, args=(server, client, False), daemon=True).start()

    def forward(self, source: socket.socket, target: socket.socket, asking: bool) -> None:
        """Pass on what comes, unless it is to be lost."""
        writing = False
        try:
            while data := source.recv(65_536):
                self.flowing.wait()
                if asking and b"BEGIN" in data:
                    writing = b"REPEATABLE READ" not in data  # That is for transactions that only read.
                if self.losses and writing and b"COMMIT\0" in data:
                    self.losses -= 1
                    source.shutdown(socket.SHUT_RDWR)
                    if self.lose == "answer":
                        target.sendall(data)
                    target.shutdown(socket.SHUT_WR)
                    return
                target.sendall(data)
        except OSError:
            pass  # The other end is gone.
        finally:
            for end in (source, target):
                end.close()

    def close(self) -> None:
        """End all connections, and listen no more."""
        self.flowing.set()
        for end in (self.listener, *self.open):
            end.close()
        shutil.rmtree(self.folder)
