"""Another program, spoken to line by line, that can neither keep us waiting nor outlive us."""

import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence

from quintet.engines import EngineFault
from quintet.protocol import quote

LOUDEST = 65_536
"""How many bytes may wait to be read before a program is called endless."""
CHUNK = 4_096
LAST_WORDS = 2_000
"""How much of what a program wrote to standard error is remembered."""


class Child:
    """A running program and the pipes to it."""

    def __init__(self, words: Sequence[str]) -> None:
        """Start it, without a shell, as the head of a process group of its own."""
        if os.name != "posix":
            raise EngineFault("a program can be a player on Linux and macOS only")
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineFault(f"cannot start {quote(words[0])}: {reason}") from None
        self.kill = weakref.finalize(self, kill_group, self.process)
        """End it and all it started, at the latest when nobody holds this object any more."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin, self.stdout, self.stderr = (
            stream.fileno() for stream in (self.process.stdin, self.process.stdout, self.process.stderr)
        )
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe, False)
        self.heard = b""
        self.complaint = b""

    def ask(self, line: str, seconds: float, margin: float = 0) -> str:
        """The line it answers to a line, within so many seconds and a margin that is not spoken of."""
        unsent = line.encode() + b"\n"
        deadline = time.monotonic() + seconds + margin
        with selectors.DefaultSelector() as selector:
            selector.register(self.stdin, selectors.EVENT_WRITE)
            selector.register(self.stdout, selectors.EVENT_READ)
            selector.register(self.stderr, selectors.EVENT_READ)
            while unsent or b"\n" not in self.heard:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise self.give_up(self.silence(seconds, bool(unsent)))
                for key, _ in selector.select(left):
                    if key.fd == self.stdin:
                        unsent = self.send(unsent)
                        if not unsent:
                            selector.unregister(self.stdin)
                    elif key.fd == self.stdout:
                        chunk = os.read(self.stdout, CHUNK)
                        if not chunk:
                            raise self.give_up("it closed its output")
                        self.heard += chunk
                    elif not self.listen_to_complaints():
                        selector.unregister(self.stderr)
                if len(self.heard) > LOUDEST:
                    raise EngineFault(f"it talks without end: {quote(self.heard[:80].decode(errors='replace'))}")
        answer, _, self.heard = self.heard.partition(b"\n")
        try:
            return answer.decode().rstrip("\r")
        except UnicodeDecodeError:
            raise EngineFault(f"its answer is not UTF-8 text: {quote(answer.decode(errors='replace'))}") from None

    def send(self, data: bytes) -> bytes:
        """Write what the pipe takes, and return the rest. Nobody reading is no fault yet: an answer may lie there."""
        try:
            return data[os.write(self.stdin, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            return b""

    def listen_to_complaints(self) -> bool:
        """Read some of standard error; whether there can be more."""
        try:
            chunk = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return False
        self.complaint = (self.complaint + chunk)[-LAST_WORDS:]
        return bool(chunk)

    def silence(self, seconds: float, unheard: bool) -> str:
        """What is wrong when time is up."""
        if unheard:
            return f"it did not read what it was told within {seconds:.3g} s"
        if self.heard:
            return f"its answer {quote(self.heard.decode(errors='replace'))} had no end of line after {seconds:.3g} s"
        return f"it gave no answer within {seconds:.3g} s"

    def give_up(self, reason: str) -> EngineFault:
        """The fault of a program that will not answer any more, told by how it ended if it had."""
        for _ in range(LOUDEST // CHUNK):
            if not self.listen_to_complaints():
                break
        self.kill()
        status = self.process.returncode
        if status is not None and status >= 0:
            reason = f"it ended with status {status}"
        elif status is not None and status != -signal.SIGKILL:
            reason = f"it was ended by {signal.Signals(-status).name}"
        lines = self.complaint.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return EngineFault(f"{reason}; its last words: {quote(last)}" if last else reason)

    def end(self, farewell: str, seconds: float) -> None:
        """Say a last line, wait a little for it to leave, and make sure that it has."""
        if self.kill.alive:
            self.send(farewell.encode() + b"\n")
            self.process.stdin.close()  # type: ignore[union-attr]
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                pass
            self.kill()


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End a program and whatever it started in its group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # Nobody is left; macOS says so by the other error.
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        pass  # Held inside the system; it dies when it comes out.
