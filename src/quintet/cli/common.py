"""What the commands share: their options, and how they say what is wrong."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.engines.kinds import list_kinds

if TYPE_CHECKING:
    from quintet.match import Match


class Usage(Exception):
    """Wrong usage: one clear line, exit status 2."""


class Unfinished(Exception):
    """The answer is not complete: one clear line, exit status 1."""


class Gear(StrEnum):
    """How the search runs."""

    plain = "plain"
    fast = "fast"


WEB = ("fastapi", "httptools", "markdown_it", "segno", "uvicorn", "websockets")
"""What the web table is built on."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name; `quintet games` lists them.")]
Size = Annotated[str | None, typer.Option(metavar="RxC", help="Rows x columns, or N for a line.")]
Target = Annotated[int | None, typer.Option(metavar="N", help="Points that win (Point Capture).")]
Values = Annotated[str | None, typer.Option(metavar="N,N,...", help="The cells' values, row by row (Point Capture).")]
Shuffle = Annotated[
    int | None, typer.Option(metavar="SEED", help="Deal the usual values in another order (Point Capture).")
]
Moves = Annotated[str, typer.Option(metavar="MOVES", help='Moves played so far, such as "C3; C4; C2".')]
Setup = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help='Begin from a position, such as "gridlock X./.O X".')
]
Who = Annotated[str, typer.Option(metavar="WHO", help=f"{list_kinds()}.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Make chance repeatable.")]
Jobs = Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes at work; by default one for each core.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Time = Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Stop after so long.")]
Memory = Annotated[str, typer.Option(metavar="SIZE", help="Take no more memory than this, such as 512M or 2G.")]


def begin(
    name: str,
    size: str | None = None,
    target: int | None = None,
    values: str | None = None,
    shuffle: int | None = None,
    moves: str = "",
    setup: str | None = None,
    first: int | None = None,
) -> "Match":
    """The match that the common options describe."""
    from quintet.games import UnknownGame, find_game
    from quintet.match import Match
    from quintet.notation import InvalidMove, InvalidPosition, read_moves, read_position
    from quintet.options import InvalidOptions, start
    from quintet.rules import IllegalMove

    try:
        game = find_game(name)
        if setup is None:
            position = start(game, size, target, values, shuffle, first or 1)
        else:
            if any(given is not None for given in (size, target, values, shuffle, first)):
                raise Usage("a position already says its board and whose turn it is")
            position = read_position(setup)
            if position.game is not game:
                raise Usage(f"that is a position of {position.game.name}, not of {name}")
        return Match(position, read_moves(position, moves))
    except (UnknownGame, InvalidOptions, InvalidPosition, InvalidMove, IllegalMove) as error:
        raise Usage(str(error)) from None


def check_compiled(gear: Gear | None) -> bool:
    """Whether the compiled gear is asked for, which must be there then."""
    if gear == Gear.fast:
        need("the compiled gear", "fast", "numba")
    return gear == Gear.fast


def check_gear(match: "Match", gear: Gear | None) -> str | None:
    """The gear asked for, if it can be had."""
    from quintet.gears import WORD_CELLS

    if check_compiled(gear) and match.position.board.cells > WORD_CELLS:
        raise Usage(f"the compiled gear takes boards of up to {WORD_CELLS} cells")
    return gear and str(gear)


def room_for_table(match: "Match", memory: str, gear: str | None = None) -> int:
    """What is left for a search when the whole program is to stay within a limit."""
    from quintet.solve.memory import InvalidMemory, read_memory, table_room

    try:
        return table_room(match.position, read_memory(memory), gear)
    except InvalidMemory as error:
        raise Usage(str(error)) from None


def need(what: str, extra: str, *modules: str) -> None:
    """Refuse to go on without modules that come with an extra."""
    from importlib.util import find_spec

    for module in modules:
        if not find_spec(module):
            raise Usage(f"{what} needs the extra: pip install 'quintet[{extra}]' ({module} is missing)")


def replay_file(file: Path) -> "Match":
    """The match in a record file."""
    from quintet.match import replay
    from quintet.record import InvalidRecord, load_record

    try:
        return replay(load_record(file))
    except InvalidRecord as error:
        raise Usage(str(error)) from None


def write_text(file: Path, text: str) -> None:
    """Text into a file, over an old one: what comes here can be made again. - prints it."""
    if str(file) == "-":
        print(text, end="")
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None


def print_json(data: object) -> None:
    """Print data as JSON; structs as objects."""
    import json

    from msgspec import to_builtins

    print(json.dumps(data, indent=2, default=to_builtins))
