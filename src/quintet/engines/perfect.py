"""The player that makes no mistake where it can find exact values, which is on small boards and late in a game.

When it has won, it wins soonest or by the most; else it plays, among the moves of best value, the one that is hardest
to punish: the fewest replies keep what the other player has. On a board that is too big to be solved in its time it
plays a move that a theorem proves to win, if there is one. Else it looks ahead and plays what it estimates to be best:
there it is strong, not perfect, and `proved` says so. It leaves a move that is proved to draw only for a clear lead.
"""

from collections.abc import Callable, Sequence

from quintet.board import split
from quintet.engines.deepening import Deepening, has_estimate
from quintet.engines.mcts import Mcts
from quintet.engines.rng import Rng
from quintet.engines.traps import Traps, can_set_traps
from quintet.gears import FAST, SMALL_BOARD, VALUES, prefers_compiled
from quintet.rules import PASS, Game, Position
from quintet.solve.clock import now
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.solver import Solver
from quintet.solve.theories.generic import MOST

PATIENCE, BIG_PATIENCE = 5.0, 0.8
"""Seconds for a move where no time limit is given: on a small board, which is solved, and on others."""
EXACT_SHARE, BRIEF_SHARE = 0.2, 0.03
"""When the search for the best moves gives way to the theorems: so early that, where it has led away from the positions
of a theorem, there is time to spare for the next move. The second is for boards that are not small, where a theorem
already proves a win: nobody should wait for a search that can only make it faster."""
SEARCH_SHARE, WIN_SHARE = 0.6, 0.8
"""If no theorem helps, when the search for the best moves gives up, and then the search for any that wins or draws; the
rest is for estimates."""
BIG_SEARCH_SHARE, BIG_WIN_SHARE = 0.3, 0.35
"""The same on boards that are not small."""
LOOK_SHARE, LEVEL_SHARE = 0.6, 0.75
"""Where traps are set, when the search for the best estimate ends, and that for moves that look as good."""
SLACK, AHEAD = 2, 0.1
"""Moves whose estimates differ by up to this many cells are about equal; a lead of this share of the board is clear."""
ENOUGH, FAR = 3, 5
"""Moves to look ahead before moves that look about equal are considered, and before a clear lead is trusted more than a
proved draw."""
LEAST_SHARE, MIN_SHARE = 0.1, 0.05
"""The least time for estimates, even if the search took too long: the first one may have to be compiled. Where traps
are set, the least for each of the three."""
FALLBACK = 20_000
"""The most rollouts where time is up."""


def strong_player(game: Game, seed: int) -> Deepening | Mcts:
    """The player for boards too big to be solved: by estimates if the game's theory has any, else by rollouts."""
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


def level_moves(solver: Solver, position: Position) -> list[int]:
    """All moves of best value, if they do not win."""
    number = solver.number(position)
    return solver.best(position, number) if number <= 0 else []


def sound_moves(solver: Solver, position: Position) -> tuple[int, list[int]]:
    """The moves that win, with a 1, else those that draw, with a 0, else none.

    This is sometimes known before it is known how soon or by how much.
    """
    for least in (1, 0):
        moves = solver.best(position, solver.aligned(least))
        if moves:
            return least, moves
    return -1, []


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
        self.proved = False
        """Whether the last move is known to be best, or at least to win or draw; if not, it is an estimate."""

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """A best move; where the search is not done in time, the one that looks best."""
        return self.rng.pick(self.best(position, seconds)) if position.legal else PASS

    def best(self, position: Position, seconds: float | None) -> int:
        """The set of cells it chooses from."""
        begun = now()
        small = position.board.cells <= SMALL_BOARD
        limit = seconds if seconds is not None else PATIENCE if small else BIG_PATIENCE
        search_share, win_share = (SEARCH_SHARE, WIN_SHARE) if small else (BIG_SEARCH_SHARE, BIG_WIN_SHARE)

        def left(share: float) -> float:
            return max(0.0, limit * share - (now() - begun))

        # 1. The best moves, where the search is quick.
        oracle = oracle_of(position, FAST if prefers_compiled(VALUES, position.board) else None)
        self.proved = True
        known = {} if small else oracle.ask(Solver.outlook, position)
        proved = max((value.low for value in known.values()), default=0)
        choices = oracle.ask_within(best_choices, position, left(BRIEF_SHARE if proved > 0 else EXACT_SHARE))
        if choices:
            return self.choose_trap(position, oracle, choices, left)

        # 2. The moves that a theorem proves to win.
        known = known or oracle.ask(Solver.outlook, position)
        proved = max(value.low for value in known.values())
        if proved > 0:
            return sum(move for move, value in known.items() if value.low == proved)

        # 3. The best moves again, in more time; or those that win or draw, if the search gets that far.
        choices = oracle.ask_within(best_choices, position, left(search_share))
        if choices:
            return self.choose_trap(position, oracle, choices, left)
        outcome, sound = oracle.ask_within(sound_moves, position, left(win_share)) or (-1, [])
        if outcome > 0:
            return sum(sound)

        # 4. The move that looks best, of those that are not known to be worse; a proved draw, if no move can win.
        draws = sum(sound) or sum(move for move, value in known.items() if value.low >= 0)
        most = min(max(value.high for value in known.values()), oracle.ask(Solver.limits, position).high)
        drawn = bool(sound) or bool(draws and most <= 0)
        not_lost = sum(move for move, value in known.items() if value.high >= 0) or position.legal
        player = strong_player(position.game, self.rng.next())
        if isinstance(player, Deepening) and can_set_traps(position.game) and position.theirs:

            def at_least(share: float) -> float:
                return max(left(share), limit * MIN_SHARE)

            return self.look_for_trap(position, player, draws, 0 if drawn else not_lost, at_least)
        self.proved = bool(draws)
        among = draws or not_lost
        return player.choose(position, max(left(1), limit * LEAST_SHARE), among) or among

    def choose_trap(
        self, position: Position, oracle: Oracle, choices: list[int], left: Callable[[float], float]
    ) -> int:
        """Of the moves of best value, if they do not win, those that set the best trap; on small boards the choices."""
        if position.board.cells > SMALL_BOARD and can_set_traps(position.game):
            level = oracle.ask_within(level_moves, position, left(LEVEL_SHARE))
            if level and len(level) > 1:
                traps = Traps(position, now() + left(LEVEL_SHARE)).best(level)
                return sum(set(traps) & set(choices)) or sum(traps) or sum(choices)
        return sum(choices)

    def look_for_trap(
        self, position: Position, player: Deepening, draws: int, others: int, left: Callable[[float], float]
    ) -> int:
        """Of the moves that are proved to draw, or of others that look best, the one that sets the best trap.

        A proved draw is left only for a clear lead: a move that still leads by a tenth of the board after a search of
        several moves. Without `others`, nothing better exists.
        """
        moves = best = set(split(draws))
        if others & ~draws:
            looks_best = player.choose(position, left(LOOK_SHARE), others)
            lead = player.found - position.board.cells * AHEAD
            clear = lead >= 0 and (player.depth >= FAR or player.found >= MOST)
            if clear or not draws:
                slack = min(SLACK, int(lead)) if draws else SLACK
                level = player.level(slack, left(LEVEL_SHARE)) if player.depth >= ENOUGH else []
                moves, best = moves.union({looks_best}, level), {looks_best}
        chosen = Traps(position, now() + left(1)).best(sorted(moves)) or best
        self.proved = not sum(chosen) & ~draws
        return sum(chosen)

    def close(self) -> None:
        """What it knows stays for the next one."""
