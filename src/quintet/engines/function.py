"""A plain Python function as a player: given a position, it returns a move, as a number or as it is written."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from quintet.engines import UnknownPlayer
from quintet.rules import Position


def load_function(path: str) -> Callable[..., Any]:
    """The function at `MODULE:NAME`; modules are also looked for where the program was started."""
    module, _, name = path.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found: object = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # Somebody else's module may fail in any way when it is loaded.
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise UnknownPlayer(f"cannot load {path[:80]!r}: {reason}") from None
    if not callable(found):
        raise UnknownPlayer(f"{path[:80]!r} is not a function")
    return found


class Function:
    """Asks a function for each move."""

    def __init__(self, function: Callable[[Position], int]) -> None:
        """Take a function from a position to a move."""
        self.function = function

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """Whatever the function returns."""
        return self.function(position)

    def close(self) -> None:
        """It holds nothing."""
