"""What a position means in a player's words: a hint, and what every move is worth."""

import time
from collections.abc import Sequence

from quintet.engines.mcts import Mcts
from quintet.notation import sentence_label
from quintet.rules import PASS, Position
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.solve.watch import watched
from quintet.study.analysis import Analysis, analyze, headline, measure

MOST_NAMED = 6
LONGEST_LINE = 10
PLAYING_OUT = 1.0
"""Seconds for a guess, where nothing is known."""
_VERBS = {"win": ("wins", "win"), "loss": ("loses", "lose"), "draw": ("keeps the draw", "keep the draw")}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def hint(position: Position, solver: Solver | None = None, seconds: float | None = None) -> tuple[int, str]:
    """A good move and why, in one sentence; where time runs out, a move that looks good, and it says so."""
    if position.outcome:
        raise ValueError("the game is over: there is nothing to hint at")
    solver = solver or Solver(position.game, position.board)
    found = analyze(position, solver, seconds)
    best = best_moves(found)
    if best:
        return best[0], because(found, best[0])
    sure: list[int] = []
    if found.value.outcome == "win":
        until = None if seconds is None else time.monotonic() + seconds
        watched(solver, lambda: sure.append(solver.first_best(position, 1)), until)
    if sure:
        return sure[0], f"{sentence_label(position, sure[0])} wins; {measure(found.value)} is not decided."
    tried = Mcts(seed=0).choose(position, PLAYING_OUT if seconds is None else min(seconds, PLAYING_OUT))
    does_best = f"{sentence_label(position, tried)} does best where games are played out at random"
    return tried, f"{does_best}; what it is worth is not decided."


def explain(analysis: Analysis) -> str:
    """What the moves are worth and how the game goes on, in a few sentences."""
    position = analysis.position
    if position.outcome:
        return headline(position, analysis.value)
    if not analysis.complete:
        best = [sentence_label(position, move) for move in best_moves(analysis)]
        known = f"{listed(best)} cannot be bettered" if best else "what each move is worth is not decided"
        return f"Player {position.player} {worth(analysis.value)}; {known}."
    line = f"Best play goes {shown_line(position, analysis.line)}."
    return f"{verdict(analysis)} {line}" if len(analysis.line) > 1 else verdict(analysis)


def best_moves(analysis: Analysis) -> list[int]:
    """The moves known to be worth what the position is."""
    return [m for m, value in analysis.moves.items() if value.exact and value == analysis.value]


def because(analysis: Analysis, move: int) -> str:
    """Why a best move is one."""
    position, value = analysis.position, analysis.value
    others = [other for other in analysis.moves if other != move]
    if analysis.complete and not any(analysis.moves[other].outcome == value.outcome for other in others):
        return verdict(analysis)
    better = {
        ("win", True): "no move wins by more",
        ("win", False): "no move wins sooner",
        ("loss", True): "no move loses by less",
        ("loss", False): "no move holds out longer",
    }.get((str(value.outcome), value.territory), "no move wins")
    link = ", but" if value.outcome == "loss" else ";"
    return f"{sentence_label(position, move)} {worth(value)}{link} {better}."


def verdict(analysis: Analysis) -> str:
    """What the moves are worth, in one sentence. Every value must be known."""
    position, value, moves = analysis.position, analysis.value, analysis.moves
    noun = "move" if position.mine else "first claim"
    best = [sentence_label(position, move) for move, other in moves.items() if other == value]
    keep = [sentence_label(position, move) for move, other in moves.items() if other.outcome == value.outcome]
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
    return f"{how_many}; {listed(best)} {superlative(value, len(best))}{end}."


def worth(value: Value) -> str:
    """A move's value as what it does: `wins by 5`, `loses in 12 moves`, `keeps the draw`."""
    if value.outcome is None:
        return f"{'wins, draws or loses' if value.territory else 'wins or loses'}, which is not decided"
    return f"{_VERBS[value.outcome][0]} {size(value)}".rstrip()


def size(value: Value) -> str:
    """How large a win or a loss is, or how far off."""
    if not value.exact or value.outcome == "draw":
        return ""
    return f"by {abs(value.low)}" if value.territory else f"in {moves_long(value.plies or 0)}"


def superlative(value: Value, number: int) -> str:
    """What sets the best of several winning or losing moves apart."""
    many = number > 1
    if value.outcome == "win":
        return ("win" if many else "wins") + (
            f" by most, {value.low}" if value.territory else f" soonest, {size(value)}"
        )
    if value.territory:
        return f"{'lose' if many else 'loses'} by least, {-value.low}"
    return f"{'hold' if many else 'holds'} out longest, {moves_long(value.plies or 0)}"


def others(values: Sequence[Value], noun: str, named: bool = True) -> str:
    """What the moves with a worse outcome do; they are counted where not all that keep the outcome were named."""
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
        f"by at least {-nearest.low}" if nearest.territory else f"within {moves_long(nearest.plies or 0)}"
    )


def shown_line(position: Position, line: Sequence[int]) -> str:
    """The beginning of a line, for a sentence."""
    shown = [sentence_label(position, move) for move in line[:LONGEST_LINE]]
    return ", ".join(shown) + (" and so on" if len(line) > LONGEST_LINE else "")


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `C3`, `C3 and B2`, and of many the first few."""
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def counted(number: int) -> str:
    """A number at the beginning of a sentence."""
    return _NUMBERS[number].capitalize() if number < len(_NUMBERS) else str(number)


def moves_long(number: int) -> str:
    """So many moves, both players' counted."""
    return f"{number} move{'' if number == 1 else 's'}"
