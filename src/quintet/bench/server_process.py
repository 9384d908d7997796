"""A server in a process of its own, for load tests that must not share its memory."""

import re
import subprocess
import sys
from collections.abc import Sequence
from tempfile import TemporaryFile
from threading import Timer

from quintet.errors import QuintetError

TIMEOUT = 120.0
"""Seconds within which a server must print its URL, and must end when it is told to."""


class ServerFault(QuintetError):
    """A server that does not start."""

    status = 1


class ServerProcess:
    """A server started by this program."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start a server that prints its URL once it is ready, and wait for that."""
        self.url = self.log = ""
        # Not a pipe: a server must not stop because nobody reads a full one.
        self._log = TemporaryFile()  # noqa: SIM115 - open as long as the server runs.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        assert self.process.stdout
        timer = Timer(TIMEOUT, self.process.kill)
        timer.start()
        for line in self.process.stdout:
            if found := re.search(r"http://\S+:\d+", line):
                self.url = found[0]
                break
        timer.cancel()
        if not self.url:
            lines = self.kill().strip().splitlines() or ["it printed nothing"]
            raise ServerFault(f"the server does not start: {lines[-1]}")

    def stop(self) -> str:
        """Stop it with SIGTERM; gives what it wrote to standard error."""
        self.process.terminate()
        try:
            self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            pass  # It does not react and is killed.
        return self.kill()

    def kill(self) -> str:
        """Kill it, unless it has ended; gives what it wrote to standard error."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()
        if not self._log.closed:
            self._log.seek(0)
            self.log = self._log.read().decode(errors="replace")
            self._log.close()
        return self.log


def serve(database: str, *options: str, port: int = 0) -> ServerProcess:
    """Quintet's server with a database, on a free port if none is given."""
    quintet = [sys.executable, "-m", "quintet"]
    return ServerProcess([*quintet, "serve", "--database", database, "--port", str(port), *options])
