"""What the commands share: their options, their errors, and how they print and write."""

import sys
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.engines.kinds import list_kinds
from quintet.errors import QuintetError
from quintet.files import whole_file, write_file
from quintet.safe_text import escape
from quintet.version import missing

if TYPE_CHECKING:
    from quintet.match import Match


class Usage(QuintetError):
    """Wrong usage of a command."""


class Unfinished(QuintetError):
    """A command that did not do all it was asked for, or a check that failed."""

    status = 1


class Gear(StrEnum):
    """How the search runs."""

    plain = "plain"
    fast = "fast"


WEB = ("fastapi", "httptools", "markdown_it", "prometheus_client", "segno", "uvicorn", "websockets")
"""The modules that the web server needs."""
STOPPED = "stopped early; the values shown are exact"

MatchId = Annotated[str, typer.Argument(metavar="ID", help="ID of the saved game; `quintet history` lists them.")]
Player1 = Annotated[str, typer.Option("--p1", metavar="WHO", help=f"Player 1: {list_kinds()}.")]
Player2 = Annotated[str, typer.Option("--p2", metavar="WHO", help="Player 2, as for --p1.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Seed for random choices.")]
WorkersOption = Annotated[
    str | None,
    typer.Option(
        "--workers",
        "--jobs",
        metavar="N",
        help="Worker processes (default: one per core); ray or ray://HOST:PORT is a Ray cluster (extra: cluster).",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Time = Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Time limit.")]
MoveTime = Annotated[float | None, typer.Option(min=0, metavar="SECONDS", help="Time limit per engine move.")]
CpuTime = Annotated[
    bool, typer.Option("--cpu-time", help="Count processor time, not wall time, for fair games on a busy machine.")
]
Memory = Annotated[str, typer.Option(metavar="SIZE", help="Memory limit, such as 512M or 2G.")]
Threads = Annotated[
    int, typer.Option(min=1, max=256, metavar="N", help="Search threads; more than one run compiled code.")
]


def check_compiled(gear: Gear | None) -> bool:
    """Whether the compiled gear is asked for; an error if it is not installed."""
    if gear == Gear.fast:
        require("the compiled gear", "fast", "numba")
    return gear == Gear.fast


def check_gear(match: "Match", gear: Gear | None) -> str | None:
    """The gear asked for; an error if it is not installed or the board is too large for it."""
    from quintet.gears import WORD_CELLS

    if check_compiled(gear) and match.position.board.area > WORD_CELLS:
        raise Usage(f"the compiled gear is limited to boards of up to {WORD_CELLS} cells")
    return gear and str(gear)


def check_threads(match: "Match", gear: Gear | None, threads: int) -> str | None:
    """The gear asked for; an error if it cannot run this many threads."""
    if threads > 1 and gear == Gear.plain:
        raise Usage("--threads needs the compiled gear: leave out --gear plain")
    return check_gear(match, Gear.fast if threads > 1 else gear)


def table_memory(match: "Match", memory: str, gear: str | None = None, threads: int = 1, processes: int = 1) -> int:
    """The bytes left for the transposition table when the whole program must stay within a limit."""
    from quintet.solve.memory import read_memory, table_room

    return table_room(match.position, read_memory(memory), gear, threads, processes)


def require(what: str, extra: str, *modules: str) -> None:
    """Raise an error that names the extra to install, if a module is missing."""
    from importlib.util import find_spec

    for module in modules:
        if not find_spec(module):
            raise Usage(f"{what} {missing(extra, module)}")


def read_match(file: Path) -> "Match":
    """The match in a record file."""
    from quintet.match import replay
    from quintet.record import load_record

    return replay(load_record(file))


def write_text(file: Path, text: str) -> None:
    """Write text to a file, replacing it; `-` prints it."""
    if str(file) == "-":
        print_file(text)
        return
    try:
        write_file(file, text)
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None


def write_bytes(file: Path, data: bytes) -> None:
    """Write a file that is not text, replacing it; `-` prints it, but never on a terminal."""
    if str(file) == "-":
        if sys.stdout.isatty():
            raise Usage("a terminal cannot show this file: name a file, or redirect the output")
        sys.stdout.buffer.write(data)
        return
    try:
        with whole_file(file) as opened:
            opened.write(data)
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None


def print_file(text: str) -> None:
    """Print the text of a file: as it is and in UTF-8, as our files are, but escaped if a terminal shows it."""
    if sys.stdout.isatty():
        text = escape(text, lines=True)
    elif isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    print(text, end="")


def print_json(data: object) -> None:
    """Print data as JSON; structs as objects."""
    import json

    from msgspec import to_builtins

    print(json.dumps(data, indent=2, default=to_builtins))
