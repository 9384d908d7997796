"""A PostgreSQL of our own: in a temporary folder, reached by a socket in it, stopped and removed at the end."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from quintet.errors import QuintetError

USER = "postgres"
"""PostgreSQL refuses to run as root; Debian creates this user for it."""
TIMEOUT = 120.0
"""Seconds within which it must accept connections, and must stop."""
PORT = 5432
"""The number in the name of its socket."""
FAST, IMMEDIATE = "SIGINT", "SIGQUIT"
"""How it is stopped: transactions are rolled back, or it stops at once and recovers when it starts again."""


class PostgresFault(QuintetError):
    """PostgreSQL cannot be run here."""

    status = 1


def find_program(name: str) -> str | None:
    """One of PostgreSQL's programs, which Debian does not put on the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name) or next((str(path / name) for path in folders if (path / name).exists()), None)


def why_not() -> str | None:
    """Why PostgreSQL cannot run here; `None` if it can."""
    if os.name != "posix":
        return "PostgreSQL can be started only on Linux and macOS"
    if not find_program("initdb") or not find_program("postgres"):
        return "PostgreSQL is not installed (Debian: apt install postgresql)"
    if os.geteuid() == 0 and not has_user(USER):
        return f"PostgreSQL does not run as root, and there is no user {USER}"
    return None


def has_user(name: str) -> bool:
    """Whether the system has a user of this name."""
    import pwd  # Windows does not have it.

    return name in {user.pw_name for user in pwd.getpwall()}


class PostgresProcess:
    """A PostgreSQL with its data in a folder, started by this program."""

    def __init__(self, folder: Path, options: Sequence[str] = (), layout: Sequence[str] = ()) -> None:
        """Make an empty database in an empty folder; `layout` are options of `initdb`. It is not started yet."""
        if reason := why_not():
            raise PostgresFault(reason)
        self.folder, self.data = folder, folder / "data"
        self.as_user: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
            self.as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        make = [str(find_program("initdb")), "--no-sync", "--auth=trust", "--encoding=UTF8", f"--username={USER}"]
        try:
            subprocess.run(
                [*self.as_user, *make, *layout, str(self.data)], check=True, capture_output=True, text=True, cwd=folder
            )
        except subprocess.CalledProcessError as error:
            raise PostgresFault(f"initdb failed: {last_line(error.stderr)}") from None
        settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", *options]
        self.command = [*self.as_user, str(find_program("postgres")), "-D", str(self.data), *settings]
        self.url = f"postgresql://{USER}@/{USER}?host={folder}"
        self.socket = folder / f".s.PGSQL.{PORT}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        with (self.folder / "log").open("ab") as log:  # Not a pipe, which would have to be read all the time.
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, cwd=self.folder)
        deadline = time.monotonic() + TIMEOUT
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                said = last_line((self.folder / "log").read_text(errors="replace"))
                raise PostgresFault(f"PostgreSQL does not start: {said}")
            time.sleep(0.01)

    def ready(self) -> bool:
        """Whether it accepts connections; the file that names its process says so."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        running = str(self.process.pid) if self.process else ""
        return lines[:1] == [running] and lines[7:8] == ["ready   "]

    def stop(self, how: str = FAST) -> None:
        """Stop it, and wait until it has ended."""
        assert self.process
        self.process.send_signal(signal.Signals[how])
        try:
            self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.kill()

    def family(self) -> list[int]:
        """The ids of its processes, its own first; only that one if the system has no `/proc` as Linux does."""
        if not self.process or self.process.poll() is not None:
            return []
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [self.process.pid, *map(int, children.read_text().split() if children.exists() else ())]

    def signal_all(self, number: signal.Signals) -> None:
        """Send a signal to all of its processes."""
        for process in self.family():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass  # It has just ended.

    def kill(self) -> None:
        """Kill all of its processes, unless it has ended."""
        self.signal_all(signal.SIGKILL)
        if self.process:
            self.process.wait()


@contextmanager
def running_postgres(*options: str) -> Iterator[PostgresProcess]:
    """A PostgreSQL with an empty database in a temporary folder, for as long as it is used."""
    folder = Path(tempfile.mkdtemp(prefix="quintet-pg-"))
    try:
        postgres = PostgresProcess(folder, options)
        postgres.start()
        try:
            yield postgres
        finally:
            postgres.stop()
    finally:
        shutil.rmtree(folder)


def last_line(text: str) -> str:
    """The last line of what a program printed."""
    return (text.strip().splitlines() or ["it printed nothing"])[-1]
