"""Place markers away from your own until one of you is locked out.

**Goal.** Leave your opponent without a legal move.

**A turn.** Place your marker on an empty cell that does not share a side with a marker of your own. Your opponent's
markers and diagonal neighbours do not matter.

**The end.** If you have no legal move on your turn, you lose. There are no draws.
"""

from quintet.board import Board, near
from quintet.drawing.text import Style
from quintet.rules import Game
from quintet.words import Step, Words


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
    lesson=(
        Step(
            start=".../.../... X",
            tap="A1",
            say="The player who can't move loses. Tap the lit cell to place a marker.",
            then="Your markers must never touch each other.",
            reply="C3",
        ),
        Step(
            refused=True,
            say="Tap a cell next to your marker to see.",
            then="Not allowed: two of your own markers would share a side.",
        ),
        Step(
            tap="A3 C1",
            say="Your opponent's markers don't matter. Choose one of the lit cells.",
            then="Good. Now both of you are running out of cells.",
            reply="B2",
        ),
        Step(
            say="Now you try: leave your opponent without a move.",
            retry="Your opponent could still move. Try the other cell.",
            then="Your opponent can't move. You win!",
        ),
    ),
    style=Style(labels=True),
    words=Words(refused="You cannot place next to a marker of your own."),
)
