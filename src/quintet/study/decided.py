"""Whether a game is decided: it ends the same whatever both players play from here."""

from quintet.rules import Position

MOST_POSITIONS = 3_000
"""Positions to look at; where there are more, the game counts as undecided."""


def is_decided(position: Position, most: int = MOST_POSITIONS) -> bool:
    """Whether every way to play on ends with the same winner, in a game about territory also by the same margin."""
    if position.outcome:
        return False
    first: tuple[int | None, int] | None = None
    seen = {position}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        outcome = here.outcome
        if outcome:
            margin = here.scores[0] - here.scores[1] if here.game.territory else 0
            first = first or (outcome.winner, margin)
            if first != (outcome.winner, margin):
                return False
        for move in here.moves:
            after = here.play(move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > most:
            return False
    return True
