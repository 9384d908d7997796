"""The boards that tests try every registered game on."""

import pytest

from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_moves
from quintet.options import start
from quintet.rules import PASS, Position

HOLED = ("4x4-B2", "3x5-A1-B3-C5")
"""Boards with holes: one like no other way round, and one that a half-turn leaves as it is."""
SIZES = (None, "1x1", "7", "2x3", "4x5", "4x4", *HOLED)
"""The rule book's board, the smallest, a line, narrow, wide, square and even, and with holes."""


def boards() -> list[Position]:
    """The empty board of every game at several sizes; where cells carry values, a shuffled deal as well."""
    found = [start(game, size) for game in GAMES.values() for size in SIZES]
    found += [start(game, "4x5", target=11, shuffle=7) for game in GAMES.values() if game.target]
    return list(dict.fromkeys(found))


def name(position: Position) -> str:
    """What a board is called in a test's name."""
    return f"{position.game.name}-{position.board.size}-{position.board.target}"


def first_moves(game: str, size: str, moves: str = "") -> str:
    """A whole game that goes on from some moves by the first legal ones."""
    empty = start(GAMES[game], size)
    match = Match(empty, read_moves(empty, moves))
    while not match.outcome:
        match.play(match.position.moves[0])
    return "; ".join(empty.label(move) for move in match.moves if move != PASS)


every_board = pytest.mark.parametrize("empty", boards(), ids=name)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
