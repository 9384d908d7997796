"""The dataset of all positions: against the proof, the search and the symmetries."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from boards import every_game
from quintet.board import move_cells, symmetries
from quintet.games import GAMES
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.dataset import collect, open_dataset, write
from quintet.solve.solver import Solver
from quintet.solve.verify import verify

PROGRAM = str(Path(sys.executable).with_name("quintet"))


@every_game
@pytest.mark.parametrize("size", ["1", "7", "2x3", "3x3", "3x3-B2"])
def test_it_agrees_with_the_proof_and_the_search(game: Game, size: str) -> None:
    empty = start(game, size, target=7, shuffle=3) if game.target else start(game, size)
    columns, about = collect(game, empty.board)
    proof = verify(empty)
    assert about["positions"] == proof.positions and about["told_by"] == proof.told_by
    if game.future != "claimed":  # Else one future stands for positions with several scores.
        counts = [int(columns["images"][columns["value"] == value].sum()) for value in (1, -1, 0)]
        assert counts == [proof.wins, proof.losses, proof.draws]
    solver = Solver(game, empty.board)
    for row in range(about["rows"]):
        mine, theirs, optimal = (int(columns[name][row]) for name in ("mine", "theirs", "optimal"))
        position = Position(game, empty.board, mine, theirs)
        value = solver.value(position)
        assert np.sign(value.low) == columns["value"][row]
        distance = "margin" if game.territory else "plies"
        assert columns[distance][row] == getattr(value, distance)
        best = solver.best(position, value.low) if position.moves else []
        assert optimal == sum(move or 1 << empty.board.area for move in best)


@every_game
def test_no_two_rows_are_the_same_up_to_symmetry(game: Game) -> None:
    board = start(game, "3x3").board
    columns, about = collect(game, board)
    seen: set[tuple[int, int]] = set()
    for mine, theirs, images in zip(*(columns[name].tolist() for name in ("mine", "theirs", "images")), strict=True):
        orbit = {(move_cells(mine, s), move_cells(theirs, s)) for s in symmetries(board)}
        assert not orbit & seen
        seen |= orbit
        assert len(orbit) == images or game.future != "cells"
    assert len(seen) == about["positions"] or game.future != "cells"


@pytest.mark.parametrize(
    ("name", "rows", "positions"),
    [("grid-conquest", 4_489, 32_798), ("isolation", 1_899, 3_756), ("gridlock", 8_659, 67_747)],
)
def test_rule_book_sizes(name: str, rows: int, positions: int) -> None:
    _, about = collect(GAMES[name], start(GAMES[name]).board)
    assert (about["rows"], about["positions"]) == (rows, positions)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    game, board = GAMES["isolation"], start(GAMES["isolation"], "7").board
    columns, _ = collect(game, board)
    path, folder = tmp_path / "all.npz", tmp_path / "folder"
    folder.mkdir()
    with open_dataset(game, board) as (parts, about):
        write(path, parts, about)
        with pytest.raises(OSError, match="folder"):
            write(folder, parts, about)
        with pytest.raises(TypeError):
            write(path, parts, about | {"game": {"no JSON"}})  # type: ignore[arg-type]
    with np.load(path) as data:
        assert json.loads(str(data["about"])) == about
        assert all((data[name] == column).all() for name, column in columns.items())
    assert list(tmp_path.glob("*.part")) == []


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program without a terminal."""
    return subprocess.run([PROGRAM, "dataset", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "points.npz"
    done = run("point-capture", "--size", "2x3", "--target", "5", "--out", str(file))
    assert done.returncode == 0 and done.stderr == ""
    with np.load(file) as data:
        about = json.loads(str(data["about"]))
        assert about["game"] == "point-capture" and about["size"] == "2x3" and about["target"] == 5
        assert set(data) == {"about", "mine", "theirs", "value", "plies", "optimal", "images"}
        assert {len(data[name]) for name in set(data) - {"about"}} == {about["rows"]}
    assert done.stdout.startswith(f"{about['rows']} rows for {about['positions']} positions of Point Capture 2x3\n")
    assert list(tmp_path.glob("*.npz*")) == [file]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gridlock", "--size", "6x6", "--out", "{}/x.npz"), "limited to 31 cells"),
        (("gridlock", "--out", "{}/nowhere/x.npz"), "no such folder"),
        (("gridlock", "--out", "{}"), "it is a folder"),
        (("gridlock",), "missing option '--out'"),
        (("gridlock", "--out", "{}/x.csv"), "must end in .npz"),
    ],
)
def test_mistakes_get_one_line_and_leave_no_file(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = run(*(argument.format(tmp_path) for argument in arguments))
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*.npz*"))
