"""From options (size, target, values, who goes first) to the position a game starts from.

A size may have holes, the places without a cell: `5x5-C3-D4` is a 5x5 board without C3 and D4. They are named as on
screens, whatever the game, so a size means the same board in every game.
"""

import random
import re
from collections.abc import Sequence
from string import ascii_letters
from typing import NotRequired, TypedDict

from quintet.board import MAX_LINE, MAX_SIDE, Board, make_board, value_list, write_size
from quintet.errors import QuintetError
from quintet.games import find_game
from quintet.language import later, tr
from quintet.rules import Game, Position

MAX_VALUE = 999
MAX_TARGET = 99_999
LONGEST_SIZE = 2_000
"""Letters of a size: as many as the largest board with nearly all its places as holes."""


_SIZE = re.compile(r"\s*(?:(\d{1,4})\s*[xX×*]\s*)?(\d{1,4})((?:\s*-\s*[A-Za-z]?\d{1,3})*)\s*", re.ASCII)


class Options(TypedDict):
    """The options that give a board, as JSON has them."""

    size: str
    target: NotRequired[int]
    values: NotRequired[list[int]]


class ValueOptions(TypedDict, total=False):
    """The options of a board whose cells carry values, as `start` takes them."""

    target: int | str | None
    values: str | Sequence[int] | None
    shuffle: int | str | None


class InvalidOptions(QuintetError, ValueError):
    """A size, target or list of values that the game cannot be played with."""

    def __init__(self, option: str, message: str) -> None:
        """Remember which option is wrong."""
        super().__init__(message)
        self.option = option


def start(
    game: Game | str,
    size: str | int | None = None,
    target: int | str | None = None,
    values: str | Sequence[int] | None = None,
    shuffle: int | str | None = None,
    first: int = 1,
) -> Position:
    """The empty board of a game, or of the game of that name. Options that are left out are the rule book's.

    Options may be text, as they are typed. What is wrong with them is an `InvalidOptions` that names the option.
    """
    game = find_game(game) if isinstance(game, str) else game
    rows, cols, holes = read_size(str(size)) if size is not None else (game.rows, game.cols, 0)
    if not game.target:
        for name, given in (("target", target), ("values", values), ("shuffle", shuffle)):
            if given is not None:
                text = tr("{game} has no {option} option: its cells have no values", game=game.name, option=name)
                raise InvalidOptions(name, text)
        return Position(game, make_board(rows, cols, holes=holes), player=first)

    if values is not None and shuffle is not None:
        raise InvalidOptions("values", tr("give either values or shuffle, not both"))
    places = [i for i in range(rows * cols) if not holes >> i & 1]
    worth = [i % cols + 1 for i in places] if values is None else read_values(values)
    if len(worth) != len(places):
        text = later("this board has {cells} cells, but {values} values were given")
        raise InvalidOptions("values", tr(text, cells=len(places), values=len(worth)))
    if shuffle is not None:
        random.Random(read_shuffle(shuffle)).shuffle(worth)
    goal = game.target if target is None else read_target(target)
    return Position(game, make_board(rows, cols, goal, worth, holes), player=first)


def read_size(text: str) -> tuple[int, int, int]:
    """Rows, columns and holes from `5x5`, from `13` for a line, or from `5x5-C3-D4`."""
    match = _SIZE.fullmatch(text) if len(text) <= LONGEST_SIZE else None
    if not match:
        advice = later("cannot read the size {text}: write rows x columns, such as 5x5, or 13 for a line")
        raise InvalidOptions("size", tr(advice, text=repr(text[:20])))
    rows, cols = int(match[1] or 1), int(match[2])
    longest = MAX_LINE if rows == 1 else MAX_SIDE
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= longest):
        advice = later("boards can be 1x1 to {side}x{side}, and lines up to {line}")
        raise InvalidOptions("size", tr(advice, side=MAX_SIDE, line=MAX_LINE))
    holes = 0
    for name in match[3].split("-")[1:]:
        holes |= find_place(rows, cols, name.strip())
    return rows, cols, check_holes(rows, cols, holes)


def find_place(rows: int, cols: int, name: str) -> int:
    """The place that a hole's name stands for: `C3`, or `7` on a line."""
    row = ord(name[0].upper()) - ord("A") if name[0].isalpha() else 0
    col = int(name.lstrip(ascii_letters)) - 1
    if name[0].isalpha() != (rows > 1) or row >= rows or not 0 <= col < cols:
        advice = later("a board of {size} has no cell {name} to leave out")
        raise InvalidOptions("size", tr(advice, size=write_size(rows, cols, ()), name=name))
    return 1 << row * cols + col


def check_holes(rows: int, cols: int, holes: int) -> int:
    """The holes, if they leave a board that can be played on."""
    try:
        make_board(rows, cols, holes=holes)
    except ValueError:
        advice = later("the cells that are left must be connected: each must be reachable from all others")
        raise InvalidOptions("size", tr(advice)) from None
    return holes


def read_target(target: int | str) -> int:
    """A target from `15`."""
    if isinstance(target, str) and re.fullmatch(r"\d{1,6}", target, re.ASCII):
        target = int(target)
    if isinstance(target, str) or not 1 <= target <= MAX_TARGET:
        raise InvalidOptions("target", tr("the target must be between 1 and {most}", most=MAX_TARGET))
    return target


def read_shuffle(shuffle: int | str) -> int:
    """The seed of a shuffle from `7`."""
    if isinstance(shuffle, str):
        if not re.fullmatch(r"\s*-?\d{1,12}\s*", shuffle, re.ASCII):
            raise InvalidOptions("shuffle", tr("shuffle must be a number, such as 7"))
        return int(shuffle)
    return shuffle


def read_values(values: str | Sequence[int]) -> list[int]:
    """Values from `1,2,3` or a sequence of numbers."""
    if isinstance(values, str):
        fields = values.split(",")
        if not all(re.fullmatch(r"\s*\d{1,4}\s*", text, re.ASCII) for text in fields):
            raise InvalidOptions("values", tr("write the values as numbers separated by commas, such as 1,2,3"))
        values = [int(text) for text in fields]
    if not all(1 <= value <= MAX_VALUE for value in values):
        raise InvalidOptions("values", tr("values must be between 1 and {most}", most=MAX_VALUE))
    return list(values)


def describe(board: Board) -> Options:
    """The options that give this board."""
    if board.target:
        return {"size": board.size, "target": board.target, "values": value_list(board)}
    return {"size": board.size}
