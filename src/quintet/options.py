"""From options (size, target, values, who goes first) to the position a game starts from."""

import random
import re
from collections.abc import Sequence
from typing import NotRequired, TypedDict

from quintet.board import MAX_LINE, MAX_SIDE, Board, make_board, value_list
from quintet.errors import QuintetError
from quintet.games import find_game
from quintet.language import later, tr
from quintet.rules import Game, Position

MAX_VALUE = 999
MAX_TARGET = 99_999


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
    rows, cols = read_size(str(size)) if size is not None else (game.rows, game.cols)
    if not game.target:
        for name, given in (("target", target), ("values", values), ("shuffle", shuffle)):
            if given is not None:
                text = tr("{game} has no {option} option: its cells have no values", game=game.name, option=name)
                raise InvalidOptions(name, text)
        return Position(game, make_board(rows, cols), player=first)

    if values is not None and shuffle is not None:
        raise InvalidOptions("values", tr("give either values or shuffle, not both"))
    worth = [col + 1 for _ in range(rows) for col in range(cols)] if values is None else read_values(values)
    if len(worth) != rows * cols:
        text = later("this board has {cells} cells, but {values} values were given")
        raise InvalidOptions("values", tr(text, cells=rows * cols, values=len(worth)))
    if shuffle is not None:
        random.Random(read_shuffle(shuffle)).shuffle(worth)
    goal = game.target if target is None else read_target(target)
    return Position(game, make_board(rows, cols, goal, worth), player=first)


def read_size(text: str) -> tuple[int, int]:
    """Rows and columns from `5x5`, or from `13` for a line."""
    match = re.fullmatch(r"\s*(?:(\d{1,4})\s*[xX×*]\s*)?(\d{1,4})\s*", text, re.ASCII)
    if not match:
        advice = later("cannot read the size {text}: write rows x columns, such as 5x5, or 13 for a line")
        raise InvalidOptions("size", tr(advice, text=repr(text[:20])))
    rows, cols = int(match[1] or 1), int(match[2])
    longest = MAX_LINE if rows == 1 else MAX_SIDE
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= longest):
        advice = later("boards can be 1x1 to {side}x{side}, and lines up to {line}")
        raise InvalidOptions("size", tr(advice, side=MAX_SIDE, line=MAX_LINE))
    return rows, cols


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
