"""The line protocol between a match and a program that plays: every command is written and read here.

`docs/protocol.md` explains it to those who write such a program.
"""

import re

from quintet.board import value_list
from quintet.errors import QuintetError
from quintet.games import find_game
from quintet.notation import read_move, read_moves, read_position, write_position
from quintet.options import start
from quintet.rules import Position, play_all

VERSION = 1
LONGEST_LINE = 20_000
"""The most bytes of a command: the largest board with its values and all its moves has fewer."""
LONGEST_TIME = 86_400.0
"""The most seconds for a move: a day."""

_SECONDS = r"\d{1,5}(?:\.\d{1,6})?"


class InvalidCommand(QuintetError, ValueError):
    """A command that cannot be read."""


def write_new(position: Position) -> str:
    """`new gridlock size=4x4`: a game on this board begins."""
    board = position.board
    words = ["new", position.game.name, f"size={board.size}"]
    if board.target:
        words += [f"target={board.target}", "values=" + ",".join(map(str, value_list(board)))]
    return " ".join(words)


def read_new(text: str) -> Position:
    """The empty board that what follows `new` describes."""
    words = text.split()
    if not words:
        raise InvalidCommand("write: new GAME [size=RxC] [target=N] [values=N,N,...]")
    options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    if len(options) != len(words) - 1 or set(options) - {"size", "target", "values"}:
        raise InvalidCommand("after the game only size=RxC, target=N and values=N,N,... may follow, each once")
    return start(find_game(words[0]), options.get("size"), options.get("target"), options.get("values"))


def write_setup(position: Position) -> str:
    """`position gridlock X.../..../..../.... O`: this is the position."""
    return f"position {write_position(position)}"


def read_setup(text: str, empty: Position | None) -> Position:
    """The position that what follows `position` describes; `start` is the empty board of the last `new`."""
    where, *played = re.split(r"(?:^|\s)moves(?:\s|$)", text, maxsplit=1)
    if where.strip() == "start":
        if empty is None:
            raise InvalidCommand("no game has been started: send new first")
        position = empty
    else:
        position = read_position(where)
    return play_all(position, read_moves(position, "".join(played)))


def write_go(position: Position, seconds: float) -> str:
    """`go 5 from 1 1; 1 2`: choose one of these moves within 5 seconds."""
    time = f"{seconds:.3f}".rstrip("0").rstrip(".")
    return f"go {time} from {'; '.join(position.label(move) for move in position.moves)}"


def read_go(text: str, position: Position | None) -> float | None:
    """The seconds that what follows `go` allows; `None` where it sets no limit."""
    if position is None:
        raise InvalidCommand("no position has been set: send new or position first")
    if position.outcome:
        raise InvalidCommand("the game is over")
    match = re.fullmatch(rf"({_SECONDS})?\s*(?:\bfrom\s+(.+))?", text.strip(), re.ASCII)
    seconds = float(match[1]) if match and match[1] else None
    if not match or (seconds or 0) > LONGEST_TIME:
        raise InvalidCommand("write: go [SECONDS] [from MOVE; MOVE; ...]")
    if match[2] and {read_move(position, move) for move in match[2].split(";")} != set(position.moves):
        raise InvalidCommand("these are not the legal moves of this position")
    return seconds
