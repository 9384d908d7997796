"""Phrases of the coach's sentences, in the reader's language: what moves do, and several moves as a list."""

from collections.abc import Sequence

from quintet.language import ENGLISH, chosen_language, joined, tr, tr_count
from quintet.notation import Naming, sentence_label
from quintet.rules import Position
from quintet.solve.value import Value

MOST_NAMED = 6
LONGEST_LINE = 10
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def worth(value: Value) -> str:
    """A move's value as what it does: `wins by 5`, `loses in 12 moves`, `keeps the draw`."""
    low, high = f"{value.low:+d}", f"{value.high:+d}"
    if value.outcome is None:
        if not value.territory:
            return tr("is not known yet")
        if value.low == 0:
            return tr("does not lose (between {low} and {high})", low=low, high=high)
        if value.high == 0:
            return tr("does not win (between {low} and {high})", low=low, high=high)
        return tr("is not decided (between {low} and {high})", low=low, high=high)
    if value.outcome == "draw":
        return tr("keeps the draw")
    won, near, far = value.outcome == "win", *sorted((abs(value.low), abs(value.high)))
    if not value.territory:
        if not value.exact:
            return tr("wins") if won else tr("loses")
        if won:
            return tr_count("wins in {count} move", "wins in {count} moves", value.plies or 0)
        return tr_count("loses in {count} move", "loses in {count} moves", value.plies or 0)
    if not value.exact:
        if won:
            return tr("wins by {near} to {far}", near=near, far=far)
        return tr("loses by {near} to {far}", near=near, far=far)
    return tr("wins by {margin}", margin=near) if won else tr("loses by {margin}", margin=near)


def bare(value: Value) -> str:
    """The same of one move, without how large it is: `wins`."""
    return {"win": tr("wins"), "loss": tr("loses"), "draw": tr("keeps the draw")}[str(value.outcome)]


def bare_many(value: Value) -> str:
    """The same of several moves: `win`."""
    return {"win": tr("win"), "loss": tr("lose"), "draw": tr("keep the draw")}[str(value.outcome)]


def worth_many(value: Value) -> str:
    """What several moves of the same known value do: `win by 5`, `lose in 12 moves`, `keep the draw`."""
    if value.outcome == "draw":
        return bare_many(value)
    won, margin, plies = value.outcome == "win", abs(value.low), value.plies or 0
    if value.territory:
        return tr("win by {margin}", margin=margin) if won else tr("lose by {margin}", margin=margin)
    if won:
        return tr_count("win in {count} move", "win in {count} moves", plies)
    return tr_count("lose in {count} move", "lose in {count} moves", plies)


def worse(values: Sequence[Value], many: bool) -> str:
    """What moves with a worse outcome than the best do: `draws or loses`, `loses by at least 3`, `lose in 4 moves`."""
    outcomes = {value.outcome for value in values}
    if len(outcomes) > 1:
        return tr("draw or lose") if many else tr("draws or loses")
    if outcomes == {"draw"}:
        return tr("draw") if many else tr("draws")
    nearest = max(values)
    if min(values) == nearest:
        return worth_many(nearest) if many else worth(nearest)
    if nearest.territory:
        margin = -nearest.low
        if many:
            return tr("lose by at least {margin}", margin=margin)
        return tr("loses by at least {margin}", margin=margin)
    plies = nearest.plies or 0
    if many:
        return tr_count("lose within {count} move", "lose within {count} moves", plies)
    return tr_count("loses within {count} move", "loses within {count} moves", plies)


def others(values: Sequence[Value], opening: bool, named: bool = True) -> str:
    """What the moves with a worse outcome do; their number is said unless the better moves are all `named`."""
    count = len(values)
    if count > 1 and not named:
        does, number = worse(values, True), counted(count).lower()
        if opening:
            return tr("the other {number} opening moves {do}", number=number, do=does)
        return tr("the other {number} moves {do}", number=number, do=does)
    does = worse(values, False)
    if count == 1:
        return tr("the other opening move {does}", does=does) if opening else tr("the other move {does}", does=does)
    return tr("every other opening move {does}", does=does) if opening else tr("every other move {does}", does=does)


def best_of(value: Value, names: Sequence[str]) -> str:
    """What sets the best of several winning or losing moves apart."""
    many, moves, plies = len(names) > 1, listed(names), value.plies or 0
    if value.outcome == "win":
        if value.territory:
            text = tr("the best are {moves} (by {margin})", moves=moves, margin=value.low)
            return text if many else tr("{move} wins by the most, {margin}", move=moves, margin=value.low)
        if many:
            return tr_count(
                "the best are {moves} (in {count} move)", "the best are {moves} (in {count} moves)", plies, moves=moves
            )
        return tr_count(
            "{move} wins soonest, in {count} move", "{move} wins soonest, in {count} moves", plies, move=moves
        )
    if value.territory:
        if many:
            return tr("{moves} lose by the least, {margin}", moves=moves, margin=-value.low)
        return tr("{move} loses by the least, {margin}", move=moves, margin=-value.low)
    if many:
        return tr_count(
            "{moves} hold out longest, {count} move", "{moves} hold out longest, {count} moves", plies, moves=moves
        )
    return tr_count(
        "{move} holds out longest, {count} move", "{move} holds out longest, {count} moves", plies, move=moves
    )


def statement(*clauses: str) -> str:
    """A sentence of clauses."""
    text, *more = filter(None, clauses)
    for clause in more:
        text = tr("{first}; {second}", first=text, second=clause)
    return tr("{clause}.", clause=text)


def shown_line(position: Position, line: Sequence[int], name: Naming = sentence_label) -> str:
    """The beginning of a line, for a sentence."""
    shown = joined(name(position, move) for move in line[:LONGEST_LINE])
    return tr("{moves} and so on", moves=shown) if len(line) > LONGEST_LINE else shown


def then(position: Position, line: Sequence[int], name: Naming = sentence_label) -> str:
    """How a game continues, in a sentence; empty if it does not."""
    return tr("Then {line}.", line=shown_line(position, line, name)) if line else ""


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `C3`, `C3 and B2`, and of many the first few."""
    if len(names) > MOST_NAMED:
        rest = len(names) - MOST_NAMED + 1
        names = [*names[: MOST_NAMED - 1], tr_count("{count} more", "{count} more", rest)]
    *first, last = names
    return tr("{names} and {last}", names=joined(first), last=last) if first else last


def counted(number: int) -> str:
    """A number at the beginning of a sentence: a word in English, a numeral elsewhere, where such words are bent."""
    if number < len(_NUMBERS) and chosen_language() == ENGLISH:
        return _NUMBERS[number].capitalize()
    return str(number)
