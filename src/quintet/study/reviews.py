"""A game looked at afterwards: every move graded against exact values, where it turned, and how well it was played.

A move is

- **best** if it keeps the value: the margin of a territory game, the outcome and its distance in a race;
- **good** if a race keeps its outcome, but a win comes later or a loss sooner;
- an **inaccuracy** if a territory game keeps its outcome at a smaller margin;
- a **mistake** if it turns a win into a draw or a draw into a loss;
- a **blunder** if it turns a win into a loss;
- **forced** if there was no other, and then it is not judged; **open** if the values were not found out.

Accuracy is the share of a player's judged moves that were best. Regret is what a move gave away: cells of the margin,
or in a race 1 for a win; the mean over the judged moves is a player's.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quintet.drawing.graph import Mark, graph
from quintet.match import Match
from quintet.notation import sentence_label
from quintet.options import describe
from quintet.rules import Position
from quintet.solve.solver import MEMORY, Solver
from quintet.solve.value import Value
from quintet.solve.watch import Watch, watched
from quintet.study.analysis import best_line
from quintet.study.coach import shown_line, worth

KINDS = ("best", "good", "inaccuracy", "mistake", "blunder")
"""What a judged move can be, best first."""
UNJUDGED = ("forced", "open")
_RANKS = {"loss": 0, "draw": 1, "win": 2}


@dataclass(frozen=True, slots=True)
class Grade:
    """One move of a game with what it was worth, for its player."""

    ply: int
    """The number of the move, from 1."""
    position: Position
    """Where it was played."""
    move: int
    before: Value
    """What a best move was worth."""
    after: Value
    """What this one was worth."""
    kind: str
    better: int | None = None
    """A best move, where this one gave something away."""
    line: tuple[int, ...] = ()
    """Best play after a move that gave something away: what refutes it."""

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
    def loss(self) -> int | None:
        """What it gave away: cells of the margin, or in a race 1 for a win; `None` if that is not known."""
        if not self.before.territory:
            return None if self.kind == "open" else int(self.turning)
        return self.before.low - self.after.low if self.before.exact and self.after.exact else None

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
        """What a player's judged moves gave away on average; `None` if nothing is known of it."""
        losses = [grade.loss for grade in self.judged(player) if grade.loss is not None]
        return sum(losses) / len(losses) if losses else None


def review(
    match: Match,
    solver: Solver | None = None,
    seconds: float | None = None,
    watch: Watch | None = None,
    memory: int = MEMORY,
) -> Review:
    """Grade every move of a game, as far as time allows."""
    if not isinstance(match, Match):
        raise TypeError("review takes a match, such as replay(record) gives")
    first = match.positions[0]
    solver = solver or Solver(first.game, first.board, memory=memory)
    until = None if seconds is None else time.monotonic() + seconds
    values = [Value(solver.least, solver.most, first.game.territory)] * len(match.positions)
    # From the end, where values are cheap; what is found out there serves the beginning.
    for ply in reversed(range(len(values))):
        done = watched(solver, lambda ply=ply: solver.number(match.positions[ply]), until, watch)  # type: ignore[misc]
        values[ply] = solver.known()
        if not done:
            break
    grades = [grade(solver, match, ply, values[ply], values[ply + 1], until) for ply in range(match.ply)]
    sides = [value if position.player == 1 else -value for position, value in zip(match.positions, values, strict=True)]
    return Review(match, tuple(sides), tuple(grades))


def grade(solver: Solver, match: Match, ply: int, before: Value, later: Value, until: float | None) -> Grade:
    """One move, with what was better and what refutes it if it gave something away."""
    position, move = match.positions[ply], match.moves[ply]
    after = Value(solver.earlier(later.high), solver.earlier(later.low), later.territory)
    kind = "forced" if len(position.moves) == 1 else classify(before, after)
    better: list[int] = []
    line: list[int] = []
    if kind in KINDS[2:]:
        wanted = before.low if before.exact else 1 if before.low > 0 else 0
        watched(solver, lambda: better.append(solver.first_best(position, wanted)), until)
        if later.exact:
            watched(solver, lambda: line.extend(best_line(solver, match.positions[ply + 1], later.low)), until)
    return Grade(ply + 1, position, move, before, after, kind, better[0] if better else None, tuple(line))


def classify(before: Value, after: Value) -> str:
    """What a move is called that was worth `after` where `before` could be had."""
    if before.outcome and after.outcome and before.outcome != after.outcome:
        return "blunder" if _RANKS[before.outcome] - _RANKS[after.outcome] == 2 else "mistake"
    if not (before.exact and after.exact):
        return "open"
    if before == after:
        return "best"
    return "inaccuracy" if before.territory else "good"


def facts(review: Review) -> dict[str, Any]:
    """A review as JSON carries it."""
    match = review.match
    first, outcome = match.positions[0], match.outcome
    return {
        "game": first.game.name,
        "options": describe(first.board),
        "players": list(match.names),
        "result": outcome and {"winner": outcome.winner, "reason": outcome.reason},
        "moves": [
            {
                "ply": grade.ply,
                "player": grade.player,
                "move": first.label(grade.move),
                "grade": grade.kind,
                "before": grade.before.facts(),
                "after": grade.after.facts(),
                "loss": grade.loss,
                "delay": grade.delay,
                "better": None if grade.better is None else first.label(grade.better),
                "refutation": [first.label(move) for move in grade.line],
            }
            for grade in review.grades
        ],
        "values": [value.facts() for value in review.values],
        "turned": [grade.ply for grade in review.turns],
        "accuracy": [
            {
                "player": player,
                "judged": len(review.judged(player)),
                **{kind: count(review, player, kind) for kind in KINDS},
                "accuracy": review.accuracy(player),
                "regret": review.regret(player),
            }
            for player in (1, 2)
        ],
        "complete": review.complete,
    }


def count(review: Review, player: int, kind: str) -> int:
    """How many moves of a kind a player made."""
    return Counter(grade.kind for grade in review.judged(player))[kind]


def report(review: Review) -> str:
    """A review for a person."""
    match = review.match
    parts = [title(review), ""]
    if review.grades:
        parts += [*table(review.grades), ""]
    for grade in review.grades:
        if grade.kind in KINDS[2:]:
            parts.append(remark(grade))
    if any(grade.kind in KINDS[2:] for grade in review.grades):
        parts.append("")
    parts.append(turned(review))
    if match.resigned and review.values[-1].outcome == ("win" if match.resigned == 1 else "loss"):
        parts.append(f"Player {match.resigned} resigned a won game.")
    return "\n".join([*parts, *(summary(review, player) for player in (1, 2))])


def title(review: Review) -> str:
    """Which game it was and how it ended."""
    match = review.match
    first, outcome = match.positions[0], match.outcome
    end = "unfinished"
    if outcome:
        end = f"Player {outcome.winner} wins, {outcome.reason}" if outcome.winner else f"a draw, {outcome.reason}"
    return f"{first.game.title} {first.board.size}, {match.names[0]} against {match.names[1]}: {end}."


def table(grades: Sequence[Grade]) -> list[str]:
    """One line for every move."""
    rows = [("Move", "Player", "Played", "Value", "Grade")]
    rows += [(str(g.ply), str(g.player), sentence_label(g.position, g.move), worth(g.after), g.kind) for g in grades]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return [f"{a:>{widths[0]}}  {b:<{widths[1]}}  {c:<{widths[2]}}  {d:<{widths[3]}}  {e}" for a, b, c, d, e in rows]


def remark(grade: Grade) -> str:
    """What was wrong with a move."""
    text = f"Move {grade.ply}, {sentence_label(grade.position, grade.move)}, is {article(grade.kind)} {grade.kind}: "
    if grade.better is None:
        text += f"it {worth(grade.after)}."
    else:
        text += f"{sentence_label(grade.position, grade.better)} {worth(grade.before)}, this {worth(grade.after)}."
    return text + (f" After it: {shown_line(grade.position, grade.line)}." if grade.line else "")


def plural(number: int, kind: str) -> str:
    """So many moves of a kind."""
    many = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
    return f"{number} {kind if number == 1 else many.get(kind, kind)}"


def article(word: str) -> str:
    """`a` or `an`."""
    return "an" if word[0] in "aeiou" else "a"


def turned(review: Review) -> str:
    """Where the outcome changed hands."""
    if not review.turns:
        known = all(value.outcome for value in review.values)
        return "The outcome never changed." if known else "Where the outcome changed is not all decided."
    turns = ", ".join(f"{grade.ply} ({favour(review.values[grade.ply])})" for grade in review.turns)
    return f"The game turned at move {turns}."


def favour(value: Value) -> str:
    """Who is ahead when Player 1 has this value."""
    return {"win": "to Player 1", "loss": "to Player 2", "draw": "to a draw"}[str(value.outcome)]


def summary(review: Review, player: int) -> str:
    """How well a player played."""
    accuracy, regret = review.accuracy(player), review.regret(player)
    if accuracy is None:
        return f"Player {player}: no move to judge."
    counts = [plural(count(review, player, kind), kind) for kind in KINDS if count(review, player, kind)]
    text = f"Player {player}: {len(review.judged(player))} judged, {', '.join(counts)}; accuracy {accuracy:.0%}"
    unit = "cells" if review.values[0].territory else "wins"
    return text + ("." if regret is None else f", {regret:.2f} {unit} given away a move.")


def value_graph(review: Review) -> str:
    """The value over the game for Player 1 as SVG, with a dot at every move that gave something away."""
    known = [value for value in review.values if value.exact]
    if review.values[0].territory:
        most = max(5, *(abs(value.low) for value in known), 0)
        step = next(step for step in (5, 10, 25, 50, 100, 200) if most <= 4 * step)
        heights = [value.low / most if value.exact else None for value in review.values]
        ticks = [(tick / most, f"{tick:+d}" if tick else "0") for tick in range(-most // step * step, most + 1, step)]
        ticks = [(height, text) for height, text in ticks if abs(height) <= 1]
    else:
        # A win is worth the more the nearer it is, from half the height on.
        longest = max([value.plies or 0 for value in known], default=0) or 1
        heights = [
            (1 if value.low > 0 else -1) * (1 - (value.plies or 0) / longest / 2) if value.exact else None
            for value in review.values
        ]
        ticks = [(1, "P1 wins"), (-1, "P2 wins")]
    marks = [
        Mark(grade.ply, grade.player, f"Move {grade.ply}, {sentence_label(grade.position, grade.move)}: {grade.kind}")
        for grade in review.grades
        if grade.kind in KINDS[2:] and review.values[grade.ply].exact
    ]
    return graph(title(review), heights, ticks, marks)
