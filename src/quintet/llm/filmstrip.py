"""Instructive games as strips of board pictures, with what each move was worth."""

from collections.abc import Sequence
from html import escape

from quintet.llm.logs import LoggedSample, short_name
from quintet.notation import sentence_label
from quintet.rules import Position
from quintet.safe_text import quote
from quintet.solve.oracle import oracle_of
from quintet.study.phrases import worth
from quintet.study.reviews import classify

MIN_WIDTH, CELL_WIDTH = 11.5, 2.2
"""The least width of a picture, and the width of a cell of a wide board, in rem."""


def instructive_games(samples: Sequence[LoggedSample], number: int) -> list[LoggedSample]:
    """The games with the most regret, each sample once, spread over games and players."""
    flawed = [
        sample for sample in samples if sample.spec.opponent and (sample.statistics.regret or sample.statistics.faults)
    ]
    order = sorted(flawed, key=lambda sample: (-sample.statistics.regret, -sample.statistics.faults, sample.spec.id))
    chosen: list[LoggedSample] = []
    seen: dict[str, int] = {}
    for _ in range(number):
        left = [sample for sample in order if all(sample.spec.id != other.spec.id for other in chosen)]
        if not left:
            break
        next_one = min(left, key=lambda sample: seen.get(sample.game, 0) + seen.get(sample.player, 0))
        chosen.append(next_one)
        for name in (next_one.game, next_one.player):
            seen[name] = seen.get(name, 0) + 1
    return chosen


def filmstrip(sample: LoggedSample) -> str:
    """A game as a strip of pictures, in HTML without scripts."""
    spec, position = sample.spec, sample.spec.start
    opponent = short_name(str(spec.opponent))
    seats = f"{sample.player} as Player {spec.player} against {opponent}"
    frames = [frame(position, 0, "Start", "")]
    for move in sample.episode.moves:
        after = position.play(move)
        by_agent = position.player == spec.player
        text, kind = verdict(position, move) if by_agent else ("", "")
        caption = f"{sample.player if by_agent else opponent}: {sentence_label(position, move)}"
        frames.append(frame(after, position.gain(move), caption, text, kind))
        position = after
    if sample.episode.fault:
        frames.append(frame(position, 0, f"{sample.player}: no legal move", quote(sample.episode.fault), "blunder"))
    if sample.episode.opponent_fault:
        frames.append(frame(position, 0, f"{opponent}: no legal move", quote(sample.episode.opponent_fault)))
    end = position.outcome.reason if position.outcome else "Ended by a fault"
    return (
        f'<article class="replay"><h4>{escape(position.game.title)} {position.board.size}: {escape(seats)}</h4>'
        f"<p>{escape(end)}; {points(sample)}.</p>"
        f'<ol class="strip" tabindex="0" aria-label="The game move by move">{"".join(frames)}</ol></article>'
    )


def points(sample: LoggedSample) -> str:
    """The result beside par."""
    scored = sample.statistics.points
    return f"{scored:g} point{'' if scored == 1 else 's'}, par {sample.statistics.par:g}"


def frame(position: Position, gained: int, caption: str, text: str, kind: str = "") -> str:
    """One picture with its caption. The page has the style once."""
    svg = position.picture(gained, legal=False, styled=False)
    remark = f'<span class="{kind}">{escape(text)}</span>' if text else ""
    width = max(MIN_WIDTH, position.board.cols * CELL_WIDTH)
    return (
        f'<li class="{kind}" style="flex-basis: {width:g}rem">{svg}'
        f"<p><strong>{escape(caption)}</strong> {remark}</p></li>"
    )


def verdict(position: Position, move: int) -> tuple[str, str]:
    """What a move was worth and which was better, and the kind of move it was."""
    values = oracle_of(position).grade(position)
    best, value = max(values.values()), values[move]
    if len(values) == 1:
        return "the only move", ""
    kind = classify(best, value)
    if kind in ("best", "good"):
        return f"{kind}: {worth(value)}", kind
    better = next(sentence_label(position, other) for other, found in values.items() if found == best)
    return f"{kind}: {worth(value)}; {better} {worth(best)}", kind
