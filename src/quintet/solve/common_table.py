"""A table that worker processes on one machine have in common: memory that each of them maps.

It is the table of several threads, in which nobody ever reads half of what another writes. A process that is killed
while it writes a row loses that row: it is not used again. The memory is freed when the last process that uses it ends.
"""

import mmap
import os
import sys
from pathlib import Path

import numpy as np

from quintet.solve.shared_table import ROW_WORDS, Words


class CommonTable:
    """The memory, as the process has it that starts the others."""

    def __init__(self, memory: int) -> None:
        """At most `memory` bytes; pages are taken as they are needed."""
        assert sys.platform == "linux"
        rows = 1 << (memory // ROW_WORDS // 8).bit_length() - 1
        self.file = os.memfd_create("quintet-table")
        os.ftruncate(self.file, rows * ROW_WORDS * 8)
        self.path = Path(f"/proc/{os.getpid()}/fd/{self.file}")

    def close(self) -> None:
        """Close this process's handle; the others keep theirs."""
        os.close(self.file)


def map_words(path: Path) -> Words:
    """The words of a common table, in a process that was told its path."""
    with path.open("r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0), np.int64)
