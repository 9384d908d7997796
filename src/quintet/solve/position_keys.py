"""What identifies a position in a proof: both players' cells, or less where that is all the future depends on."""

from collections.abc import Callable
from typing import NamedTuple

from quintet.board import Board
from quintet.gears.arrays import ArrayRules, Numbers, popcount


class PositionKey(NamedTuple):
    """A way to identify positions: those that share a key have the same future, and as many claimed cells."""

    told_by: str
    function: Callable[[ArrayRules, Board, Numbers, Numbers], Numbers]
    whole: bool
    """Whether the key gives both scores, so that a value is the final margin. Else it is the margin from here on."""


def both_sets(rules: ArrayRules, board: Board, mine: Numbers, theirs: Numbers) -> Numbers:
    """Both players' cells: the position itself, which every rule is a function of."""
    return mine | theirs << board.area


def claimed_set(rules: ArrayRules, board: Board, mine: Numbers, theirs: Numbers) -> Numbers:
    """The claimed cells, where `legal` and `gain` look at `mine | theirs` alone and a gain counts its cells."""
    return mine | theirs


def claimed_and_score(rules: ArrayRules, board: Board, mine: Numbers, theirs: Numbers) -> Numbers:
    """The claimed cells and my score; theirs is the rest of what those cells are worth."""
    return (mine | theirs) << SCORE_BITS | rules.score(board, mine)


def tally(rules: ArrayRules, board: Board, mine: Numbers, theirs: Numbers) -> Numbers:
    """How many cells of each value are claimed, and my score; theirs is the rest of what those cells are worth.

    Where `legal` compares values with scores alone, a cell may change places with any other of its value.
    """
    key = rules.score(board, mine)
    for _, where in board.values:
        key = key * (where.bit_count() + 1) + popcount((mine | theirs) & where)
    return key


CELLS = "cells"
"""The way that identifies positions by themselves."""
SCORES = "scores"
"""The way for games where the claimed cells decide the future, but not who is ahead."""
SCORE_BITS = 5
"""Bits for a score where it counts cells: a proof is limited to 31."""

POSITION_KEYS = {
    CELLS: PositionKey("the cells of both players", both_sets, whole=True),
    "claimed": PositionKey("the claimed cells", claimed_set, whole=False),
    SCORES: PositionKey("the claimed cells and both scores", claimed_and_score, whole=True),
    "values": PositionKey("the values left and both scores", tally, whole=True),
}
"""By what a game's future depends on."""
