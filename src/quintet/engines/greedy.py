"""The player that looks one move ahead: a win at once, else the most score where that counts, then fewest replies."""

from quintet.board import split
from quintet.engines.rng import Rng
from quintet.engines.rollout import bind_rollouts
from quintet.rules import PASS, Position


def greedy_cells(position: Position) -> int:
    """The cells that win at once, or else those with the best greedy score; none where the player must pass."""
    return bind_rollouts(position.game).greedy_cells(position.board, position.mine, position.theirs, position.legal)


def greedy_score(position: Position, move: int) -> int:
    """How good a claim looks by score and replies alone."""
    return bind_rollouts(position.game).greedy_score(position.board, position.mine, position.theirs, move)


def obvious_moves(position: Position) -> list[int]:
    """The moves with the best greedy score, in board order: what a player sees who does not look for a win at once."""
    scores = {cell: greedy_score(position, cell) for cell in split(position.legal)}
    return [cell for cell in scores if scores[cell] == max(scores.values())] or [PASS]


def temptations(position: Position, good: int) -> int:
    """The other legal cells whose greedy score is at least the best one among the good cells."""
    least = max(greedy_score(position, cell) for cell in split(good))
    return sum(cell for cell in split(position.legal & ~good) if greedy_score(position, cell) >= least)


class Greedy:
    """Takes what looks best at once. A move that wins at once is never missed."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed, which decides between equal moves."""
        self.rng = Rng(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """The move that looks best."""
        cells = greedy_cells(position)
        return self.rng.pick(cells) if cells else PASS

    def close(self) -> None:
        """It holds nothing."""
