"""What a position means in a player's words: a hint, and what every move is worth."""

from math import inf

from quintet.engines.deepening import FURTHEST
from quintet.errors import InvalidArgument
from quintet.language import joined, later, sentences, tr, tr_count
from quintet.notation import Naming, sentence_label
from quintet.rules import PASS, Position
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.study.analysis import Analysis, analyze, headline
from quintet.study.estimates import estimate_moves
from quintet.study.phrases import (
    LONGEST_LINE,
    bare,
    bare_many,
    best_of,
    counted,
    listed,
    others,
    shown_line,
    statement,
    worth,
    worth_many,
)

PROVED = {
    "win": (later("{moves} is proved to win."), later("{moves} are proved to win.")),
    "draw": (later("{moves} is proved to draw."), later("{moves} are proved to draw.")),
    "loss": (later("{moves} is proved to lose."), later("{moves} are proved to lose.")),
}
"""That one move or several are proved to do something."""
ALL_PROVED = {
    "win": (later("Every move is proved to win."), later("Every other move is proved to win.")),
    "draw": (later("Every move is proved to draw."), later("Every other move is proved to draw.")),
    "loss": (later("Every move is proved to lose."), later("Every other move is proved to lose.")),
}
"""The same of all moves, and of all others."""
BECAUSE = {
    ("win", True): later("{move} {does}; no move wins by more."),
    ("win", False): later("{move} {does}; no move wins sooner."),
    ("loss", True): later("{move} {does}, but no move loses by less."),
    ("loss", False): later("{move} {does}, but no move holds out longer."),
}
"""Why a move is best, by its outcome, in a territory game or not."""
LOOKS = {
    "alike": (
        later("{how}, all look alike."),
        later("{how}, all look alike ({found})."),
        later("Of the others, {how}, all look alike."),
        later("Of the others, {how}, all look alike ({found})."),
    ),
    "one": (
        later("{how}, {moves} looks best."),
        later("{how}, {moves} looks best ({found})."),
        later("Of the others, {how}, {moves} looks best."),
        later("Of the others, {how}, {moves} looks best ({found})."),
    ),
    "some": (
        later("{how}, {moves} look best."),
        later("{how}, {moves} look best ({found})."),
        later("Of the others, {how}, {moves} look best."),
        later("Of the others, {how}, {moves} look best ({found})."),
    ),
}
"""Which moves look best: alone, with an estimate, among moves that are not decided, and both."""


def hint(
    position: Position, oracle: Oracle | None = None, seconds: float | None = None, name: Naming = sentence_label
) -> tuple[int, str]:
    """A good move and why, in one sentence; where time runs out, a move that looks good, and the sentence says so."""
    if position.outcome:
        raise InvalidArgument(tr("the game is over, so there is no hint"))
    oracle, patience = oracle or oracle_of(position), inf if seconds is None else seconds
    found = analyze(position, oracle, seconds)
    best = best_moves(found)
    if best:
        return best[0], because(found, best[0], name)
    sure = [move for move, value in found.moves.items() if value.outcome == "win"]
    if not sure and found.value.outcome == "win":
        sure = [move for move in [oracle.ask_within(winning_move, position, patience)] if move is not None]
    if sure:
        label = name(position, sure[0])
        if found.value.territory:
            return sure[0], tr("{move} is proved to win; by how much is not known yet.", move=label)
        return sure[0], tr("{move} is proved to win; how soon is not known yet.", move=label)
    unknown = tr("its exact value is not known yet")
    if len(found.moves) == 1:
        return position.moves[0], statement(proved(found, name)[0][:-1], unknown)
    guess = found.estimate or estimate_moves(position, 0)
    move = max(found.open_moves or found.moves, key=lambda move: guess.moves.get(move, -FURTHEST))
    looks = tr("{move} looks best, {how}", move=name(position, move), how=guess.how)
    if not found.open_moves:
        return move, statement(proved(found, name)[-1][:-1], looks)
    return move, statement(looks, unknown)


def winning_move(solver: Solver, position: Position) -> int:
    """A winning move of a position that is won: one that a theorem knows, or the first."""
    return (solver.proved_wins(position) or [solver.first_best(position, 1)])[0]


def explain(analysis: Analysis, name: Naming = sentence_label) -> str:
    """What the moves are worth and how the game continues, in a few sentences."""
    position, value = analysis.position, analysis.value
    if position.outcome:
        return headline(position, value)
    if not analysis.complete:
        said = [headline(position, value), *proved(analysis, name), estimated(analysis, name)]
    else:
        line = shown_line(position, analysis.line, name)
        said = [verdict(analysis, name), tr("Best play goes {line}.", line=line) if len(analysis.line) > 1 else ""]
    return sentences(*said, parts_of(analysis))


def proved(analysis: Analysis, name: Naming = sentence_label) -> list[str]:
    """What is proved of the moves, in sentences, while not everything is known."""
    position, moves = analysis.position, analysis.moves
    if len(moves) == 1:
        if PASS in moves:
            return [tr("Player {player} must pass.", player=position.player)]
        return [tr("The only move is {move}.", move=name(position, *moves))]
    best = [name(position, move) for move in best_moves(analysis)]
    if best:
        is_best = (
            tr("{moves} is best", moves=listed(best)) if len(best) == 1 else tr("{moves} are best", moves=listed(best))
        )
        return [statement(is_best, tr("the exact values of the other moves are not all known yet"))]
    said: list[str] = []
    left = len(moves)
    for outcome in PROVED:
        some = [name(position, move) for move, value in moves.items() if value.outcome == outcome]
        left -= len(some)
        if some:
            text = PROVED[outcome][len(some) > 1] if left else ALL_PROVED[outcome][bool(said)]
            said.append(tr(text, moves=listed(some)))
    if left:
        nothing = tr("The other moves are not decided yet") if said else tr("No move is decided yet")
        said.append(undecided(analysis, nothing))
    return said


def undecided(analysis: Analysis, nothing: str) -> str:
    """That moves are not decided, and the limits that are proved of all of them, where these say anything."""
    position, values = analysis.position, [analysis.moves[move] for move in analysis.open_moves]
    if analysis.value.outcome == "win" and not any(value.outcome == "win" for value in analysis.moves.values()):
        nothing = tr("It is not known which move wins yet")
    low, high = min(value.low for value in values), max(value.high for value in values)
    if not position.game.territory:
        return statement(nothing)
    if 2 * (high - low) > position.board.cells:
        return statement(
            nothing, tr("none of them wins") if high <= 0 else tr("none of them loses") if low >= 0 else ""
        )
    limits = {"low": f"{low:+d}", "high": f"{high:+d}", "player": position.player}
    if len(values) > 1:
        return statement(nothing, tr("each is worth between {low} and {high} for Player {player}", **limits))
    return statement(nothing, tr("it is worth between {low} and {high} for Player {player}", **limits))


def estimated(analysis: Analysis, name: Naming = sentence_label) -> str:
    """Which of the moves that are not decided looks best, and how that was found; empty without an estimate."""
    best = [name(analysis.position, move) for move in analysis.looks_best]
    if analysis.estimate is None or not best:
        return ""
    shown = [analysis.estimate_of(move)[0] for move in analysis.open_moves]
    text = analysis.estimate_of(analysis.looks_best[0])[0]
    # Within proved limits moves may show the same number although the search tells them apart.
    tells = analysis.shows_numbers and shown.count(text) == len(best)
    sure = any(value.outcome == "win" or analysis.is_best(move) for move, value in analysis.moves.items())
    which = "alike" if len(best) == len(analysis.open_moves) > 1 else "one" if len(best) == 1 else "some"
    how = analysis.estimate.how if sure else analysis.estimate.how_first
    return tr(LOOKS[which][tells + 2 * sure], how=how, moves=listed(best), found=text)


def parts_of(analysis: Analysis) -> str:
    """The parts that the open cells fall into, with their Grundy numbers, where the game is the sum of them."""
    numbers = [str(part.nimber) for part in analysis.parts]
    number, count = analysis.nimber, len(numbers)
    if number is None:
        if count < 2:
            return ""
        return tr_count(
            "The open cells fall into {count} part that does not affect others.",
            "The open cells fall into {count} parts that do not affect each other.",
            count,
        )
    wins = tr("the player to move wins") if number else tr("the player to move loses")
    if count == 1:
        return tr("The nimber is {number}: {wins}.", number=number, wins=wins)
    fall = tr_count("The open cells fall into {count} part", "The open cells fall into {count} parts", count)
    if count > LONGEST_LINE:
        return tr("{parts}; their nimbers make {number} together: {wins}.", parts=fall, number=number, wins=wins)
    first = joined(numbers[:-1])
    return tr(
        "{parts} with nimbers {first} and {last}; together {number}: {wins}.",
        parts=fall,
        first=first,
        last=numbers[-1],
        number=number,
        wins=wins,
    )


def best_moves(analysis: Analysis) -> list[int]:
    """The moves known to be worth what the position is."""
    return [m for m, value in analysis.moves.items() if value.exact and value == analysis.value]


def because(analysis: Analysis, move: int, name: Naming = sentence_label) -> str:
    """Why a best move is one."""
    position, value = analysis.position, analysis.value
    others = [other for other in analysis.moves if other != move]
    if analysis.complete and not any(analysis.moves[other].outcome == value.outcome for other in others):
        return verdict(analysis, name)
    text = BECAUSE.get((str(value.outcome), value.territory), later("{move} {does}; no move wins."))
    return tr(text, move=name(position, move), does=worth(value))


def verdict(analysis: Analysis, name: Naming = sentence_label) -> str:
    """What the moves are worth, in one sentence. Every value must be known."""
    position, value, moves = analysis.position, analysis.value, analysis.moves
    opening = not any(position.claims)
    best = [name(position, move) for move, other in moves.items() if other == value]
    keep = [name(position, move) for move, other in moves.items() if other.outcome == value.outcome]
    rest = [other for other in moves.values() if other.outcome != value.outcome]
    if len(moves) == 1:
        if PASS in moves:
            return tr("Player {player} must pass and {does}.", player=position.player, does=worth(value))
        return tr("The only move is {move}; it {does}.", move=keep[0], does=worth(value))
    if len(keep) == 1:
        return statement(only(value, keep[0]), others(rest, opening))
    if not rest:
        does = worth(value) if len(best) == len(keep) else bare(value)
        every = tr("Every opening move {does}", does=does) if opening else tr("Every move {does}", does=does)
        return statement(every, best_of(value, best) if len(best) < len(keep) else "")
    number = counted(len(keep))
    if len(best) == len(keep):
        values = {"number": number, "do": worth_many(value), "moves": listed(keep)}
        text = later("{number} opening moves {do}: {moves}") if opening else later("{number} moves {do}: {moves}")
        return statement(tr(text, **values), others(rest, opening))
    text = later("{number} opening moves {do}") if opening else later("{number} moves {do}")
    return statement(
        tr(text, number=number, do=bare_many(value)), best_of(value, best), others(rest, opening, named=False)
    )


def only(value: Value, move: str) -> str:
    """What a single move does that the others do not."""
    if value.outcome == "draw":
        return tr("Only {move} keeps the draw", move=move)
    if value.territory:
        return tr("Only {move} wins, by {margin}", move=move, margin=value.low)
    return tr_count(
        "Only {move} wins, in {count} move", "Only {move} wins, in {count} moves", value.plies or 0, move=move
    )
