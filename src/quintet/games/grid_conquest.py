"""Claim a cell and its unclaimed neighbours come with it; hold the majority when the grid is full.

**Goal.** Hold more cells than your opponent when every cell is claimed.

**A turn.** Claim any unclaimed cell. You also capture the unclaimed cells above, below, left and right of it. A
claimed cell never changes hands, and diagonal neighbours are not captured. This game has no passes.

**The end.** The game is played until the grid is full, even when one player already holds the majority, because the
margin counts too. 25 cells cannot be shared equally; on a grid with an even number of cells, equal shares are a
draw.

**Rulings.**

- The rule book's drawing after `claim 2 2` is centred on (2,1). The captured cells in its text, (1,2), (3,2), (2,1)
  and (2,3), are right.
- Its third turn draws Player 1's new cells as `O`; they are `X`.
- Its final grid shows 14 cells to 11, not the 15 to 10 it announces.
"""

from quintet.board import Board, near
from quintet.drawing.text import Style
from quintet.rules import Game
from quintet.words import Step, Words


def legal(board: Board, mine: int, theirs: int) -> int:
    """Any unclaimed cell."""
    return board.full & ~(mine | theirs)


def gain(board: Board, mine: int, theirs: int, cell: int) -> int:
    """The cell and its unclaimed neighbours."""
    return (cell | near(board, cell)) & board.full & ~(mine | theirs)


GAME = Game(
    name="grid-conquest",
    rows=5,
    cols=5,
    corner="0 0",
    legal=legal,
    gain=gain,
    territory=True,
    future="claimed",
    summary="Claim a cell and its unclaimed neighbours; more cells win.",
    manual=__doc__,
    lesson=(
        Step(
            start="..../..../.... X",
            tap="B2",
            say="Hold more cells than your opponent when the board is full. Tap the lit cell.",
            then="You took {cells} cells: the one you tapped and its free neighbours.",
            reply="A4",
        ),
        Step(
            tap="C3 C4",
            say="Taken cells stay taken. Now you try: take as many as you can with one tap.",
            retry="That works too, but there is a cell that takes more. Can you find it?",
            then="Well done: you took {cells} cells with one tap.",
            reply="A1",
        ),
        Step(
            say="Only one cell is left. Take it to fill the board.",
            then="The board is full, and you hold more cells. You win {score1} to {score2}!",
        ),
    ),
    style=Style(marks=(".", "X", "O"), cell="{mark}"),
    words=Words(
        prompts=("Player {player} ({mark}), enter your move (e.g., claim {example}): ",),
        claimed=(
            "Player {player} claimed cell {cell}{captured}.\nUpdated Grid:\n{board}\n"
            "Score:\nPlayer 1: {score1} cells\nPlayer 2: {score2} cells\n"
        ),
        captured=" and captured adjacent cells",
        most=(
            "Final Scores:\nPlayer 1 (X): {score1} cells\nPlayer 2 (O): {score2} cells\n"
            "Player {winner} wins the game with a majority of {best} cells."
        ),
        level="Final Scores:\nPlayer 1 (X): {score1} cells\nPlayer 2 (O): {score2} cells\nThe game is a draw.",
    ),
)
