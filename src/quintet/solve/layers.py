"""Where a proof keeps its arrays: in memory, or as files in a folder, from which a proof can be continued.

A folder has plain `.npy` files, one JSON record for each finished piece of work, which names its files with their
checksums, and `proof.json`, which says what is proved. Every file is written whole or not at all.
"""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from quintet.errors import QuintetError
from quintet.files import lock_file, whole_file, write_file

Array = npt.NDArray[Any]
Record = Mapping[str, Any]
"""What a finished piece of work has to tell, as JSON."""

FORMAT = 2
"""Another number as soon as older folders cannot be continued."""

HEADER, LOCK = "proof.json", "lock"
OPEN_FILES = 128
"""How many files of a folder are mapped into memory at a time."""


class WrongFolder(QuintetError, ValueError):
    """A folder that belongs to another proof, or that this machine does not have."""


class Damaged(QuintetError, ValueError):
    """A file that is missing, or whose content has changed."""

    status = 1


class Saved(NamedTuple):
    """A saved array."""

    name: str
    rows: int
    checksum: int


class ChecksumWriter:
    """Writes to a file, and has the checksum of all that was written."""

    def __init__(self, file: BinaryIO) -> None:
        """Nothing is written yet."""
        self.file, self.checksum = file, 0

    def write(self, data: bytes) -> int:
        """Write some bytes."""
        self.checksum = crc32(data, self.checksum)
        return self.file.write(data)


class LayerStore:
    """Arrays and records in memory."""

    limited = True
    """Whether there is only room for a limited number of positions."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.arrays: dict[str, Array] = {}
        self.records: dict[str, Record] = {}

    def inner(self, name: str) -> "LayerStore":
        """A store inside this one, for another walk."""
        return LayerStore()

    def save(self, name: str, array: Array) -> Saved:
        """Save an array."""
        self.arrays[name] = array
        return Saved(name, array.shape[-1], 0)

    def load(self, saved: Saved) -> Array:
        """A saved array. It must not be changed."""
        return self.arrays[saved.name]

    def delete(self, saved: Saved) -> None:
        """Delete an array, if it is still there."""
        self.arrays.pop(saved.name, None)

    def finish(self, piece: str, record: Record) -> None:
        """Record that a piece of work is finished: all its arrays are saved."""
        self.records[piece] = record

    def find(self, piece: str) -> Record | None:
        """The record of a piece of work; `None` if it is not finished."""
        return self.records.get(piece)

    def get(self, piece: str) -> Record:
        """The record of a finished piece of work."""
        record = self.find(piece)
        if record is None:
            raise Damaged(f"the record of {piece} is missing: start again")
        return record


class FolderStore(LayerStore):
    """Arrays and records as files in a folder that several processes share. Pickling it saves the name alone."""

    limited = False

    def __init__(self, folder: Path, identity: str) -> None:
        """Use a folder that `open_folder` has prepared."""
        super().__init__()
        self.folder, self.identity = folder, identity
        self.checked: set[str] = set()
        if read_header(folder).get("identity") != identity:
            text = f"a worker on {socket.gethostname()} does not see the folder {folder}"
            raise WrongFolder(f"{text}: give a --folder on a disk that all machines of the cluster share")

    def __reduce__(self) -> tuple[type["FolderStore"], tuple[Path, str]]:
        return FolderStore, (self.folder, self.identity)

    def inner(self, name: str) -> LayerStore:
        """A folder inside this one, for another walk."""
        return open_folder(self.folder / name, {"inside": self.identity})

    def save(self, name: str, array: Array) -> Saved:
        """Write an array to a file, all of it or nothing."""
        array = np.ascontiguousarray(array)
        with whole_file(self.folder / f"{name}.npy") as file:
            writer = ChecksumWriter(file)
            np.save(writer, array)
        return Saved(name, array.shape[-1], writer.checksum)

    def load(self, saved: Saved) -> Array:
        """A saved array, mapped into memory. The file's checksum is compared the first time."""
        array = self.arrays.pop(saved.name, None)
        if array is None:
            array = self.read(saved)
            if len(self.arrays) >= OPEN_FILES:
                self.arrays.pop(next(iter(self.arrays)))
        self.arrays[saved.name] = array  # The one used last is the last to go.
        return array

    def read(self, saved: Saved) -> Array:
        """An array from its file."""
        path = self.folder / f"{saved.name}.npy"
        try:
            if saved.name not in self.checked and crc32(np.memmap(path, mode="r").data) != saved.checksum:
                raise damaged(path)
            array: Array = np.load(path, mmap_mode="r").view(np.ndarray)
        except (FileNotFoundError, ValueError, EOFError):
            raise damaged(path) from None
        self.checked.add(saved.name)
        return array

    def delete(self, saved: Saved) -> None:
        """Delete a file, if it is still there."""
        super().delete(saved)
        (self.folder / f"{saved.name}.npy").unlink(missing_ok=True)

    def finish(self, piece: str, record: Record) -> None:
        """Write the record of a piece of work, with a checksum of its own."""
        write_record(self.folder / f"{piece}.json", record)
        super().finish(piece, record)

    def find(self, piece: str) -> Record | None:
        """The record of a piece of work; `None` if it is not finished."""
        known = super().find(piece)
        if known is None:
            known = read_record(self.folder / f"{piece}.json")
            if known is not None:
                super().finish(piece, known)
        return known


def damaged(path: Path) -> Damaged:
    """The error for a file that is not as it was written."""
    return Damaged(f"{path} is damaged or missing: delete the folder and start again")


def write_record(path: Path, record: Record) -> None:
    """Write a record with its checksum."""
    write_file(path, json.dumps({"checksum": crc32(json.dumps(record).encode()), "record": record}))


def read_record(path: Path) -> Record | None:
    """A record from its file; `None` if there is no such file."""
    try:
        data = json.loads(path.read_bytes())
        record: Record = data["record"]
        right = crc32(json.dumps(record).encode()) == data["checksum"]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise damaged(path)
    return record


def read_header(folder: Path) -> Record:
    """What a folder says it is; nothing if it is not a proof's."""
    return read_record(folder / HEADER) or {}


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Let no other command use a folder meanwhile, where the system has such locks."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("ab") as file:
        try:
            lock_file(file)
        except BlockingIOError:
            raise WrongFolder(f"another command is using {folder}: wait until it has ended") from None
        yield


def check_folder(folder: Path, about: Record) -> Record:
    """What a folder says it is, nothing if it is new; an error if it belongs to something else than `about`."""
    header = read_header(folder)
    if not header and folder.exists() and any(path.name != LOCK for path in folder.iterdir()):
        raise WrongFolder(f"{folder} is not empty and not the folder of a proof: give another one")
    for name, wanted in {"format": FORMAT, **about}.items():
        if header and header.get(name) != wanted:
            text = f"{folder} is the folder of another proof ({name}: {header.get(name)}, not {wanted})"
            raise WrongFolder(f"{text}: give another one")
    return header


def open_folder(folder: Path, about: Record) -> FolderStore:
    """The store of a folder, new or to be continued, which no other command may be using."""
    header = check_folder(folder, about)
    if not header:
        folder.mkdir(parents=True, exist_ok=True)
        header = {"identity": os.urandom(8).hex(), "format": FORMAT, **about}
        write_record(folder / HEADER, header)
    for part in folder.glob(".*.part"):  # A process was killed.
        part.unlink(missing_ok=True)
    return FolderStore(folder, str(header["identity"]))
