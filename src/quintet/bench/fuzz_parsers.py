"""The parsers that are fuzzed: everything that a stranger's text or file is read with, in this process."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from quintet.arena.results import Duel, Result, read_result, write_result
from quintet.bench.fuzz import Target, WrongAnswer
from quintet.engines.kinds import LEVELS
from quintet.engines.players import read_player, stored_player
from quintet.engines.random_player import RandomPlayer
from quintet.engines.server import Server
from quintet.errors import QuintetError
from quintet.games import GAMES
from quintet.match import replay
from quintet.notation import read_move, read_moves, read_position, write_position
from quintet.options import start
from quintet.record import Record, read_record, write_record
from quintet.rules import Position
from quintet.safe_text import is_safe
from quintet.solve import solution
from quintet.solve.memory import read_memory
from quintet.store.database import find_database

POSITIONS = [
    *(start(game) for game in GAMES),
    *map(read_position, ("gridlock X../..O/... X", "point-capture XO./... O target=5 values=1,2,3,4,5,6")),
]
MOVES = ("C3", "claim c3", "2 2", "(2,2)", "Player1: claim 7", "pass", "place an 'X' at 1,1", "7")


def parsers(folder: Path) -> list[Target]:
    """The parsers; files are written to a folder."""
    return [
        Target("moves", as_text(read_moves_everywhere), encode(*MOVES, "C3; C4; C2", "1 1; 3 3"), 12),
        Target("positions", as_text(read_and_write_position), encode(*map(write_position, POSITIONS)), 12),
        Target("records", as_text(read_and_write_record), encode(*map(write_record, example_records())), 12),
        Target("options", as_text(read_options), encode(*OPTIONS), 12),
        Target("players", as_text(read_players), encode(*PLAYERS), 3),
        Target("protocol", talk, encode(*PROTOCOL), 6),
        Target("results", as_text(read_result), encode(write_result(RESULT)), 8),
        Target("solutions", solution_reader(folder), [example_solution(folder)], 4),
        Target(
            "databases",
            as_text(lambda text: find_database(text or "x")),
            encode("sqlite:///x.db", "postgresql://ada:x@host:5432/q?a=b"),
            3,
        ),
        Target("memory", as_text(read_memory), encode("512M", "2g", "1 GiB", "7"), 3),
    ]


def encode(*texts: str) -> list[bytes]:
    """Texts as inputs."""
    return [text.encode() for text in texts]


def as_text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """A parser of text for inputs that are bytes; what is not UTF-8 is what the command line makes of it."""
    return lambda data: read(data.decode(errors="surrogateescape"))


def read_moves_everywhere(text: str) -> None:
    """Read a move and a list of moves on every board."""
    errors: list[QuintetError] = []
    for position in POSITIONS:
        for read in (read_move, read_moves):
            try:
                read(position, text)
            except QuintetError as error:
                errors.append(error)
    if errors:
        raise errors[0]


def read_and_write_position(text: str) -> Position:
    """Read a position; what is written of it must be the same."""
    position = read_position(text)
    if read_position(write_position(position)) != position:
        raise WrongAnswer("the position is not the one that was read")
    return position


def example_records() -> list[Record]:
    """Records with everything in them."""
    first = start("gridlock", "3x3")
    tags = {"Player1": 'Ada "the countess"', "Player2": "exec:cat", "Date": "2026-01-01", "Event": "\\ Šárka 青"}
    return [
        Record(first),
        Record(first, (1, 256), "1-0", {**tags, "Termination": "Player 2 forfeits: it"}, {0: "begin", 2: "end;"}),
        Record(read_position("point-capture XO./... O target=5 values=1,2,3,4,5,6"), (), "*", tags),
    ]


def read_and_write_record(text: str) -> None:
    """Read a record and replay it; what is written of it must be the same."""
    record = read_record(text)
    replay(record)
    if read_record(write_record(record)) != record:
        raise WrongAnswer("the record is not the one that was read")


OPTIONS = ("gridlock|4x4|||", "isolation|13|||", "point-capture|3x3|15|1,2,3,4,5,6,7,8,9|", "point-capture|||15|7")


def read_options(text: str) -> Position:
    """An empty board from options that are separated by bars."""
    game, size, target, values, shuffle = (text.split("|") + [""] * 5)[:5]
    return start(game, size or None, target or None, values or None, shuffle or None)


PLAYERS = ("human", "random", "greedy", *LEVELS[:2], "mcts:50", "perfect", "exec:cat -", "python:bot:f", "model:a/b")


def read_players(text: str) -> None:
    """Read a description of a player; nothing is started."""
    stored_player(text)
    player = read_player(text)
    if read_player(str(player)) != player:
        raise WrongAnswer("the player is not the one that was read")


PROTOCOL = (
    "hello 1\nnew gridlock size=4x4\ngo 1\nquit",
    "new isolation\nposition start moves 7; 4\ngo 0.5 from 10; 1\n",
    "new point-capture target=5 values=1,2,3,4 size=2x2\ngo",
    "position gridlock X../..O/... X moves 1 3\ngo",
)


def talk(data: bytes) -> None:
    """Answer the lines of a program that speaks the engine protocol."""
    answers = BytesIO()
    Server(RandomPlayer(0), "random").run(BytesIO(data), answers)
    for line in answers.getvalue().decode().splitlines():
        if not is_safe(line) or line.split(" ")[0] not in ("ok", "hello", "move", "error"):
            raise WrongAnswer(f"{line[:80]!r} is not an answer")


RESULT = Result(Duel("gridlock ..../..../..../.... X", ("random", "level:3"), 3, 7, 0.5), 2, 14, "it failed")
SOLVED = start("gridlock", "2x2")


def example_solution(folder: Path) -> bytes:
    """The file of a saved solution."""
    solution.write(folder, SOLVED, solution.solve(SOLVED))
    return solution.path_of(folder, SOLVED).read_bytes()


def solution_reader(folder: Path) -> Callable[[bytes], None]:
    """Reads an input as the file of a saved solution. Only one file is right."""
    path, right = solution.path_of(folder, SOLVED), json.loads(example_solution(folder))

    def read(data: bytes) -> None:
        path.write_bytes(data)
        found = solution.read(folder, SOLVED)
        if found and (found.value.low, found.nodes) != (right["number"], right["nodes"]):
            raise WrongAnswer("a damaged solution was believed")

    return read
