"""A server in a process of its own: begun, watched, ended; for trials that must not share its memory."""

import re
import subprocess
import sys
from collections.abc import Sequence
from tempfile import TemporaryFile
from threading import Timer

PATIENCE = 30.0
"""Seconds within which a server must say its address, and must have ended when it is told to."""


class ChildFault(Exception):
    """A server that does not come up; the message is one line."""


class Child:
    """A server that this program has begun."""

    def __init__(self, command: Sequence[str]) -> None:
        """Begin a server that prints its address once it can be reached, and wait for that."""
        self.url = self.said = ""
        # Not a pipe: a server that nobody listens to must not stop over a full one.
        self._log = TemporaryFile()  # noqa: SIM115 - open as long as the server runs.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        assert self.process.stdout
        late = Timer(PATIENCE, self.process.kill)
        late.start()
        for line in self.process.stdout:
            if found := re.search(r"http://\S+:\d+", line):
                self.url = found[0]
                break
        late.cancel()
        if not self.url:
            lines = self.kill().strip().splitlines() or ["it says nothing"]
            raise ChildFault(f"the server does not come up: {lines[-1]}")

    def stop(self) -> str:
        """End it in good order; gives what it said on standard error."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            pass  # It does not listen: killing it is what is left.
        return self.kill()

    def kill(self) -> str:
        """End it as a power cut does, unless it has ended; gives what it said on standard error."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()
        if not self._log.closed:
            self._log.seek(0)
            self.said = self._log.read().decode(errors="replace")
            self._log.close()
        return self.said


def serve(database: str, *options: str, port: int = 0) -> Child:
    """A server of ours over a database, on a free port if none is given."""
    quintet = [sys.executable, "-m", "quintet"]
    return Child([*quintet, "serve", "--database", database, "--port", str(port), *options])
