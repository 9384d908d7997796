"""Other boards of a game, made from a seed, which no training set is likely to have. Each can be solved in seconds."""

import random

from quintet.board import write_size
from quintet.errors import InvalidArgument
from quintet.options import InvalidOptions, start
from quintet.rules import Game, Position

SHORTEST = 2
"""The fewest rows and columns."""
AREAS = range(16, 25)
"""How many places a board has, holes included."""
CELLS = range(15, 22)
"""How many cells there are: enough to differ in many positions, and few enough to be solved in seconds."""
MOST_HOLES = 4
LARGEST_VALUE = 9
GOALS = (0.25, 0.45)
"""The target, as a share of all values: the players together can always reach it."""


def make_variants(game: Game, number: int, seed: int) -> list[Position]:
    """The empty boards: all have holes, no two have equal sides, and where cells have values, these are others too."""
    sides = [
        (rows, cols)
        for rows in range(SHORTEST, AREAS.stop)
        for cols in range(SHORTEST, AREAS.stop)
        if rows * cols in AREAS
    ]
    if not 1 <= number <= len(sides):
        raise InvalidArgument(f"variants must be a number from 1 to {len(sides)}, not {number}")
    rng = random.Random(f"variants {game.name} {seed}")
    return [make_variant(game, rows, cols, rng) for rows, cols in rng.sample(sides, number)]


def make_variant(game: Game, rows: int, cols: int, rng: random.Random) -> Position:
    """One of them."""
    area = rows * cols
    fewest, most = max(1, area - CELLS[-1]), min(MOST_HOLES, area - CELLS[0])
    while True:
        number = rng.randint(fewest, most)
        size = write_size(rows, cols, sorted(rng.sample(range(area), number)))
        values = [rng.randint(1, LARGEST_VALUE) for _ in range(area - number)]
        try:
            if not game.target:
                return start(game, size)
            return start(game, size, target=round(rng.uniform(*GOALS) * sum(values)), values=values)
        except InvalidOptions:
            continue  # The holes cut the board in two.
