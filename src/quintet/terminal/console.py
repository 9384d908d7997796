"""Reading lines and writing text, on a terminal or a pipe."""

import sys
from contextlib import suppress
from typing import TextIO


class Console:
    """Two streams: one to read from, one to write to."""

    def __init__(self, source: TextIO = sys.stdin, sink: TextIO = sys.stdout) -> None:
        """Use two streams."""
        self.source = source
        self.sink = sink

    def read(self, prompt: str) -> str:
        """Show a prompt and read a line."""
        if self.source.isatty() and self.sink.isatty():
            with suppress(ImportError):  # If it is there, lines can be edited and recalled.
                import readline  # noqa: F401
            return input(prompt)
        self.write(prompt)
        line = self.source.readline()
        self.write("\n")
        if not line:
            raise EOFError
        return line

    def write(self, text: str) -> None:
        """Write text at once."""
        self.sink.write(text)
        self.sink.flush()
