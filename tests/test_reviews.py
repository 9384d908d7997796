"""A game looked at afterwards: grades that keep the laws, goldens, and files that are broken."""

import json
import random
import re
import xml.etree.ElementTree as xml
from pathlib import Path

import msgspec
import pytest

from boards import every_game
from commands import quintet
from goldens import DATA, reviewed
from minimax import minimax
from quintet.games import GAMES
from quintet.match import Match, replay
from quintet.notation import read_move
from quintet.options import start
from quintet.record import LARGEST_RECORD, InvalidRecord, load_record, write_record
from quintet.rules import Game, play_all
from quintet.solve.oracle import Oracle
from quintet.solve.regret import margin_loss, regret
from quintet.solve.value import Value
from quintet.study.analysis import analyze
from quintet.study.remarks import report, turned
from quintet.study.reports import review_report
from quintet.study.reviews import Review, classify, review
from quintet.study.value_graph import heights, value_graph

SIZES = (None, "2x4", "7")


def reviews(game: Game, games: int = 12) -> list[Review]:
    """Random games with their reviews."""
    found = []
    for size in SIZES:
        empty = start(game, size)
        oracle = Oracle(game, empty.board)
        for seed in range(games):
            rng = random.Random(seed)
            match = Match(empty)
            while match.position.moves:
                match.play(rng.choice(match.position.moves))
            found.append(review(match, oracle))
    return found


@every_game
def test_the_laws_of_grading(game: Game) -> None:
    rank = {"loss": 0, "draw": 1, "win": 2}
    seen = set()
    for found in reviews(game):
        assert found.complete and len(found.values) == len(found.grades) + 1
        for grade in found.grades:
            seen.add(grade.kind)
            steps = rank[str(grade.before.outcome)] - rank[str(grade.after.outcome)]
            assert steps >= 0 and grade.after <= grade.before
            if grade.after == grade.before:
                assert grade.kind in ("best", "forced") and grade.regret == 0 and grade.margin_loss in (0, None)
            if grade.before.outcome == "loss":
                assert grade.kind not in ("mistake", "blunder")
            assert (grade.kind == "blunder") == (steps == 2) and (grade.kind == "mistake") == (steps == 1)
            assert (grade.kind == "forced") == (len(grade.position.moves) == 1)
            if grade.fault:
                assert grade.better is not None and grade.better != grade.move
                end = play_all(grade.position.play(grade.move), grade.line)
                assert end.outcome
                winner = {"win": grade.player, "loss": 3 - grade.player, "draw": None}[str(grade.after.outcome)]
                assert end.outcome.winner == winner
        sides = [{"win": 1, "loss": 2, "draw": None}[str(value.outcome)] for value in found.values]
        changed = [ply for ply in range(1, len(sides)) if sides[ply] != sides[ply - 1]]
        assert [grade.ply for grade in found.turns] == changed
        for player in (1, 2):
            judged = found.judged(player)
            assert all(len(grade.position.moves) > 1 for grade in judged)
            if judged:
                assert found.accuracy(player) == sum(grade.kind == "best" for grade in judged) / len(judged)
    assert {"best", "forced", "blunder"} <= seen and ("inaccuracy" if game.territory else "good") in seen


@every_game
def test_the_grades_are_those_of_the_oracle(game: Game) -> None:
    rng = random.Random(2)
    match = Match(start(game, "2x4" if game.territory else "3x3"))
    while match.position.moves:
        match.play(rng.choice(match.position.moves))
    for grade in review(match).grades:
        before, after = minimax(grade.position), minimax(grade.position.play(grade.move))
        if game.territory:
            assert (grade.before.margin, grade.after.margin) == (before[0], -after[0])
        else:
            assert (grade.before.plies, grade.after.plies) == (before[1], after[1] + 1)
            assert grade.before.outcome == ("win" if before[0] > 0 else "loss")


@every_game
def test_regret_is_that_of_the_whole_program(game: Game) -> None:
    """A review, the public function and the JSON name the same number for the same move."""
    for found in reviews(game, 2):
        data = json.loads(msgspec.json.encode(review_report(found)))
        for grade, entry in zip(found.grades, data["moves"], strict=True):
            assert grade.regret == entry["regret"] == regret(grade.position, grade.move)
            assert grade.margin_loss == entry["margin_loss"] == margin_loss(grade.position, grade.move)
        for player in (1, 2):
            judged, row = found.judged(player), data["accuracy"][player - 1]
            if judged:
                assert row["regret"] == pytest.approx(sum(grade.regret or 0 for grade in judged) / len(judged))
                assert 0 <= row["regret"] <= 1 and (row["margin_loss"] is None) == (not game.territory)


@every_game
def test_heights_rise_with_the_value(game: Game) -> None:
    for found in reviews(game, 2):
        known = [height for height in heights(found.values) if height is not None]
        assert len(known) == len(found.values) and all(-1 <= height <= 1 for height in known)
        ranked = sorted(zip(found.values, known, strict=True))
        assert [height for _, height in ranked] == sorted(known)


@every_game
def test_perfect_play_is_without_fault(game: Game) -> None:
    found = review(Match(start(game), analyze(start(game)).line))
    assert not found.turns and {grade.kind for grade in found.grades} <= {"best", "forced"}
    assert found.accuracy(1) == found.accuracy(2) == 1 and found.regret(1) == 0
    assert "The game had no turning point." in report(found)


@every_game
def test_golden_review(game: Game) -> None:
    assert reviewed(game) == (DATA / "reviews" / f"{game.name}.txt").read_text()


@every_game
def test_report_and_graph(game: Game) -> None:
    for found in reviews(game, 2):
        data = json.loads(msgspec.json.encode(review_report(found)))
        assert [entry["grade"] for entry in data["moves"]] == [grade.kind for grade in found.grades]
        assert len(data["values"]) == len(data["moves"]) + 1 and data["complete"] is True
        root = xml.fromstring(value_graph(found))
        marks = [element for element in root.iter() if element.get("class", "").startswith("mark")]
        assert len(marks) == sum(grade.fault for grade in found.grades)
        line = next(element for element in root.iter() if element.get("class") == "value")
        assert len(line.get("points", "").split()) == len(found.values)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ((3, 9), (-9, -1), "blunder"),
        ((3, 9), (0, 0), "mistake"),
        ((0, 0), (-4, -4), "mistake"),
        ((3, 3), (1, 1), "inaccuracy"),
        ((-3, -3), (-9, -9), "inaccuracy"),
        ((3, 9), (3, 3), "open"),
        ((-9, 9), (3, 3), "open"),
        ((2, 2), (2, 2), "best"),
    ],
)
def test_limits_are_judged_as_far_as_they_go(before: tuple[int, int], after: tuple[int, int], kind: str) -> None:
    assert classify(Value(*before, True), Value(*after, True)) == kind


def test_a_resigned_game(tmp_path: Path) -> None:
    match = Match(start(GAMES["gridlock"]))
    for move in (1 << 5, 1 << 10):
        match.play(move)
    match.play(match.position.moves[0])
    match.resign()
    path = tmp_path / "game.txt"
    path.write_text(write_record(match.record()))
    again = replay(load_record(path))
    assert again.resigned == 2 and again.moves == match.moves
    assert "Player 2 resigned" in quintet("review", str(path)).stdout
    assert "Player 2 resigned a won game." in report(review(again))


def test_names_from_a_file_cannot_break_the_picture() -> None:
    match = Match(start(GAMES["isolation"], "3"), [1 << 1], ("<script>", 'a"&'))
    assert "&lt;script&gt;" in value_graph(review(match))
    assert xml.fromstring(value_graph(review(match))).tag.endswith("svg")


def test_an_empty_game() -> None:
    found = review(Match(start(GAMES["gridlock"])))
    assert found.accuracy(1) is None and "no moves graded" in report(found)
    assert xml.fromstring(value_graph(found)).tag.endswith("svg")


def test_many_turning_points_are_counted() -> None:
    moves = "A1 E1 A2 E2 A3 E3 A4 D1 A5 D2 B1 E4 B2 C1 B3 E5 B4 C2 B5 C3 C4 D5 C5 D3 D4"
    begun = start("adjacent-claim")
    match = Match(begun, [read_move(begun, move) for move in moves.split()])
    assert turned(review(match)) == "The game turned 16 times, last at move 24 (to Player 1)."


def test_the_command(tmp_path: Path) -> None:
    path, picture = tmp_path / "game.txt", tmp_path / "graph.svg"
    path.write_text('[Game "gridlock"]\n\n1. 2 2; 3 3\n2. 1 1\n', encoding="utf-8-sig")
    run = quintet("review", str(path), "--svg", str(picture))
    assert run.returncode == 0 and run.stdout.startswith("Gridlock 4x4, human against human. Unfinished.\n")
    assert picture.read_text() == quintet("review", str(path), "--svg", "-").stdout
    assert json.loads(quintet("review", str(path), "--json").stdout)["game"] == "gridlock"
    unwritten = quintet("review", str(path), "--svg", "/no/such/place.svg")
    assert "cannot write" in unwritten.stderr and unwritten.stdout == run.stdout
    assert "both print: choose one" in quintet("review", str(path), "--json", "--svg", "-").stderr


def test_what_time_leaves_open_is_said(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text('[Game "adjacent-claim"]\n[Size "8x8"]\n\n1. C3; C4\n')
    run = quintet("review", str(path), "--time", "0.2")
    assert run.returncode == 1 and "not every move could be graded within 0.2 s" in run.stderr
    assert run.stdout.count("open") == 2 and "Turning points may be missing" in run.stdout
    data = json.loads(quintet("review", str(path), "--time", "0.2", "--json").stdout)
    assert data["complete"] is False and data["values"][0]["limits"] == [-64, 64]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "line 1: a record begins with a tag"),
        (b"\xff\xfe\x00", "byte 1 is not UTF-8 text"),
        (b'[Game "chess"]\n', "line 1: no game called 'chess'"),
        (b'[Game "gridlock"]\n\n1. 2 2; 2 3\n', "line 3: 2 3: You cannot place next to"),
        (b"x" * (4 * LARGEST_RECORD + 9), "a record can have at most"),
        (b'[Game "gridlock"]\n{', "unmatched brace"),
    ],
    ids=["empty", "not-utf8", "game", "move", "huge", "brace"],
)
def test_broken_files(tmp_path: Path, content: bytes, error: str) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    with pytest.raises(InvalidRecord, match=re.escape(error)):
        load_record(path)
    for command in (["review", str(path)], ["puzzle", "--from", str(path)]):
        run = quintet(*command)
        assert run.returncode == 2 and run.stdout == "" and run.stderr.count("\n") == 1 and error in run.stderr


def test_missing_files(tmp_path: Path) -> None:
    for path, error in ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory")):
        run = quintet("review", str(path))
        assert run.returncode == 2 and f"cannot read {path}: {error}" in run.stderr and run.stderr.count("\n") == 1
