"""Place markers away from your own until one of you is locked out.

**Goal.** Leave your opponent without a legal move.

**A turn.** Place your marker on an empty cell that does not share a side with a marker of your own. Your opponent's
markers and diagonal neighbours do not matter.

**The end.** If you have no legal move on your turn, you lose. There are no draws.
"""

from quintet.board import Board, near
from quintet.drawing.text import Style
from quintet.rules import Game
from quintet.words import Words


def legal(board: Board, mine: int, theirs: int) -> int:
    """Empty cells with no neighbour of mine."""
    return board.full & ~(mine | theirs | near(board, mine))


GAME = Game(
    name="col",
    rows=4,
    cols=4,
    corner="A1",
    legal=legal,
    summary="Place markers away from your own; if you can't move, you lose.",
    manual=__doc__,
    style=Style(labels=True),
    words=Words(refused="You cannot place next to a marker of your own."),
)
