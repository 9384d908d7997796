"""What is proved of a board's positions: limits by key, in memory and, if wanted, in a file that grows line by line.

A search that was interrupted reads the file and continues. Each line ends with a checksum of itself and of the first
line, which names the board and the search. A last line that was not written completely is removed. Only one command at
a time can use the file.
"""

import os
import time
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

from quintet.board import Board
from quintet.errors import QuintetError
from quintet.files import lock_file
from quintet.notation import write_position
from quintet.rules import Game, Position
from quintet.solve.searcher import search_digest
from quintet.solve.theories.generic import Features

BEGINNING = b"quintet proved"
DIVIDED = "divided"
SYNC_SECONDS = 1.0
"""Time between two calls that wait for the disk. A killed program loses nothing, a power failure this much."""


class InvalidProved(QuintetError):
    """A file of proved results that cannot be read or written, or that belongs to something else."""


class Proved:
    """What is proved, without a file."""

    def __init__(self) -> None:
        """Nothing is proved yet."""
        self.limits: dict[Features, tuple[int, int]] = {}
        self.divided: set[Features] = set()
        """The positions that took too long as one task."""
        self.read = 0
        """The number of results that were read from the file."""

    def add(self, entry: Features, low: int, high: int) -> None:
        """Remember limits."""
        self.limits[entry] = low, high

    def add_divided(self, entry: Features) -> None:
        """Remember that a position was divided."""
        self.divided.add(entry)

    def close(self) -> None:
        """Nothing is left to write."""


class ProvedFile(Proved):
    """The same, with a file."""

    def __init__(self, path: Path, game: Game, board: Board) -> None:
        """Read the file, or begin it."""
        super().__init__()
        self.path = path
        title = f"{BEGINNING.decode()} 1: {write_position(Position(game, board))}, search {search_digest(game)}"
        self.seed = crc32(title.encode())
        self.synced = 0.0
        try:
            self.file = self.open(self.checked(title))
        except OSError as error:
            raise InvalidProved(f"cannot open {path}: {error.strerror}") from None

    def checked(self, text: str) -> bytes:
        """A line with its checksum."""
        return f"{text} {crc32(text.encode(), self.seed):08x}\n".encode()

    def open(self, title: bytes) -> BinaryIO:
        """Read what is there, and open the file to append to it. Until it is closed, no other command can use it."""
        if self.path.exists() and not self.path.is_file():
            raise InvalidProved(f"{self.path} is not a regular file: choose another file")
        file = self.path.open("a+b", buffering=0)
        try:
            lock_file(file)
            file.seek(0)
            first = file.read(len(title))
            self.check(first, title)
            if first == title:
                lines = file.read().splitlines(keepends=True)
                whole = self.read_lines(lines)
                if whole < len(lines):
                    file.truncate(len(title) + sum(map(len, lines[:whole])))
            else:
                file.truncate(0)
                file.write(title)
        except BlockingIOError:
            file.close()
            raise InvalidProved(
                f"another command is using {self.path}: wait until it has ended, or choose another file"
            ) from None
        except BaseException:
            file.close()
            raise
        return file

    def check(self, first: bytes, title: bytes) -> None:
        """Refuse a file that does not begin with the title, or with a part of it by which it is recognized."""
        if first and not first.startswith(BEGINNING):
            raise InvalidProved(f"{self.path} has no proved results in it: choose another file")
        if not title.startswith(first):
            raise InvalidProved(
                f"{self.path} belongs to another board or another version of the search: choose another file"
            )

    def read_lines(self, lines: list[bytes]) -> int:
        """Read results, and return how many lines are whole: all, or all but the last."""
        for index, line in enumerate(lines):
            if not self.read_line(line):
                if index == len(lines) - 1:
                    return index
                number = index + 2  # After the title, counted from 1.
                raise InvalidProved(f"line {number} of {self.path} is damaged: delete the line or choose another file")
        return len(lines)

    def read_line(self, line: bytes) -> bool:
        """Read one result; false if it is damaged."""
        text = line.decode("ascii", "replace").rpartition(" ")[0]
        if line != self.checked(text):
            return False
        a, b, c, *rest = text.split()
        entry = int(a), int(b), int(c)
        self.read += 1
        if rest == [DIVIDED]:
            self.divided.add(entry)
        else:
            self.limits[entry] = int(rest[0]), int(rest[1])
        return True

    def add(self, entry: Features, low: int, high: int) -> None:
        """Remember limits, also in the file."""
        super().add(entry, low, high)
        self.write(entry, f"{low} {high}")

    def add_divided(self, entry: Features) -> None:
        """Remember that a position was divided, also in the file."""
        super().add_divided(entry)
        self.write(entry, DIVIDED)

    def write(self, entry: Features, what: str) -> None:
        """Append a line, in one piece."""
        a, b, c = entry
        try:
            self.file.write(self.checked(f"{a} {b} {c} {what}"))
            if time.monotonic() >= self.synced + SYNC_SECONDS:
                os.fsync(self.file.fileno())
                self.synced = time.monotonic()
        except OSError as error:
            raise InvalidProved(f"cannot write {self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Close the file."""
        self.file.close()
