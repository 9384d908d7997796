"""The registry: every game the program knows."""

from quintet.games import adjacent_claim, grid_conquest, gridlock, isolation, point_capture
from quintet.rules import Game

GAMES: dict[str, Game] = {
    module.GAME.name: module.GAME for module in (adjacent_claim, grid_conquest, isolation, gridlock, point_capture)
}


class UnknownGame(ValueError):
    """A name that is no game's."""


def find_game(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        raise UnknownGame(f"there is no game {name[:40]!r}: the games are {', '.join(GAMES)}")
    return GAMES[name]
