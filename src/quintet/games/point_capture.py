"""Take cells for their points and be the first to have exactly the target.

**Goal.** Reach exactly 15 points.

**A turn.** Select any unclaimed cell and add its value to your score. You may not select a cell that would take you
past the target.

**The end.** You win at once with exactly 15 points. If no unclaimed cell fits under the target on your turn, or
none is left, you lose. There are no draws.

**Other boards.** A new game can have another target, other values, or the usual values in another order.

**Rulings.**

- "A unique value from 1 to 5" is impossible on 25 cells. The grid is the rule book's own example, each row 1 2 3 4
  5; on other sizes each row counts up from 1 in the same way.
- A cell that would exceed the target is refused like any other illegal choice, so the target is never exceeded, and
  "exceeding loses" never comes up.
- The last move of the rule book's sample names (1,3) with value 2; that cell holds 4, and 4 is what counts.
"""

from quintet.board import Board, popcount
from quintet.drawing.text import Style
from quintet.rules import Game
from quintet.words import Step, Words


def score(board: Board, cells: int) -> int:
    """The sum of the cells' values."""
    total = 0
    for value, where in board.values:
        total += value * popcount(cells & where)
    return total


def legal(board: Board, mine: int, theirs: int) -> int:
    """Unclaimed cells whose value fits under the target, unless they have reached it."""
    room = (board.target - score(board, mine)) * (score(board, theirs) != board.target)
    fits = 0
    for value, where in board.values:
        fits |= where * (value <= room)
    return fits & ~(mine | theirs)


GAME = Game(
    name="point-capture",
    rows=5,
    cols=5,
    corner="0 0",
    legal=legal,
    score=score,
    target=15,
    future="values",
    summary="Take cells for their points; exactly 15 wins, and if you can't move, you lose.",
    manual=__doc__,
    lesson=(
        Step(
            start=".../.../... X target=5 values=1,2,3,1,2,3,1,2,3",
            tap="A3 B3 C3",
            say="Get exactly {target} points to win. Tap a lit cell to take its points.",
            then="You have {score1} points. Nobody can take that cell again.",
            reply="A2",
        ),
        Step(
            refused=True,
            say="You can't go past {target} points. Tap a lit cell to see.",
            then="Not allowed: that would be more than {target}. If nothing fits on your turn, you lose.",
        ),
        Step(
            say="Now you try: get exactly {target} points.",
            retry="That would not make exactly {target}. Another lit cell wins at once.",
            then="Exactly {target} points. You win!",
        ),
    ),
    style=Style(gap=""),
    words=Words(
        welcome="Welcome to {title}!\n",
        turn="Player 1 Score: {score1}\nPlayer 2 Score: {score2}\n\nGrid:\n{board}\n\nPlayer {player}'s Turn.\n",
        prompts=(
            'Enter the row and column of the cell you wish to select (e.g., "0 0" for top-left corner): ',
            "Enter the row and column of the cell you wish to select: ",
        ),
        claimed="Player {player} selects: {cell}\n",
        refused="That cell would take you past {target} points.",
        reached=(
            "Player 1 Score: {score1}\nPlayer 2 Score: {score2}\n\nGrid:\n{board}\n\n"
            "Player {winner} has reached {target} points and wins the game!"
        ),
        stuck=(
            "Player 1 Score: {score1}\nPlayer 2 Score: {score2}\n\nGrid:\n{board}\n\n"
            "Player {loser} has no valid moves. Player {winner} wins the game!"
        ),
    ),
)
