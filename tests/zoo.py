"""Plug-ins that misbehave, each in its own way."""

import fcntl
import math
import os
import signal
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

from quintet.rules import Position

released = Event()
"""What those that hang wait for."""
calls: list[str] = []
"""Those that were asked and hang."""
sizes: list[int] = []
"""The cells of the player in each position it was asked about."""

ZOO: dict[str, str] = {}
"""What is said of each."""

Creature = Callable[[Any], Any]


def says(reason: str) -> Callable[[Creature], Creature]:
    """Take a function into the zoo."""

    def take(function: Creature) -> Creature:
        ZOO[function.__name__] = reason
        return function

    return take


class Rude:
    """An object that cannot even be looked at."""

    def __index__(self) -> int:
        raise RuntimeError("do not touch")

    def __repr__(self) -> str:
        raise RuntimeError("do not look")


class Mute(Exception):
    """An error that cannot be printed."""

    def __str__(self) -> str:
        raise RuntimeError("nothing to say")


@says("it chose a number of 401 bits, which is not a legal move: That is not a cell of this board.")
def off_the_board(position: Position) -> int:
    return 1 << 400


@says("it chose 3, which is not a legal move: That is not a cell of this board.")
def two_cells(position: Position) -> int:
    return 3


@says("it chose 'pass', which is not a legal move: This game has no passes.")
def passes(position: Position) -> int:
    return 0


@says("it chose a number of 100001 bits, which is not a legal move")
def huge(position: Position) -> int:
    return 1 << 100_000


@says("it chose -4, which is not a legal move")
def negative(position: Position) -> int:
    return -4


@says("it chose 'True', which is not a move")
def truth(position: Position) -> bool:
    return True


@says("it chose 'None', which is not a move")
def nothing(position: Position) -> None:
    return None


@says("it chose '1.0', which is not a move")
def fraction(position: Position) -> float:
    return 1.0


@says("it chose 'nan', which is not a move")
def not_a_number(position: Position) -> float:
    return math.nan


@says("it chose 'Z99', which is not a move: No such cell")
def nowhere(position: Position) -> str:
    return "Z99"


@says(r"it chose '\x1b[2J\n', which is not a move")
def control_characters(position: Position) -> str:
    return "\x1b[2J\n"


@says("it chose 'Rude object', which is not a move")
def rude(position: Position) -> Rude:
    return Rude()


@says("it failed with KeyError: ")
def raises(position: Position) -> int:
    raise KeyError("oh\nno")


@says("it failed with Mute")
def raises_something_mute(position: Position) -> int:
    raise Mute


@says("it failed with RecursionError: ")
def recurses(position: Position) -> int:
    return int(recurses(position)) + 1


@says("it failed with SystemExit: '3'")
def exits(position: Position) -> int:
    sys.exit(3)


@says("it failed with KeyboardInterrupt")
def interrupts(position: Position) -> int:
    raise KeyboardInterrupt


@says("it gave no answer within ")
def hangs(position: Position) -> int:
    calls.append("hangs")
    released.wait()
    return position.moves[0]


# Those that only a process of their own survives, and those that behave until the end.


def ends_the_process(position: Position) -> int:
    os._exit(3)


def kills_the_process(position: Position) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def first(position: Position) -> int:
    print("a plug-in may print")
    return position.moves[0]


def hangs_in_the_second_game(position: Position) -> int:
    """Plays one game in each process; in the next one it says so through a pipe, and waits."""
    sizes.append(position.mine.bit_count())
    if any(later <= size for size, later in pairwise(sizes)):
        place = Path(os.environ["ZOO"])
        lock = os.open(place / "lock", os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_SH)
        (place / "pipe").write_text("thinking")
        released.wait()
    return position.moves[0]


def policy_nothing(seen: dict[str, Any]) -> None:
    return None


def policy_exits(seen: dict[str, Any]) -> int:
    sys.exit(3)


class Clumsy:
    """A player of a package that plays well, and fails when it is closed."""

    def __init__(self, detail: str, seed: int | None) -> None:
        if detail == "broken":
            sys.exit(4)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        return position.moves[0]

    def close(self) -> None:
        sys.exit(5)


def make_nothing(detail: str, seed: int | None) -> None:
    """A factory that makes no player."""
