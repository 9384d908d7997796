"""The player that takes any legal move, each with the same probability."""

from quintet.engines.rng import Rng
from quintet.rules import PASS, Position


class RandomPlayer:
    """Plays at random."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed."""
        self.rng = Rng(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """Any move."""
        return self.rng.pick(position.legal) if position.legal else PASS

    def close(self) -> None:
        """It holds nothing."""
