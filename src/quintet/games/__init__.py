"""The registry: every game the program knows, its own and those that installed packages add.

A package adds a game with an entry point of the group `quintet.games` that names its `Game` record.
"""

import copyreg
import re
import warnings
from collections.abc import Callable
from dataclasses import fields
from importlib.metadata import entry_points

from quintet.errors import QuintetError, suggest
from quintet.games import adjacent_claim, grid_conquest, gridlock, isolation, point_capture
from quintet.language import joined, sentences, tr
from quintet.rules import Game, check_rules

GROUP = "quintet.games"

GAMES: dict[str, Game] = {
    module.GAME.name: module.GAME for module in (adjacent_claim, grid_conquest, isolation, gridlock, point_capture)
}

OWN = tuple(GAMES)
"""Quintet's own five games; other packages add more."""

LONGEST_NAME = 40
"""The most letters of a game's name."""


class UnknownGame(QuintetError, ValueError):
    """A name that no game has."""


def find_game(name: str) -> Game:
    """The game of that name, or of that title."""
    game = GAMES.get(name) or GAMES.get("-".join(name[:LONGEST_NAME].lower().split()))
    if game is None:
        called = name[:LONGEST_NAME]
        hint = suggest(called, GAMES) or tr("The games are {games}.", games=joined(GAMES))
        raise UnknownGame(sentences(tr("no game called {name}.", name=repr(called)), hint))
    return game


def reduce_game(game: Game) -> tuple[Callable[..., Game], tuple[object, ...]]:
    """How a game is pickled and copied: by its name, if it is registered. So a position is equal to its copy.

    A game that is not registered is copied field by field, and a game is equal only to itself: so its copy, and the
    copies of its positions, are not equal to it.
    """
    if GAMES.get(game.name) is game:
        return find_game, (game.name,)
    return Game, tuple(getattr(game, field.name) for field in fields(game))


def add_installed_games() -> None:
    """Register the games of installed packages. One that cannot be used is named in a warning and left out."""
    for point in entry_points(group=GROUP):
        try:
            game = point.load()
            if not isinstance(game, Game) or not re.fullmatch(r"[a-z]+(-[a-z]+)*", game.name):
                raise TypeError("it is not a Game record with a name of lower-case letters and hyphens")
            if game.name in GAMES:
                raise ValueError(f"there is already a game called {game.name}")
            check_rules(game)
            GAMES[game.name] = game
        except Exception as error:  # Whatever somebody else's module does, the other games must stay playable.
            warnings.warn(f"the game {point.name} of {point.value} is skipped: {error}", RuntimeWarning, stacklevel=2)


add_installed_games()
copyreg.pickle(Game, reduce_game)
