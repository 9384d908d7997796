"""A line in, text out: on a terminal or a pipe, the same."""

import sys
from contextlib import suppress
from typing import TextIO


class Console:
    """Where a dialogue takes place."""

    def __init__(self, source: TextIO = sys.stdin, sink: TextIO = sys.stdout) -> None:
        """Read from one stream and write to another."""
        self.source = source
        self.sink = sink

    def read(self, prompt: str) -> str:
        """A line from the keyboard or the pipe."""
        if self.source.isatty() and self.sink.isatty():
            with suppress(ImportError):  # Where it is there, a line can be edited and called back.
                import readline  # noqa: F401
            return input(prompt)
        self.write(prompt)
        line = self.source.readline()
        self.write("\n")
        if not line:
            raise EOFError
        return line

    def write(self, text: str) -> None:
        """Text to the screen, at once."""
        self.sink.write(text)
        self.sink.flush()
