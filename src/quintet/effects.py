"""What claims do, for screens that show it before a move is made: found by playing each move, for any game.

A set of cells is written as a number in base 16 whose bit `i` is cell `i`, row by row from the top left, because there
are many sets and some of them hold nearly the whole board.
"""

from collections.abc import Iterator

import msgspec

from quintet.board import split
from quintet.rules import Position


class Claim(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What claiming a cell does; JSON leaves out default values."""

    scores: tuple[int, int]
    """The scores of Player 1 and Player 2 after it."""
    captured: str = ""
    """The other cells that it takes."""
    closed_mover: str = ""
    """The unclaimed cells that its player could claim before and cannot claim after it."""
    closed_opponent: str = ""
    """The same for the opponent."""
    winner: int | None = None
    """The player who has won after it, if it ends the game."""


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Why an unclaimed cell may not be claimed."""

    why: str
    """The rule, in the game's own words."""
    by: str = ""
    """The claimed cells that forbid it."""


class Effects(msgspec.Struct, frozen=True, gc=False):
    """What every claim does that the player to move can make, and why others are refused; both by the cell's label."""

    player: int | None
    """The player to move; nobody when the game is over."""
    scores: tuple[int, int]
    """The scores now."""
    claims: dict[str, Claim]
    refused: dict[str, Refusal]
    claimed: str = ""
    """Why a claimed cell is refused."""


def effects(position: Position) -> Effects:
    """What every claim does, and why the other unclaimed cells are refused. When the game is over, nothing is said."""
    if position.outcome:
        return Effects(None, position.scores, {}, {})
    claimed = position.mine | position.theirs
    return Effects(
        position.player,
        position.scores,
        {position.label(cell): claim_effect(position, cell) for cell in split(position.legal)},
        dict(refusals(position)),
        position.refusal(claimed & -claimed) if claimed else "",
    )


def claim_effect(position: Position, cell: int) -> Claim:
    """What claiming one cell does."""
    after = position.play(cell)
    legal, board = position.game.legal, position.board
    closed_mover = position.legal & ~legal(board, after.theirs, after.mine) & ~after.theirs
    closed_opponent = legal(board, position.theirs, position.mine) & ~after.legal & ~after.theirs
    winner = after.outcome.winner if after.outcome else None
    if after.outcome and after.outcome.kind == "reached":
        closed_mover = closed_opponent = 0  # The game is won: that nothing may be claimed any more goes without saying.
    captured = position.gain(cell) & ~cell
    return Claim(after.scores, write(captured), write(closed_mover), write(closed_opponent), winner)


def refusals(position: Position) -> Iterator[tuple[str, Refusal]]:
    """Why each unclaimed cell is refused that may not be claimed, by its label."""
    refused = position.board.full & ~(position.mine | position.theirs | position.legal)
    if position.must_pass:
        sentence = position.refusal(refused & -refused)
        return ((position.label(cell), Refusal(sentence)) for cell in split(refused))
    found = forbidders(position, refused)
    return ((position.label(cell), Refusal(position.refusal(cell), write(found[cell]))) for cell in split(refused))


def forbidding(position: Position, cell: int) -> int:
    """The claimed cells that forbid a cell; none where it is claimed itself, or where nothing may be claimed."""
    refused = cell & position.board.full & ~(position.mine | position.theirs | position.legal)
    return forbidders(position, refused)[refused] if refused and not position.must_pass else 0


def forbidders(position: Position, refused: int) -> dict[int, int]:
    """The claimed cells that forbid each refused cell, by the rules alone.

    Those that would forbid it if they were the only claimed cell; if there are none, those without which it could be
    claimed; if there are none either, all cells of the player without whose cells it could be, or of both.
    """
    legal, board, mine, theirs = position.game.legal, position.board, position.mine, position.theirs
    alone, needed = dict.fromkeys(split(refused), 0), dict.fromkeys(split(refused), 0)
    for claimed in split(mine | theirs):
        for cell in split(refused & ~legal(board, mine & claimed, theirs & claimed)):
            alone[cell] |= claimed
        for cell in split(refused & legal(board, mine & ~claimed, theirs & ~claimed)):
            needed[cell] |= claimed
    without_mine, without_theirs = legal(board, 0, theirs), legal(board, mine, 0)

    def together(cell: int) -> int:
        return mine if cell & without_mine else theirs if cell & without_theirs else mine | theirs

    return {cell: alone[cell] or needed[cell] or together(cell) for cell in split(refused)}


def write(cells: int) -> str:
    """A set of cells as text; an empty one is empty."""
    return f"{cells:x}" if cells else ""
