"""Exact values by playing everything out, from the rules alone: the oracle of the search."""

from functools import cache

from quintet.rules import Position


@cache
def minimax(position: Position) -> tuple[int, int]:
    """The margin for the player to move (1 or -1 in a race), and the plies to the end when the winner hurries."""
    if not position.moves:
        first, second = position.scores
        ahead = first - second if position.player == 1 else second - first
        return (ahead if position.game.territory else -1), 0
    found = [(-margin, plies + 1) for margin, plies in (minimax(position.play(move)) for move in position.moves)]
    if position.game.territory:
        return max(found)
    wins = [(margin, plies) for margin, plies in found if margin > 0]
    return min(wins, key=lambda pair: pair[1]) if wins else max(found, key=lambda pair: pair[1])
