"""Instructive games, picture by picture on the product's own board, with what each move was worth."""

from collections.abc import Sequence
from html import escape

from quintet.llm.grading import grader
from quintet.llm.logs import Entry
from quintet.notation import sentence_label
from quintet.rules import Position
from quintet.study.coach import worth
from quintet.study.reviews import classify

NARROWEST, CELL = 11.5, 2.2
"""The width of a picture, and of a cell of a wide board, in rem."""


def instructive(entries: Sequence[Entry], number: int) -> list[Entry]:
    """The games that teach most: what was given away, first of all where most was; no two alike, all games in turn."""
    lost = [entry for entry in entries if entry.case.opponent and (entry.sums["regret"] or entry.sums["faults"])]
    order = sorted(lost, key=lambda entry: (-entry.sums["regret"], -entry.sums["faults"], entry.case.id))
    chosen: list[Entry] = []
    seen: dict[str, int] = {}
    for _ in range(number):
        left = [entry for entry in order if all(entry.case.id != other.case.id for other in chosen)]
        if not left:
            break
        best = min(left, key=lambda entry: seen.get(entry.game, 0) + seen.get(entry.player, 0))
        chosen.append(best)
        for name in (best.game, best.player):
            seen[name] = seen.get(name, 0) + 1
    return chosen


def filmstrip(entry: Entry) -> str:
    """A game as a strip of pictures, HTML that needs no script."""
    case, position = entry.case, entry.case.start
    seats = f"{entry.player} as Player {case.player} against {case.opponent}"
    frames = [frame(position, 0, "The start", "")]
    for move in entry.played.moves:
        after = position.play(move)
        mine = position.player == case.player
        text, kind = verdict(position, move) if mine else ("", "")
        who = f"{entry.player if mine else case.opponent}: {sentence_label(position, move)}"
        frames.append(frame(after, position.gain(move), who, text, kind))
        position = after
    if entry.played.fault:
        frames.append(frame(position, 0, f"{entry.player}: no legal move", entry.played.fault, "blunder"))
    end = position.outcome.reason if position.outcome else "lost by a fault"
    return (
        f'<article class="replay"><h4>{escape(position.game.title)} {position.board.size}: {escape(seats)}</h4>'
        f"<p>{escape(end)}; {points(entry)}.</p>"
        f'<ol class="strip" tabindex="0" aria-label="The game move by move">{"".join(frames)}</ol></article>'
    )


def points(entry: Entry) -> str:
    """What was got, and what there was to get."""
    got = entry.sums["points"]
    return f"{got:g} point{'' if got == 1 else 's'} where par is {entry.sums['par']:g}"


def frame(position: Position, gained: int, who: str, text: str, kind: str = "") -> str:
    """One picture with its caption. The style stands once on the page."""
    svg = position.picture(gained, legal=False, styled=False)
    said = f'<span class="{kind}">{escape(text)}</span>' if text else ""
    wide = max(NARROWEST, position.board.cols * CELL)
    return f'<li class="{kind}" style="flex-basis: {wide:g}rem">{svg}<p><strong>{escape(who)}</strong> {said}</p></li>'


def verdict(position: Position, move: int) -> tuple[str, str]:
    """What a move was worth, and what was better."""
    values = grader(position.game, position.board).grade(position)
    best, value = max(values.values()), values[move]
    if len(values) == 1:
        return "the only move", ""
    kind = classify(best, value)
    if kind in ("best", "good"):
        return f"{kind}: {worth(value)}", kind
    better = next(sentence_label(position, other) for other, found in values.items() if found == best)
    return f"{kind}: {worth(value)}, where {better} {worth(best)}", kind
