"""Analyses, reviews and puzzles as JSON has them: what `--json` prints and what the web serves, with typed fields.

Values come as numbers and in words, so that a screen has nothing to work out.

(Over 300 lines, so that every field of this JSON is stated and explained in one file.)
"""

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from quintet.board import split
from quintet.match import Match
from quintet.notation import Naming, screen_label, sentence_label, write_position
from quintet.options import Options, describe
from quintet.rules import PASS, Outcome
from quintet.solve.value import Value
from quintet.study.analysis import Analysis, brief
from quintet.study.coach import estimated, explain
from quintet.study.phrases import worth
from quintet.study.puzzles import Puzzle
from quintet.study.remarks import describe_grade, summary, turned
from quintet.study.reviews import Grade, Review
from quintet.study.value_graph import heights


class ValueReport(Struct, frozen=True):
    """A value for the player to move."""

    outcome: str | None
    """`win`, `loss` or `draw`; null while it is not known."""
    margin: int | None
    """The final margin, in a territory game."""
    plies: int | None
    """The moves left with best play, both players' counted, in a race."""
    limits: tuple[int, int] | UnsetType = UNSET
    """The lowest and the highest margin it can be; left out where the value is known."""


class MoveEstimate(Struct, frozen=True):
    """What a move looks like, where what it is worth is not known: never proved."""

    text: str
    """A few characters for a cell, always marked: `~+3`, `~W`, `~62%`; `~` alone on a move that looks best."""
    words: str
    """The same in words: `about 3 cells ahead`, `looks best`, `wins about 62% of random games`."""


class MoveReport(Struct, frozen=True, kw_only=True):
    """What a legal move is worth; its fields are those of a `ValueReport` and more."""

    move: str
    outcome: str | None
    margin: int | None
    plies: int | None
    limits: tuple[int, int] | UnsetType = UNSET
    best: bool
    """Whether no move is better."""
    proved: bool
    """Whether its outcome is proved."""
    words: str
    """Its value in words, or the proved limits of it: `wins by 5`, `wins by 1 to 5`, `does not lose`."""
    estimate: MoveEstimate | None
    """What it looks like, where its value is not known and it was estimated."""


class ResultReport(Struct, frozen=True):
    """How a game ended."""

    winner: int | None
    reason: str


class EstimateReport(Struct, frozen=True):
    """How the moves that are not decided were estimated."""

    depth: int
    """How many moves ahead a search looked; 0 if games were played out instead."""
    rollouts: int
    """How many random games were played out; 0 if there was a search."""
    best: list[str]
    """The moves that look best of those that are not decided."""
    words: str
    """The same in a sentence: `Searched 6 moves deep, C3 looks best.`"""


class PartReport(Struct, frozen=True):
    """A connected part of the open cells that does not affect the others."""

    cells: list[str]
    nimber: int | None
    """Its Grundy number, where the game has them and it is known."""


class AnalysisReport(Struct, frozen=True):
    """What a position and each of its moves is worth: `quintet analyze --json`."""

    game: str
    options: Options
    ply: int
    to_move: int
    over: bool
    result: ResultReport | None
    value: ValueReport
    moves: list[MoveReport]
    """Every legal move in board order."""
    line: list[str]
    """One best line to the end."""
    known: str
    """`exact` if every value is known, else `limits`: what is proved so far."""
    estimate: EstimateReport | None
    """How the moves were estimated, where not every outcome is proved."""
    nimber: int | None
    """The Grundy number of the position, where the game has one and it is known."""
    parts: list[PartReport]
    """The parts of the open cells, in a game that is the sum of such parts; else none."""


class CellValue(Struct, frozen=True):
    """What claiming a cell is worth, as a board shows it."""

    text: str
    """A few characters: `+3`, `W5`, `L12`."""
    outcome: str | None
    best: bool
    words: str
    """The same in words, or the proved limits: `wins by 5`, `loses in 12 moves`, `wins by 1 to 5`."""
    proved: bool
    """Whether the outcome is proved."""
    estimate: MoveEstimate | None
    """What it looks like, to be shown where the outcome is not proved."""


class ExplainedAnalysis(AnalysisReport, frozen=True):
    """An analysis with what a screen shows of it."""

    complete: bool
    explanation: str
    values: dict[str, CellValue]
    """By the name of the cell."""


class GradeReport(Struct, frozen=True):
    """One move of a reviewed game."""

    ply: int
    player: int
    move: str
    grade: str
    fault: bool
    """Whether it is an inaccuracy, a mistake or a blunder."""
    before: ValueReport
    """What a best move was worth for its player."""
    after: ValueReport
    """What this move was worth for its player."""
    regret: float | None
    """The points of the result it gave away, in [0, 1]; null where they are not known."""
    margin_loss: int | None
    """The cells of the margin it gave away; null in a race or where they are not known."""
    delay: int | None
    """The moves by which a win came later or a loss sooner, in a race."""
    better: str | None
    refutation: list[str]
    remark: str
    """The grade in a sentence."""


class PlayerReport(Struct, frozen=True):
    """How well a player played."""

    player: int
    judged: int
    best: int
    good: int
    inaccuracy: int
    mistake: int
    blunder: int
    accuracy: float | None
    """The share of the judged moves that were best; null if there were none."""
    regret: float | None
    """The mean regret of the judged moves, in points of the result."""
    margin_loss: float | None
    """The mean margin loss of the judged moves, in cells; null in a race."""
    summary: str


class ReviewReport(Struct, frozen=True):
    """A game graded move by move: `quintet review --json`."""

    game: str
    options: Options
    players: list[str]
    result: ResultReport | None
    moves: list[GradeReport]
    values: list[ValueReport]
    """For Player 1, at the start and after every move."""
    heights: list[float | None]
    """The same values as heights of a graph, 1 at the top for Player 1, -1 for Player 2; null where not known."""
    turned: list[int]
    """The moves that changed the outcome."""
    turned_text: str
    accuracy: list[PlayerReport]
    complete: bool
    """Whether every value is known."""


class PuzzleReport(Struct, frozen=True):
    """A puzzle: `quintet puzzle --json`."""

    game: str
    options: Options
    position: str
    to_move: int
    goal: str | None
    """The outcome to keep: `win` or `draw`."""
    goal_text: str
    rating: int
    origin: str
    day: str | None
    """The date of a puzzle of the day."""
    number: int | None
    """The number of a puzzle of the day: they are counted from the first."""
    moves: list[str]
    """Every legal move in board order."""
    answers: list[str] | UnsetType = UNSET
    """Left out while the puzzle is to be solved, like the values."""
    values: list[ValueReport] | UnsetType = UNSET
    """What each of the moves is worth."""


def value_report(value: Value) -> ValueReport:
    """A value as JSON has it."""
    return ValueReport(value.outcome, value.margin, value.plies, value_limits(value))


def value_limits(value: Value) -> tuple[int, int] | UnsetType:
    """The limits of a margin that is not known."""
    return (value.low, value.high) if value.territory and not value.exact else UNSET


def result_report(outcome: Outcome | None) -> ResultReport | None:
    """The result of a game as JSON has it; `None` while it is not over."""
    return ResultReport(outcome.winner, outcome.reason) if outcome else None


def analysis_report(match: Match, analysis: Analysis, name: Naming = sentence_label) -> AnalysisReport:
    """An analysis of a match's position as JSON has it; sentences name moves as `name` does."""
    position = analysis.position
    return AnalysisReport(
        game=position.game.name,
        options=describe(position.board),
        ply=match.ply,
        to_move=position.player,
        over=match.outcome is not None,
        result=result_report(match.outcome),
        value=value_report(analysis.value),
        moves=[
            MoveReport(
                move=position.label(move),
                outcome=value.outcome,
                margin=value.margin,
                plies=value.plies,
                limits=value_limits(value),
                best=analysis.is_best(move),
                proved=value.outcome is not None,
                words=worth(value),
                estimate=move_estimate(analysis, move),
            )
            for move, value in analysis.moves.items()
        ],
        line=[position.label(move) for move in analysis.line],
        known="exact" if analysis.complete else "limits",
        estimate=estimate_report(analysis, name),
        nimber=analysis.nimber,
        parts=[
            PartReport([position.label(cell) for cell in split(part.cells)], part.nimber) for part in analysis.parts
        ],
    )


def estimate_report(analysis: Analysis, name: Naming) -> EstimateReport | None:
    """How the moves were estimated, as JSON has it."""
    made = analysis.estimate
    if made is None:
        return None
    best = [analysis.position.label(move) for move in analysis.looks_best]
    return EstimateReport(made.depth, made.rollouts, best, estimated(analysis, name))


def move_estimate(analysis: Analysis, move: int) -> MoveEstimate | None:
    """What a move looks like, as JSON has it."""
    text, words = analysis.estimate_of(move)
    return MoveEstimate(text, words) if text else None


def explained_analysis(match: Match, analysis: Analysis) -> ExplainedAnalysis:
    """An analysis of a match's position with what a screen shows of it."""
    report, position = analysis_report(match, analysis, screen_label), analysis.position
    return ExplainedAnalysis(
        **asdict(report),
        complete=analysis.complete,
        explanation=explain(analysis, screen_label),
        values={
            position.label(move): CellValue(
                brief(value),
                value.outcome,
                analysis.is_best(move),
                worth(value),
                value.outcome is not None,
                move_estimate(analysis, move),
            )
            for move, value in analysis.moves.items()
            if move != PASS
        },
    )


def review_report(review: Review, name: Naming = sentence_label) -> ReviewReport:
    """A review as JSON has it; sentences name moves as `name` does."""
    match = review.match
    first = match.positions[0]
    return ReviewReport(
        game=first.game.name,
        options=describe(first.board),
        players=list(match.names),
        result=result_report(match.outcome),
        moves=[grade_report(grade, name) for grade in review.grades],
        values=[value_report(value) for value in review.values],
        heights=heights(review.values),
        turned=[grade.ply for grade in review.turns],
        turned_text=turned(review),
        accuracy=[player_report(review, player) for player in (1, 2)],
        complete=review.complete,
    )


def grade_report(grade: Grade, name: Naming) -> GradeReport:
    """A graded move as JSON has it."""
    label = grade.position.label
    return GradeReport(
        ply=grade.ply,
        player=grade.player,
        move=label(grade.move),
        grade=grade.kind,
        fault=grade.fault,
        before=value_report(grade.before),
        after=value_report(grade.after),
        regret=grade.regret,
        margin_loss=grade.margin_loss,
        delay=grade.delay,
        better=None if grade.better is None else label(grade.better),
        refutation=[label(move) for move in grade.line],
        remark=describe_grade(grade, name),
    )


def player_report(review: Review, player: int) -> PlayerReport:
    """How well a player played, as JSON has it."""
    counts = review.counts(player)
    return PlayerReport(
        player=player,
        judged=len(review.judged(player)),
        best=counts["best"],
        good=counts["good"],
        inaccuracy=counts["inaccuracy"],
        mistake=counts["mistake"],
        blunder=counts["blunder"],
        accuracy=review.accuracy(player),
        regret=review.regret(player),
        margin_loss=review.margin_loss(player),
        summary=summary(review, player),
    )


def puzzle_report(puzzle: Puzzle, solved: bool = False) -> PuzzleReport:
    """A puzzle as JSON has it, with its answers and values if it is to be shown solved."""
    position = puzzle.position
    return PuzzleReport(
        game=position.game.name,
        options=describe(position.board),
        position=write_position(position),
        to_move=position.player,
        goal=puzzle.value.outcome,
        goal_text=puzzle.goal,
        rating=puzzle.rating,
        origin=puzzle.origin,
        day=puzzle.day.isoformat() if puzzle.day else None,
        number=puzzle.number,
        moves=[position.label(move) for move in puzzle.moves],
        answers=[position.label(move) for move in puzzle.answers] if solved else UNSET,
        values=[value_report(value) for value in puzzle.moves.values()] if solved else UNSET,
    )
