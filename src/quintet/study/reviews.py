"""The review of a game: every move graded against exact values, where the game turned, and how well it was played.

A move is

- **best** if it keeps the value: the margin in a territory game, the outcome and its distance in a race;
- **good** if it keeps the outcome of a race, but a win comes later or a loss sooner;
- an **inaccuracy** if it keeps the outcome of a territory game, but by a smaller margin;
- a **mistake** if it turns a win into a draw or a draw into a loss;
- a **blunder** if it turns a win into a loss;
- **forced** if it was the only move, **open** if its value is not known; these two are not graded.

Accuracy is the share of a player's judged moves that were best. Regret is what a move gave away, in points of the
result, and margin loss what it gave away in cells, as `solve/regret.py` defines them; a player's are the means over the
judged moves of this game.
"""

from collections import Counter
from dataclasses import dataclass
from math import inf
from statistics import fmean

from quintet.match import Match
from quintet.rules import Position
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.regret import lost_margin, lost_points
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.solve.watch import Watch
from quintet.study.analysis import best_line

KINDS = ("best", "good", "inaccuracy", "mistake", "blunder")
"""What a judged move can be, best first."""
FAULTS = KINDS[2:]
"""What gives something away."""
UNJUDGED = ("forced", "open")


@dataclass(frozen=True, slots=True)
class Grade:
    """One move of a game with what it was worth, for its player."""

    ply: int
    """The number of the move, from 1."""
    position: Position
    """The position it was played in."""
    move: int
    before: Value
    """What a best move was worth."""
    after: Value
    """What this one was worth."""
    kind: str
    better: int | None = None
    """A best move, where this one gave something away."""
    line: tuple[int, ...] = ()
    """Best play after a move that gave something away, which refutes it."""

    @property
    def player(self) -> int:
        """Who played it."""
        return self.position.player

    @property
    def judged(self) -> bool:
        """Whether it counts for its player's accuracy."""
        return self.kind not in UNJUDGED

    @property
    def turning(self) -> bool:
        """Whether it changed the outcome."""
        return self.kind in ("mistake", "blunder")

    @property
    def fault(self) -> bool:
        """Whether it gave something away: an inaccuracy, a mistake or a blunder."""
        return self.kind in FAULTS

    @property
    def regret(self) -> float | None:
        """The points of the result that it gave away; `None` if an outcome is not known."""
        return lost_points(self.before, self.after) if self.before.outcome and self.after.outcome else None

    @property
    def margin_loss(self) -> int | None:
        """The cells of the margin that it gave away; `None` in a race, or if a margin is not known."""
        return lost_margin(self.before, self.after)

    @property
    def delay(self) -> int | None:
        """By how many moves a win came later in a race, or a loss sooner; `None` where that makes no sense."""
        known = self.before.exact and self.after.exact and self.before.outcome == self.after.outcome
        return self.before.low - self.after.low if known and not self.before.territory else None


@dataclass(frozen=True, slots=True)
class Review:
    """A game with the value of each of its positions."""

    match: Match
    values: tuple[Value, ...]
    """What the game was worth for Player 1 at the start and after every move."""
    grades: tuple[Grade, ...]

    @property
    def complete(self) -> bool:
        """Whether every value is known."""
        return all(value.exact for value in self.values)

    @property
    def turns(self) -> list[Grade]:
        """The moves at which the outcome changed."""
        return [grade for grade in self.grades if grade.turning]

    def judged(self, player: int) -> list[Grade]:
        """A player's moves that count."""
        return [grade for grade in self.grades if grade.player == player and grade.judged]

    def accuracy(self, player: int) -> float | None:
        """The share of a player's judged moves that were best; `None` if there were none."""
        judged = self.judged(player)
        return sum(grade.kind == "best" for grade in judged) / len(judged) if judged else None

    def regret(self, player: int) -> float | None:
        """The mean regret of a player's judged moves, in points of the result; `None` if there were none."""
        lost = [grade.regret for grade in self.judged(player) if grade.regret is not None]
        return fmean(lost) if lost else None

    def margin_loss(self, player: int) -> float | None:
        """The mean margin loss of a player's judged moves, in cells; `None` if no margin is known."""
        lost = [grade.margin_loss for grade in self.judged(player) if grade.margin_loss is not None]
        return fmean(lost) if lost else None

    def counts(self, player: int) -> Counter[str]:
        """How many of a player's judged moves are of each kind."""
        return Counter(grade.kind for grade in self.judged(player))


def review(
    match: Match, oracle: Oracle | None = None, seconds: float | None = None, watch: Watch | None = None
) -> Review:
    """Grade every move of a game, as far as time allows."""
    if not isinstance(match, Match):
        raise TypeError("review takes a match, such as replay(record) gives")
    oracle = oracle or oracle_of(match.positions[0])
    search = ReviewSearch(match, oracle.solver)
    oracle.run(search.run, inf if seconds is None else seconds, watch)
    return search.review()


class ReviewSearch:
    """A review under way: what is known so far, which is right whenever the search is stopped."""

    def __init__(self, match: Match, solver: Solver) -> None:
        """Begin with nothing known."""
        self.match = match
        self.values = [Value(solver.least, solver.most, solver.game.territory)] * len(match.positions)
        self.better: dict[int, int] = {}
        self.lines: dict[int, tuple[int, ...]] = {}

    def run(self, solver: Solver) -> None:
        """Find the values, from the end, where that is quick and helps with the rest, and what refutes the faults."""
        positions = self.match.positions
        for ply in reversed(range(len(positions))):
            try:
                solver.number(positions[ply])
            finally:
                self.values[ply] = solver.known()
            if ply < self.match.ply and self.kind(ply) in FAULTS:
                self.better[ply] = solver.first_best(positions[ply], self.values[ply].low)
                self.lines[ply] = tuple(best_line(solver, positions[ply + 1]))

    def kind(self, ply: int) -> str:
        """What the move at a ply is."""
        forced = len(self.match.positions[ply].moves) == 1
        return "forced" if forced else classify(self.values[ply], self.values[ply + 1].earlier())

    def review(self) -> Review:
        """What is known so far."""
        positions = self.match.positions
        values = [value if at.player == 1 else -value for at, value in zip(positions, self.values, strict=True)]
        return Review(self.match, tuple(values), tuple(self.grade(ply) for ply in range(self.match.ply)))

    def grade(self, ply: int) -> Grade:
        """One move, with what was better and what refutes it if it gave something away."""
        return Grade(
            ply + 1,
            self.match.positions[ply],
            self.match.moves[ply],
            before=self.values[ply],
            after=self.values[ply + 1].earlier(),
            kind=self.kind(ply),
            better=self.better.get(ply),
            line=self.lines.get(ply, ()),
        )


def classify(before: Value, after: Value) -> str:
    """The kind of a move that was worth `after` where a best move was worth `before`."""
    if before.outcome and after.outcome and before.outcome != after.outcome:
        return "blunder" if lost_points(before, after) == 1 else "mistake"
    if not (before.exact and after.exact):
        return "open"
    if before == after:
        return "best"
    return "inaccuracy" if before.territory else "good"
