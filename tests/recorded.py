"""Random games as the naive reading of the rules plays them, for environments to follow.

`QUINTET_GAMES=10000 pytest` plays more of them than there is time for every day.
"""

import os
import random
from functools import cache
from typing import NamedTuple

from naive import NAIVE
from quintet.board import value_list
from quintet.games import GAMES
from quintet.options import start

NUMBER = int(os.environ.get("QUINTET_GAMES", "1000"))


class Recorded(NamedTuple):
    """A game: before each action who owns the cells and which actions are legal; in the end the winner, 0 for none."""

    actions: list[int]
    owners: list[bytes]
    legal: list[list[int]]
    winner: int


@cache
def recorded(name: str) -> list[Recorded]:
    """Random games at the rule book's size."""
    board = start(GAMES[name]).board
    rng = random.Random(name)
    games = []
    for _ in range(NUMBER):
        game = NAIVE[name](board.rows, board.cols, value_list(board), board.target)
        record = Recorded([], [], [], 0)
        while moves := game.moves():
            record.owners.append(bytes(owner for row in game.grid for owner in row))
            record.legal.append([board.cells if move is None else move[0] * board.cols + move[1] for move in moves])
            choice = rng.randrange(len(moves))
            record.actions.append(record.legal[-1][choice])
            game.play(moves[choice])
        record.owners.append(bytes(owner for row in game.grid for owner in row))
        games.append(record._replace(winner=game.winner()))
    return games


def planes(owners: bytes, player: int) -> list[list[int]]:
    """What a player sees of a board, cell by cell: whether it is mine, and whether it is theirs."""
    return [[int(owner == player), int(owner == 3 - player)] for owner in owners]


def result(winner: int, player: int) -> int:
    """What a player gets."""
    return 0 if not winner else 1 if winner == player else -1
