"""A dataset as a Parquet file, written a row group at a time, so that its size does not matter to the memory."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from quintet.files import whole_file
from quintet.solve.dataset import ACTIONS, About, Column, Columns, Parts
from quintet.solve.theories.generic import MOST
from quintet.solve.walk import UNKNOWN

GROUP = 1 << 16
"""How many rows are written together."""


class HashedFile:
    """Writes to a file, and has the SHA-256 of all that was written."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        """Nothing is written yet."""
        self.file, self.hash = file, hashlib.sha256()

    def write(self, data: bytes) -> int:
        """Write some bytes."""
        self.hash.update(data)
        return self.file.write(data)

    def flush(self) -> None:
        """Hand on what was written."""
        self.file.flush()


def groups(parts: Parts) -> Iterator[Columns]:
    """Columns of up to `GROUP` rows each."""
    waiting: list[Columns] = []
    rows = 0
    for together in zip(*(column() for column in parts.values()), strict=True):
        columns = dict(zip(parts, together, strict=True))
        first = 0
        while first < len(columns["mine"]):
            taken = {name: column[..., first : first + GROUP - rows] for name, column in columns.items()}
            waiting.append(taken)
            first, rows = first + len(taken["mine"]), rows + len(taken["mine"])
            if rows == GROUP:
                yield join(waiting)
                waiting, rows = [], 0
    if waiting:
        yield join(waiting)


def join(waiting: list[Columns]) -> Columns:
    """Columns one below the other."""
    return {name: np.concatenate([columns[name] for columns in waiting], axis=-1) for name in waiting[0]}


def lists(columns: Columns, territory: bool) -> dict[str, pa.Array]:
    """The legal actions of each row as lists, and in lists of the same order what they are worth and give away."""
    numbers = columns[ACTIONS].T
    legal = numbers != UNKNOWN
    rows, actions = np.nonzero(legal)
    worth = numbers[legal]
    results = np.sign(worth).astype(np.int8)
    far = {"action_margins": worth} if territory else {"action_plies": MOST - abs(worth)}
    found: dict[str, npt.NDArray[np.integer | np.floating]] = {
        "actions": actions.astype(np.uint8),
        "action_values": results,
        **{name: column.astype(np.int8) for name, column in far.items()},
        # A win is 1 point, a draw 1/2, a loss 0: half of the difference between 1, 0 and -1.
        "action_regrets": ((columns["value"][rows] - results) / 2).astype(np.float32),
    }
    ends = np.append(0, np.cumsum(legal.sum(axis=1))).astype(np.int32)
    return {name: pa.ListArray.from_arrays(ends, pa.array(column)) for name, column in found.items()}


def table_of(columns: Columns, about: str) -> pa.Table:
    """A row group, with what there is to know about all of them."""
    flat: dict[str, Column] = {name: column for name, column in columns.items() if name != ACTIONS}
    arrays = {name: pa.array(column) for name, column in flat.items()}
    return pa.table(arrays | lists(columns, "margin" in flat), metadata={"quintet": about})


def write_parquet(path: Path, parts: Parts, about: About) -> tuple[list[str], str]:
    """Write the columns to a Parquet file, all of it or nothing; the names of the columns and the file's SHA-256."""
    with whole_file(path) as file:
        hashed = HashedFile(file)
        tables = (table_of(columns, json.dumps(about)) for columns in groups(parts))
        first = next(tables)
        with ParquetWriter(hashed, first.schema, compression="zstd") as writer:
            writer.write_table(first)
            for table in tables:
                writer.write_table(table)
    return first.column_names, hashed.hash.hexdigest()
