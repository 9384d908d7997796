"""An engine served over the line protocol."""

from collections.abc import Iterator
from typing import BinaryIO

from quintet.engines import Engine
from quintet.engines.door import ask_engine
from quintet.errors import QuintetError
from quintet.protocol import LONGEST_LINE, VERSION, InvalidCommand, read_go, read_new, read_setup
from quintet.rules import Position
from quintet.safe_text import escape, quote


class Server:
    """Answers one command after another. A command that is refused changes nothing."""

    def __init__(self, engine: Engine, name: str) -> None:
        """Wait for the first command."""
        self.engine = engine
        self.name = name
        self.empty: Position | None = None
        self.position: Position | None = None
        self.over = False
        """Whether `quit` was sent."""

    def run(self, source: BinaryIO, sink: BinaryIO) -> None:
        """Answer every line until `quit` or the end of input."""
        for line in read_lines(source):
            answer = self.answer(line)
            if answer:
                sink.write(answer.encode() + b"\n")
                sink.flush()
            if self.over:
                return

    def answer(self, line: bytes) -> str:
        """The answer to a line, which is one line too; a blank line has none."""
        try:
            if len(line) > LONGEST_LINE:
                raise InvalidCommand(f"a line may have at most {LONGEST_LINE} bytes")
            words = line.decode().strip().split(maxsplit=1)
            return self.obey(*words) if words else ""
        except UnicodeDecodeError:
            return "error a line must be UTF-8 text"
        except QuintetError as error:
            # What was written may be quoted in the reason, and must not break the line.
            return f"error {escape(str(error))}"

    def obey(self, command: str, text: str = "") -> str:
        """Carry out a command."""
        if command == "hello":
            if text not in ("", str(VERSION)):
                raise InvalidCommand(f"this engine speaks version {VERSION} of the protocol")
            return f"hello {VERSION} {self.name}"
        if command == "new":
            self.empty = self.position = read_new(text)
            return "ok"
        if command == "position":
            self.position = read_setup(text, self.empty)
            return "ok"
        if command == "go":
            seconds = read_go(text, self.position)
            assert self.position
            return f"move {self.position.label(ask_engine(self.engine, self.position, seconds))}"
        if command == "quit":
            self.over = True
            return "ok"
        raise InvalidCommand(f"no command called {quote(command)}: send hello, new, position, go or quit")


def read_lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; a line that is too long is cut, just long enough to be recognised as such."""
    while line := source.readline(LONGEST_LINE + 2):
        ended = line.endswith(b"\n")
        yield line.rstrip(b"\r\n")
        while not ended and (rest := source.readline(LONGEST_LINE)):
            ended = rest.endswith(b"\n")
