"""The one spelling of cells in all answers: that of the page and the app, `A1` at the top left, or `7` on a line."""

from dataclasses import replace
from functools import lru_cache

from quintet.board import screen_corner
from quintet.notation import list_moves
from quintet.rules import Game, Position


@lru_cache(maxsize=64)
def renamed(game: Game, corner: str) -> Game:
    """A game whose cells have other names; only for drawing and naming."""
    return replace(game, corner=corner)


def on_screen(position: Position) -> Position:
    """The position with the names that cells have on screens; only for drawing and naming."""
    return replace(position, game=renamed(position.game, screen_corner(position.board)))


def cell_name(position: Position, move: int) -> str:
    """The name of a move."""
    return on_screen(position).label(move)


def cell_names(position: Position, moves: list[int]) -> list[str]:
    """The names of some moves."""
    shown = on_screen(position)
    return [shown.label(move) for move in moves]


def list_cells(position: Position) -> str:
    """What may be played, in a sentence."""
    return list_moves(on_screen(position))
