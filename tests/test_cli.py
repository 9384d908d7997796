"""The commands, run as a user runs them."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest
from PIL import Image
from typer.main import get_command

from boards import every_game
from commands import PROGRAM, quintet
from quintet.cli import app
from quintet.cli.benchmarks import every_command
from quintet.games import GAMES
from quintet.rules import Game
from quintet.version import __version__


def test_without_a_terminal_it_says_how_to_play() -> None:
    run = quintet()
    assert run.returncode == 0 and "quintet play GAME" in run.stdout and run.stderr == ""


def test_games() -> None:
    assert [line.split()[0] for line in quintet("games").stdout.splitlines()] == list(GAMES)
    listed = json.loads(quintet("games", "--json").stdout)
    assert [game["name"] for game in listed] == list(GAMES)
    assert listed[0]["options"] == {"size": "5x5"} and listed[4]["options"]["target"] == 15


@every_game
def test_rules(game: Game) -> None:
    text = quintet("rules", game.name).stdout
    assert text.startswith(f"# {game.title}\n") and game.manual in text


def test_show() -> None:
    text = quintet("show", "adjacent-claim", "--moves", "C3; C4; C2").stdout
    assert "C [ ] [X] [X] [O] [ ]" in text and "Score: 2 to 1" in text
    assert "Player 2 (O) to move: B4, C5, D4" in text
    assert "Position: adjacent-claim ...../...../.XXO./...../..... O" in text
    assert (
        "Player 2 wins: Player 1 has no legal move."
        in quintet("show", "gridlock", "--size", "2x2", "--moves", "1 1; 2 2").stdout
    )
    assert "Draw: 1 cells each." in quintet("show", "grid-conquest", "--position", "grid-conquest XO X").stdout


def test_show_parts() -> None:
    arguments = ("show", "isolation", "--moves", "3; 9", "--parts")
    assert "Part 1 (nimber 1): 1\nPart 2 (nimber 2): 5-7\nPart 3 (nimber 2): 11-13\n" in quintet(*arguments).stdout
    drawn = quintet(*arguments, "--svg", "-").stdout
    assert [drawn.count(f'class="free part-{i}"') for i in range(4)] == [1, 3, 3, 0]
    assert (
        drawn.count('<text x="28" y="28">2</text>') == 6
        and "part-" not in quintet(*arguments[:-1], "--svg", "-").stdout
    )
    conquest = quintet("show", "grid-conquest", "--size", "3x3", "--moves", "1 1", "--parts")
    assert "Part 1: (0,0)\nPart 2: (0,2)\nPart 3: (2,0)\nPart 4: (2,2)\n" in conquest.stdout
    refused = quintet("show", "gridlock", "--parts")
    assert refused.returncode == 2 and refused.stderr == "quintet: Gridlock is not a sum of independent parts\n"
    assert quintet("show", "isolation", "--size", "1", "--moves", "1", "--parts").returncode == 0
    grid = quintet("show", "isolation", "--size", "2x2", "--svg", "-").stdout
    assert [f">{i}</text>" in grid for i in (1, 2, 3, 4)] == [True] * 4 and 'class="name"' in grid


@every_game
def test_show_svg(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    path.write_text("an older picture, which is written over")
    assert quintet("show", game.name, "--svg", str(path)).returncode == 0
    root = xml.fromstring(path.read_text())
    assert root.tag.endswith("svg") and path.read_text() == quintet("show", game.name, "--svg", "-").stdout


def test_show_png_and_gif(tmp_path: Path) -> None:
    board, replay = tmp_path / "board.png", tmp_path / "replay.gif"
    done = quintet("show", "gridlock", "--moves", "1 1; 3 3", "--png", str(board), "--gif", str(replay))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with Image.open(board) as image:
        small = image.size
        light = image.convert("RGB").getpixel((0, 0))
    with Image.open(replay) as image:
        assert image.format == "GIF" and getattr(image, "n_frames", 0) == 3
    # A game record and a saved game.
    record = tmp_path / "game.txt"
    record.write_text('[Game "gridlock"]\n[Size "4x4"]\n\n1. 1 1; 3 3\n')
    assert "Score: 1 to 1" in quintet("show", str(record)).stdout
    store = {**os.environ, "QUINTET_DATABASE": f"sqlite:///{tmp_path}/saved.db"}
    id = quintet("import", str(record), env=store).stdout.split()[0]
    saved = tmp_path / "saved.gif"
    assert quintet("show", id, "--gif", str(saved), env=store).returncode == 0
    assert saved.read_bytes() == replay.read_bytes()
    quintet("show", str(record), "--png", str(board), "--dark", "--caption")
    with Image.open(board) as image:
        assert image.size[1] > small[1] and image.convert("RGB").getpixel((0, 0)) != light
    # What cannot be done is said, and no file is left.
    for arguments, error in (
        (("gridlock", "--gif", str(tmp_path / "none.gif")), "there is nothing to replay: no move has been played"),
        ((str(record), "--moves", "2 2"), "a game record includes its board and its moves: leave out --moves"),
        (("gridlock", "--png", "-", "--svg", "-"), "only one picture can be printed: name a file for the others"),
        (("no-such.txt",), "no game called 'no-such.txt'."),
        (("abcdef",), "no game called 'abcdef'."),
    ):
        refused = quintet("show", *arguments, env=store)
        assert refused.returncode == 2 and refused.stderr.startswith(f"quintet: {error}"), refused.stderr
    assert not (tmp_path / "none.gif").exists()


def test_a_picture_is_printed_to_a_program_but_not_to_a_terminal() -> None:
    command = [PROGRAM, "show", "gridlock", "--png", "-"]
    assert subprocess.run(command, capture_output=True, timeout=60).stdout.startswith(b"\x89PNG")
    main, side = pty.openpty()
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=side, stderr=subprocess.PIPE, timeout=60)
    os.close(side)
    assert run.returncode == 2 and b"a terminal cannot show this file" in run.stderr
    os.close(main)


def test_perft() -> None:
    assert quintet("perft", "gridlock", "4").stdout == "16872\n"
    lines = quintet("perft", "gridlock", "3", "--divide").stdout.splitlines()
    assert len(lines) == 17 and lines[-1] == "2120" == str(sum(int(line.split(": ")[1]) for line in lines[:-1]))
    passing = ["--position", "adjacent-claim XO./OO. X"]
    assert quintet("perft", "adjacent-claim", "1", "--divide", *passing).stdout == "pass: 1\n1\n"
    assert quintet("perft", "adjacent-claim", "9", *passing).stdout == "0\n"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("nonsense", "no command called 'nonsense'. See `quintet --help`."),
        ("anlyze", "no command called 'anlyze'. Did you mean 'analyze'?"),
        ("bench sovle", "no command called 'sovle'. Did you mean 'solve'?"),
        ("play", "missing argument 'GAME'. See `quintet play --help`."),
        ("play gridlok", "no game called 'gridlok'. Did you mean 'gridlock'?"),
        ("play chess", "no game called 'chess'"),
        ("play gridlock --size 99x99", "boards can be"),
        ("play gridlock --target 3", "gridlock has no target option"),
        ("play gridlock --p1 deep-blue", "no player called 'deep-blue'"),
        (
            "play gridlock --first nobody",
            "--first: 'nobody' is not one of 'p1', 'p2', 'random'. See `quintet play --help`.",
        ),
        ("play gridlock --moves 9", "move 1 (9): Name a cell, such as 3 3."),
        ("show gridlock --position chess", "write a position as"),
        ("show gridlock --position gridlock|X.|X --size 3x3", "includes its board"),
        ("show gridlock --position isolation|X.|X", "this is a position of isolation"),
        ("show gridlock --svg /no/such/folder/x.svg", "cannot write"),
        ("perft gridlock 61", "DEPTH must be at most 60, not 61. See `quintet perft --help`."),
        ("play gridlock --position gridlock|X.|X --first p1", "includes its board"),
        ("play gridlock --size=", "cannot read the size"),
        ("perft gridlock many", "DEPTH must be a whole number, not 'many'"),
        ("play gridlock --seed x", "--seed must be a whole number, not 'x'. See `quintet play --help`."),
        ("play gridlock --seed", "option '--seed' requires an argument. See `quintet play --help`."),
        ("solve gridlock --time -0.5", "--time must be at least 0, not -0.5. See `quintet solve --help`."),
        ("solve gridlock --time soon", "--time must be a number, not 'soon'"),
        ("bench", "missing command. See `quintet bench --help`."),
        ("bench solve --gear", "no such option: --gear. See `quintet bench solve --help`."),
        ("play gridlock --sed 3", "no such option: --sed (did you mean --seed, --size?). See `quintet play --help`."),
        ("rules gridlock isolation", "unexpected argument: isolation. See `quintet rules --help`."),
    ],
)
def test_wrong_usage_is_one_clear_line(arguments: str, error: str) -> None:
    run = quintet(*(word.replace("|", " ") for word in arguments.split()))
    assert run.returncode == 2 and run.stdout == ""
    assert error in run.stderr and run.stderr.count("\n") == 1 and run.stderr.startswith("quintet: ")


@every_game
def test_a_game_is_not_a_command(game: Game) -> None:
    run = quintet(game.name)
    assert run.returncode == 2 and run.stdout == "" and run.stderr.count("\n") == 1
    assert f"To play it: quintet play {game.name}" in run.stderr


def test_help_and_version() -> None:
    for arguments in (["--help"], ["-h"], ["play", "--help"]):
        run = quintet(*arguments)
        assert run.returncode == 0 and "Usage" in run.stdout
    assert quintet("--version").stdout == f"{__version__}\n"
    module = subprocess.run([sys.executable, "-m", "quintet", "--version"], capture_output=True, text=True)
    assert module.stdout == f"{__version__}\n" and module.returncode == 0


@pytest.mark.parametrize(
    ("group", "headings"),
    [([], ["Play:", "Study:", "Compete and judge:", "Serve:", "Developers:"]), (["bench"], ["Commands:"])],
)
def test_the_help_has_one_line_for_each_command(
    group: list[str], headings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = quintet(*group, "--help").stdout.splitlines()
    lines = [line for line in lines[lines.index(headings[0]) :] if line]
    assert [line for line in lines if not line.startswith(" ")] == headings
    commands = [line for line in lines if line.startswith(" ")]
    assert len(commands) > 7
    for line in commands:
        assert re.fullmatch(r"  \w+ +[A-Z].*[a-zA-Z)`]\.", line), line
        text = quintet(*group, line.split()[0], "--help").stdout
        assert not re.search(r"[{}]|\[\[|<(?:int|str|list|path)", text), text


def test_commands_import_only_what_they_use() -> None:
    """Starting is quick because nothing heavy is touched."""
    code = "import sys; sys.argv[1:] = ['games']; from quintet.cli import main\n"
    code += "try: main()\nexcept SystemExit: print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split()
    assert not {"numpy", "numba", "jax", "multiprocessing", "ray", "rich", "textual", "fastapi", "sqlalchemy"} & set(
        modules
    )


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("games >&-", 0),
        ("play gridlock <&-", 0),
        ("play gridlock >&- </dev/null", 0),
        ("<&-", 0),
        ("games >/dev/full", 1),
        ("play gridlock >/dev/full </dev/null", 1),
        ("rules isolation | true", 0),
    ],
)
def test_closed_and_full_streams(command: str, status: int) -> None:
    run = subprocess.run(["bash", "-c", f"{PROGRAM} {command}"], capture_output=True, text=True, timeout=60)
    assert run.returncode == status and "Traceback" not in run.stderr and run.stderr.count("\n") <= 1


RECORD = """[Game "isolation"]
[Size "13"]
[Player1 "Šárka – 青"]
[Player2 "Bea"]
[Result "*"]

1. 7 {müde}
"""


@pytest.mark.parametrize("locale", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii:strict"}])
def test_any_locale_will_do(locale: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    path.write_text(RECORD, encoding="utf-8")
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    run = quintet("import", str(path))
    assert run.returncode == 0 and run.stderr == ""
    id = run.stdout.split()[0]
    for command in ("history", f"review {path}", "resume", "resume", "rules isolation", "puzzle --day 2026-11-15"):
        run = quintet(*command.split())
        assert run.returncode == 0 and run.stderr == "" and run.stdout.isascii(), command
    # What may become a file is UTF-8 everywhere.
    exported = subprocess.run([PROGRAM, "export", id], capture_output=True, timeout=60)
    assert exported.stdout.decode() == RECORD and exported.returncode == 0
    drawn = subprocess.run([PROGRAM, "review", str(path), "--svg", "-"], capture_output=True, timeout=60)
    assert "Šárka – 青" in drawn.stdout.decode() and drawn.returncode == 0


def test_interrupted_work_is_not_called_done() -> None:
    # Starting may take long on a busy machine, and is not what is to be interrupted.
    code = "import quintet.cli, quintet.perft; print('ready', flush=True); quintet.cli.main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "perft", "point-capture", "20"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130 and errors == "\nquintet: interrupted\n"


def test_without_all_of_a_terminal_no_screen_is_opened() -> None:
    """The app draws on standard error: a terminal for input and output alone would stay blank."""
    main, side = pty.openpty()
    try:
        run = subprocess.run([PROGRAM], stdin=side, stdout=side, stderr=subprocess.PIPE, timeout=60)
        assert run.returncode == 0 and run.stderr == b""
        assert b"quintet play GAME" in os.read(main, 4000)
    finally:
        os.close(side)
        os.close(main)


def test_bench_play() -> None:
    run = quintet("bench", "play", "--games", "gridlock", "--seconds", "0", "--only", "python,numpy,openspiel")
    assert run.returncode == 0 and "OpenSpiel" in run.stdout and "plain Python" in run.stdout
    rows = json.loads(
        quintet("bench", "play", "--games", "gridlock", "--seconds", "0", "--only", "python", "--json").stdout
    )
    assert [(row["key"], row["game"]) for row in rows] == [("python", "gridlock")] and rows[0]["rate"] > 1_000
    for option, name in (("--games", "chess"), ("--only", "abacus")):
        refused = quintet("bench", "play", option, name)
        assert refused.returncode == 2 and name in refused.stderr and refused.stderr.count("\n") == 1


def test_bench_start_knows_every_command() -> None:
    commands = list(every_command(get_command(app)))
    assert {"play", "import", "bench", "bench start", "bench solve"} <= set(commands)
    assert all(quintet(*command.split(), "--help").returncode == 0 for command in commands if " " in command)


@pytest.mark.parametrize(
    ("module", "extra", "arguments"),
    [
        ("numba", "fast", "solve gridlock --gear fast"),
        ("numba", "fast", "bench engines --gear fast"),
        ("numpy", "fast", "verify gridlock"),
        ("numpy", "fast", "dataset gridlock --out x.npz"),
        ("pyarrow", "data", "dataset gridlock --out x.parquet"),
        ("numpy", "envs", "bench play"),
        ("matplotlib", "plots", "arena --players random,greedy --plot x.svg"),
        ("ray", "cluster", "arena --players random,greedy --workers ray"),
        ("inspect_ai", "llm", "suite quick --players random --out x"),
        ("inspect_ai", "llm", "report x"),
        ("inspect_ai", "llm", "bench judge"),
        ("mcp", "mcp", "mcp"),
        ("uvicorn", "web", "serve"),
        ("segno", "web", "bench serve"),
    ],
)
def test_without_an_extra(
    module: str, extra: str, arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not installed is named with the extra that brings it."""
    (tmp_path / "sitecustomize.py").write_text(f"import sys; sys.modules[{module!r}] = None")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    run = quintet(*arguments.split())
    assert run.returncode == 2 and run.stdout == "" and run.stderr.count("\n") == 1
    install = f"pip install 'quintet-games[{extra}]', or in a clone: pip install -e '.[{extra}]'"
    assert run.stderr.endswith(f" needs the extra {extra} ({module} is missing): {install}\n")
