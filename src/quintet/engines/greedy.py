"""The player that looks one move ahead: most score where territory decides, then least freedom for the other."""

from quintet.engines.dice import Dice
from quintet.engines.playout import bind_playout
from quintet.rules import PASS, Position


class Greedy:
    """Takes what is best at first sight. A win at once leaves the other nothing, so it is never missed."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed, which decides between equals."""
        self.dice = Dice(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """The move that looks best."""
        if not position.legal:
            return PASS
        keen = bind_playout(position.game)["keen"]
        return self.dice.pick(keen(position.board, position.mine, position.theirs, position.legal))

    def close(self) -> None:
        """It holds nothing."""
