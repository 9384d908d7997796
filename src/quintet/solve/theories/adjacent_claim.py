"""Adjacent Claim: only contested cells matter.

A player who has a cell and can claim nothing never claims again: the other player gets all that is left. From this it
follows that, once I have a cell, one more cell of mine never hurts me, and neither does the right to move. The proof is
by induction on the number of unclaimed cells. With one more cell I can play as I would without it, and whatever the
opponent can then claim, they could claim before. If my plan calls for that very cell, I already have it, and I have the
right to move instead, with fewer cells unclaimed. If I could claim nothing without it, nothing was worse; if they can
claim nothing now, nothing is better. The right to move gives me one more cell, or else I pass and nothing has changed.

So once both players have a cell, a region that only one of them can reach belongs to that player at once.

If a half-turn or a mirror of the board swaps the contested cells in pairs, and takes the cells that one player touches
to those that the other touches, they are shared equally: each claim can be answered at its image, and the right to move
does not hurt. So on a board with an even number of cells the second player never loses. Cells whose image is not
contested change little: whoever answers gets half of the pairs, and whatever they like as the answer to such a cell.
"""

from typing import TYPE_CHECKING

from quintet.board import Board, near, popcount
from quintet.solve.theories.generic import MOST, Features, Symmetries, image_of, least_image, legal, swaps

if TYPE_CHECKING:
    from quintet.solve.dict_table import Table

BOARDS = ("7", "3x3", "3x4", "4x4", "4x5", "5x5", "5x6", "6x6", "6x7", "7x7")
BIG_BOARDS = ("7x8",)
LONG_SEARCHES = (("7x8", "draw", "D4; D5", "142,260,816", "57 s, compiled, 1 core"),)

CONJECTURE = """If both sides are odd, the first player wins by the length of the shorter side, and only by opening in
the centre. If a side is even, perfect play ends in a draw (that the first player does not win is proved)."""

PASSES = False  # Where something is contested, both touch it.
STEP = 2  # The margin has the parity of the cells.
WAITING = True  # One more cell of mine never hurts me.
THEOREM_PLIES = 3  # On boards with an even side a quarter of all positions need not be visited.


def view(
    board: Board, symmetries: Symmetries, mine: int, theirs: int, cell: int, ply: int
) -> tuple[int, int, Features, int]:
    """The contested cells, those of them I touch, and those they touch; a player without cells touches none."""
    theirs, mine = settle(board, theirs, mine, cell)
    mine, theirs = least_image(board, symmetries, mine, theirs)
    contested = board.full & ~(mine | theirs)
    mine_open = legal(board, mine, theirs) * (mine != 0)
    theirs_open = legal(board, theirs, mine) * (theirs != 0)
    return mine, theirs, (contested, mine_open, theirs_open), popcount(mine) - popcount(theirs)


def settle(board: Board, mine: int, theirs: int, cell: int) -> tuple[int, int]:
    """Give every cell that only one player can get to to that player, after my claim of `cell` (0: any position).

    Where both could get before a claim, I still can. What it cuts them off from lies next to it.
    """
    empty = board.full & ~(mine | theirs)
    grown = cell and mine != cell
    wanted = near(board, cell) & empty if grown else empty
    mine |= empty & ~reach(board, legal(board, theirs, mine), empty, wanted)
    if not grown:
        empty = board.full & ~(mine | theirs)
        theirs |= empty & ~reach(board, legal(board, mine, theirs), empty, empty)
    return mine, theirs


def reach(board: Board, cells: int, empty: int, wanted: int) -> int:
    """Where one gets from these cells through empty ones; simply `empty` as soon as nothing wanted is missing."""
    while wanted & ~cells:
        grown = cells | near(board, cells) & empty
        if grown == cells:
            return cells
        cells = grown
    return empty


def wall(board: Board, mine_open: int, theirs_open: int, empty: int) -> int:
    """Cells I touch, they do not, and I can hold by answering: no other empty cell is next to two of them."""
    held = mine_open & ~theirs_open
    loose = 1
    while loose:
        left = (held & board.east) << 1
        right = (held & board.west) >> 1
        up = held << board.cols
        down = held >> board.cols
        outside = empty & ~held
        loose = (left & right & outside & board.east) << 1
        loose |= (up & (left | right) & outside) >> board.cols
        loose |= (down & (left | right | up) & outside) << board.cols
        held &= ~loose
    return held


def bounds(board: Board, features: Features) -> tuple[int, int]:
    """I get a cell at least. They hold their wall by answering; of other cells they touch they get every second."""
    contested, mine_open, theirs_open = features
    mine_open = mine_open if mine_open else contested
    count = popcount(contested)
    held = wall(board, theirs_open, mine_open, contested)
    inside = contested & ~held
    got = reach(board, mine_open, inside, inside)
    most = popcount(got) - popcount(got & theirs_open & ~near(board, held)) // 2
    return 2 * (count != 0) - count, 2 * most - count


def theorems(board: Board, symmetries: Symmetries, table: "Table", features: Features) -> tuple[int, int]:
    """They get half of what is swapped in pairs if they can answer every claim at its image, and so do I if I can."""
    contested, mine_open, theirs_open = features
    low, high = -MOST, MOST
    if (mine_open == 0) == (theirs_open == 0):
        for symmetry in symmetries:
            pairs = contested & image_of(symmetry, contested)
            rest = contested & ~pairs
            beyond = near(board, rest)
            they_answer = image_of(symmetry, (mine_open | beyond) & pairs) & ~theirs_open == 0
            i_answer = mine_open != 0 and image_of(symmetry, (theirs_open | beyond) & pairs) & ~mine_open == 0
            if (they_answer or i_answer) and swaps(board, symmetry, pairs, 0):
                high = min(high, popcount(rest)) if they_answer else high
                low = max(low, -popcount(rest)) if i_answer else low
    return low, high


def order(board: Board, features: Features, wanted: int) -> tuple[int, int, int, int, int, int]:
    """Cells both touch, then cells next to those they touch, both where the land beyond is wild; some can wait.

    A cell that only I touch can wait if its one way out is mine to claim too: that claim brings both. A cell without a
    way out can wait while both touch another one.
    """
    contested, mine_open, theirs_open = features
    mine_open = mine_open if mine_open else contested
    left = (contested & board.east) << 1
    right = (contested & board.west) >> 1
    up = contested << board.cols
    down = contested >> board.cols
    edge = mine_open & theirs_open
    cells = mine_open
    if theirs_open:
        lone = edge & ~(left | right | up | down)
        if lone != edge:
            edge &= ~lone
            cells &= ~lone
        forked = left & right | up & down | (left | right) & (up | down)
        cells &= ~near(board, mine_open) | theirs_open | forked
    wild = near(board, contested & ~(mine_open | theirs_open))
    close = cells & wild & near(board, theirs_open) & ~edge
    return edge & wild, close, edge & ~wild, cells & ~(edge | close), 0, wanted - 2


def estimate(board: Board, features: Features) -> int:
    """Who gets where first: both spread over the contested cells at once, and cells reached together are nobody's.

    A player who has not begun does better the longer the opponent takes to get everywhere.
    """
    contested, mine_open, theirs_open = features
    if mine_open == 0 or theirs_open == 0:
        reached, waiting = mine_open | theirs_open, 0
        while reached and contested & ~reached:
            waiting += popcount(contested & ~reached)
            reached |= near(board, reached) & contested
        return waiting // (board.rows + board.cols) * (1 if mine_open == 0 else -1)
    lead, front, their_front = 0, mine_open, theirs_open
    while front or their_front:
        lead += popcount(front) - popcount(their_front)
        contested &= ~(front | their_front)
        both = front & their_front
        front, their_front = near(board, front & ~both) & contested, near(board, their_front & ~both) & contested
    return lead


def lead_by_turns(board: Board, features: Features) -> int:
    """Who gets where first if both have begun and spread in turns, one step in all directions at a time.

    Unlike `estimate`, it knows who is to move: a threat that can be answered now counts for little.
    """
    contested, front, their_front = features
    lead = 0
    while front or their_front:
        contested &= ~front
        their_front &= contested
        contested &= ~their_front
        lead += popcount(front) - popcount(their_front)
        front, their_front = near(board, front) & contested, near(board, their_front) & contested
    return lead
