"""A review in words: what each move was, where the game turned, and how well it was played."""

from collections.abc import Sequence

from quintet.language import decimal, joined, later, percent, sentences, tr, tr_count
from quintet.notation import Naming, sentence_label
from quintet.study.phrases import MOST_NAMED, statement, then, worth
from quintet.study.reviews import KINDS, Grade, Review

GRADED = {
    "best": later("Move {ply}, {move}: best."),
    "good": later("Move {ply}, {move}: good."),
    "forced": later("Move {ply}, {move}: the only move."),
    "open": later("Move {ply}, {move}: not graded."),
}
"""What is said of each kind of move that gives nothing away."""
FAULTY = {
    "inaccuracy": later("Move {ply}, {move}, is an inaccuracy: it {does}."),
    "mistake": later("Move {ply}, {move}, is a mistake: it {does}."),
    "blunder": later("Move {ply}, {move}, is a blunder: it {does}."),
}
"""What is said of the others."""
BETTERED = {
    "inaccuracy": later("Move {ply}, {move}, is an inaccuracy: {better} {would}, this {does}."),
    "mistake": later("Move {ply}, {move}, is a mistake: {better} {would}, this {does}."),
    "blunder": later("Move {ply}, {move}, is a blunder: {better} {would}, this {does}."),
}
"""The same where a better move is known."""
TURNED = {
    "win": later("{ply} (to Player 1)"),
    "loss": later("{ply} (to Player 2)"),
    "draw": later("{ply} (to a draw)"),
}
"""A move that changed the outcome, by what the game is worth for Player 1 after it."""


def report(review: Review, name: Naming = sentence_label) -> str:
    """A review for a person."""
    match = review.match
    parts = [title(review), ""]
    if review.grades:
        parts += [*table(review.grades, name), ""]
    faults = [grade for grade in review.grades if grade.fault]
    if faults:
        parts += [*(remark(grade, name) for grade in faults), ""]
    parts.append(turned(review))
    if match.resigned and review.values[-1].outcome == ("win" if match.resigned == 1 else "loss"):
        parts.append(f"Player {match.resigned} resigned a won game.")
    return "\n".join([*parts, *(summary(review, player) for player in (1, 2))])


def title(review: Review) -> str:
    """Which game it was and how it ended."""
    match = review.match
    first, outcome = match.positions[0], match.outcome
    end = "Unfinished"
    if outcome:
        end = f"Player {outcome.winner} won: {outcome.reason}" if outcome.winner else f"Draw: {outcome.reason}"
    return f"{first.game.title} {first.board.size}, {match.names[0]} against {match.names[1]}. {end}."


def table(grades: Sequence[Grade], name: Naming = sentence_label) -> list[str]:
    """One line for every move."""
    rows = [("Move", "Player", "Played", "Value", "Grade")]
    rows += [(str(g.ply), str(g.player), name(g.position, g.move), worth(g.after), g.kind) for g in grades]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return [f"{a:>{widths[0]}}  {b:<{widths[1]}}  {c:<{widths[2]}}  {d:<{widths[3]}}  {e}" for a, b, c, d, e in rows]


def describe_grade(grade: Grade, name: Naming = sentence_label) -> str:
    """A graded move in a sentence or two."""
    if grade.fault:
        return remark(grade, name)
    text = tr(GRADED[grade.kind], ply=grade.ply, move=name(grade.position, grade.move))
    if grade.after.outcome is None and not grade.after.territory:
        return sentences(text, tr("Its value is not known yet."))
    return sentences(text, tr("It {does}.", does=worth(grade.after)))


def remark(grade: Grade, name: Naming = sentence_label) -> str:
    """What was wrong with a move."""
    values = {"ply": grade.ply, "move": name(grade.position, grade.move), "does": worth(grade.after)}
    if grade.better is None:
        text = tr(FAULTY[grade.kind], **values)
    else:
        better = name(grade.position, grade.better)
        text = tr(BETTERED[grade.kind], better=better, would=worth(grade.before), **values)
    return sentences(text, then(grade.position, grade.line, name))


def count_kind(number: int, kind: str) -> str:
    """A number of moves of a kind."""
    if kind == "inaccuracy":
        return tr_count("{count} inaccuracy", "{count} inaccuracies", number)
    if kind == "mistake":
        return tr_count("{count} mistake", "{count} mistakes", number)
    if kind == "blunder":
        return tr_count("{count} blunder", "{count} blunders", number)
    return tr_count("{count} good", "{count} good", number)


def turned(review: Review) -> str:
    """Where the outcome changed."""
    if not review.turns:
        if all(value.outcome for value in review.values):
            return tr("The game had no turning point.")
        return tr("Turning points may be missing: some values are unknown.")
    *others, last = (tr(TURNED[str(review.values[grade.ply].outcome)], ply=grade.ply) for grade in review.turns)
    if len(others) >= MOST_NAMED:
        return tr("The game turned {count} times, last at move {last}.", count=len(review.turns), last=last)
    if others:
        return tr("The game turned at moves {others} and {last}.", others=joined(others), last=last)
    return tr("The game turned at move {last}.", last=last)


def summary(review: Review, player: int) -> str:
    """How well a player played."""
    judged, accuracy, counts = len(review.judged(player)), review.accuracy(player), review.counts(player)
    if accuracy is None:
        return tr("Player {player}: no moves graded.", player=player)
    values = {"player": player, "best": counts["best"], "count": judged}
    if judged == 1:
        text = tr("Player {player}: {best} of {count} move was best", **values)
    elif counts["best"] == 1:
        text = tr("Player {player}: {best} of {count} moves was best", **values)
    else:
        text = tr("Player {player}: {best} of {count} moves were best", **values)
    if accuracy < 1:
        rest = joined(count_kind(counts[kind], kind) for kind in KINDS[1:] if counts[kind])
        text = tr("{best} ({share}), {rest}", best=text, share=percent(accuracy), rest=rest)
    territory = review.values[0].territory
    lost = review.margin_loss(player) if territory else review.regret(player)
    if not lost:
        return statement(text)
    per_move = later("{cells} cells lost per move") if territory else later("{wins} wins lost per move")
    return statement(text, tr(per_move, cells=decimal(lost, 2), wins=decimal(lost, 2)))
