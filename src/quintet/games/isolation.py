"""Claim squares, never next to a claimed one; if you can't claim, you lose.

**Goal.** Make the last claim.

**A turn.** Claim an unclaimed square that is not next to any claimed square, your own included. Squares that share a
side are next to each other.

**The end.** If you cannot claim a square on your turn, you lose. There are no draws.

**Other boards.** The line can have another length. On a board of several rows the squares are numbered row by row.

**Rulings.**

- Some of the rule book's lists of available squares include squares next to claimed ones. The rule decides: after 7
  and 4 the list is `1-2,9-13`; after 7, 4, 10 and 1 it is `12-13`.
- One printed line drops square 11, and all printed lines end in a stray `[ ]`. A square is drawn as its marker
  followed by its number: `[P1] 7`.
"""

from quintet.board import Board, near
from quintet.drawing.text import Style
from quintet.rules import Game
from quintet.words import Step, Words


def legal(board: Board, mine: int, theirs: int) -> int:
    """Unclaimed squares with no claimed neighbour."""
    claimed = mine | theirs
    return board.full & ~(claimed | near(board, claimed))


GAME = Game(
    name="isolation",
    rows=1,
    cols=13,
    corner="1",
    legal=legal,
    summary="Claim squares that touch no claimed square; if you can't move, you lose.",
    manual=__doc__,
    lesson=(
        Step(
            start="........ X",
            tap="2",
            say="The player who can't move loses. Tap the lit square to take it.",
            then="The squares next to it are closed now, to you and to your opponent.",
            reply="8",
        ),
        Step(
            refused=True,
            say="Your opponent closed some more. Tap a closed square to see what happens.",
            then="Not allowed: it is next to a taken square. It doesn't matter whose square that is.",
        ),
        Step(
            say="Now you try: take a square that leaves your opponent without a move.",
            retry="That would leave a square for your opponent. Try another one.",
            then="No square is left for your opponent. You win!",
        ),
    ),
    style=Style(marks=(" ", "P1", "P2"), cell="[{mark}] {name}"),
    words=Words(
        welcome="--- Isolation Game Starts ---\nAvailable squares: {moves}\n\n{board}\n",
        turn="Player{player}'s turn.\nAvailable squares to claim: {moves}\n",
        prompts=("Enter the square number you want to claim: ",),
        claimed="Player{player} claims square {cell}.\n{board}\n",
        refused="That square is next to a claimed square.",
        possible="Available squares to claim: {moves}",
        stuck=(
            "Player{loser}'s turn.\nAvailable squares to claim: {moves}\n"
            "No valid squares to claim. Player{loser} cannot make a move.\n\nGame Over: Player{winner} wins!"
        ),
    ),
)
