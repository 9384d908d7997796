"""What makes the search strong, game by game: small functions beside it, never in the rules."""

from importlib import import_module
from types import ModuleType

from quintet.rules import Game
from quintet.solve.theories import generic

THEORIES = frozenset({"adjacent_claim", "grid_conquest", "gridlock", "isolation", "point_capture"})


def theory_of(game: Game) -> ModuleType:
    """A game's theory; a game without one is searched by its rules alone."""
    name = game.name.replace("-", "_")
    return import_module(f"{__name__}.{name}") if name in THEORIES else generic
