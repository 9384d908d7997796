"""`analyze` and `solve` as a user or a program sees them."""

import json
import os
import pty
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

import commands
from boards import every_board, every_game
from commands import PROGRAM
from quintet.games import OWN
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.solver import Solver, Stopped
from quintet.solve.value import Value
from quintet.study.analysis import analyze, headline


def quintet(*arguments: str, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program, with a cache folder of its own."""
    return commands.quintet(*arguments, env={**os.environ, "XDG_CACHE_HOME": str(cache or "/nonexistent")})


def analysis(*arguments: str) -> dict[str, Any]:
    """What `analyze --json` prints."""
    run = quintet("analyze", *arguments, "--json")
    assert run.returncode == 0, run.stderr
    return dict(json.loads(run.stdout))


@every_game
def test_analyze_json_has_the_fixed_shape(game: Game) -> None:
    facts = analysis(game.name)
    fixed = ["game", "options", "ply", "to_move", "over", "result", "value", "moves", "line"]
    assert list(facts) == [*fixed, "known", "estimate", "nimber", "parts"]
    assert facts["known"] == "exact" and facts["estimate"] is None
    assert facts["game"] == game.name and facts["ply"] == 0 and facts["to_move"] == 1 and facts["over"] is False
    assert facts["result"] is None and facts["options"]["size"] == start(game).board.size
    assert [entry["move"] for entry in facts["moves"]] == [start(game).label(move) for move in start(game).moves]
    for value in (facts["value"], *facts["moves"]):
        assert value["outcome"] in ("win", "loss", "draw")
        assert (value["margin"] is not None) == game.territory == (value["plies"] is None)
    best = [entry for entry in facts["moves"] if entry["best"]]
    assert best and all({k: entry[k] for k in facts["value"]} == facts["value"] for entry in best)
    assert facts["line"][0] == best[0]["move"]


@every_board
def test_the_best_line_is_worth_what_it_promises(empty: Position) -> None:
    if empty.game.name not in OWN and empty.board.cells > 16:
        return  # Without a theory it takes long, and proves no more.
    found = analyze(empty)
    position = empty
    for move in found.line:
        position = position.play(move)
    assert found.complete and position.outcome
    winner = {"win": 1, "loss": 2, "draw": None}[str(found.value.outcome)]
    assert position.outcome.winner == winner
    if empty.game.territory:
        assert position.scores[0] - position.scores[1] == found.value.margin
    else:
        assert len(found.line) == found.value.plies


def test_analyze_a_forced_pass_and_a_finished_game() -> None:
    passing = analysis("adjacent-claim", "--size", "3x3", "--moves", "B1; A1; B2; A2; B3; A3; C1")
    assert [entry["move"] for entry in passing["moves"]] == ["pass"] and passing["line"] == ["pass", "C2", "pass", "C3"]
    assert passing["to_move"] == 2 and passing["value"] == {"outcome": "loss", "margin": -3, "plies": None}
    over = analysis("gridlock", "--size", "2x2", "--moves", "1 1; 2 2")
    assert over["over"] is True and over["moves"] == [] and over["line"] == [] and over["ply"] == 2
    assert over["result"] == {"winner": 2, "reason": "Player 1 has no legal move"}
    assert over["value"] == {"outcome": "loss", "margin": None, "plies": 0}


def test_analyze_for_a_person() -> None:
    text = quintet("analyze", "gridlock", "--moves", "2 2; 3 3").stdout
    assert text.startswith("With best play Player 2 wins in 10 moves.\n") and "Best: " in text and "Line: " in text
    assert "Player 2 has won." in quintet("analyze", "gridlock", "--size", "2x2", "--moves", "1 1; 2 2").stdout
    assert "With best play the game is a draw." in quintet("analyze", "adjacent-claim", "--size", "2x2").stdout


def test_what_time_leaves_open_is_said() -> None:
    run = quintet("analyze", "adjacent-claim", "--size", "8x8", "--time", "0.2", "--json")
    facts = json.loads(run.stdout)
    assert run.returncode == 1 and "stopped early" in run.stderr
    low, high = facts["value"]["limits"]
    assert facts["value"]["outcome"] is None and -64 < low < high <= 64 and facts["line"] == []
    run = quintet("solve", "isolation", "--size", "100", "--time", "1")
    assert run.returncode == 1 and run.stdout.startswith(
        "With best play Player 1 wins; how soon is not known yet.\nKeeps the win: "
    )


@every_game
def test_the_best_moves_are_known_first(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = analyze(start(game))

    def stop(*_: object) -> None:
        raise Stopped

    monkeypatch.setattr(Solver, "grade", stop)
    part = analyze(start(game))
    assert part.value == whole.value and not part.complete
    assert [move for move in part.moves if part.is_best(move)] == [move for move in whole.moves if whole.is_best(move)]
    assert all(part.moves[move].low <= value.low <= part.moves[move].high for move, value in whole.moves.items())


@every_game
def test_what_is_open_about_a_win(game: Game) -> None:
    asked = "by how much" if game.territory else "how soon"
    assert (
        headline(start(game), Value(-9, -1, game.territory))
        == f"With best play Player 2 wins; {asked} is not known yet."
    )


def test_solve_json() -> None:
    run = quintet("solve", "grid-conquest", "--size", "6x6", "--json")
    facts = json.loads(run.stdout)
    assert facts["value"] == {"outcome": "win", "margin": 2, "plies": None} and len(facts["best"]) == 16
    assert facts["nodes"] == 725 and facts["gear"] == "fast" and run.returncode == 0
    for gear in ("plain", "fast"):
        again = json.loads(quintet("solve", "grid-conquest", "--size", "6x6", "--gear", gear, "--json").stdout)
        assert again["gear"] == gear and again["nodes"] == 725


def test_long_solves_are_kept(tmp_path: Path) -> None:
    arguments = ["solve", "gridlock", "--size", "2x14", "--gear", "plain", "--json"]
    first = json.loads(quintet(*arguments, cache=tmp_path).stdout)
    assert first["seconds"] > 1 and len(list(tmp_path.rglob("*.json"))) == 1
    kept = json.loads(quintet(*arguments[:4], "--json", cache=tmp_path).stdout)
    assert kept == first, "kept by one gear, it serves whoever asks for none"
    assert "plain gear (saved result; --fresh solves again)\n" in quintet(*arguments[:4], cache=tmp_path).stdout
    fresh = json.loads(quintet(*arguments[:4], "--json", "--fresh", cache=tmp_path).stdout)
    assert fresh["nodes"] == first["nodes"] and fresh["gear"] == "fast"
    for option, error in (
        ("--workers=x", "workers must be a number"),
        ("--workers=", "workers must be a number"),
        (f"--proved={tmp_path}/none/a", "cannot open "),
    ):
        run = quintet(*arguments[:4], option, cache=tmp_path)
        assert run.returncode == 2 and error in run.stderr and not run.stdout, "a saved result does not hide an error"


def test_positions_of_tasks_that_were_interrupted_are_not_counted() -> None:
    run = quintet("solve", "gridlock", "--size", "7x7", "--gear", "plain", "--workers", "2", "--time", "0.1")
    assert run.returncode == 1 and " positions (finished tasks only) in " in run.stdout
    run = quintet("solve", "gridlock", "--size", "4x4", "--workers", "1")
    assert run.returncode == 0 and " positions in " in run.stdout


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("solve gridlock --memory lots", "cannot read the memory size 'lots'"),
        ("solve gridlock --memory 1M", "1 MB is not enough"),
        ("solve gridlock --memory 999999G", "this machine has"),
        ("bench solve --memory 999999999999999G", "this machine has"),
        ("solve gridlock --time -1", "time"),
        ("solve gridlock --size 8x8 --gear fast", "limited to boards of up to 63 cells"),
        ("analyze gridlock --moves 9;9", "move 1 (9)"),
        ("bench solve chess", "no game called 'chess'"),
    ],
)
def test_wrong_usage(arguments: str, error: str) -> None:
    run = quintet(*arguments.split())
    assert run.returncode == 2 and error in run.stderr and run.stderr.count("\n") == 1


def test_a_long_solve_shows_progress_and_heeds_ctrl_c() -> None:
    main, side = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "solve", "gridlock", "--size", "7x7", "--fresh"], stdin=side, stdout=subprocess.PIPE, stderr=side
    )
    os.close(side)
    said = b""
    try:
        while b"positions, " not in said or b"table" not in said:
            said += os.read(main, 1000)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        os.close(main)
    assert process.returncode == 1
    assert output.decode().startswith("With best play Player 1 wins; how soon is not known yet.\n")
