"""The player that makes no mistake.

When it has won, it wins soonest or by the most; else it plays, among the moves of best value, the one that is hardest
to punish: the fewest replies keep what the other player has. On a board that is too big to be solved in its time it
plays a move that a theorem proves to win, if there is one. Else it takes the move that rollouts find: there it is not
perfect.
"""

import time
from collections.abc import Sequence

from quintet.engines.deepening import Deepening, has_estimate
from quintet.engines.mcts import Mcts
from quintet.engines.rng import Rng
from quintet.gears import FAST, VALUES, prefers_compiled
from quintet.rules import PASS, Game, Position
from quintet.solve.oracle import oracle_of
from quintet.solve.solver import Solver

PATIENCE = 5.0
"""Seconds for a move where no time limit is given."""
SEARCH_SHARE, WIN_SHARE = 0.6, 0.8
"""When the search for the best moves gives up, and then the search for any that wins; the rest is for rollouts."""
PROVED_SHARE = 0.2
"""When the search for the best moves gives up where a theorem proves a win: so early that, if it leaves the positions
of the theorem, it has time to spare for the next move."""
FALLBACK = 20_000
"""The most rollouts where time is up."""


def strong_player(game: Game, seed: int) -> Deepening | Mcts:
    """The player for boards that are too big to be solved: by estimates if the game's theory has any, else by rollouts."""
    return Deepening(seed=seed) if has_estimate(game) else Mcts(FALLBACK, seed)


def best_choices(solver: Solver, position: Position) -> list[int]:
    """The moves of best value; if they do not win, those of them that are hardest to punish."""
    number = solver.number(position)
    moves = solver.best(position, number)
    if number > 0 or len(moves) == 1:
        return moves
    # First the replies that keep the win, or the draw; where that is level, those that keep all of it.
    for least in dict.fromkeys((solver.aligned(1) if number < 0 else 0, solver.later(number))):
        moves = fewest(moves, [punishments(solver, position.play(move), least) for move in moves])
    return moves


def winning_moves(solver: Solver, position: Position) -> list[int]:
    """The moves that win, which is sometimes known before it is known how soon or by how much."""
    return solver.best(position, solver.aligned(1))


def punishments(solver: Solver, position: Position, number: int) -> tuple[int, int]:
    """How many replies are worth `number` or more, and how many are not, as a negative number."""
    good = len(solver.best(position, number))
    return good, good - len(position.moves)


def fewest(moves: list[int], counts: Sequence[tuple[int, int]]) -> list[int]:
    """The moves whose counts are the least of all."""
    return [move for move, count in zip(moves, counts, strict=True) if count == min(counts)]


class Perfect:
    """Plays by exact values."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed, which decides between equal moves."""
        self.rng = Rng(seed)

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """A best move; where the search is not done in time, the best one that rollouts find."""
        return self.rng.pick(self.best(position, seconds)) if position.legal else PASS

    def best(self, position: Position, seconds: float | None) -> int:
        """The set of cells it chooses from."""
        begun = time.monotonic()
        limit = PATIENCE if seconds is None else seconds
        oracle = oracle_of(position, FAST if prefers_compiled(VALUES, position.board) else None)
        known = oracle.ask(Solver.outlook, position)
        proved = max(value.low for value in known.values())
        won = proved > 0
        for question, share in ((best_choices, PROVED_SHARE if won else SEARCH_SHARE), (winning_moves, WIN_SHARE)):
            left = max(0.0, limit * share - (time.monotonic() - begun))
            choices = oracle.ask_within(question, position, left)
            if choices:
                return sum(choices)
            if won:
                return sum(move for move, value in known.items() if value.low == proved)
        left = max(0.0, limit - (time.monotonic() - begun))
        not_lost = sum(move for move, value in known.items() if value.high >= 0) or position.legal
        return strong_player(position.game, self.rng.next()).choose(position, left, not_lost) or not_lost

    def close(self) -> None:
        """What it knows stays for the next one."""
