"""Random openings, all different up to symmetry, after which something is at stake."""

import random
from dataclasses import replace

from quintet.board import move_cells, symmetries
from quintet.errors import InvalidArgument
from quintet.match import random_opening
from quintet.rules import PLAYERS, Position, play_all, write_position
from quintet.solve.oracle import solve_within
from quintet.solve.solver import Solver

TRIES = 2000
"""How many random openings are tried."""
LONGEST_OPENING = 4
"""The most moves of an opening; on small boards fewer, so that a game is left to play."""


def find_openings(empty: Position, number: int, seed: int) -> list[list[int]]:
    """Different random openings of a board, after which the outcome depends on the move.

    No two are the same up to symmetry. The players take turns to be the one to move. A small board has fewer than were
    asked for; one with nothing at stake has only the empty board.
    """
    if number < 1:
        raise InvalidArgument("ask for 1 opening or more")
    rng = random.Random(f"openings {write_position(empty)} {seed}")
    found: dict[Position, list[int]] = {}
    for _ in range(TRIES):
        moves = short_opening(empty, rng)
        position = play_all(empty, moves)
        image = first_image(position)
        if position.player == PLAYERS[len(found) % 2] and image not in found and is_critical(position):
            found[image] = moves
        if len(found) == number:
            break
    return list(found.values()) or [[]]


def short_opening(empty: Position, rng: random.Random) -> list[int]:
    """A few random moves."""
    return random_opening(empty, rng, rng.randint(0, min(LONGEST_OPENING, empty.board.cells // 4)))


def first_image(position: Position) -> Position:
    """Of all positions that a symmetry of the board makes of this one, always the same."""
    images = [
        (move_cells(position.mine, symmetry), move_cells(position.theirs, symmetry))
        for symmetry in symmetries(position.board)
    ]
    mine, theirs = min(images)
    return replace(position, mine=mine, theirs=theirs)


def is_critical(position: Position) -> bool:
    """Whether the outcome depends on the move."""
    return len({value.outcome for value in solve_within(Solver.grade, position).values()}) > 1
