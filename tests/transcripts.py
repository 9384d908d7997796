"""Random games of the naive oracle, one after the other in several lanes, as arrays to replay and compare."""

import random
from typing import Any, NamedTuple

import numpy as np

from naive import HOLE, NAIVE
from quintet.board import index, place_values, split
from quintet.rules import Position


class Transcript(NamedTuple):
    """All arrays have a row for each step and a column for each lane."""

    actions: Any
    masks: Any
    """Which actions were legal before the step."""
    grids: Any
    """The cells before the step: 0, also where there is none, 1 for those of the player to move, 2 for the other's."""
    done: Any
    rewards: Any
    """What the player who moved got."""


def transcript(empty: Position, games: int, lanes: int = 500, seed: int = 1) -> Transcript:
    """So many games, shared out to the lanes; a lane that is through begins with its first game again."""
    rng = random.Random(seed)
    board, width = empty.board, empty.board.area + empty.game.passes
    holes = [divmod(index(hole), board.cols) for hole in split(board.holes)]
    streams = []
    for _ in range(lanes):
        steps: list[tuple[int, list[int], list[int], bool, int]] = []
        for _ in range(-(-games // lanes)):
            oracle = NAIVE[empty.game.name](board.rows, board.cols, place_values(board), board.target, holes)
            moves = oracle.moves()
            while moves:
                numbers = [board.area if cell is None else cell[0] * board.cols + cell[1] for cell in moves]
                owners = [0 if cell == HOLE else cell for row in oracle.grid for cell in row]
                grid = [cell and 1 + (cell != oracle.player) for cell in owners]
                choice, mover = rng.randrange(len(moves)), oracle.player
                oracle.play(moves[choice])
                moves = oracle.moves()
                winner = 0 if moves else oracle.winner()
                steps.append(
                    (numbers[choice], numbers, grid, not moves, (1 if winner == mover else -1) if winner else 0)
                )
        streams.append(steps)
    length = max(map(len, streams))
    for steps in streams:
        whole = list(steps)
        while len(steps) < length:
            steps += whole
    rows = [[steps[i] for steps in streams] for i in range(length)]
    masks = np.zeros((length, lanes, width), bool)
    for i, row in enumerate(rows):
        for lane, (_, numbers, _, _, _) in enumerate(row):
            masks[i, lane, numbers] = True
    return Transcript(
        np.array([[step[0] for step in row] for row in rows]),
        masks,
        np.array([[step[2] for step in row] for row in rows], np.int8).reshape(length, lanes, board.rows, board.cols),
        np.array([[step[3] for step in row] for row in rows]),
        np.array([[step[4] for step in row] for row in rows], np.float32),
    )


def planes(empty: Position, grids: Any) -> Any:
    """What observations must show of these grids."""
    seen = [grids == 1, grids == 2]
    worth = place_values(empty.board)
    if worth:
        seen.append(np.broadcast_to(np.reshape(worth, grids.shape[2:]), grids.shape))
    return np.stack(seen, -1)
