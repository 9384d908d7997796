"""Which of several moves of about equal value sets the best trap: one for an opponent who takes what looks best.

Such an opponent plays any of the moves with the best greedy score. Here my moves are tried, and these replies to them,
one move further ahead each time. Each reply counts as often as it is played, so a move is good if most of what looks
best goes wrong. It is for games in which a claim is never worse than waiting: there a quiet move risks little.
"""

from collections.abc import Callable, Sequence

from quintet.board import Board, split
from quintet.engines.deepening import OutOfTime, bind_theory, worthwhile
from quintet.engines.rollout import bind_rollouts
from quintet.rules import PASS, Game, Position
from quintet.solve.clock import now
from quintet.solve.theories import theory_of
from quintet.solve.theories.generic import Features

DEEPEST = 12
"""The most moves of mine that it looks ahead."""
STEEP = 3
"""The estimated lead in cells that is worth half a win more than a draw."""
CERTAIN = 0.999
"""A chance that need not be improved."""
MARGIN = 1e-9
"""Chances that differ by less are equal."""


def can_set_traps(game: Game) -> bool:
    """Whether a claim is never worse than waiting, and positions can be estimated."""
    waiting: bool = theory_of(game).WAITING
    return waiting


class Traps:
    """The positions seen in the search for one move: in each I am to move, or have just moved."""

    def __init__(self, position: Position, until: float) -> None:
        """Begin with a position; `until` is a time of the clock."""
        self.game, self.board, self.until = position.game, position.board, until
        self.start = position.mine, position.theirs
        self.theory, self.rollouts = bind_theory(position.game), bind_rollouts(position.game)
        self.lead: Callable[[Board, Features], int] = theory_of(position.game).lead_by_turns
        self.seen: dict[tuple[int, int], tuple[float, Sequence[int]]] = {}
        self.replies: dict[tuple[int, int], Sequence[int]] = {}
        self.found: dict[tuple[int, int, int], float] = {}

    def best(self, moves: Sequence[int]) -> Sequence[int]:
        """Those of some moves with the best chances, as far as there is time; none if there is not enough."""
        best: Sequence[int] = ()
        try:
            for depth in range(1, DEEPEST + 1):
                chances = {move: self.after(*self.start, move, depth) for move in moves}
                chance = max(chances.values())
                best = [move for move in moves if chances[move] > chance - MARGIN]
                if chance > CERTAIN:
                    break
        except OutOfTime:
            pass
        return best

    def after(self, mine: int, theirs: int, move: int, depth: int) -> float:
        """The chances after a move of mine: the average over the replies."""
        after = self.play(mine, theirs, move)
        replies = self.natural_replies(*after)
        return sum(self.chance(*self.play(*after, reply), depth - 1) for reply in replies) / len(replies)

    def chance(self, mine: int, theirs: int, depth: int) -> float:
        """The chances when I am to move, `depth` moves of mine ahead: 1 is a win, 0.5 is a draw."""
        now, moves = self.see(mine, theirs)
        if not depth or not moves:
            return now
        key = mine, theirs, depth
        if key not in self.found:
            self.found[key] = max(self.after(mine, theirs, move, depth) for move in moves)
        return self.found[key]

    def see(self, mine: int, theirs: int) -> tuple[float, Sequence[int]]:
        """The chances without looking ahead, and the moves worth trying; none if the position is decided."""
        if (mine, theirs) not in self.seen:
            theory = self.theory
            *_, features, settled = theory.view(self.board, (), mine, theirs, 0, 0)
            low, high = (theory.shift(limit, settled) for limit in theory.bounds(self.board, features))
            moves: Sequence[int] = ()
            if low > 0 or high < 0 or low == high:
                chance = 1.0 if low > 0 else 0.0 if high < 0 else 0.5
            else:
                lead = self.lead(self.board, features) + settled
                chance = 0.5 + lead / (abs(lead) + STEEP) / 2
                moves = list(worthwhile(theory, self.board, features))
            self.seen[mine, theirs] = chance, moves
        return self.seen[mine, theirs]

    def natural_replies(self, mine: int, theirs: int) -> Sequence[int]:
        """What looks best to the player to move."""
        if (mine, theirs) not in self.replies:
            if now() >= self.until:
                raise OutOfTime
            cells = self.game.legal(self.board, mine, theirs)
            found = list(split(self.rollouts.greedy_cells(self.board, mine, theirs, cells)))
            self.replies[mine, theirs] = found or [PASS]
        return self.replies[mine, theirs]

    def play(self, mine: int, theirs: int, move: int) -> tuple[int, int]:
        """The position after a move, for the next player."""
        return theirs, mine | (move and self.game.gain(self.board, mine, theirs, move))
