"""A file is written whole or not at all."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from errno import EPERM
from pathlib import Path

import pytest

from quintet.files import whole_file, write_file

PROGRAM = [sys.executable, "-m", "quintet"]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fail() -> bytes:
    raise ZeroDivisionError


def write_and_fail() -> Iterator[bytes]:
    yield b"half"
    yield fail()


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_file(path, "old")
    path.chmod(0o640)
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(ZeroDivisionError), whole_file(path) as file:
        file.writelines(write_and_fail())
    assert path.read_text() == "old"
    write_file(tmp_path / "link", "new")
    assert path.read_text() == "new" and (tmp_path / "link").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names_in(tmp_path) == ["file", "link", "store"]


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_file(path, "first", new=True)
    with pytest.raises(FileExistsError):
        write_file(path, "second", new=True)
    assert path.read_text() == "first"
    with pytest.raises(ZeroDivisionError), whole_file(tmp_path / "other", new=True):
        fail()
    assert names_in(tmp_path) == ["file", "store"]


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_has_its_name_only_when_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(EPERM, os.strerror(EPERM))

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "file"
    with whole_file(path, new=True) as file:
        file.write(b"half")
        assert not path.exists()
    assert path.read_bytes() == b"half"
    with pytest.raises(FileExistsError), whole_file(tmp_path / "raced", new=True):
        (tmp_path / "raced").write_text("theirs")
    assert (tmp_path / "raced").read_text() == "theirs" and names_in(tmp_path) == ["file", "raced", "store"]


def test_devices_are_written_directly() -> None:
    write_file(Path("/dev/null"), "anything")
    with pytest.raises(OSError, match="No space"):
        write_file(Path("/dev/full"), "x" * 100_000)


FULL_DISK = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs a program none of whose files can have more than a few bytes."""


def test_commands_on_a_full_disk(tmp_path: Path) -> None:
    def run(words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", FULL_DISK, *PROGRAM, *words.split()],
            input=typed,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )

    for name in ("old.svg", "old.npz"):
        (tmp_path / name).write_text("something else")
    assert "Cannot save: File too large." in run("play gridlock --no-save", "save new.txt\nquit\n").stdout
    for words in (
        "show gridlock --svg new.svg",
        "show gridlock --svg old.svg",
        "dataset gridlock --size 3x3 --out old.npz",
        "arena --players random,greedy --games 2 --game gridlock --jobs 1 --plot new.svg",
    ):
        done = run(words)
        assert done.returncode == 2 and done.stderr == f"quintet: cannot write {words.split()[-1]}: File too large\n"
    left = {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()}
    assert left == {"old.svg": "something else", "old.npz": "something else"}
