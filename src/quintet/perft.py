"""Counts of move sequences: the quickest way to compare two implementations of the same rules."""

from quintet.board import Board, popcount, split
from quintet.rules import Game, Position


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` moves there are. A forced pass is a move; a finished game has no continuation."""
    return count(position.game, position.board, position.mine, position.theirs, depth)


def divide(position: Position, depth: int) -> dict[int, int]:
    """The same count for each first move."""
    return {move: perft(position.play(move), depth - 1) for move in position.moves}


def count(game: Game, board: Board, mine: int, theirs: int, depth: int) -> int:
    """The count below two sets of cells."""
    if depth == 0:
        return 1
    legal = game.legal(board, mine, theirs)
    if not legal:
        if not game.passes or not game.legal(board, theirs, mine):
            return 0
        return count(game, board, theirs, mine, depth - 1)
    if depth == 1:
        return popcount(legal)
    gain = game.gain
    return sum(count(game, board, theirs, mine | gain(board, mine, theirs, cell), depth - 1) for cell in split(legal))
