"""One's own progress: accuracy over time, mistakes of each kind, puzzles solved.

What a mistake is, `study/reviews.py` says. Here the faults of reviewed games are counted: by size (its grades), by the
phase of the game (the third of its moves) and by what was missed.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from quintet.engines.characters import CHARACTERS
from quintet.games import GAMES
from quintet.language import joined, later, tr
from quintet.study.reviews import Grade, Review

RECENT = 5
"""Games over which accuracy is averaged."""
MOST_GAMES, MOST_PUZZLES = 200, 100
"""How many games and rows of puzzles a report counts."""

Size = Literal["inaccuracy", "mistake", "blunder"]
Phase = Literal["opening", "middle", "ending"]
Kind = Literal["win", "draw", "cells"]
SIZES: dict[Size, str] = {
    "inaccuracy": later("Inaccuracies"),
    "mistake": later("Mistakes"),
    "blunder": later("Blunders"),
}
PHASES: dict[Phase, str] = {"opening": later("Opening"), "middle": later("Middle"), "ending": later("Ending")}
KINDS: dict[Kind, str] = {
    "win": later("Missed a win"),
    "draw": later("Missed a draw"),
    "cells": later("Gave away cells"),
}

Number = Annotated[int, Meta(ge=0, le=10_000)]
GameName = Annotated[str, Meta(max_length=40)]


class PlayedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """How well somebody played one game."""

    game: GameName
    when: Annotated[str, Meta(max_length=40, description="When it ended, as ISO 8601 text in UTC.")]
    result: Literal["won", "lost", "draw"]
    judged: Number
    """Moves that count: those with a choice, and of known value."""
    best: Number
    sizes: dict[Size, Number]
    """How many faults there are of each size; the same faults by phase and by kind."""
    phases: dict[Phase, Number]
    kinds: dict[Kind, Number]


class PuzzleCount(Struct, frozen=True, forbid_unknown_fields=True):
    """How many puzzles of a game and a difficulty somebody tried and solved."""

    game: GameName
    rating: Annotated[int, Meta(ge=1, le=10)]
    tried: Number
    solved: Number


class Played(Struct, forbid_unknown_fields=True):
    """What progress is counted from."""

    games: Annotated[list[PlayedGame], Meta(max_length=MOST_GAMES)] = []
    puzzles: Annotated[list[PuzzleCount], Meta(max_length=MOST_PUZZLES)] = []


class Point(Struct, frozen=True):
    """The accuracy of one game."""

    when: str
    title: str
    accuracy: float
    recent: float
    """The accuracy over this game and the ones just before it."""


class GameRow(Struct, frozen=True):
    """The games of one kind."""

    game: str
    title: str
    played: int
    won: int
    accuracy: float | None


class Count(Struct, frozen=True):
    """How many faults there are of a kind."""

    name: str
    title: str
    count: int


class SolvedRow(Struct, frozen=True):
    """How many puzzles of a kind were solved."""

    title: str
    tried: int
    solved: int


class ProgressReport(Struct, frozen=True):
    """Somebody's progress."""

    played: int
    won: int
    lost: int
    drawn: int
    judged: int
    accuracy: float | None
    """The share of all judged moves that were best."""
    points: list[Point]
    """Games with judged moves, the oldest first."""
    games: list[GameRow]
    sizes: list[Count]
    phases: list[Count]
    kinds: list[Count]
    tried: int
    solved: int
    puzzles: list[SolvedRow]
    """By game."""
    ratings: list[SolvedRow]
    """By difficulty."""


def played_game(review: Review, player: int, when: str) -> PlayedGame:
    """How well a player played a game that is over."""
    match, judged = review.match, review.judged(player)
    faults = [grade for grade in judged if grade.fault]
    winner = match.outcome.winner if match.outcome else None
    return PlayedGame(
        game=match.position.game.name,
        when=when,
        result="draw" if winner is None else "won" if winner == player else "lost",
        judged=len(judged),
        best=sum(grade.kind == "best" for grade in judged),
        sizes=dict(Counter(size for grade in faults for size in SIZES if grade.kind == size)),
        phases=dict(Counter(phase_of(grade, match.ply) for grade in faults)),
        kinds=dict(Counter(kind_of(grade) for grade in faults)),
    )


def phase_of(grade: Grade, plies: int) -> Phase:
    """The third of a game that a move was played in."""
    return list(PHASES)[(grade.ply - 1) * len(PHASES) // plies]


def kind_of(grade: Grade) -> Kind:
    """What a fault missed: a win, a draw, or only cells."""
    before = grade.before.outcome
    if before == grade.after.outcome:
        return "cells"
    return "win" if before == "win" else "draw"


def progress_report(games: Iterable[PlayedGame], puzzles: Sequence[PuzzleCount] = ()) -> ProgressReport:
    """What some games and puzzles say about who played them."""
    known = sorted((one for one in games if one.game in GAMES), key=lambda one: one.when)
    graded = [one for one in known if one.judged]
    results = Counter(one.result for one in known)
    tried = [one for one in puzzles if one.game in GAMES]
    return ProgressReport(
        played=len(known),
        won=results["won"],
        lost=results["lost"],
        drawn=results["draw"],
        judged=sum(one.judged for one in known),
        accuracy=accuracy(known),
        points=[
            Point(
                one.when,
                GAMES[one.game].title,
                accuracy([one]) or 0.0,
                accuracy(graded[max(0, at + 1 - RECENT) : at + 1]) or 0.0,
            )
            for at, one in enumerate(graded)
        ],
        games=[
            GameRow(game.name, game.title, len(own), sum(one.result == "won" for one in own), accuracy(own))
            for game in GAMES.values()
            if (own := [one for one in known if one.game == game.name])
        ],
        sizes=[Count(name, tr(title), sum(one.sizes.get(name, 0) for one in known)) for name, title in SIZES.items()],
        phases=[
            Count(name, tr(title), sum(one.phases.get(name, 0) for one in known)) for name, title in PHASES.items()
        ],
        kinds=[Count(name, tr(title), sum(one.kinds.get(name, 0) for one in known)) for name, title in KINDS.items()],
        tried=sum(one.tried for one in tried),
        solved=sum(one.solved for one in tried),
        puzzles=[
            solved_row(game.title, [one for one in tried if one.game == name])
            for name, game in GAMES.items()
            if any(one.game == name for one in tried)
        ],
        ratings=[
            solved_row(str(rating), [one for one in tried if one.rating == rating])
            for rating in sorted({one.rating for one in tried})
        ],
    )


def solved_row(title: str, counts: Sequence[PuzzleCount]) -> SolvedRow:
    """How many of these puzzles were tried and solved."""
    return SolvedRow(title, sum(one.tried for one in counts), sum(one.solved for one in counts))


def accuracy(games: Sequence[PlayedGame]) -> float | None:
    """The share of the judged moves of some games that were best; `None` if there are none."""
    judged = sum(one.judged for one in games)
    return sum(one.best for one in games) / judged if judged else None


def beaten_text(levels: Sequence[int]) -> str:
    """Which levels were beaten, in a sentence; empty if there are none."""
    if not levels:
        return ""
    if len(levels) == len(CHARACTERS):
        return tr("You have beaten all {count} levels.", count=len(levels))
    if len(levels) == 1:
        return tr("You have beaten level {level}.", level=levels[0])
    if levels[-1] == len(levels):
        return tr("You have beaten levels 1 to {last}.", last=levels[-1])
    return tr("You have beaten levels {levels}.", levels=joined(levels))
