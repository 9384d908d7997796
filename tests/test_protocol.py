"""Programs as players: ours served over the protocol, whole games through it, and every way to misbehave."""

import fcntl
import io
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import every_board, every_game
from commands import PROGRAM, quintet
from patience import FOREVER, WAIT
from quintet.engines import EngineFault, UnknownPlayer, make_engine
from quintet.engines.external import External
from quintet.engines.server import Server
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_position, write_position
from quintet.options import start
from quintet.protocol import LONGEST_LINE, read_go, read_new, read_setup, write_go, write_new, write_setup
from quintet.record import read_record, write_record
from quintet.rules import Game, Position

ROOT = Path(__file__).parent.parent
OURS = f"exec:{shlex.quote(PROGRAM)} engine random --seed 3"
EXAMPLE = ROOT / "examples/random_bot.py"
ANSWER = re.compile(r"ok|hello 1 \S.*|move (?:pass|[A-Z]?\d+|\d+ \d+)|error \S.*")


def play(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `quintet play`."""
    return quintet("play", *arguments)


def patient(command: str) -> External:
    """A program that has time for its answers, however busy the machine is."""
    return External(command, seconds=WAIT, patience=WAIT)


def random_server() -> Server:
    """What `quintet engine random` runs."""
    engine = make_engine("random", seed=1)
    assert engine
    return Server(engine, "Quintet random")


def serve(*lines: str) -> list[str]:
    """What the server says to some lines."""
    server = random_server()
    return [server.answer(line.encode()) for line in lines]


# Both sides read what the other writes.


@every_board
def test_commands_round_trip(empty: Position) -> None:
    assert read_new(write_new(empty).removeprefix("new ")) == empty
    position = empty.play(empty.moves[0])
    assert read_setup(write_setup(position).removeprefix("position "), None) == position
    if not position.outcome:
        line = write_go(position, 1.25)
        assert line.startswith("go 1.25 from ") and len(line) < LONGEST_LINE
        assert read_go(line.removeprefix("go "), position) == 1.25


def test_the_largest_board_fits_a_line() -> None:
    largest = start(GAMES["point-capture"], "20x20", 99_999, [999] * 400)
    assert max(map(len, (write_new(largest), write_setup(largest), write_go(largest, 86_400)))) < LONGEST_LINE
    assert serve(write_new(largest), write_setup(largest))[1] == "ok"


# The server.


def test_a_session() -> None:
    answers = serve(
        "hello 1",
        "new isolation size=3",
        "position start moves 1",
        "go 5 from 3",
        "go",
        "position start moves 2",
        "go",
        "position isolation X.. O moves 3",
        "go 1",
        "position adjacent-claim XO./OO. X",
        "go 1 from pass",
        "quit",
    )
    assert answers == [
        "hello 1 Quintet random",
        "ok", "ok", "move 3", "move 3",
        "ok", "error the game is over",
        "ok", "error the game is over",
        "ok", "move pass",
        "ok",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("xyzzy", "no command called 'xyzzy': send hello, new, position, go or quit"),
        ("HELLO 1", "no command called"),
        ("hello 2", "speaks version 1"),
        ("new", "write: new GAME"),
        ("new chess", "no game called 'chess'"),
        ("new gridlock 4x4", "only size="),
        ("new gridlock size=4x4 size=5x5", "each once"),
        ("new gridlock size=99x99", "boards can be"),
        ("new gridlock target=3", "no target option"),
        ("position", "write a position as"),
        ("position gridlock X. X moves 9 9", "move 1 (9 9): No such cell"),
        ("position start moves 1 1; 1 2", "move 2 (1 2): You cannot place next to"),
        ("go soon", "write: go [SECONDS]"),
        ("go -1", "write: go [SECONDS]"),
        ("go nan", "write: go [SECONDS]"),
        ("go 99999", "write: go [SECONDS]"),
        ("go 1from 1 1", "write: go [SECONDS]"),
        ("go 1 from", "write: go [SECONDS]"),
        ("go 1 from 1 1; 1 2", "these are not the legal moves"),
        ("go 1 from 1 1; x", "Name a cell"),
        ("x" * (LONGEST_LINE + 1), "a line may have at most"),
    ],
)
def test_what_is_refused_changes_nothing(line: str, reason: str) -> None:
    server = random_server()
    assert server.answer(b"new gridlock") == "ok" and server.answer(b"position start moves 2 2") == "ok"
    before = server.empty, server.position, server.over
    answer = server.answer(line.encode())
    assert answer.startswith("error ") and reason in answer
    assert (server.empty, server.position, server.over) == before


def test_before_a_game_there_is_nothing_to_choose() -> None:
    assert serve("go", "position start", "", "  \t") == [
        "error no position has been set: send new or position first",
        "error no game has been started: send new first",
        "",
        "",
    ]


def test_a_served_program_that_fails_is_an_error() -> None:
    server = Server(External("true"), "Nobody")
    assert server.answer(b"new gridlock") == "ok"
    assert server.answer(b"go 1") == "error it exited with status 0"


SCRAPS = st.sampled_from(
    ["hello", "new ", "position ", "go ", " from ", " moves ", "start", " ", "1", "0.5", ";", "gridlock", "isolation",
     "point-capture", " X../... X", " ... O", " size=", "4x4", " target=", "9", " values=", "1,2,3", "1 1", "C3",
     "pass", "=", "-", "nan", "quit", "\r", "\t", "\x00", "\x0b", "\x85", "\u2028", "é", "²", "٣", "9" * 50]
).map(str.encode)  # fmt: skip
LINES = st.one_of(
    st.lists(SCRAPS, max_size=8).map(b"".join), st.text(max_size=40).map(str.encode), st.binary(max_size=40)
)


@settings(max_examples=500)
@given(LINES)
def test_any_line_has_an_answer(line: bytes) -> None:
    """Whatever comes, in a game or before one, through the stream as through the front door."""
    for before in ([], [b"new point-capture size=2x3", b"position start moves 0 0"]):
        sink = io.BytesIO()
        random_server().run(io.BytesIO(b"\n".join([*before, line, b"hello"])), sink)
        answers = sink.getvalue().decode().splitlines()
        assert all(map(ANSWER.fullmatch, answers)), answers
        commands = [one for one in [*before, *line.split(b"\n"), b"hello"] if one.decode(errors="replace").strip()]
        assert len(answers) == len(commands) or (b"quit" in line and answers[-1] == "ok")


def serve_process(*arguments: str) -> "subprocess.Popen[bytes]":
    """A served engine that has answered its first command."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([PROGRAM, "engine", *arguments], stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin and process.stdout
    process.stdin.write(b"hello 1\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"hello 1 Quintet ")
    return process


def test_a_long_line_is_refused_and_the_next_one_heard() -> None:
    run = serve_process("random")
    said, errors = run.communicate(b"x" * 10_000_000 + b"\n\xff\xfe\nhello", timeout=WAIT)
    assert run.returncode == 0 and errors == b""
    first, second, third = said.decode().splitlines()
    assert "at most" in first and second == "error a line must be UTF-8 text" and third == "hello 1 Quintet random"


def test_end_of_input_quit_and_interrupt_end_the_server() -> None:
    run = serve_process()
    assert run.communicate(timeout=WAIT) == (b"", b"") and run.returncode == 0
    run = serve_process()
    assert run.communicate(b"quit\nhello\n", timeout=WAIT) == (b"ok\n", b"") and run.returncode == 0
    run = serve_process()
    run.send_signal(signal.SIGINT)
    said, errors = run.communicate(timeout=WAIT)
    assert run.returncode == 0 and said == b"" and errors.strip() == b""


def test_a_reader_who_leaves_ends_the_server() -> None:
    run = serve_process("random")
    assert run.stdin and run.stdout and run.stderr
    run.stdout.close()
    run.stdin.write(b"hello\n" * 10)
    run.stdin.flush()
    assert run.wait(timeout=WAIT) == 0 and run.stderr.read() == b""
    run.stdin.close()
    run.stderr.close()


@pytest.mark.parametrize(
    ("who", "reason"), [("human", "choose an engine, not human"), ("deep-blue", "no player called")]
)
def test_who_cannot_be_served(who: str, reason: str) -> None:
    run = quintet("engine", who)
    assert run.returncode == 2 and reason in run.stderr and run.stderr.count("\n") == 1


# Programs that behave.


@every_game
@pytest.mark.parametrize("seats", [("--p1", "--p2"), ("--p2", "--p1")], ids=["first", "second"])
def test_whole_games(game: Game, seats: tuple[str, str]) -> None:
    run = play(game.name, seats[0], OURS, seats[1], "random", "--seed", "7")
    assert run.returncode == 0 and run.stderr == "" and "forfeit" not in run.stdout
    assert "unfinished" not in run.stdout


@every_game
def test_the_example_bot_plays(game: Game) -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 20
    engine = patient(shlex.join([sys.executable, str(EXAMPLE)]))
    try:
        for size in (None, "3x4"):
            match = Match(start(game, size))
            while not match.outcome:
                match.play(engine.choose(match.position))
        assert engine.name == "Random Bot"
    finally:
        engine.close()


def test_a_program_hears_of_a_new_game_only_when_one_begins(tmp_path: Path) -> None:
    engine = patient(
        bot(tmp_path, "log = open(sys.argv[0] + '.log', 'a')", go="log.write(line)", other="log.write(line)")
    )
    first = start(GAMES["gridlock"])
    second = first.play(1)
    try:
        for position in (first, second.play(second.moves[0]), second, first, start(GAMES["isolation"])):
            engine.choose(position)
    finally:
        engine.close()
    said = [line.split()[0] for line in (tmp_path / "bot.py.log").read_text().splitlines()]
    assert said == ["new", "position", "go", "position", "go", "new", "position", "go", "new", "position", "go",
                    "new", "position", "go", "quit"]  # fmt: skip


def test_a_command_that_is_none() -> None:
    for command, reason in (("", "name the program"), ("  ", "name the program"), ("a 'b", "quotation mark")):
        with pytest.raises(UnknownPlayer, match=reason):
            External(command)
    assert play("gridlock", "--p1", "exec:").returncode == 2
    assert (
        play("gridlock", "--time", "nan").stderr
        == "quintet: --time must be at least 0, not nan. See `quintet play --help`.\n"
    )


# Programs that do not.

BOT = """\
import fcntl, os, random, signal, sys, time
lock = open(sys.argv[0] + ".lock", "w")
fcntl.flock(lock, fcntl.LOCK_SH)
turn = 0
{setup}
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "hello":
        answer = "hello 1 Zoo"
    elif command == "go":
        turn += 1
        answer = "move " + rest.partition(" from ")[2].split("; ")[0]
        {go}
    else:
        answer = "ok"
        {other}
    print(answer, flush=True)
"""


def bot(folder: Path, setup: str = "", go: str = "pass", other: str = "pass") -> str:
    """The command of a bot that takes the first legal move, with something wrong somewhere."""
    path = folder / "bot.py"
    path.write_text(BOT.format(setup=setup, go=go, other=other))
    return shlex.join([sys.executable, str(path)])


def nobody_is_left(folder: Path) -> bool:
    """Whether the bot and its children are gone: the system takes their lock from them. They would live much longer."""
    begun = time.monotonic()
    with (folder / "bot.py.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    return time.monotonic() - begun < WAIT


SLEEP = f"time.sleep({FOREVER})"
FORK = f"os.fork() or {SLEEP}"
ZOO: dict[str, tuple[dict[str, str], str]] = {
    "dies-at-start": ({"setup": "sys.exit(3)"}, "it exited with status 3"),
    "breaks-at-start": ({"setup": "1/0"}, "status 1; its last error: 'ZeroDivisionError: division by zero'"),
    "is-killed": ({"setup": "os.kill(os.getpid(), signal.SIGTERM)"}, "it was killed by SIGTERM"),
    "dies-mid-game": ({"go": "if turn == 2: sys.exit(0)"}, "it exited with status 0"),
    "hangs-mid-game": ({"go": f"if turn == 2: {SLEEP}"}, "it gave no answer within 0.3 s"),
    "is-slow": ({"go": "time.sleep(20)"}, "it gave no answer within 0.3 s"),
    "is-deaf": ({"setup": "signal.signal(signal.SIGTERM, signal.SIG_IGN)", "go": SLEEP}, "no answer within"),
    "closes-its-output": ({"go": f"os.close(1); {SLEEP}"}, "it closed its output"),
    "forgets-the-newline": ({"go": f"os.write(1, b'move 1 1'); {SLEEP}"}, "'move 1 1' had no line end"),
    "sends-bytes": ({"go": "os.write(1, bytes(range(128, 256)) + b'\\n')"}, "its answer is not UTF-8 text"),
    "sends-an-endless-line": ({"go": "while True: os.write(1, b'a' * 1000)"}, "its answer is too long: 'aaaa"),
    "sends-endless-lines": ({"go": "while True: os.write(1, b'a\\n' * 1000)"}, f"it answered 'a' to 'go {WAIT} from"),
    "complains-without-end": ({"go": "while True: os.write(2, b'b' * 1000)"}, "it gave no answer within 0.3 s"),
    "sends-control-characters": ({"go": "answer = '\\x1b[2J\\r\\x07'"}, r"it answered '\x1b[2J\r\x07'"),
    "sends-nothing": ({"go": "answer = ''"}, "it answered '' to 'go"),
    "answers-twice": ({"go": "print(answer)"}, "it answered 'move 1 1' to 'position"),
    "plays-a-taken-cell": ({"go": "answer = 'move 1 1'"}, "it chose '1 1', which is not a legal move: That cell"),
    "plays-off-the-board": ({"go": "answer = 'move 9 9'"}, "it chose '9 9', which is not a move: No such cell"),
    "plays-nonsense": ({"go": "answer = 'move ' + 'z' * 60_000"}, "which is not a move: Name a cell"),
    "passes": ({"go": "answer = 'move pass'"}, "This game has no passes."),
    "refuses": ({"other": "answer = 'error not today'"}, "it answered 'error not today' to 'new gridlock size=4x4'"),
    "speaks-another-version": ({"setup": "print('hello 2 Future')"}, "it speaks version '2' of the protocol, not 1"),
    "has-a-child-and-dies": ({"setup": f"pid = {FORK}", "go": "sys.exit(4)"}, "it exited with status 4"),
    "has-a-child-and-hangs": ({"setup": FORK, "go": SLEEP}, "it gave no answer within 0.3 s"),
}  # fmt: skip
SOON = ("forgets-the-newline", "has-a-child-and-dies")
"""Those who do something soon and are then waited for."""


@pytest.mark.parametrize("kind", ZOO)
def test_misbehaviour_loses_the_game_and_leaves_nobody(kind: str, tmp_path: Path) -> None:
    faults, reason = ZOO[kind]
    # Only those who keep us waiting meet the deadline; the others have time, however busy the machine is.
    seconds = "0.3" if "within" in reason else "3" if kind in SOON else str(WAIT)
    begun = time.monotonic()
    run = play(
        "gridlock", "--p1", f"exec:{bot(tmp_path, **faults)}", "--p2", "random", "--seed", "1", "--time", seconds
    )
    assert time.monotonic() - begun < WAIT
    assert run.returncode == 1 and run.stderr == ""
    *_, last = run.stdout.splitlines()
    assert last.startswith("Player 1 forfeits: ") and last.endswith(". Player 2 wins the game!")
    assert reason in last and last.isprintable() and len(last) < 300
    assert "Traceback" not in run.stdout and run.stdout.count("forfeits") == 1
    assert nobody_is_left(tmp_path)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/no/such/program", "cannot start '/no/such/program': No such file or directory"),
        ("/", "cannot start '/': Permission denied"),
        ("a\0b", "cannot start"),
        ("true", "it exited with status 0"),
        ("yes", "it answered 'y' to 'hello 1', where 'hello' was expected"),
        ("cat", "it answered 'new gridlock size=4x4' to"),
        (f"sleep {FOREVER}", "it gave no answer within 0.3 s"),
        ("cat /dev/zero", "its answer is too long"),
    ],
)
def test_programs_that_are_no_players(command: str, reason: str) -> None:
    # Only who keeps us waiting meets the deadline; the others have time, however busy the machine is.
    engine = External(command, patience=0.3 if "within" in reason else WAIT)
    for _ in range(2):
        with pytest.raises(EngineFault) as fault:
            engine.choose(start(GAMES["gridlock"]))
        assert reason in str(fault.value) and engine.child is None
    engine.close()


def test_a_program_that_never_reads_cannot_block_us(tmp_path: Path) -> None:
    """It answers before it is asked; our questions fill the pipe."""
    position = start(GAMES["point-capture"], "20x20", 99_999, [999] * 400).play(1)
    setup = "print('hello 1 Deaf\\nok\\n' + 'ok\\nmove 0 1\\n' * 1000, flush=True); " + SLEEP
    engine = patient(bot(tmp_path, setup))
    assert engine.choose(position) == 2
    engine.patience = engine.seconds = 0.3

    def play_on() -> None:
        for _ in range(1000):
            assert engine.choose(position) == 2

    begun = time.monotonic()
    with pytest.raises(EngineFault, match=r"it did not read its input within 0\.3 s"):
        play_on()
    assert time.monotonic() - begun < WAIT and nobody_is_left(tmp_path)


def test_who_ignores_quit_is_made_to_leave(tmp_path: Path) -> None:
    engine = patient(
        bot(
            tmp_path,
            f"signal.signal(signal.SIGTERM, signal.SIG_IGN); {FORK}",
            other=f"if command == 'quit': {SLEEP}",
        )
    )
    engine.choose(start(GAMES["gridlock"]))
    begun = time.monotonic()
    engine.close()
    engine.close()
    assert time.monotonic() - begun < WAIT and nobody_is_left(tmp_path)


def test_an_interrupt_while_a_program_thinks_ends_both(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot.py.thinking")
    command = bot(tmp_path, go=f"open(sys.argv[0] + '.thinking', 'w').close(); {SLEEP}")
    pipe = subprocess.PIPE
    run = subprocess.Popen(
        [PROGRAM, "play", "gridlock", "--p1", f"exec:{command}"], stdout=pipe, stderr=pipe, text=True
    )
    (tmp_path / "bot.py.thinking").read_text()
    run.send_signal(signal.SIGINT)
    said, errors = run.communicate(timeout=WAIT)
    assert run.returncode == 0 and errors == "" and said.endswith("The game is left unfinished.\n")
    assert nobody_is_left(tmp_path)


def test_who_is_forgotten_is_made_to_leave(tmp_path: Path) -> None:
    engine = patient(bot(tmp_path))
    engine.choose(start(GAMES["gridlock"]))
    del engine
    assert nobody_is_left(tmp_path)


def test_a_fault_is_not_for_ever(tmp_path: Path) -> None:
    """The next game begins with a fresh start of the program."""
    engine = patient(bot(tmp_path, go="if turn == 2: sys.exit(0)"))
    position = start(GAMES["gridlock"])
    for _ in range(2):
        engine.choose(position)
        with pytest.raises(EngineFault):
            engine.choose(position)
    engine.close()


def test_a_forfeit_is_on_record() -> None:
    match = Match(start(GAMES["gridlock"]), [1])
    match.forfeit(2, 'it said "no"\nand left')
    reason = 'Player 2 forfeits: it said "no" and left'
    assert match.outcome == (1, reason, "forfeit")
    record = read_record(write_record(match.record()))
    assert record.result == "1-0" and record.tags["Termination"] == reason


# The page about it.


def test_the_session_in_the_docs() -> None:
    """What follows `>` is answered by what follows `<`; a chosen move may be another one that is legal."""
    page = (ROOT / "docs/protocol.md").read_text()
    session = re.findall(r"^([<>]) (.*)$", page, re.MULTILINE)
    assert len(session) > 10
    server = random_server()
    answer = ""
    for side, line in session:
        if side == ">":
            answer = server.answer(line.encode())
        elif line.startswith("move "):
            assert server.position and answer.startswith("move ")
            assert line.removeprefix("move ") in [server.position.label(move) for move in server.position.moves]
        else:
            assert answer == line


def test_the_bot_in_the_docs_is_the_example() -> None:
    assert EXAMPLE.read_text().partition("\n\n")[2] in (ROOT / "docs/protocol.md").read_text()


def test_positions_in_the_docs_are_positions() -> None:
    for text in re.findall(r"^[<>] position ([a-z]+-?[a-z]* \S+ [XO])$", (ROOT / "docs/protocol.md").read_text(), re.M):
        assert write_position(read_position(text)) == text
