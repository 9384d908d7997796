"""The player that looks one move ahead: most score where scores count, then least freedom for the other."""

from quintet.board import split
from quintet.engines.dice import Dice
from quintet.engines.playout import bind_playout
from quintet.rules import PASS, Position


def greedy_cells(position: Position) -> int:
    """The cells that look best at first sight; none where the player must pass."""
    keen = bind_playout(position.game)["keen"]
    return int(keen(position.board, position.mine, position.theirs, position.legal))


def greedy_moves(position: Position) -> list[int]:
    """The moves that look best at first sight, in board order."""
    return list(split(greedy_cells(position))) or [PASS]


def appetite(position: Position, move: int) -> int:
    """How good a claim looks at first sight."""
    return int(bind_playout(position.game)["promise"](position.board, position.mine, position.theirs, move))


def temptations(position: Position, good: int) -> int:
    """The other legal cells that look at least as good at first sight as the best-looking of the good ones."""
    least = max(appetite(position, cell) for cell in split(good))
    return sum(cell for cell in split(position.legal & ~good) if appetite(position, cell) >= least)


class Greedy:
    """Takes what is best at first sight. A win at once leaves the other nothing, so it is never missed."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed, which decides between equals."""
        self.dice = Dice(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """The move that looks best."""
        cells = greedy_cells(position)
        return self.dice.pick(cells) if cells else PASS

    def close(self) -> None:
        """It holds nothing."""
