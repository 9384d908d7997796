"""What makes the search strong, game by game: small functions beside it, never in the rules."""

from importlib import import_module
from types import SimpleNamespace

from quintet.rules import Game
from quintet.solve.theories import generic

THEORIES = frozenset({"adjacent_claim", "grid_conquest", "gridlock", "isolation", "point_capture"})


def theory_of(game: Game) -> SimpleNamespace:
    """A game's theory: what it says itself, and the rules alone for what it does not."""
    name = game.name.replace("-", "_")
    own = vars(import_module(f"{__name__}.{name}")) if name in THEORIES else {}
    return SimpleNamespace(**vars(generic) | {"PASSES": game.passes, "TERRITORY": game.territory} | own)
