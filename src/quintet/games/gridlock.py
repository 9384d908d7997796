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
from quintet.words import Words


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
    style=Style(cell=" {mark} ", gap="|", labels=True, ruled=True),
    words=Words(
        prompts=("Player {player} ({mark}), it's your turn. Enter your move (row and column): ",),
        claimed="You placed an '{mark}' at position {cell}.\n{board}\n",
        refused="You cannot place next to an opponent's marker. Please choose a different cell.",
    ),
)
