"""What a position means in a player's words: a hint, and what every move is worth."""

from collections.abc import Sequence
from math import inf

from quintet.engines.door import ask_engine
from quintet.engines.mcts import Mcts
from quintet.errors import InvalidArgument
from quintet.notation import Naming, sentence_label
from quintet.rules import PASS, Position
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.study.analysis import Analysis, analyze, count_moves, headline, measure

MOST_NAMED = 6
LONGEST_LINE = 10
ROLLOUT_SECONDS = 1.0
"""Seconds for rollouts, where the search has found nothing."""
UNKNOWN_MOVES = "The values of the moves are not known yet."
_VERBS = {"win": ("wins", "win"), "loss": ("loses", "lose"), "draw": ("keeps the draw", "keep the draw")}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def hint(
    position: Position, oracle: Oracle | None = None, seconds: float | None = None, name: Naming = sentence_label
) -> tuple[int, str]:
    """A good move and why, in one sentence; where time runs out, a move that looks good, and the sentence says so."""
    if position.outcome:
        raise InvalidArgument("the game is over, so there is no hint")
    oracle, patience = oracle or oracle_of(position), inf if seconds is None else seconds
    found = analyze(position, oracle, seconds)
    best = best_moves(found)
    if best:
        return best[0], because(found, best[0], name)
    if found.value.outcome == "win":
        sure = oracle.ask_within(winning_move, position, patience)
        if sure is not None:
            return sure, f"{name(position, sure)} wins; {measure(found.value)} is not known yet."
    tried = ask_engine(Mcts(seed=0), position, min(patience, ROLLOUT_SECONDS))
    return tried, f"{name(position, tried)} does best in random rollouts; its exact value is not known yet."


def winning_move(solver: Solver, position: Position) -> int:
    """A winning move of a position that is won: one that a theorem knows, or the first."""
    return (solver.proved_wins(position) or [solver.first_best(position, 1)])[0]


def explain(analysis: Analysis, name: Naming = sentence_label) -> str:
    """What the moves are worth and how the game continues, in a few sentences."""
    position, value = analysis.position, analysis.value
    if position.outcome:
        return headline(position, value)
    if not analysis.complete:
        best = [name(position, move) for move in best_moves(analysis)]
        known = f"{listed(best)} {'is' if len(best) == 1 else 'are'} best." if best else UNKNOWN_MOVES
        return f"{headline(position, value)} {known}"
    line = f"Best play goes {shown_line(position, analysis.line, name)}."
    return f"{verdict(analysis, name)} {line}" if len(analysis.line) > 1 else verdict(analysis, name)


def best_moves(analysis: Analysis) -> list[int]:
    """The moves known to be worth what the position is."""
    return [m for m, value in analysis.moves.items() if value.exact and value == analysis.value]


def because(analysis: Analysis, move: int, name: Naming = sentence_label) -> str:
    """Why a best move is one."""
    position, value = analysis.position, analysis.value
    others = [other for other in analysis.moves if other != move]
    if analysis.complete and not any(analysis.moves[other].outcome == value.outcome for other in others):
        return verdict(analysis, name)
    better = {
        ("win", True): "no move wins by more",
        ("win", False): "no move wins sooner",
        ("loss", True): "no move loses by less",
        ("loss", False): "no move holds out longer",
    }.get((str(value.outcome), value.territory), "no move wins")
    link = ", but" if value.outcome == "loss" else ";"
    return f"{name(position, move)} {worth(value)}{link} {better}."


def verdict(analysis: Analysis, name: Naming = sentence_label) -> str:
    """What the moves are worth, in one sentence. Every value must be known."""
    position, value, moves = analysis.position, analysis.value, analysis.moves
    noun = "move" if position.mine else "opening move"
    best = [name(position, move) for move, other in moves.items() if other == value]
    keep = [name(position, move) for move, other in moves.items() if other.outcome == value.outcome]
    rest = [other for other in moves.values() if other.outcome != value.outcome]
    if len(moves) == 1:
        if PASS in moves:
            return f"Player {position.player} must pass and {worth(value)}."
        return f"The only {noun} is {keep[0]}; it {worth(value)}."
    verb, verbs = _VERBS[str(value.outcome)]
    if len(keep) == 1:
        return f"Only {keep[0]} {verb}{', ' + size(value) if size(value) else ''}; {others(rest, noun)}."
    if len(best) == len(keep):
        if not rest:
            return f"Every {noun} {worth(value)}."
        amount = f" {size(value)}" if size(value) else ""
        return f"{counted(len(keep))} {noun}s {verbs}{amount}: {listed(keep)}; {others(rest, noun)}."
    how_many = f"{counted(len(keep))} {noun}s {verbs}" if rest else f"Every {noun} {verb}"
    end = f"; {others(rest, noun, False)}" if rest else ""
    return f"{how_many}; {best_of(value, best)}{end}."


def worth(value: Value) -> str:
    """A move's value as what it does: `wins by 5`, `loses in 12 moves`, `keeps the draw`."""
    if value.outcome is None:
        return "is not known yet"
    return f"{_VERBS[value.outcome][0]} {size(value)}".rstrip()


def size(value: Value) -> str:
    """How large a win or a loss is, or how far off."""
    if not value.exact or value.outcome == "draw":
        return ""
    return f"by {abs(value.low)}" if value.territory else f"in {count_moves(value.plies or 0)}"


def best_of(value: Value, names: Sequence[str]) -> str:
    """What sets the best of several winning or losing moves apart."""
    many = len(names) > 1
    if value.outcome == "win":
        if many:
            return f"the best are {listed(names)} ({size(value)})"
        return f"{names[0]} wins " + (f"by the most, {value.low}" if value.territory else f"soonest, {size(value)}")
    if value.territory:
        return f"{listed(names)} {'lose' if many else 'loses'} by the least, {-value.low}"
    return f"{listed(names)} {'hold' if many else 'holds'} out longest, {count_moves(value.plies or 0)}"


def others(values: Sequence[Value], noun: str, named: bool = True) -> str:
    """What the moves with a worse outcome do; their number is said unless the better moves are all `named`."""
    many = len(values) > 1 and not named
    subject = f"the other {noun}" if len(values) == 1 else f"every other {noun}"
    if many:
        subject = f"the other {counted(len(values)).lower()} {noun}s"
    draw, lose = ("draw", "lose") if many else ("draws", "loses")
    outcomes = {value.outcome for value in values}
    if len(outcomes) > 1:
        return f"{subject} {draw} or {lose}"
    if outcomes == {"draw"}:
        return f"{subject} {draw}"
    nearest = max(values)
    if min(values) == nearest:
        return f"{subject} {lose} {size(nearest)}"
    return f"{subject} {lose} " + (
        f"by at least {-nearest.low}" if nearest.territory else f"within {count_moves(nearest.plies or 0)}"
    )


def shown_line(position: Position, line: Sequence[int], name: Naming = sentence_label) -> str:
    """The beginning of a line, for a sentence."""
    shown = [name(position, move) for move in line[:LONGEST_LINE]]
    return ", ".join(shown) + (" and so on" if len(line) > LONGEST_LINE else "")


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `C3`, `C3 and B2`, and of many the first few."""
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def counted(number: int) -> str:
    """A number at the beginning of a sentence."""
    return _NUMBERS[number].capitalize() if number < len(_NUMBERS) else str(number)
