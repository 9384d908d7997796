"""Place markers away from your opponent's until one of you is locked out.

**Goal.** Leave your opponent without a legal move.

**A turn.** Place your marker on an empty cell that does not share a side with an opponent's marker. Your own
markers and diagonal neighbours do not matter.

**The end.** If you have no legal move on your turn, you lose. There are no draws.

Mathematicians know this game as Snort on a grid.
"""

from quintet.board import Board, near
from quintet.drawing.text import Style
from quintet.rules import Game
from quintet.words import Step, Words


def legal(board: Board, mine: int, theirs: int) -> int:
    """Empty cells with no neighbour of theirs."""
    return board.full & ~(mine | theirs | near(board, theirs))


GAME = Game(
    name="gridlock",
    rows=4,
    cols=4,
    corner="1 1",
    legal=legal,
    summary="Place markers away from your opponent's; if you can't move, you lose.",
    manual=__doc__,
    lesson=(
        Step(
            start=".../.../... X",
            tap="A2",
            say="The player who can't move loses. Tap the lit cell to place a marker.",
            then="Your opponent can't place a marker next to yours.",
            reply="C2",
        ),
        Step(
            refused=True,
            say="You can't go next to your opponent's marker either. Tap a lit cell to see.",
            then="Not allowed: it shares a side with your opponent's marker. Corners don't count.",
        ),
        Step(
            say="Next to your own marker is fine. Choose one of the lit cells.",
            then="Good. Now your opponent is running out of cells.",
            reply="C1 C3",
        ),
        Step(
            say="Now you try: leave your opponent without a move.",
            retry="Your opponent could still move. Try the other cell.",
            then="Your opponent can't move. You win!",
        ),
    ),
    style=Style(cell=" {mark} ", gap="|", labels=True, ruled=True),
    words=Words(
        prompts=("Player {player} ({mark}), it's your turn. Enter your move (row and column): ",),
        claimed="You placed an '{mark}' at position {cell}.\n{board}\n",
        refused="You cannot place next to an opponent's marker. Please choose a different cell.",
    ),
)
