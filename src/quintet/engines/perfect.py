"""The player that makes no mistake.

When it has won, it wins soonest or by most; else it plays, among the moves of best value, the one that is hardest to
punish: the fewest replies keep what the other has. On a board that is too big to be solved in its time it says so by
playing out games instead: it is perfect only where the search gets to the end.
"""

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import inf
from threading import Lock

from quintet.board import Board
from quintet.engines.dice import Dice
from quintet.engines.mcts import Mcts
from quintet.engines.playout import VALUES, is_warm
from quintet.rules import PASS, Game, Position
from quintet.solve.solver import FAST, Solver
from quintet.solve.watch import watched

PATIENCE = 5.0
"""Seconds for a move where none are given."""
SEARCH_SHARE, WIN_SHARE = 0.6, 0.8
"""When the search for the best moves gives up, and then the search for any that wins; the rest is for play-outs."""
FALLBACK = 20_000
"""Games played out where time is up, at most."""
TABLE_BYTES = 1 << 28
REMEMBERED = 200_000
"""Positions whose best moves are remembered."""


class Oracle:
    """The best moves of one board's positions. What it has found out serves every engine of the program."""

    def __init__(self, game: Game, board: Board, gear: str | None) -> None:
        """Begin with an empty table."""
        self.solver = Solver(game, board, gear, TABLE_BYTES)
        self.lock = Lock()
        self.known: dict[tuple[int, int], tuple[int, ...]] = {}

    def choices(self, position: Position, seconds: float) -> tuple[int, ...]:
        """The moves a perfect player chooses from; none where time is too short to know."""
        key = position.mine, position.theirs
        if key not in self.known:
            with self.lock:
                found = self.find(position, time.monotonic(), seconds)
            if not found:
                return ()
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            self.known[key] = found
        return self.known[key]

    def find(self, position: Position, now: float, seconds: float) -> tuple[int, ...]:
        """The same, worked out."""
        solver = self.solver
        found: list[int] = []
        if self.within(now + seconds * SEARCH_SHARE, lambda: found.extend(best_choices(solver, position))):
            return tuple(found)
        # Perhaps it is known who wins, though not how soon or by how much.
        wanted = solver.aligned(1)
        if self.within(now + seconds * WIN_SHARE, lambda: found.extend(solver.best(position, wanted))):
            return tuple(found)
        return ()

    def within(self, until: float, work: Callable[[], object]) -> bool:
        """Whether the work was done in time. Ctrl-C goes through, except where there is no limit: nothing is watched.

        A watch takes a thread, and to start one takes longer than most searches.
        """
        if until == inf:
            work()
            return True
        done = watched(self.solver, work, until)
        if not done and time.monotonic() < until:
            raise KeyboardInterrupt
        return done


@lru_cache(maxsize=8)
def oracle(game: Game, board: Board, gear: str | None) -> Oracle:
    """The oracle of a board, the same for everyone."""
    return Oracle(game, board, gear)


def best_choices(solver: Solver, position: Position) -> list[int]:
    """The moves of best value; if they do not win, those of them that are hardest to punish."""
    number = solver.number(position)
    moves = solver.best(position, number)
    if number > 0 or len(moves) == 1:
        return moves
    # First the replies that keep the win, or the draw; where that is level, those that keep all of it.
    for kept in dict.fromkeys((solver.aligned(1) if number < 0 else 0, solver.later(number))):
        moves = fewest(moves, [punishments(solver, position.play(move), kept) for move in moves])
    return moves


def punishments(solver: Solver, position: Position, number: int) -> tuple[int, int]:
    """How many replies are worth `number` or more, and how many are not, as a negative number."""
    good = len(solver.best(position, number))
    return good, good - len(position.moves)


def fewest(moves: list[int], counts: Sequence[tuple[int, int]]) -> list[int]:
    """The moves with the least count."""
    return [move for move, count in zip(moves, counts, strict=True) if count == min(counts)]


class Perfect:
    """Plays by exact values."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed, which decides between equals."""
        self.dice = Dice(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """A best move; where the search is not done in time, the best one that play-outs find."""
        return self.dice.pick(self.best(position, seconds)) if position.legal else PASS

    def best(self, position: Position, seconds: float | None) -> int:
        """The set of cells it chooses from."""
        begun = time.monotonic()
        limit = PATIENCE if seconds is None else seconds
        gear = FAST if is_warm(VALUES, position.board) else None
        choices = oracle(position.game, position.board, gear).choices(position, limit)
        if choices:
            return sum(choices)
        left = max(0.0, limit - (time.monotonic() - begun))
        return Mcts(FALLBACK, self.dice.roll()).choose(position, left)

    def close(self) -> None:
        """What it knows stays for the next one."""
