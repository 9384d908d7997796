"""What a position means in a player's words: a hint, and what every move is worth."""

from collections.abc import Sequence
from math import inf

from quintet.engines.deepening import FURTHEST
from quintet.errors import InvalidArgument
from quintet.notation import Naming, sentence_label
from quintet.rules import PASS, Position
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.study.analysis import Analysis, analyze, count_moves, headline, measure
from quintet.study.estimates import estimate_moves

MOST_NAMED = 6
LONGEST_LINE = 10
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
    sure = [move for move, value in found.moves.items() if value.outcome == "win"]
    if not sure and found.value.outcome == "win":
        sure = [move for move in [oracle.ask_within(winning_move, position, patience)] if move is not None]
    if sure:
        return sure[0], f"{name(position, sure[0])} is proved to win; {measure(found.value)} is not known yet."
    if len(found.moves) == 1:
        return position.moves[0], f"{proved(found, name)[0][:-1]}; its exact value is not known yet."
    guess = found.estimate or estimate_moves(position, 0)
    move = max(found.open_moves or found.moves, key=lambda move: guess.moves.get(move, -FURTHEST))
    looks = f"{name(position, move)} looks best, {guess.how}"
    if not found.open_moves:
        return move, f"{proved(found, name)[-1][:-1]}; {looks}."
    return move, f"{looks}; its exact value is not known yet."


def winning_move(solver: Solver, position: Position) -> int:
    """A winning move of a position that is won: one that a theorem knows, or the first."""
    return (solver.proved_wins(position) or [solver.first_best(position, 1)])[0]


def explain(analysis: Analysis, name: Naming = sentence_label) -> str:
    """What the moves are worth and how the game continues, in a few sentences."""
    position, value = analysis.position, analysis.value
    if position.outcome:
        return headline(position, value)
    if not analysis.complete:
        sentences = [headline(position, value), *proved(analysis, name), estimated(analysis, name)]
    else:
        line = f"Best play goes {shown_line(position, analysis.line, name)}." if len(analysis.line) > 1 else ""
        sentences = [verdict(analysis, name), line]
    return " ".join(filter(None, [*sentences, parts_of(analysis)]))


def proved(analysis: Analysis, name: Naming = sentence_label) -> list[str]:
    """What is proved of the moves, in sentences, while not everything is known."""
    position, moves = analysis.position, analysis.moves
    if len(moves) == 1:
        return [
            f"Player {position.player} must pass." if PASS in moves else f"The only move is {name(position, *moves)}."
        ]
    best = [name(position, move) for move in best_moves(analysis)]
    if best:
        return [f"{listed(best)} {are(best)} best; the exact values of the other moves are not all known yet."]
    sentences: list[str] = []
    left = len(moves)
    for outcome, verb in (("win", "win"), ("draw", "draw"), ("loss", "lose")):
        some = [name(position, move) for move, value in moves.items() if value.outcome == outcome]
        left -= len(some)
        if some:
            every = "Every other move is" if sentences else "Every move is"
            sentences.append(f"{f'{listed(some)} {are(some)}' if left else every} proved to {verb}.")
    if left:
        sentences.append(undecided(analysis, "The other moves are not decided" if sentences else "No move is decided"))
    return sentences


def undecided(analysis: Analysis, who: str) -> str:
    """That moves are not decided, and the limits that are proved of all of them, where these say anything."""
    position, values = analysis.position, [analysis.moves[move] for move in analysis.open_moves]
    if analysis.value.outcome == "win" and not any(value.outcome == "win" for value in analysis.moves.values()):
        who = "It is not known which move wins"
    low, high = min(value.low for value in values), max(value.high for value in values)
    if not position.game.territory:
        return f"{who} yet."
    if 2 * (high - low) > position.board.cells:
        limit = "none of them wins" if high <= 0 else "none of them loses" if low >= 0 else ""
        return f"{who} yet; {limit}." if limit else f"{who} yet."
    each = "each is" if len(values) > 1 else "it is"
    return f"{who} yet; {each} worth between {low:+d} and {high:+d} for Player {position.player}."


def estimated(analysis: Analysis, name: Naming = sentence_label) -> str:
    """Which of the moves that are not decided looks best, and how that was found; empty without an estimate."""
    best = [name(analysis.position, move) for move in analysis.looks_best]
    if analysis.estimate is None or not best:
        return ""
    how = analysis.estimate.how
    shown = [analysis.estimate_of(move)[0] for move in analysis.open_moves]
    text = analysis.estimate_of(analysis.looks_best[0])[0]
    # Within proved limits moves may show the same number although the search tells them apart.
    found = f" ({text})" if analysis.shows_numbers and shown.count(text) == len(best) else ""
    sure = any(value.outcome == "win" or analysis.is_best(move) for move, value in analysis.moves.items())
    begun = f"Of the others, {how}," if sure else f"{how.capitalize()},"
    if len(best) == len(analysis.open_moves) > 1:
        return f"{begun} all look alike{found}."
    return f"{begun} {listed(best)} {'looks' if len(best) == 1 else 'look'} best{found}."


def parts_of(analysis: Analysis) -> str:
    """The parts that the open cells fall into, with their Grundy numbers, where the game is the sum of them."""
    numbers = [str(part.nimber) for part in analysis.parts]
    number, fall = analysis.nimber, f"The open cells fall into {len(numbers)} parts"
    if number is None:
        return f"{fall} that do not affect each other." if len(numbers) > 1 else ""
    who = f"the player to move {'wins' if number else 'loses'}"
    if len(numbers) == 1:
        return f"The nimber is {number}: {who}."
    if len(numbers) > LONGEST_LINE:
        return f"{fall}; their nimbers make {number} together: {who}."
    return f"{fall} with nimbers {', '.join(numbers[:-1])} and {numbers[-1]}; together {number}: {who}."


def are(names: Sequence[str]) -> str:
    """The verb after names."""
    return "is" if len(names) == 1 else "are"


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
        limited = "does not lose" if value.low == 0 else "does not win" if value.high == 0 else "is not decided"
        return f"{limited} (between {value.low:+d} and {value.high:+d})" if value.territory else "is not known yet"
    return f"{_VERBS[value.outcome][0]} {size(value)}".rstrip()


def size(value: Value) -> str:
    """How large a win or a loss is, or how far off."""
    if value.outcome == "draw" or (not value.exact and not value.territory):
        return ""
    if not value.exact:
        return "by {} to {}".format(*sorted((abs(value.low), abs(value.high))))
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
