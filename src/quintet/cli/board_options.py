"""The options that describe a board or a match, said once for all commands that take them."""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quintet.cli.common import Usage, read_match

if TYPE_CHECKING:
    from quintet.match import Match

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game; `quintet games` lists them.")]
GameOrRecord = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="Name of a game (`quintet games` lists them), a game record, or the ID of a saved game."
    ),
]
Size = Annotated[
    str | None,
    typer.Option(
        metavar="RxC",
        help="Board size, rows x columns; N for a line of N cells; RxC-A1-B2 without the cells A1 and B2.",
    ),
]
Target = Annotated[int | None, typer.Option(metavar="N", help="Points needed to win (Point Capture).")]
Values = Annotated[str | None, typer.Option(metavar="N,N,...", help="Values of the cells, row by row (Point Capture).")]
Shuffle = Annotated[
    int | None, typer.Option(metavar="SEED", help="Shuffle the values of the cells with this seed (Point Capture).")
]
Moves = Annotated[str, typer.Option(metavar="MOVES", help='Play these moves first, such as "C3; C4; C2".')]
Setup = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help='Start from a position, such as "gridlock X./.O X".')
]

BOARD = {"size": Size, "target": Target, "values": Values, "shuffle": Shuffle}
LINE = {"moves": Moves, "position": Setup}
DEFAULTS = {"game": Parameter.empty, "moves": ""}
"""What is not given is `None`, except for these."""

Command = Callable[..., None]


def on_match(command: Command) -> Command:
    """Give a command the options that describe a match, in place of its first parameter."""
    return _with_options(command, BOARD | LINE)


def on_match_or_record(command: Command) -> Command:
    """The same for a command that takes a game record or a saved game, too."""
    return _with_options(command, BOARD | LINE, GameOrRecord)


def on_empty_board(command: Command) -> Command:
    """Give a command the options that describe an empty board, in place of its first parameter."""
    return _with_options(command, BOARD)


def _with_options(command: Command, options: Mapping[str, object], named: object = GameName) -> Command:
    @wraps(command)
    def run(game: str, **given: Any) -> None:
        from quintet.games import UnknownGame
        from quintet.match import open_match

        described = {name: given.pop(name) for name in options}
        try:
            match = open_match(game, **described)
        except UnknownGame:
            found = find_record(game) if named is GameOrRecord else None
            if found is None:
                raise
            if unused := next((name for name, value in described.items() if value), None):
                raise Usage(f"a game record includes its board and its moves: leave out --{unused}") from None
            match = found
        command(match, **given)

    own = list(signature(command).parameters.values())[1:]
    required = [parameter for parameter in own if parameter.default is Parameter.empty]
    optional = [parameter for parameter in own if parameter.default is not Parameter.empty]
    parameters = [*_parameters({"game": named}), *required, *_parameters(options), *optional]
    # What reads a command line looks at the signature and the annotations of the function.
    vars(run)["__signature__"] = signature(command).replace(parameters=parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def find_record(name: str) -> "Match | None":
    """The match in a record file, or the saved game with this ID; `None` if there is neither."""
    if Path(name).is_file():
        return read_match(Path(name))
    from quintet.match import replay
    from quintet.store.matches import Store
    from quintet.store.rows import ONLINE_ID, PRIVATE_ID, UnknownMatch

    if len(name) not in (PRIVATE_ID, ONLINE_ID):
        return None
    with Store() as store:
        try:
            return replay(store.record(name))
        except UnknownMatch:
            return None


def _parameters(options: Mapping[str, object]) -> list[Parameter]:
    """Options as parameters of a function."""
    return [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=DEFAULTS.get(name), annotation=annotation)
        for name, annotation in options.items()
    ]
