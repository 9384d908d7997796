"""Files that are written whole or not at all, even if the disk is full or the program is killed, and a lock."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EEXIST
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path, new: bool = False) -> Iterator[BinaryIO]:
    """A file to write, which gets its name when all of it is on the disk. A `new` one must not exist yet.

    An `OSError` leaves what was there before. A device or a pipe is written directly.
    """
    path = Path(os.path.realpath(path))  # A link stays a link.
    if not new and path.exists():
        if not os.access(path, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))
        if not path.is_file():
            with path.open("wb") as file:
                yield file
            return
    if new and path.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST))
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    file = part.open("xb")
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if new:
            publish(part, path)
        else:
            if path.exists():
                part.chmod(path.stat().st_mode)
            part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def publish(part: Path, path: Path) -> None:
    """Give a complete file its name, which nobody else may have taken meanwhile."""
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # This file system has no links.
        path.open("xb").close()
        part.replace(path)
    else:
        part.unlink()


def write_file(path: Path, text: str, new: bool = False) -> None:
    """Write text to a file, all of it or nothing. A `new` file must not exist yet."""
    with whole_file(path, new) as file:
        file.write(text.encode(errors="replace"))


def lock_file(file: BinaryIO) -> None:
    """Lock an open file until it is closed, where the system has such locks; `BlockingIOError` if another has it."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(file, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        raise
    except (ImportError, OSError):
        return
