"""Datasets with weights and the values of every action: against games played out, the search and quintet.regret."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from boards import every_game
from documents import DOCS
from quintet.board import Board, move_cells, symmetries
from quintet.games import GAMES
from quintet.gears.arrays import bind_rules
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve import parquet
from quintet.solve.data_card import COLUMNS, data_card, may_replace, size_category
from quintet.solve.dataset import About, key_of, open_dataset
from quintet.solve.parquet import write_parquet
from quintet.solve.position_keys import POSITION_KEYS
from quintet.solve.regret import lost_points
from quintet.solve.solver import Solver
from quintet.workers import read_workers

PROGRAM = str(Path(sys.executable).with_name("quintet"))
Rows = list[dict[str, list[int] | int | float]]


def empty_board(game: Game, size: str) -> Position:
    return start(game, size, target=7, shuffle=3) if game.target else start(game, size)


def make(game: Game, board: Board, distribution: str, path: Path, **more: object) -> tuple[list[dict[str, int]], About]:
    """Write a dataset and read it again."""
    with open_dataset(game, board, distribution=distribution, **more) as (parts, about):  # type: ignore[arg-type]
        names, checksum = write_parquet(path, parts, about)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == checksum
    table = pq.read_table(path)
    assert table.column_names == names and json.loads(table.schema.metadata[b"quintet"]) == about
    return table.to_pylist(), about


def play_out(empty: Position, distribution: str) -> dict[Position, Fraction]:
    """How likely games get to each position, by playing all of them."""
    solver, weights = Solver(empty.game, empty.board), defaultdict[Position, Fraction](Fraction)
    waiting = {empty: Fraction(1)}
    while waiting:
        position = min(waiting, key=lambda p: ((p.mine | p.theirs).bit_count(), not p.must_pass))
        weights[position] = weight = waiting.pop(position)
        moves = list(position.moves)
        if distribution == "perfect-play" and moves:
            moves = list(solver.best(position, solver.value(position).low))
        for move in moves:
            after = position.play(move)
            after = Position(empty.game, empty.board, after.mine, after.theirs)
            waiting[after] = waiting.get(after, Fraction(0)) + weight / len(moves)
    return weights


@every_game
@pytest.mark.parametrize("distribution", ["random-play", "perfect-play"])
@pytest.mark.parametrize("size", ["7", "3x3"])
def test_the_weights_are_those_of_all_games(game: Game, size: str, distribution: str, tmp_path: Path) -> None:
    empty = empty_board(game, size)
    rows, about = make(game, empty.board, distribution, tmp_path / "x.parquet")
    rules, key = bind_rules(game), POSITION_KEYS[key_of(game, distribution)].function
    images = symmetries(empty.board)

    def orbit(mine: int, theirs: int) -> int:
        sets = np.array([(move_cells(mine, s), move_cells(theirs, s)) for s in images], np.int64).T
        return int(min(key(rules, empty.board, *sets)))

    wanted, weights = defaultdict[int, Fraction](Fraction), play_out(empty, distribution)
    for position, weight in weights.items():
        wanted[orbit(position.mine, position.theirs)] += weight
    total = sum(wanted.values())
    assert about["positions_per_game"] == pytest.approx(float(total))
    assert sum(row["weight"] for row in rows) == pytest.approx(1)
    found = {orbit(row["mine"], row["theirs"]): row["weight"] for row in rows}
    assert len(found) == len(rows)
    assert found == pytest.approx({name: float(weight / total) for name, weight in wanted.items()})


@every_game
@pytest.mark.parametrize("size", ["1", "2x3", "3x3"])
def test_every_action_has_its_value_and_regret(game: Game, size: str, tmp_path: Path) -> None:
    empty = empty_board(game, size)
    rows, about = make(game, empty.board, "all", tmp_path / "x.parquet")
    solver, far = Solver(game, empty.board), "margin" if game.territory else "plies"
    assert sum(row["images"] for row in rows) == about["positions"]
    for row in rows:
        assert row["weight"] == pytest.approx(row["images"] / about["positions"])
        position = Position(game, empty.board, row["mine"], row["theirs"])
        grades = solver.grade(position) if position.moves else {}
        best = max(grades.values(), default=None)
        wanted = {
            position.action(move): (int(np.sign(value.low)), getattr(value, far), lost_points(best, value))
            for move, value in grades.items()
            if best
        }
        lists = (row[name] for name in ("action_values", "action_margins" if game.territory else "action_plies"))
        assert dict(zip(row["actions"], zip(*lists, row["action_regrets"], strict=True), strict=True)) == wanted  # type: ignore[call-overload]
        assert row["optimal"] == sum(1 << position.action(move) for move in grades if grades[move] == best)


@pytest.mark.parametrize(
    ("game", "distribution", "group", "workers"),
    [("gridlock", "perfect-play", 7, 2), ("grid-conquest", "random-play", 1, 1)],
)
def test_a_file_from_a_folder_and_workers_has_the_same_rows(
    game: str, distribution: str, group: int, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = start(GAMES[game], "2x4").board
    rows, about = make(GAMES[game], board, distribution, tmp_path / "memory.parquet")
    monkeypatch.setattr(parquet, "GROUP", group)
    more = {"folder": tmp_path / "new", "memory": 2_000, "workers": read_workers(workers)}
    same, told = make(GAMES[game], board, distribution, tmp_path / "folder.parquet", **more)
    assert len(same) == len(rows) and told == pytest.approx(about)
    for one, two in zip(rows, same, strict=True):
        assert one.pop("weight") == pytest.approx(two.pop("weight")) and one == two
    more["workers"] = read_workers(1)  # Nothing is left to do.
    again, _ = make(GAMES[game], board, distribution, tmp_path / "again.parquet", **more)
    assert again == [row | {"weight": other["weight"]} for row, other in zip(rows, again, strict=True)]
    assert not list((tmp_path / "new").glob("*-run-*"))
    file = pq.ParquetFile(tmp_path / "folder.parquet")
    groups = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    assert set(groups[:-1]) <= {group} and groups[-1] <= group


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program without a terminal."""
    words = [PROGRAM, "dataset", *arguments]
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder)


def test_the_command_writes_a_card_and_does_not_replace_other_files(tmp_path: Path) -> None:
    words = ("point-capture", "--size", "2x3", "--target", "5", "--distribution", "random-play")
    done = run(*words, "--out", "x.parquet", folder=tmp_path)
    assert done.returncode == 0 and done.stderr == "" and done.stdout.endswith("data card: README.md\n")
    card = (tmp_path / "README.md").read_text()
    data = tmp_path / "x.parquet"
    assert hashlib.sha256(data.read_bytes()).hexdigest() in card
    assert all(f"| `{name}` |" in card for name in pq.read_schema(data).names)
    # The command in the card makes the same file again, and replaces its own card alone.
    before = data.read_bytes()
    (command,) = re.findall(r"^quintet (dataset .*)$", card, re.MULTILINE)
    again = run(*command.split()[1:], folder=tmp_path)
    assert again.returncode == 0 and data.read_bytes() == before and (tmp_path / "README.md").read_text() == card
    other = run(*words, "--out", "y.parquet", folder=tmp_path)
    assert other.returncode == 2 and "README.md is not the data card of y.parquet" in other.stderr
    assert other.stderr.count("\n") == 1 and not (tmp_path / "y.parquet").exists()
    assert run(*words, "--out", "y", "--format", "parquet", "--card", "y.md", folder=tmp_path).returncode == 0
    assert (tmp_path / "y").read_bytes() == before and "`y`" in (tmp_path / "y.md").read_text()
    assert (tmp_path / "README.md").read_text() == card
    plain = run(*words, "--out", "x.npz", folder=tmp_path)
    assert plain.stdout.endswith("columns: mine, theirs, value, plies, optimal, images, weight\n")
    with np.load(tmp_path / "x.npz") as arrays:
        assert arrays["weight"].tolist() == pq.read_table(data)["weight"].to_pylist()


def test_a_card_says_what_hugging_face_reads(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    about: About = {"game": "gridlock", "size": "4x4", "rows": 8_659, "positions": 67_747, "told_by": "the cells"}
    card = data_card(about | {"distribution": "all"}, list(COLUMNS), "g.parquet", "0")
    header = yaml.safe_load(card.split("---\n")[1])
    assert header["license"] == "mit" and header["size_categories"] == ["1K<n<10K"]
    assert header["configs"] == [{"config_name": "default", "data_files": "g.parquet"}]
    assert "every position once" in card and size_category(20_000_000) == "10M<n<100M"
    weighted: About = {
        "game": "point-capture",
        "size": "2x2",
        "target": 5,
        "values": [1, 2, 3, 4],
        "rows": 9,
        "positions": 9,
        "told_by": "the values",
        "distribution": "perfect-play",
        "positions_per_game": 3.5,
    }
    text = data_card(weighted, list(COLUMNS), "p.parquet", "0")
    assert "--target 5 --values 1,2,3,4 --distribution perfect-play" in text and "has 3.5000 positions" in text
    path = tmp_path / "README.md"
    assert may_replace(path, "g.parquet")
    path.write_text(card)
    assert may_replace(path, "g.parquet") and not may_replace(path, "h.parquet")


LOADING = re.findall(r"^```py\n(import (\w+).*?)^```$", (DOCS / "datasets.md").read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def isolation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the dataset of the page."""
    folder = tmp_path_factory.mktemp("isolation")
    assert (
        run("isolation", "--distribution", "random-play", "--out", "isolation.parquet", folder=folder).returncode == 0
    )
    return folder


@pytest.mark.parametrize(("lines", "package"), LOADING, ids=[package for _, package in LOADING])
def test_it_loads_in_three_lines(lines: str, package: str, isolation: Path) -> None:
    pytest.importorskip(package)
    assert len([line for line in lines.splitlines() if line]) <= 3
    name = lines.splitlines()[-1].split(" = ")[0]
    environment = os.environ | {"HF_HOME": str(isolation / "cache"), "HF_HUB_OFFLINE": "1"}
    column = f"[float(row['weight']) for row in map({name}.__getitem__, range(1_899))]"
    shares = column if package == "torch" else f"{name}['weight'][:]"
    code = f"{lines}\nassert len({name}) == 1_899, len({name})\nprint(sum({shares}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=isolation, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(re.findall(r"[\d.]+", done.stdout)[0]) == pytest.approx(1)


def test_the_page_shows_the_four_libraries() -> None:
    assert [package for _, package in LOADING] == ["pandas", "polars", "datasets", "torch"]
