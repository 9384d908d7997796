"""Plain functions as players."""

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


NUMBER = 5
