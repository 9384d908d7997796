"""All positions of a game, up to symmetry, with their exact values and best moves, as columns of numbers.

The positions are those of a proof (`quintet.solve.verify`), and so are the values. Where less than both players' cells
decides the future, there is one position for each such future; `told_by` says which.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NotRequired, TypedDict
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import numpy.typing as npt
from numpy.lib.format import header_data_from_array_1_0, write_array, write_array_header_1_0

from quintet.board import Board
from quintet.files import whole_file
from quintet.gears.arrays import Numbers
from quintet.options import describe
from quintet.rules import Game, Position
from quintet.solve.distributions import ALL, PERFECT, RANDOM, Weights, best_moves, weigh, weights_of
from quintet.solve.layers import Saved
from quintet.solve.position_keys import POSITION_KEYS, SCORES
from quintet.solve.positions import Layer
from quintet.solve.searcher import images_of
from quintet.solve.stages import MEMORY, PieceWork, Progress, do_pieces, ignore_progress, open_walk, pieces_of, walk_all
from quintet.solve.theories.generic import MOST
from quintet.solve.walk import UNKNOWN, Piece, Walk
from quintet.workers import Signals, Workers
from quintet.workers.here import Here

Column = npt.NDArray[np.integer | np.floating]
Columns = dict[str, Column]
Parts = dict[str, Callable[[], Iterator[Column]]]
"""Columns that are read part by part."""

ACTIONS = "action_numbers"
"""The column of what every action is worth: a table, from which `quintet.solve.parquet` makes lists."""


class About(TypedDict):
    """What there is to know about a dataset."""

    game: str
    size: str
    target: NotRequired[int]
    values: NotRequired[list[int]]
    rows: int
    positions: int
    told_by: str
    distribution: NotRequired[str]
    positions_per_game: NotRequired[float]
    """How many positions a game of the distribution has on average, the first and the last one included."""


class Weighting(TypedDict, total=False):
    """The part of it that only a dataset with a distribution has."""

    distribution: str
    positions_per_game: float


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
        keys = walk.key(images_under(mine, rows) | images_under(theirs, rows) << walk.board.area)
        first &= keys >= layer.keys
        same += keys == layer.keys
    sizes: npt.NDArray[np.uint8] = np.where(first, (len(symmetries) + 1) // same, 0).astype(np.uint8)
    return sizes


class DatasetWork(PieceWork):
    """Makes the rows of a part of a layer."""

    def __init__(self, walk: Walk, distribution: str | None, total: float) -> None:
        """With a distribution, the rows have a weight, its share of the total, and the value of every action."""
        super().__init__(walk)
        self.distribution, self.total = distribution, total

    def prepare(self) -> None:
        """Look up the symmetries."""
        board = self.walk.board
        self.symmetries = np.array(images_of(board), np.int64).reshape(-1, (board.area + 7) // 8, 256)

    def do(self, task: Piece, signals: Signals) -> int:
        """Save the columns of a part; how many rows they have."""
        walk, layer = self.walk, self.walk.layer(task.claimed, task.part)
        values, numbers = (walk.numbers(task.claimed, task.part, whole) for whole in (False, True))
        weights = weights_of(walk, self.distribution or ALL, task.claimed, task.part)
        parts = [
            self.columns(layer.rows(rows), values[rows], numbers[rows], weights[rows])
            for rows in walk.slices(task.claimed, len(layer.keys))
        ]
        columns = {name: np.concatenate([part[name] for part in parts], axis=-1) for name in parts[0]}
        saved = {
            name: walk.store.save(f"{name}{task.name.removeprefix('dataset')}", column)
            for name, column in columns.items()
        }
        positions = int(columns["images"].sum(dtype=np.int64))
        walk.store.finish(task.name, {"rows": len(columns["mine"]), "positions": positions, "columns": saved})
        return len(columns["mine"])

    def columns(self, layer: Layer, values: Numbers, numbers: Numbers, weights: Weights) -> Columns:
        """The columns of positions with these weights and values, the latter without and with the margin so far."""
        walk, images = self.walk, orbits(self.walk, layer, self.symmetries)
        chosen = (images > 0) & (weights > 0)
        places, numbers, values = layer.places[chosen], numbers[chosen], values[chosen]
        mine, theirs = walk.sets(places)
        far = {"margin": numbers} if walk.game.territory else {"plies": MOST - abs(numbers)}
        columns: Columns = {
            "mine": mine.astype(np.uint32),
            "theirs": theirs.astype(np.uint32),
            "value": np.sign(numbers).astype(np.int8),
            **{name: column.astype(np.int8) for name, column in far.items()},
            "optimal": best_moves(walk, places, values).astype(np.uint32),
            "images": images[chosen],
        }
        if self.distribution:
            columns["weight"] = weights[chosen] * images[chosen] / self.total
            columns[ACTIONS] = action_numbers(walk, places, numbers, values)
        return columns


def action_numbers(walk: Walk, places: Numbers, numbers: Numbers, values: Numbers) -> npt.NDArray[np.int16]:
    """What each action is worth, a row per action, the last one a pass; `UNKNOWN` where it is not legal."""
    found = np.full((walk.board.area + 1, len(places)), UNKNOWN, np.int16)
    for cell, able, after, gained in walk.claims(places):
        # The margin so far is what a number has more than the value of what is still open.
        found[cell, able] = walk.before(after, gained) + numbers[able] - values[able]
    stuck = walk.stuck(*walk.sets(places))
    found[-1, stuck] = numbers[stuck]
    return found


def key_of(game: Game, distribution: str | None) -> str:
    """What identifies positions: with a distribution the scores too, since the result of an action depends on them."""
    return game.future if distribution is None or POSITION_KEYS[game.future].whole else SCORES


@contextmanager
def open_dataset(
    game: Game,
    board: Board,
    progress: Progress = ignore_progress,
    folder: Path | None = None,
    workers: Workers | None = None,
    memory: int = MEMORY,
    distribution: str | None = None,
) -> Iterator[tuple[Parts, About]]:
    """The columns of all that can come up on an empty board, part by part, and what there is to know about them.

    With a `distribution`, there are its weights, without the rows of weight 0, and what every action is worth. With a
    `folder`, all is saved there, and a dataset that was interrupted is continued.
    """
    workers = workers or Here()
    with open_walk(Position(game, board), folder, workers, memory, key_of(game, distribution)) as walk:
        layers = walk_all(walk, workers, progress)
        weight = weigh(walk, layers, distribution or ALL, workers, progress)
        stage = f"dataset-{distribution}" if distribution else "dataset"
        pieces, total = pieces_of(walk, stage, layers), sum(map(walk.rows, layers))
        with workers.pool(DatasetWork(walk, distribution, weight)) as pool:
            for share, _ in do_pieces(pool, walk, pieces):
                progress("best moves", share, round(share * total))
        weighting: Weighting = {"distribution": distribution} if distribution else {}
        if distribution in (RANDOM, PERFECT):
            weighting["positions_per_game"] = weight
        records = [walk.store.get(piece.name) for piece in pieces]
        about: About = {
            "game": game.name,
            **describe(board),
            "rows": sum(record["rows"] for record in records),
            "positions": sum(record["positions"] for record in records),
            "told_by": walk.position_key.told_by,
            **weighting,
        }

        def parts(name: str) -> Iterator[Column]:
            return (walk.store.load(Saved(*record["columns"][name])) for record in records)

        yield {name: partial(parts, name) for name in records[0]["columns"]}, about


def collect(game: Game, board: Board, progress: Progress = ignore_progress) -> tuple[Columns, About]:
    """The columns of all that can come up on an empty board, and what there is to know about them, in memory."""
    with open_dataset(game, board, progress) as (parts, about):
        return {name: np.concatenate(list(column())) for name, column in parts.items()}, about


def write(path: Path, parts: Parts, about: About) -> list[str]:
    """Write the columns to a compressed .npz file, all of it or nothing, a part at a time; the names of the columns.

    `about` is JSON. What the actions are worth is left out: lists are for Parquet.
    """
    names = [name for name in parts if name != ACTIONS]
    with whole_file(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        with archive.open("about.npy", "w", force_zip64=True) as member:
            write_array(member, np.array(json.dumps(about)))
        for name in names:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                for number, part in enumerate(parts[name]()):
                    if number == 0:
                        write_array_header_1_0(member, header_data_from_array_1_0(part) | {"shape": (about["rows"],)})
                    member.write(part.tobytes())
    return names
