"""Other boards of a game, made from a seed, which no training set is likely to have. Each can be solved in seconds."""

import random

from quintet.errors import InvalidArgument
from quintet.options import start
from quintet.rules import Game, Position

SHORTEST = 2
"""The fewest rows and columns."""
CELLS = range(15, 22)
"""How many cells there are: enough to differ in many positions, and few enough to be solved in seconds."""
LARGEST_VALUE = 9
GOALS = (0.25, 0.45)
"""The target, as a share of all values: the players together can always reach it."""


def make_variants(game: Game, number: int, seed: int) -> list[Position]:
    """The empty boards: shapes other than the rule book's, and where cells have values, other values and targets."""
    shapes = [
        (rows, cols)
        for rows in range(SHORTEST, CELLS.stop)
        for cols in range(SHORTEST, CELLS.stop)
        if rows * cols in CELLS and (rows, cols) != (game.rows, game.cols)
    ]
    if not 1 <= number <= len(shapes):
        raise InvalidArgument(f"variants must be a number from 1 to {len(shapes)}, not {number}")
    rng = random.Random(f"variants {game.name} {seed}")
    return [make_variant(game, f"{rows}x{cols}", rng) for rows, cols in rng.sample(shapes, number)]


def make_variant(game: Game, size: str, rng: random.Random) -> Position:
    """One of them."""
    if not game.target:
        return start(game, size)
    rows, cols = map(int, size.split("x"))
    values = [rng.randint(1, LARGEST_VALUE) for _ in range(rows * cols)]
    return start(game, size, target=round(rng.uniform(*GOALS) * sum(values)), values=values)
