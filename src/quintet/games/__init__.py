"""The registry: every game the program knows, its own and those that installed packages bring.

A package brings a game with an entry point of the group `quintet.games` that names its `Game` record.
"""

import re
import warnings
from importlib.metadata import entry_points

from quintet import board
from quintet.errors import QuintetError, suggest
from quintet.games import adjacent_claim, grid_conquest, gridlock, isolation, point_capture
from quintet.rules import Game

GROUP = "quintet.games"

GAMES: dict[str, Game] = {
    module.GAME.name: module.GAME for module in (adjacent_claim, grid_conquest, isolation, gridlock, point_capture)
}


OWN = tuple(GAMES)
"""The five of the house; the others are guests."""


LONGEST_NAME = 40
"""Letters of what might be a game's name."""


class UnknownGame(QuintetError, ValueError):
    """A name that is no game's."""


def find_game(name: str) -> Game:
    """The game of that name, or of that title."""
    game = GAMES.get(name) or GAMES.get("-".join(name[:LONGEST_NAME].lower().split()))
    if game is None:
        called = name[:LONGEST_NAME]
        hint = suggest(called, GAMES) or f" The games are {', '.join(GAMES)}."
        raise UnknownGame(f"no game called {called!r}.{hint}")
    return game


def add_guests() -> None:
    """Register the games of installed packages. One that cannot be used is named in a warning and left out."""
    for point in entry_points(group=GROUP):
        try:
            game = point.load()
            if not isinstance(game, Game) or not re.fullmatch(r"[a-z]+(-[a-z]+)*", game.name):
                raise TypeError("it is no Game record with a name in small letters and hyphens")
            if game.name in GAMES:
                raise ValueError(f"there is a game {game.name} already")
            check_rules(game)
            GAMES[game.name] = game
        except Exception as error:  # Whatever a stranger's module does must not keep the others from being played.
            warnings.warn(f"the game {point.name} of {point.value} is left out: {error}", RuntimeWarning, stacklevel=2)


def check_rules(game: Game) -> None:
    """Rules speak of boards and of nothing else: that is what every gear can run."""
    rules = {"legal": game.legal, "gain": game.gain, "score": game.score}
    for rule in rules.values():
        named = {name: rule.__globals__[name] for name in rule.__code__.co_names if name in rule.__globals__}
        strange = [name for name, value in named.items() if name not in vars(board) and rules.get(name) is not value]
        if strange:
            raise TypeError(f"its rules use {strange[0]}, which is not of quintet.board")


add_guests()
