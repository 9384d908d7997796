"""The registry: every game the program knows."""

from quintet.games import adjacent_claim, grid_conquest, gridlock, isolation, point_capture
from quintet.rules import Game

GAMES: dict[str, Game] = {
    module.GAME.name: module.GAME for module in (adjacent_claim, grid_conquest, isolation, gridlock, point_capture)
}
