"""From what a player asks for (size, target, values, who begins) to the position a game starts from."""

import random
import re
from collections.abc import Sequence

from quintet.board import MAX_LINE, MAX_SIDE, Board, make_board, value_list
from quintet.rules import Game, Position

MAX_VALUE = 999
MAX_TARGET = 99_999


class InvalidOptions(ValueError):
    """A size, target or list of values that the game cannot be played with."""


def start(
    game: Game,
    size: str | None = None,
    target: int | None = None,
    values: str | Sequence[int] | None = None,
    shuffle: int | None = None,
    first: int = 1,
) -> Position:
    """The empty board of a game. What is not given is the rule book's."""
    rows, cols = read_size(size) if size else (game.rows, game.cols)
    if not game.target:
        for name, given in (("target", target), ("values", values), ("shuffle", shuffle)):
            if given is not None:
                raise InvalidOptions(f"{game.name} has no {name} option: its cells carry no values")
        return Position(game, make_board(rows, cols), player=first)

    if values is not None and shuffle is not None:
        raise InvalidOptions("give either values or a shuffle, not both")
    worth = [col + 1 for _ in range(rows) for col in range(cols)] if values is None else read_values(values)
    if len(worth) != rows * cols:
        raise InvalidOptions(f"{len(worth)} values do not fill a board of {rows * cols} cells")
    if shuffle is not None:
        random.Random(shuffle).shuffle(worth)
    if target is not None and not 1 <= target <= MAX_TARGET:
        raise InvalidOptions(f"the target must lie between 1 and {MAX_TARGET}")
    return Position(game, make_board(rows, cols, target or game.target, worth), player=first)


def read_size(text: str) -> tuple[int, int]:
    """Rows and columns from `5x5`, or from `13` for a line."""
    match = re.fullmatch(r"\s*(?:(\d{1,4})\s*[xX×*]\s*)?(\d{1,4})\s*", text, re.ASCII)
    if not match:
        raise InvalidOptions(f"cannot read the size {text[:20]!r}: write rows x columns, such as 5x5, or 13 for a line")
    rows, cols = int(match[1] or 1), int(match[2])
    longest = MAX_LINE if rows == 1 else MAX_SIDE
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= longest):
        raise InvalidOptions(f"boards go from 1x1 to {MAX_SIDE}x{MAX_SIDE}, lines to {MAX_LINE}")
    return rows, cols


def read_values(values: str | Sequence[int]) -> list[int]:
    """Values from `1,2,3` or a sequence of numbers."""
    if isinstance(values, str):
        fields = values.split(",")
        if not all(re.fullmatch(r"\s*\d{1,4}\s*", text, re.ASCII) for text in fields):
            raise InvalidOptions("write the values as numbers with commas between them, such as 1,2,3")
        values = [int(text) for text in fields]
    if not all(1 <= value <= MAX_VALUE for value in values):
        raise InvalidOptions(f"values must lie between 1 and {MAX_VALUE}")
    return list(values)


def describe(board: Board) -> dict[str, str | int | list[int]]:
    """The options that give this board."""
    options: dict[str, str | int | list[int]] = {"size": board.size}
    if board.target:
        options |= {"target": board.target, "values": value_list(board)}
    return options
