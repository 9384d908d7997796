"""All positions of a game, up to symmetry, with their exact values and best moves, as columns of numbers.

The positions are those of a proof (`quintet.solve.verify`), and so are the values. Where less than both players' cells
decides the future, there is one position for each such future; `told_by` says which.
"""

import json
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from quintet.board import Board
from quintet.files import whole_file
from quintet.gears.arrays import Numbers
from quintet.options import describe
from quintet.rules import Game, Position
from quintet.solve.searcher import images_of
from quintet.solve.theories.generic import MOST
from quintet.solve.verify import Layer, Progress, Walk, ignore_progress

Columns = dict[str, npt.NDArray[np.integer]]


class About(TypedDict):
    """What there is to know about a dataset."""

    game: str
    size: str
    target: NotRequired[int]
    values: NotRequired[list[int]]
    rows: int
    positions: int
    told_by: str


def images_under(cells: Numbers, rows: Numbers) -> Numbers:
    """The images of sets of cells under a symmetry, which is given by the images of every eight cells."""
    image: Numbers = rows[0][cells & 255]
    for i in range(1, len(rows)):
        image |= rows[i][cells >> 8 * i & 255]
    return image


def orbits(walk: Walk, layer: Layer, symmetries: Numbers) -> npt.NDArray[np.uint8]:
    """How many positions of a layer are the same up to symmetry, at the first of them; 0 at the others."""
    mine, theirs = walk.sets(layer.places)
    first, same = np.ones(len(mine), np.bool_), np.ones(len(mine), np.uint8)
    for rows in symmetries:
        keys = walk.key(images_under(mine, rows) | images_under(theirs, rows) << walk.board.cells)
        first &= keys >= layer.keys
        same += keys == layer.keys
    sizes: npt.NDArray[np.uint8] = np.where(first, (len(symmetries) + 1) // same, 0).astype(np.uint8)
    return sizes


def best_moves(walk: Walk, layer: Layer, best: Numbers) -> Numbers:
    """The set of cells whose claim is worth as much as the position; one cell beyond the last stands for a pass."""
    mine, theirs = walk.sets(layer.places)
    moves = walk.stuck(mine, theirs).astype(np.int64) << walk.board.cells
    for cell, able, places, gained in walk.claims(layer):
        moves[able] |= (walk.before(places, gained) == best[able]).astype(np.int64) << cell
    return moves


def collect(game: Game, board: Board, progress: Progress = ignore_progress) -> tuple[Columns, About]:
    """The columns of all that can come up on an empty board, and what there is to know about them."""
    walk = Walk(Position(game, board))
    walk.forward(progress)
    walk.backward(progress)
    symmetries = np.array(images_of(board), np.int64).reshape(-1, (board.cells + 7) // 8, 256)
    parts: list[Columns] = []
    for claimed in sorted(walk.layers):
        layer = walk.layers[claimed]
        images = orbits(walk, layer, symmetries)
        chosen = images > 0
        firsts = Layer(layer.keys[chosen], layer.places[chosen], layer.passed[chosen])
        numbers = walk.numbers(claimed, whole=True)[chosen]
        mine, theirs = walk.sets(firsts.places)
        far = {"margin": numbers} if game.territory else {"plies": MOST - abs(numbers)}
        parts.append(
            {
                "mine": mine.astype(np.uint32),
                "theirs": theirs.astype(np.uint32),
                "value": np.sign(numbers).astype(np.int8),
                **{name: column.astype(np.int8) for name, column in far.items()},
                "optimal": best_moves(walk, firsts, walk.values[claimed][chosen].astype(np.int64)).astype(np.uint32),
                "images": images[chosen],
            }
        )
        progress("best moves", claimed / board.cells)
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    about: About = {
        "game": game.name,
        **describe(board),
        "rows": len(columns["mine"]),
        "positions": int(columns["images"].sum(dtype=np.int64)),
        "told_by": walk.position_key.told_by,
    }
    return columns, about


def write(path: Path, columns: Columns, about: About) -> None:
    """Write the columns to a compressed .npz file, all of it or nothing; `about` is JSON."""
    arrays: dict[str, Any] = {"about": np.array(json.dumps(about)), **columns}  # As NumPy's types want it.
    with whole_file(path) as file:
        np.savez_compressed(file, **arrays)
