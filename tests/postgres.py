"""A PostgreSQL of one's own: in a scratch folder, reached by a socket in it, gone in the end."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Literal

import pytest

USER = "postgres"
"""PostgreSQL refuses to run as root; Debian makes this user for it."""


def find_program(name: str) -> str | None:
    """One of PostgreSQL's programs, which Debian keeps out of the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name) or next((str(path / name) for path in folders if (path / name).exists()), None)


def why_not() -> str | None:
    """Why no PostgreSQL can run here, if so."""
    if not find_program("initdb") or not find_program("postgres"):
        return "PostgreSQL is not installed (Debian: apt install postgresql)"
    if os.geteuid() == 0 and USER not in {user.pw_name for user in pwd.getpwall()}:
        return f"PostgreSQL does not run as root, and there is no user {USER}"
    return None


@contextmanager
def running_postgres(*options: str) -> Iterator[str]:
    """The URL of a new, empty database for as long as it runs; skips where PostgreSQL cannot run."""
    if reason := why_not():
        pytest.skip(reason)
    initdb, server = str(find_program("initdb")), str(find_program("postgres"))
    folder = Path(tempfile.mkdtemp(prefix="quintet-pg-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, USER, USER)
        as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    data = folder / "data"
    make = [initdb, "--no-sync", "--auth=trust", "--encoding=UTF8", f"--username={USER}", str(data)]
    subprocess.run([*as_user, *make], check=True, capture_output=True, cwd=folder)
    settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", *options]
    log = (folder / "log").open("w")
    process = subprocess.Popen(
        [*as_user, server, "-D", str(data), *settings], stderr=subprocess.PIPE, stdout=log, text=True, cwd=folder
    )
    try:
        assert process.stderr
        for line in process.stderr:
            if "ready to accept connections" in line:
                break
        else:
            pytest.fail("PostgreSQL did not start")
        yield f"postgresql://{USER}@/{USER}?host={folder}"
    finally:
        process.terminate()
        process.communicate(timeout=30)
        log.close()
        shutil.rmtree(folder)


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
