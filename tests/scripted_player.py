"""Plain functions as players."""

from typing import Any

from quintet.rules import Position


def last(position: Position) -> str:
    """The last legal move, by its label."""
    return position.label(position.moves[-1])


def first(position: Position) -> int:
    """The first legal move, by its number."""
    return position.moves[0]


def nowhere(position: Position) -> str:
    """A cell that no board has."""
    return "Z99"


def broken(position: Position) -> int:
    """A function with a mistake."""
    raise KeyError("oh")


def lowest(seen: dict[str, Any]) -> int:
    """A policy: the lowest legal action."""
    return int(seen["action_mask"].argmax())


def off_the_board(seen: dict[str, Any]) -> int:
    """A policy with a mistake."""
    return int(seen["action_mask"].size)


NUMBER = 5
