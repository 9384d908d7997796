"""A plain Python function as a player: given a position, it returns a move, as a number or as it is written.

It runs in our own process, so nobody can stop it when it takes too long: what is not trusted plays as `exec:COMMAND`.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from operator import index
from pathlib import Path
from typing import Any

from quintet.engines import EngineFault, UnknownPlayer
from quintet.notation import InvalidMove, read_move
from quintet.protocol import quote
from quintet.rules import Position

Choice = Callable[[Position], int | str]


def load_function(detail: str, kind: str) -> Callable[..., Any]:
    """The function that `MODULE:NAME` names; modules are also looked for where the program was started."""
    module, colon, name = detail.partition(":")
    if not (module and colon and name):
        raise UnknownPlayer(f"name a module and what is in it: {kind}:MODULE:NAME")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found: object = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:  # Somebody else's module may fail in any way when it is loaded.
        raise UnknownPlayer(f"cannot load {detail[:80]!r}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise UnknownPlayer(f"{detail[:80]!r} is no function")
    return found


class Function:
    """Asks a function for each move."""

    def __init__(self, function: Choice) -> None:
        """Take a function from a position to a move."""
        self.function = function

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """Its move, which is legal, or `EngineFault`."""
        try:
            chosen = self.function(position)
            move = read_move(position, chosen) if isinstance(chosen, str) else index(chosen)
        except InvalidMove as error:
            raise EngineFault(f"it chose {quote(str(chosen))}, which is no move: {error}") from None
        except Exception as error:  # Whatever goes wrong in it loses its game, not the tournament.
            raise EngineFault(f"it failed with {type(error).__name__}: {quote(str(error))}") from None
        if move not in position.moves:
            raise EngineFault(f"it chose {quote(str(chosen))}, which is not allowed")
        return move

    def close(self) -> None:
        """It holds nothing."""
