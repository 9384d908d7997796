"""The player that looks one move ahead: the most score where scores count, then the fewest replies."""

from quintet.board import split
from quintet.engines.rng import Rng
from quintet.engines.rollout import bind_rollouts
from quintet.rules import PASS, Position


def greedy_cells(position: Position) -> int:
    """The cells with the best greedy score; none where the player must pass."""
    return bind_rollouts(position.game).greedy_cells(position.board, position.mine, position.theirs, position.legal)


def greedy_moves(position: Position) -> list[int]:
    """The moves with the best greedy score, in board order."""
    return list(split(greedy_cells(position))) or [PASS]


def greedy_score(position: Position, move: int) -> int:
    """How good a claim looks at once."""
    return bind_rollouts(position.game).greedy_score(position.board, position.mine, position.theirs, move)


def temptations(position: Position, good: int) -> int:
    """The other legal cells whose greedy score is at least the best one among the good cells."""
    least = max(greedy_score(position, cell) for cell in split(good))
    return sum(cell for cell in split(position.legal & ~good) if greedy_score(position, cell) >= least)


class Greedy:
    """Takes what looks best at once. A win in one leaves no replies, so it is never missed."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed, which decides between equal moves."""
        self.rng = Rng(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """The move that looks best."""
        cells = greedy_cells(position)
        return self.rng.pick(cells) if cells else PASS

    def close(self) -> None:
        """It holds nothing."""
