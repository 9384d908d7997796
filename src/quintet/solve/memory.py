"""How much memory a search may take."""

import os
import re
import sys
from pathlib import Path

from quintet.errors import QuintetError
from quintet.gears import FAST, choose_gear
from quintet.rules import Position
from quintet.solve.solver import Solver

LEAST_TABLE = 1 << 20
LEAST_WORKER = 64 << 20
"""With less, a proof would be cut into thousands of files."""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class InvalidMemory(QuintetError, ValueError):
    """A size that cannot be read, or that leaves no room for a table."""


def read_memory(text: str) -> int:
    """Bytes from `512M` or `2G`."""
    match = re.fullmatch(r"\s*(\d{1,15})\s*([KMG]?)(?:i?B)?\s*", text, re.ASCII | re.IGNORECASE)
    if not match:
        raise InvalidMemory(f"cannot read the memory size {text[:20]!r}: write it like 512M or 2G")
    size = int(match[1]) * _UNITS[match[2].upper()]
    if size > installed_memory():
        raise InvalidMemory(f"this machine has {installed_memory() >> 30} GB, not {text.strip()}")
    return size


def read_worker_memory(text: str) -> int:
    """Bytes for each worker of a proof, from `512M` or `2G`."""
    size = read_memory(text)
    if size < LEAST_WORKER:
        raise InvalidMemory(f"--memory {text.strip()} is not enough: give at least {LEAST_WORKER >> 20}M")
    return size


def table_room(position: Position, memory: int, gear: str | None = None, threads: int = 1, processes: int = 1) -> int:
    """What the table may take so that the whole program, with all its processes, stays within `memory` bytes."""
    if processes > 1 and (gear or choose_gear(position.board)) == FAST:
        threads = max(threads, 2)  # Processes share the table of threads.
    # Compiled code takes memory too, so it is compiled before the rest is counted.
    Solver(position.game, position.board, gear, LEAST_TABLE, threads).ask(position, -sys.maxsize >> 32)
    used = used_memory() * processes
    if memory - used < LEAST_TABLE * processes:
        raise InvalidMemory(f"{memory >> 20} MB is not enough: the program alone takes {used >> 20} MB")
    return memory - used


def installed_memory() -> int:
    """The machine's memory; where that cannot be found out, more than any machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 48


def used_memory() -> int:
    """The most memory the program has taken so far; where that cannot be found out, 0."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.split("VmHWM:")[1].split()[0]) << 10
    except (OSError, IndexError, ValueError):
        pass  # Only Linux has it.
    try:
        import resource
    except ImportError:
        return 0
    # On Linux this would include what the program that started this one had taken.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10
