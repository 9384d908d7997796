"""What greed takes: the most score at once, and of equals what leaves the opponent least."""

from quintet.rules import Position


def appetite(position: Position, move: int) -> tuple[int, int]:
    """How tempting a move is: the score it leads to, then how little it leaves the opponent to claim."""
    after = position.play(move)
    return position.game.score(position.board, after.theirs), -after.legal.bit_count()


def greedy_moves(position: Position) -> list[int]:
    """The most tempting moves, in board order."""
    wishes = {move: appetite(position, move) for move in position.moves}
    return [move for move, wish in wishes.items() if wish == max(wishes.values())]
