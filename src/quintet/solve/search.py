"""The exact search: one negamax that asks whether a value is at least a bound.

It is written once, in plain functions over integers. The names it uses (the rules, a theory's functions, the table's)
are bound again for each game and gear; as they stand here they serve a game without a theory.

Values count from the position the search began at, for the player to move: the final margin in a territory game; in a
race `MOST - plies` for a win and `plies - MOST` for a loss, so that the winner hurries and the loser delays.
"""

from quintet.board import Board, popcount
from quintet.solve.dict_table import Table, pick, probe, store, visit
from quintet.solve.theories.generic import (
    PASSES,
    STEP,
    THEOREM_PLIES,
    Symmetries,
    bounds,
    gain,
    key,
    legal,
    needless,
    order,
    shift,
    theorems,
    view,
)


def search(
    board: Board, symmetries: Symmetries, table: Table, mine: int, theirs: int, cell: int, ply: int, bound: int
) -> int:
    """A limit of the value: a lower one if that is `bound` or more, an upper one if not.

    For the answer v and the value V:  v >= bound  implies  V >= v,  and  v < bound  implies  V <= v.
    """
    # 1. Count the position, and give up if told to: then nothing is stored, and no answer counts.
    if visit(table):
        return -bound

    # 2. See it as the theory does; from here on the question is about what is still open.
    mine, theirs, features, settled = view(board, symmetries, mine, theirs, cell, ply)
    wanted = shift(bound, -settled)

    # 3. Perhaps it is known without a search.
    low, high = bounds(board, features)
    if ply < THEOREM_PLIES and low < high and popcount(board.full) % 2 == 0:
        proved_low, proved_high = theorems(board, symmetries, table, features)
        low, high = max(low, proved_low), min(high, proved_high)
    if low >= wanted or low == high:
        return shift(low, settled)
    if high < wanted:
        return shift(high, settled)

    # 4. Perhaps the table knows.
    entry = key(board, symmetries, features)
    known_low, known_high = probe(table, entry)
    low, high = max(low, known_low), min(high, known_high)
    if low >= wanted or low == high:
        return shift(low, settled)
    if high < wanted:
        return shift(high, settled)

    # 5. Try the cells worth trying, until one is good enough. A pass is a claim of nothing.
    must_pass = PASSES and not legal(board, mine, theirs)
    first, second, third, fourth, fifth, spare = order(board, features, wanted)
    best, tried = shift(max(low, spare), settled), 0
    for cells in (first, second, third, fourth, fifth):
        while (cells or must_pass) and best < bound:
            claim = pick(table, cells)
            cells ^= claim
            must_pass = False
            if needless(board, claim, tried, features):
                continue
            tried |= claim
            taken = mine | gain(board, mine, theirs, claim)
            best = max(best, -search(board, symmetries, table, theirs, taken, claim, ply + 1, STEP - bound))

    # 6. Remember what was found out.
    found = shift(best, -settled)
    if best >= bound:
        low = found
    else:
        high = found
    store(table, entry, low, high)
    return best


def limits(
    board: Board, symmetries: Symmetries, table: Table, mine: int, theirs: int, with_theorems: bool
) -> tuple[int, int]:
    """What the theory knows of a position's value without a search."""
    _, _, features, settled = view(board, symmetries, mine, theirs, 0, 0)
    low, high = bounds(board, features)
    if with_theorems and low < high:
        proved_low, proved_high = theorems(board, symmetries, table, features)
        low, high = max(low, proved_low), min(high, proved_high)
    return shift(low, settled), shift(high, settled)
