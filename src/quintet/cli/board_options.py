"""The options that describe a board or a match, said once for all commands that take them."""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game; `quintet games` lists them.")]
Size = Annotated[str | None, typer.Option(metavar="RxC", help="Board size, rows x columns; N for a line of N cells.")]
Target = Annotated[int | None, typer.Option(metavar="N", help="Points needed to win (Point Capture).")]
Values = Annotated[str | None, typer.Option(metavar="N,N,...", help="Values of the cells, row by row (Point Capture).")]
Shuffle = Annotated[
    int | None, typer.Option(metavar="SEED", help="Shuffle the values of the cells with this seed (Point Capture).")
]
Moves = Annotated[str, typer.Option(metavar="MOVES", help='Play these moves first, such as "C3; C4; C2".')]
Setup = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help='Start from a position, such as "gridlock X./.O X".')
]

GAME = {"game": GameName}
BOARD = {"size": Size, "target": Target, "values": Values, "shuffle": Shuffle}
LINE = {"moves": Moves, "position": Setup}
DEFAULTS = {"game": Parameter.empty, "moves": ""}
"""What is not given is `None`, except for these."""

Command = Callable[..., None]


def on_match(command: Command) -> Command:
    """Give a command the options that describe a match, in place of its first parameter."""
    return _with_options(command, BOARD | LINE)


def on_empty_board(command: Command) -> Command:
    """Give a command the options that describe an empty board, in place of its first parameter."""
    return _with_options(command, BOARD)


def _with_options(command: Command, options: Mapping[str, object]) -> Command:
    @wraps(command)
    def run(game: str, **given: Any) -> None:
        from quintet.match import open_match

        described = {name: given.pop(name) for name in options}
        command(open_match(game, **described), **given)

    own = list(signature(command).parameters.values())[1:]
    required = [parameter for parameter in own if parameter.default is Parameter.empty]
    optional = [parameter for parameter in own if parameter.default is not Parameter.empty]
    parameters = [*_parameters(GAME), *required, *_parameters(options), *optional]
    # What reads a command line looks at the signature and the annotations of the function.
    vars(run)["__signature__"] = signature(command).replace(parameters=parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _parameters(options: Mapping[str, object]) -> list[Parameter]:
    """Options as parameters of a function."""
    return [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=DEFAULTS.get(name), annotation=annotation)
        for name, annotation in options.items()
    ]
