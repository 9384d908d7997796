"""Proofs and datasets in a folder: the same as in memory, continued after interruptions, never from damage."""

import io
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from boards import every_game
from patience import wait_until
from quintet.games import GAMES
from quintet.gears import PLAIN
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve import layers as module
from quintet.solve.dataset import collect, open_dataset, write
from quintet.solve.layers import Damaged, FolderStore, Record, WrongFolder, open_folder
from quintet.solve.memory import InvalidMemory, read_worker_memory
from quintet.solve.stages import WalkWork, can_continue, open_walk
from quintet.solve.verify import Disproved, verify
from quintet.solve.walk import Piece
from quintet.workers import read_workers

TINY = 2_000
"""Bytes of memory: a few dozen positions at a time."""


def board_of(game: Game, size: str) -> Position:
    return start(game, size, target=9, shuffle=3) if game.target else start(game, size)


@every_game
@pytest.mark.parametrize("workers", [1, 2])
def test_a_proof_in_a_folder_is_the_one_in_memory(game: Game, workers: int, tmp_path: Path) -> None:
    empty = board_of(game, "3x3")
    keys = game.future == "claimed"  # It walks twice.
    found = verify(empty, PLAIN, keys=keys, folder=tmp_path / "new", workers=read_workers(workers), memory=TINY)
    assert found == verify(empty, PLAIN, keys=keys)
    assert list(tmp_path.glob("new/merge-*-00001.json"))  # A layer in several parts.
    assert not list(tmp_path.glob("new/run-*")) and not list(tmp_path.glob("new/.*"))


@every_game
def test_a_dataset_from_a_folder_is_the_one_in_memory(game: Game, tmp_path: Path) -> None:
    board = board_of(game, "2x4").board
    columns, about = collect(game, board)
    with open_dataset(game, board, folder=tmp_path / "new", memory=TINY) as (parts, same):
        write(tmp_path / "x.npz", parts, same)
    assert same == about
    whole = io.BytesIO()
    np.savez_compressed(whole, about=np.array(json.dumps(about)), **columns)  # type: ignore[arg-type]
    assert (tmp_path / "x.npz").read_bytes() == whole.getvalue()


def test_workers_without_a_folder_have_one_for_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    empty = start(GAMES["gridlock"], "3x3")
    assert verify(empty, PLAIN, workers=read_workers(2)) == verify(empty, PLAIN)
    assert not list(tmp_path.glob("quintet-*"))


class Interruptions:
    """Interrupts a proof whenever it has finished one more piece, before the next one is recorded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        self.finished = 0
        finish = FolderStore.finish

        def interrupted(store: FolderStore, piece: str, record: Record) -> None:
            if self.finished == 1:
                self.names.append(piece)
                raise KeyboardInterrupt
            self.finished = 1
            finish(store, piece, record)

        monkeypatch.setattr(FolderStore, "finish", interrupted)

    def __iter__(self) -> Iterator[None]:
        """Until it is not interrupted any more."""
        before = -1
        while len(self.names) > before:
            before, self.finished = len(self.names), 0
            yield


@every_game
def test_it_continues_wherever_it_was_interrupted(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = board_of(game, "2x3")
    proof, (columns, _) = verify(empty, PLAIN), collect(game, empty.board)
    interruptions = Interruptions(monkeypatch)
    for _ in interruptions:
        try:
            assert verify(empty, PLAIN, folder=tmp_path / "new", memory=1_000) == proof
        except KeyboardInterrupt:
            pass
    for _ in interruptions:
        try:
            with open_dataset(game, empty.board, folder=tmp_path / "new", memory=3_000) as (parts, _):
                assert all((np.concatenate(list(parts[name]())) == columns[name]).all() for name in columns)
        except KeyboardInterrupt:
            pass
    stages = {name.split("-")[0] for name in interruptions.names}
    assert stages == {"plan", "merge", "expand", "evaluate", "compare", "dataset"}


def test_what_is_finished_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = start(GAMES["adjacent-claim"], "2x3")
    proof = verify(empty, PLAIN, folder=tmp_path / "new", memory=TINY)
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "new").iterdir()}
    monkeypatch.setattr(FolderStore, "save", None)
    monkeypatch.setattr(module, "OPEN_FILES", 2)
    assert verify(empty, PLAIN, folder=tmp_path / "new") == proof
    assert before == {path.name: path.stat().st_mtime_ns for path in (tmp_path / "new").iterdir()}


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    empty = start(GAMES["gridlock"], "2x3")
    verify(empty, PLAIN, folder=tmp_path / "new")
    (tmp_path / "new" / ".0123.part").touch()
    verify(empty, PLAIN, folder=tmp_path / "new")
    assert not (tmp_path / "new" / ".0123.part").exists()


def test_the_folder_of_another_proof_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    verify(start(GAMES["gridlock"], "2x3"), PLAIN, folder=folder)
    for other in (start(GAMES["gridlock"], "3x2"), start(GAMES["isolation"], "2x3")):
        with pytest.raises(WrongFolder, match="is the folder of another proof"):
            verify(other, PLAIN, folder=folder)
    with pytest.raises(WrongFolder, match="not empty and not the folder of a proof"):
        verify(start(GAMES["gridlock"], "2x3"), PLAIN, folder=tmp_path)
    assert not (tmp_path / "lock").exists()


def test_two_commands_cannot_use_a_folder_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty, folder = start(GAMES["gridlock"], "2x3"), tmp_path / "new"
    with open_walk(empty, folder, read_workers(1)):
        (folder / ".0123.part").touch()  # It is being written.
        with pytest.raises(WrongFolder, match=r"another command is using .*new: wait until it has ended"):
            verify(empty, PLAIN, folder=folder)
        assert not can_continue(empty, folder) and (folder / ".0123.part").exists()
        monkeypatch.setitem(sys.modules, "fcntl", None)  # As on Windows.
        assert verify(empty, PLAIN, folder=folder)


def test_a_record_that_should_be_there_is_missed(tmp_path: Path) -> None:
    with pytest.raises(Damaged, match="the record of merge-01-00000 is missing"):
        open_folder(tmp_path / "new", {}).get("merge-01-00000")


def test_a_worker_that_does_not_see_the_folder_says_so(tmp_path: Path) -> None:
    store = open_folder(tmp_path / "new", {"position": "x"})
    assert pickle.loads(pickle.dumps(store)).folder == tmp_path / "new"
    packed = pickle.dumps(store)
    (tmp_path / "new").rename(tmp_path / "elsewhere")
    with pytest.raises(WrongFolder, match=r"a worker on .* does not see the folder .*/new: give a --folder on a disk"):
        pickle.loads(packed)


@pytest.mark.parametrize("file", ["keys-03-00000.npy", "values-02-00000.npy", "merge-02-00000.json", "proof.json"])
@pytest.mark.parametrize("damage", ["flip", "header", "cut", "empty"])
def test_damage_is_recognized(file: str, damage: str, tmp_path: Path) -> None:
    empty, folder = start(GAMES["gridlock"], "2x3"), tmp_path / "new"
    verify(empty, PLAIN, folder=folder)
    data = bytearray((folder / file).read_bytes())
    header = data.replace(b"<i", b">i", 1) if file.endswith("npy") else data[1:]
    data[-3] ^= 1
    damaged = {"flip": bytes(data), "header": bytes(header), "cut": bytes(data[:-8]), "empty": b""}
    (folder / file).write_bytes(damaged[damage])
    with pytest.raises(Damaged, match=rf"{file} is damaged or missing: delete the folder and start again"):
        verify(empty, PLAIN, folder=folder)


def test_every_byte_of_a_header_counts(tmp_path: Path) -> None:
    store = open_folder(tmp_path / "new", {})
    saved = store.save("x", np.arange(6, dtype=np.int16).reshape(2, 3))
    path, packed = tmp_path / "new" / "x.npy", pickle.dumps(store)
    whole = path.read_bytes()
    assert (pickle.loads(packed).load(saved) == [[0, 1, 2], [3, 4, 5]]).all()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 2]) + whole[at + 1 :])
        with pytest.raises(Damaged, match=r"x\.npy is damaged or missing"):
            pickle.loads(packed).load(saved)


def test_other_values_are_compared_again(tmp_path: Path) -> None:
    empty, folder = start(GAMES["gridlock"], "2x3"), tmp_path / "new"
    verify(empty, PLAIN, folder=folder)
    with open_walk(empty, folder, read_workers(1)) as walk:
        saved = walk.store.save("values-02-00000", -walk.values(2, 0))
        walk.store.finish("evaluate-02-00000", {"rows": saved.rows, "values": saved})
    with pytest.raises(Disproved, match="the search is wrong"):
        verify(empty, PLAIN, folder=folder)


def test_a_missing_file_is_recognized(tmp_path: Path) -> None:
    empty, folder = start(GAMES["gridlock"], "2x3"), tmp_path / "new"
    verify(empty, PLAIN, folder=folder)
    (folder / "keys-03-00000.npy").unlink()
    with pytest.raises(Damaged, match=r"keys-03-00000\.npy is damaged or missing"):
        verify(empty, PLAIN, folder=folder)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program without a terminal."""
    command = [sys.executable, "-m", "quintet", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_the_commands(tmp_path: Path) -> None:
    options = "gridlock", "--size", "3x3", "--folder", str(tmp_path / "new"), "--workers", "1", "--memory", "64M"
    first, again = run("verify", *options), run("verify", *options)
    assert first.returncode == again.returncode == 0 and first.stdout == again.stdout
    assert first.stderr == "" and again.stderr == f"quintet: continuing the proof in {tmp_path / 'new'}\n"
    done = run("dataset", *options, "--out", str(tmp_path / "x.npz"))
    assert done.returncode == 0 and (tmp_path / "x.npz").exists()
    refused = run("verify", "isolation", "--folder", str(tmp_path / "new"))
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1 and "another proof" in refused.stderr
    (tmp_path / "file").touch()
    refused = run("verify", "isolation", "--folder", str(tmp_path / "file"))
    assert refused.returncode == 2 and refused.stderr == (
        f"quintet: cannot use the folder {tmp_path / 'file'}: {os.strerror(20)}\n"
    )


@pytest.mark.parametrize("command", [["verify"], ["dataset", "--out", "x.npz"]])
def test_too_little_memory_is_refused(command: list[str], tmp_path: Path) -> None:
    refused = run(*command, "gridlock", "--size", "3x3", "--folder", str(tmp_path / "new"), "--memory", "1")
    assert refused.returncode == 2 and refused.stderr == "quintet: --memory 1 is not enough: give at least 64M\n"
    assert not (tmp_path / "new").exists()


def test_memory_of_a_worker() -> None:
    assert read_worker_memory("64M") == 64 << 20
    with pytest.raises(InvalidMemory, match="--memory 63M is not enough: give at least 64M"):
        read_worker_memory("63M")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_says_how_to_continue(number: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    command = ["verify", "adjacent-claim", "--folder", str(folder), "--workers", "2", "--memory", "64M"]
    with subprocess.Popen(
        [sys.executable, "-m", "quintet", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_until(lambda: list(folder.glob("expand-05-*.json")) or process.poll() is not None)
        process.send_signal(number)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors.strip() == f"quintet: interrupted; run the same command again to continue from {folder}"


@pytest.mark.parametrize("command", [["verify"], ["dataset", "--out", "x.npz"]])
def test_sigterm_leaves_no_temporary_folder(command: list[str], tmp_path: Path) -> None:
    options = ["adjacent-claim", "--workers", "2"]
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-m", "quintet", command[0], *options, *command[1:]],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(lambda: list(tmp_path.glob("quintet-*/expand-01-*.json")) or process.poll() is not None)
        process.terminate()
        _, errors = process.communicate()
    assert process.returncode == 130 and errors.strip() == "quintet: interrupted"
    assert not list(tmp_path.glob("quintet-*"))


@pytest.mark.parametrize(
    ("limit", "command", "line"),
    [
        (2, "verify adjacent-claim --size 3x4", "cannot share memory with worker processes, a file in /dev/shm or "),
        (2, "solve gridlock --size 5x5 --fresh --gear plain", "cannot share memory with worker processes, a file in "),
        (8, "verify adjacent-claim --size 4x4", "cannot use the temporary folder "),
    ],
)
def test_a_full_disk_is_named(limit: int, command: str, line: str, tmp_path: Path) -> None:
    # Python itself would write incomplete files of compiled modules.
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    script = f'ulimit -f {limit}; exec "$0" -m quintet {command} --workers 2'
    full = subprocess.run(["bash", "-c", script, sys.executable], capture_output=True, text=True, env=environment)
    assert full.returncode and full.stderr.startswith(f"quintet: {line}") and full.stderr.count("\n") == 1
    assert os.strerror(27) in full.stderr and str(tmp_path) in full.stderr


def test_a_temporary_folder_that_is_full_is_named() -> None:
    empty, full = start(GAMES["gridlock"], "2x3"), os.strerror(28)
    text = rf"temporary folder .*quintet-.*: {full}; give another one \(--folder"
    with pytest.raises(WrongFolder, match=text), open_walk(empty, None, read_workers(2)):
        raise OSError(28, full)


def test_what_a_folder_has_of_a_proof(tmp_path: Path) -> None:
    empty, folder = start(GAMES["gridlock"], "2x3"), tmp_path / "new"
    assert not can_continue(empty, folder) and not folder.exists()
    folder.mkdir()
    (folder / "lock").touch()  # Another command has just begun.
    verify(empty, PLAIN, folder=folder)
    assert can_continue(empty, folder)
    with pytest.raises(WrongFolder):
        can_continue(start(GAMES["isolation"], "2x3"), folder)


def test_a_piece_that_kills_its_workers_is_named(tmp_path: Path) -> None:
    empty = start(GAMES["gridlock"], "2x3")
    with open_walk(empty, tmp_path / "new", read_workers(1)) as walk:
        title = WalkWork(walk).title(Piece("merge", 12, 3))
    assert title == "the stage 'merge' at 12 claimed cells (a lower --memory may help)"
