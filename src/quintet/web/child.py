"""A server in a process of its own: begun, watched, ended; for trials that must not share its memory."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

READY = 30.0
"""Seconds within which a server must answer."""
HOST = "127.0.0.1"


class ChildFault(Exception):
    """A server that does not come up; the message is one line."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process and those that it began have used."""

    memory: int
    """Bytes, the most that each ever had, added up."""
    seconds: float
    """Time of processors."""


class Child:
    """A server that this program has begun."""

    def __init__(self, command: Sequence[str], port: int, health: str, log: Path) -> None:
        """Begin a server, and wait until it answers."""
        self.url = f"http://{HOST}:{port}"
        with log.open("ab") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + READY
        while not answers(port, health):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                lines = log.read_text(errors="replace").strip().splitlines() or ["it says nothing"]
                raise ChildFault(f"the server does not come up: {lines[-1]}")
            time.sleep(0.02)

    def stop(self) -> None:
        """End it in good order."""
        self.process.terminate()
        try:
            self.process.wait(READY)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def serve(database: str, log: Path, *options: str, port: int | None = None) -> Child:
    """A server of ours over a database."""
    port = port or free_port()
    quintet = [sys.executable, "-m", "quintet"]
    command = [*quintet, "serve", "--database", database, "--port", str(port), *options]
    return Child(command, port, "/api/health", log)


def allow_files(number: int) -> None:
    """Let this program, and those that it begins, open so many files, as far as the system lets it."""
    try:
        import resource
    except ModuleNotFoundError:
        return  # Windows has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def answers(port: int, path: str) -> bool:
    """Whether a server answers there at all."""
    connection = HTTPConnection(HOST, port, timeout=READY)
    try:
        connection.request("GET", path)
        connection.getresponse().read()
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
    return True


def usage(process: int | None) -> Usage | None:
    """What a process and its offspring have used; `None` where the system does not say it as Linux does."""
    if process is None or not Path(f"/proc/{process}/status").exists():
        return None
    memory, ticks, family = 0, 0, [process]
    for one in family:
        folder = Path(f"/proc/{one}")
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        memory += 1024 * int(status["VmHWM"].split()[0])
        times = (folder / "stat").read_text().rpartition(")")[2].split()
        ticks += int(times[11]) + int(times[12])
        for task in (folder / "task").iterdir():
            family += map(int, (task / "children").read_text().split())
    return Usage(memory, ticks / os.sysconf("SC_CLK_TCK"))
