"""The line dialogue: transcripts played through the real program, and what a careless or hostile user may type."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boards import every_game
from quintet.record import read_record
from quintet.rules import Game

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
PROGRAM = [str(Path(sys.executable).with_name("quintet"))]


def play(*arguments: str, typed: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run `quintet play` on a pipe."""
    data = typed.encode() if isinstance(typed, str) else typed
    run = subprocess.run([*PROGRAM, "play", *arguments], input=data, capture_output=True, timeout=60)
    return subprocess.CompletedProcess(run.args, run.returncode, run.stdout.decode(), run.stderr.decode())


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    """`$` arguments, `>` what is typed, `=` what must be said after what was said before."""
    import shlex

    lines = [line.partition(" ")[::2] for line in path.read_text().splitlines()]
    arguments = next(shlex.split(text) for kind, text in lines if kind == "$")
    typed = "".join(text + "\n" for kind, text in lines if kind == ">")
    run = play(*arguments[1:], typed=typed)
    said = "\n".join(line.rstrip() for line in run.stdout.splitlines())
    at = 0
    for wanted in (text.rstrip() for kind, text in lines if kind == "="):
        found = said.find(wanted, at)
        assert found >= 0, f"{wanted!r} is missing after {said[:at]!r}; then came {said[at:]!r}"
        at = found + len(wanted)
    assert run.returncode == 0 and run.stderr == ""


@every_game
def test_every_game_has_a_transcript(game: Game) -> None:
    assert any(path.stem == game.name for path in TRANSCRIPTS)


@every_game
@pytest.mark.parametrize(
    "typed",
    [
        b"\xff\xfe\x00\n",
        b"A" * 10_000_000 + b"\n",
        b"7 " * 5_000_000 + b"\n",
        "Ω9\n".encode(),
        b"-1 -1\n",
        b"9999 9999\n",
        b"\r\n\t\n",
    ],
    ids=["not-utf8", "huge", "huge-numbers", "greek", "negative", "far", "blank"],
)
def test_bad_input_changes_nothing(game: Game, typed: bytes) -> None:
    run = play(game.name, typed=typed)
    assert run.returncode == 0 and run.stderr == ""
    assert run.stdout.count("Invalid move.") <= 1 and len(run.stdout) < 5_000
    assert "claimed" not in run.stdout.replace("already claimed", "") and "unfinished" in run.stdout


def test_end_of_input_and_quit_end_cleanly() -> None:
    for typed in ("", "2 2\n", "2 2\nquit\n", "exit\n"):
        run = play("gridlock", typed=typed)
        assert run.returncode == 0 and run.stdout.endswith("The game is left unfinished.\n")


def test_interrupt_ends_cleanly() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "play", "gridlock"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    said = ""
    try:
        while "column): " not in said:
            said += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0 and errors == ""


def test_a_closed_pipe_ends_cleanly() -> None:
    program = f"{PROGRAM[0]} play isolation --p1 random --p2 random --size 400 | head -n 1"
    run = subprocess.run(["bash", "-c", f"set -o pipefail; {program}"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and run.stderr == ""


def test_save_writes_a_record(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    run = play(
        "gridlock", typed=f"2 2\nsave {path}\n3 3\nsave {path}\nsave\nsave {tmp_path}/no/where\nsave {'x' * 300}\n"
    )
    assert (
        run.stdout.count(f"Saved to {path}.") == 2
        and "Name a file" in run.stdout
        and "Cannot save: No such" in run.stdout
        and "Cannot save: File name too long" in run.stdout
    )
    assert len(read_record(path.read_text()).moves) == 2
    run = play("gridlock", typed=f"save {path}\n")
    assert "already exists; choose another name" in run.stdout
    assert len(read_record(path.read_text()).moves) == 2


def test_undo_leaves_a_forced_pass_at_the_start_alone() -> None:
    run = play("adjacent-claim", "--position", "adjacent-claim XO./OO./... X", typed="undo\nA3\n")
    assert "Nothing to undo." in run.stdout and "Player 2 claimed A3." in run.stdout
    assert run.returncode == 0 and run.stderr == ""


def test_undo_takes_back_to_the_start_and_no_further() -> None:
    run = play("gridlock", typed="2 2\nundo\nundo\nrules\n")
    assert "Undone: (2,2)." in run.stdout and "Nothing to undo." in run.stdout
    assert "\nGoal. " in run.stdout and "**" not in run.stdout


def test_engines_take_their_seats() -> None:
    both = play("isolation", "--p1", "random", "--p2", "random", "--seed", "4").stdout
    assert "Game Over" in both
    assert both == play("isolation", "--p1", "random", "--p2", "random", "--seed", "4").stdout
    run = play("isolation", "--p2", "random", "--seed", "4", typed="7\nundo\n")
    assert run.stdout.count("Player2 claims") == 1 and "Undone: 7." in run.stdout


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_only_on_a_terminal(environment: dict[str, str], coloured: bool) -> None:
    main, side = pty.openpty()
    base = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    run = subprocess.Popen(
        [*PROGRAM, "play", "gridlock", "--moves", "2 2"],
        stdin=side,
        stdout=side,
        stderr=side,
        env={**base, "TERM": "xterm-256color", **environment},
    )
    os.close(side)
    said = b""
    while b"column): " not in said:
        said += os.read(main, 1000)
    assert (b"\x1b[1;34" in said) == coloured
    os.write(main, b"quit\n")
    while b"unfinished" not in said:
        said += os.read(main, 1000)
    assert run.wait(timeout=60) == 0
    os.close(main)
    assert b"\x1b[1;34" not in play("gridlock", "--moves", "2 2").stdout.encode()
