"""Grow your territory from your own cells, and hold more than half of the board at the end.

**Goal.** Hold more cells than your opponent when nothing is left to claim.

**A turn.** Claim one unclaimed cell that shares a side with a cell of yours. Corners do not count. Your first claim
may be any unclaimed cell. If you hold several groups, you may grow any of them.

**Passing.** You pass only when you can claim nothing; then you must, and the other player continues.

**The end.** The game ends when the board is full, or when both players pass in a row. More cells win. 25 cells
cannot be shared equally; on a board with an even number of cells, equal shares are a draw.

**Rulings.**

- The rule book first grants the free first claim to Player 1 alone and corrects itself in its second turn: both
  players have it. Without it Player 2 could never begin.
- `pass` is refused while you can claim something: the rule book gives the pass to a player "with no valid moves".
- The board always fills up, because some unclaimed cell always has a claimed neighbour, whose owner may claim it. So
  two passes in a row never come up.
"""

from quintet.board import Board, near
from quintet.drawing.text import Style
from quintet.rules import Game
from quintet.words import Step, Words


def legal(board: Board, mine: int, theirs: int) -> int:
    """Unclaimed cells next to mine; any unclaimed cell while I have none."""
    return (near(board, mine) | board.full * (mine == 0)) & board.full & ~(mine | theirs)


GAME = Game(
    name="adjacent-claim",
    rows=5,
    cols=5,
    corner="A1",
    legal=legal,
    territory=True,
    passes=True,
    summary="Claim cells next to your own; more cells win.",
    manual=__doc__,
    lesson=(
        Step(
            start=".../.../... X",
            say="Collect more cells than your opponent. You can start anywhere: tap a cell.",
            then="That cell is yours for the rest of the game.",
            reply="B2 C2",
        ),
        Step(
            refused=True,
            say="From now on you can only take cells next to your own. Tap one of the others.",
            then="Not allowed: that cell shares no side with one of yours. Corners don't count.",
        ),
        Step(
            start=".X./XXO/OOO X",
            tap="A3",
            say="Near the end of a game: which of the lit cells should you take first?",
            retry="Only you can reach that cell, so it can wait. Take the other one first.",
            then="Now your opponent can't reach a free cell and has to pass.",
        ),
        Step(
            say="It's your turn again. Take the last cell.",
            then="The board is full, and you hold more cells. You win {score1} to {score2}!",
        ),
    ),
    style=Style(labels=True),
    words=Words(
        prompts=(
            "Player {player}, enter your first claim (e.g., {example}): ",
            "Player {player}, enter your first claim: ",
            "Player {player}, enter your claim: ",
        ),
        again="Enter a valid claim: ",
        refused="You must claim a cell adjacent to your existing cells.",
        most="Final Scores:\nPlayer 1: {score1} cells\nPlayer 2: {score2} cells\nWinner: Player {winner}",
        level="Final Scores:\nPlayer 1: {score1} cells\nPlayer 2: {score2} cells\nThe game is a draw.",
    ),
)
