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
from quintet.solve.layers import Saved
from quintet.solve.positions import Layer
from quintet.solve.searcher import images_of
from quintet.solve.stages import MEMORY, PieceWork, Progress, do_pieces, ignore_progress, open_walk, pieces_of, walk_all
from quintet.solve.theories.generic import MOST
from quintet.solve.walk import Piece, Walk
from quintet.workers import Signals, Workers
from quintet.workers.here import Here

Column = npt.NDArray[np.integer]
Columns = dict[str, Column]
Parts = dict[str, Callable[[], Iterator[Column]]]
"""Columns that are read part by part."""


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


def best_moves(walk: Walk, places: Numbers, best: Numbers) -> Numbers:
    """The set of cells whose claim is worth as much as the position; one cell beyond the last stands for a pass."""
    moves = walk.stuck(*walk.sets(places)).astype(np.int64) << walk.board.cells
    for cell, able, after, gained in walk.claims(places):
        moves[able] |= (walk.before(after, gained) == best[able]).astype(np.int64) << cell
    return moves


class DatasetWork(PieceWork):
    """Makes the rows of a part of a layer."""

    def prepare(self) -> None:
        """Look up the symmetries."""
        board = self.walk.board
        self.symmetries = np.array(images_of(board), np.int64).reshape(-1, (board.cells + 7) // 8, 256)

    def do(self, task: Piece, signals: Signals) -> int:
        """Save the columns of a part; how many rows they have."""
        walk, layer = self.walk, self.walk.layer(task.claimed, task.part)
        values, numbers = (walk.numbers(task.claimed, task.part, whole) for whole in (False, True))
        parts = [
            self.columns(layer.rows(rows), values[rows], numbers[rows])
            for rows in walk.slices(task.claimed, len(layer.keys))
        ]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        saved = {
            name: walk.store.save(f"{name}-{task.claimed:02}-{task.part:05}", column)
            for name, column in columns.items()
        }
        positions = int(columns["images"].sum(dtype=np.int64))
        walk.store.finish(task.name, {"rows": len(columns["mine"]), "positions": positions, "columns": saved})
        return len(columns["mine"])

    def columns(self, layer: Layer, values: Numbers, numbers: Numbers) -> Columns:
        """The columns of positions with these values, without and with the margin so far."""
        walk, images = self.walk, orbits(self.walk, layer, self.symmetries)
        chosen = images > 0
        places, numbers = layer.places[chosen], numbers[chosen]
        mine, theirs = walk.sets(places)
        far = {"margin": numbers} if walk.game.territory else {"plies": MOST - abs(numbers)}
        return {
            "mine": mine.astype(np.uint32),
            "theirs": theirs.astype(np.uint32),
            "value": np.sign(numbers).astype(np.int8),
            **{name: column.astype(np.int8) for name, column in far.items()},
            "optimal": best_moves(walk, places, values[chosen]).astype(np.uint32),
            "images": images[chosen],
        }


@contextmanager
def open_dataset(
    game: Game,
    board: Board,
    progress: Progress = ignore_progress,
    folder: Path | None = None,
    workers: Workers | None = None,
    memory: int = MEMORY,
) -> Iterator[tuple[Parts, About]]:
    """The columns of all that can come up on an empty board, part by part, and what there is to know about them.

    With a `folder`, all is saved there, and a dataset that was interrupted is continued.
    """
    workers = workers or Here()
    with open_walk(Position(game, board), folder, workers, memory) as walk:
        layers = walk_all(walk, workers, progress)
        pieces, total = pieces_of(walk, "dataset", layers), sum(map(walk.rows, layers))
        with workers.pool(DatasetWork(walk)) as pool:
            for share, _ in do_pieces(pool, walk, pieces):
                progress("best moves", share, round(share * total))
        records = [walk.store.get(piece.name) for piece in pieces]
        about: About = {
            "game": game.name,
            **describe(board),
            "rows": sum(record["rows"] for record in records),
            "positions": sum(record["positions"] for record in records),
            "told_by": walk.position_key.told_by,
        }

        def parts(name: str) -> Iterator[Column]:
            return (walk.store.load(Saved(*record["columns"][name])) for record in records)

        yield {name: partial(parts, name) for name in records[0]["columns"]}, about


def collect(game: Game, board: Board, progress: Progress = ignore_progress) -> tuple[Columns, About]:
    """The columns of all that can come up on an empty board, and what there is to know about them, in memory."""
    with open_dataset(game, board, progress) as (parts, about):
        return {name: np.concatenate(list(column())) for name, column in parts.items()}, about


def write(path: Path, parts: Parts, about: About) -> None:
    """Write the columns to a compressed .npz file, all of it or nothing, a part at a time; `about` is JSON."""
    with whole_file(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        with archive.open("about.npy", "w", force_zip64=True) as member:
            write_array(member, np.array(json.dumps(about)))
        for name, column in parts.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                for number, part in enumerate(column()):
                    if number == 0:
                        write_array_header_1_0(member, header_data_from_array_1_0(part) | {"shape": (about["rows"],)})
                    member.write(part.tobytes())
