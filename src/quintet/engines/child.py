"""Another program, spoken to line by line, that can neither keep us waiting nor outlive us."""

import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence

from quintet.engines import EngineFault
from quintet.safe_text import quote

MAX_OUTPUT = 65_536
"""The number of bytes a program may write to an answer."""
CHUNK = 4_096
MAX_ERRORS = 2_000
"""The number of bytes of a program's standard error that are remembered."""

WATCH = 'read group && { read done || kill -9 -"$group"; }'
"""What a shell runs beside each program: it ends the program's group if we are gone without saying that it is done."""


class Child:
    """A running program and the pipes to it."""

    def __init__(self, words: Sequence[str]) -> None:
        """Start it, without a shell, in a process group of its own."""
        if os.name != "posix":
            raise EngineFault("programs can play only on Linux and macOS")
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        try:
            watcher = subprocess.Popen(
                ["/bin/sh", "-c", WATCH], stdin=pipe, stdout=nothing, stderr=nothing, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise EngineFault(f"cannot start /bin/sh: {error.strerror}") from None
        try:
            self.process = subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            dismiss(watcher)
            reason = getattr(error, "strerror", None) or error
            raise EngineFault(f"cannot start {quote(words[0])}: {reason}") from None
        tell(watcher, f"{self.process.pid}\n")
        self.kill = weakref.finalize(self, kill_group, self.process, watcher)
        """End it and all it started, at the latest when nobody holds this object any more."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin, self.stdout, self.stderr = (
            stream.fileno() for stream in (self.process.stdin, self.process.stdout, self.process.stderr)
        )
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe, False)
        self.output = b""
        self.errors = b""

    def ask(self, line: str, seconds: float, margin: float = 0) -> str:
        """The line it answers to a line, within a number of seconds; the margin beyond them is not mentioned."""
        unsent = line.encode() + b"\n"
        deadline = time.monotonic() + seconds + margin
        with selectors.DefaultSelector() as selector:
            selector.register(self.stdin, selectors.EVENT_WRITE)
            selector.register(self.stdout, selectors.EVENT_READ)
            selector.register(self.stderr, selectors.EVENT_READ)
            while unsent or b"\n" not in self.output:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise self.give_up(self.timeout_reason(seconds, bool(unsent)))
                for key, _ in selector.select(left):
                    if key.fd == self.stdin:
                        unsent = self.send(unsent)
                        if not unsent:
                            selector.unregister(self.stdin)
                    elif key.fd == self.stdout:
                        chunk = os.read(self.stdout, CHUNK)
                        if not chunk:
                            raise self.give_up("it closed its output")
                        self.output += chunk
                    elif not self.read_errors():
                        selector.unregister(self.stderr)
                if len(self.output) > MAX_OUTPUT:
                    raise EngineFault(f"its answer is too long: {quote(self.output[:80].decode(errors='replace'))}")
        answer, _, self.output = self.output.partition(b"\n")
        try:
            return answer.decode().rstrip("\r")
        except UnicodeDecodeError:
            raise EngineFault(f"its answer is not UTF-8 text: {quote(answer.decode(errors='replace'))}") from None

    def send(self, data: bytes) -> bytes:
        """Write what the pipe takes, and return the rest. A closed pipe is not a fault yet: an answer may wait."""
        try:
            return data[os.write(self.stdin, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            return b""

    def read_errors(self) -> bool:
        """Read some of standard error; whether there may be more."""
        try:
            chunk = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return False
        self.errors = (self.errors + chunk)[-MAX_ERRORS:]
        return bool(chunk)

    def timeout_reason(self, seconds: float, unread: bool) -> str:
        """What is wrong when time is up."""
        if unread:
            return f"it did not read its input within {seconds:.3g} s"
        if self.output:
            return f"its answer {quote(self.output.decode(errors='replace'))} had no line end after {seconds:.3g} s"
        return f"it gave no answer within {seconds:.3g} s"

    def give_up(self, reason: str) -> EngineFault:
        """The fault of a program that will not answer any more; if it has ended, how it ended."""
        for _ in range(MAX_OUTPUT // CHUNK):
            if not self.read_errors():
                break
        self.kill()
        status = self.process.returncode
        if status is not None and status >= 0:
            reason = f"it exited with status {status}"
        elif status is not None and status != -signal.SIGKILL:
            reason = f"it was killed by {signal.Signals(-status).name}"
        lines = self.errors.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return EngineFault(f"{reason}; its last error: {quote(last)}" if last else reason)

    def end(self, last_line: str, seconds: float) -> None:
        """Write a last line, wait a little for the program to exit, and make sure that it does."""
        if self.kill.alive:
            self.send(last_line.encode() + b"\n")
            if self.process.stdin:
                self.process.stdin.close()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                pass
            self.kill()


def tell(watcher: "subprocess.Popen[bytes]", line: str) -> None:
    """Write a line to the watcher of a program, if somebody has not ended it."""
    assert watcher.stdin
    try:
        watcher.stdin.write(line.encode())
    except BrokenPipeError:
        pass


def dismiss(watcher: "subprocess.Popen[bytes]") -> None:
    """Tell the watcher of a program that it is not needed any more."""
    tell(watcher, "\n")
    assert watcher.stdin
    watcher.stdin.close()
    watcher.wait()


def kill_group(process: "subprocess.Popen[bytes]", watcher: "subprocess.Popen[bytes]") -> None:
    """End a program and whatever it started in its group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # It has ended already; macOS reports that by the other error.
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        pass  # Stuck in a system call; it ends when that returns.
    dismiss(watcher)
