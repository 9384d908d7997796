"""The routes of study: games and rules, engines, positions, analyses, puzzles, the ladder."""

from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Query
from starlette.requests import Request

from quintet.arena.standings import Rung
from quintet.effects import Effects, effects
from quintet.errors import QuintetError
from quintet.games import GAMES, UnknownGame, find_game
from quintet.lesson import LessonInfo, NoLesson, describe_lesson
from quintet.match import Match, open_match
from quintet.notation import (
    LONGEST_POSITION,
    InvalidMove,
    InvalidPosition,
    read_move,
    read_position,
    screen_label,
    write_moves,
    write_position,
)
from quintet.options import MAX_TARGET, start
from quintet.rules import Game, Position
from quintet.study.puzzles import HARDEST, NoPuzzle, check_day
from quintet.study.reports import ExplainedAnalysis
from quintet.view import View, make_view
from quintet.web import messages, players, work
from quintet.web.api_error import ApiError
from quintet.web.players import EngineInfo
from quintet.web.responses import Json, read_body, returns
from quintet.web.study_requests import study

ANALYSIS_SECONDS, QUICK_SECONDS = 4.0, 0.1
PUZZLE_SECONDS = 10.0
DECIDED_SECONDS = 2.0
RULINGS = "**Rulings.**"
"""What comes before the corrections in a manual."""
LARGEST_PUZZLE = 36
"""The most cells a board may have for puzzles."""

router = APIRouter(prefix="/api")


class GameInfo(msgspec.Struct):
    """A game in a list."""

    name: str
    title: str
    summary: str
    size: str
    rows: int
    cols: int
    target: int | None
    territory: bool
    corner: str
    options: list[str]
    lesson: bool
    """Whether it has a lesson."""


class RulesPage(msgspec.Struct):
    """The rules of a game."""

    name: str
    title: str
    summary: str
    html: str


class PositionInfo(msgspec.Struct):
    """A position to show."""

    view: View
    legal: list[str]
    text: str


class Decided(msgspec.Struct):
    """Whether a game ends the same whatever is played from here."""

    decided: bool


class Ladder(msgspec.Struct):
    """How strong the levels are, as measured."""

    command: str
    rows: list[Rung]


def make_match(
    game: str,
    size: str | None = None,
    target: int | None = None,
    values: str | None = None,
    shuffle: int | None = None,
    first: int = 1,
    moves: str = "",
    position: str | None = None,
) -> Match:
    """The match that options describe; options that are not valid are refused."""
    try:
        opener = None if first == 1 else first
        return open_match(game, size, target, values, shuffle, opener, moves, position or None)
    except QuintetError as error:
        raise ApiError(422, str(error)) from None


GameName = Annotated[str, Query(max_length=40, description="The game's name.")]
Size = Annotated[str | None, Query(max_length=20, description="Rows x columns, or the length of a line.")]
Target = Annotated[int | None, Query(ge=1, le=MAX_TARGET)]
Values = Annotated[str | None, Query(max_length=messages.LONGEST_LIST, description="The cells' values, row by row.")]
Shuffle = Annotated[int | None, Query(ge=0, le=2**53, description="A seed to shuffle the usual values.")]
First = Annotated[int, Query(ge=1, le=2, description="The player who goes first.")]
Moves = Annotated[str, Query(max_length=messages.LONGEST_LIST, description='Moves such as "C3; C4; C2".')]
PositionText = Annotated[
    str | None,
    Query(
        max_length=LONGEST_POSITION, description='A position such as "gridlock X../..O X", instead of an empty board.'
    ),
]


async def requested_match(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    first: First = 1,
    moves: Moves = "",
    position: PositionText = None,
) -> Match:
    """The match that the options of a request describe."""
    return make_match(game, size, target, values, shuffle, first, moves, position)


RequestedMatch = Annotated[Match, Depends(requested_match)]


@router.get("/games", **returns(list[GameInfo]))
async def games() -> Json:
    """All games."""
    return Json(
        [
            GameInfo(
                game.name,
                game.title,
                game.summary,
                start(game).board.size,
                game.rows,
                game.cols,
                game.target or None,
                game.territory,
                game.corner,
                ["size", "first", *(("target", "values", "shuffle") if game.target else ())],
                bool(game.lesson),
            )
            for game in GAMES.values()
        ]
    )


def known_game(name: str) -> Game:
    """The game that an address names."""
    try:
        return find_game(name)
    except UnknownGame as error:
        raise ApiError(404, str(error)) from None


@cache
def rules_html(name: str) -> str:
    """A game's manual as HTML, with the corrections of the rule book folded. HTML inside the manual is escaped."""
    from markdown_it import MarkdownIt

    render = MarkdownIt("commonmark", {"html": False}).render
    rules, _, rulings = GAMES[name].manual.partition(RULINGS)
    folded = f"<details><summary>Corrections of the rule book</summary>{render(rulings)}</details>" if rulings else ""
    return f"{render(rules)}{folded}"


@router.get("/games/{name}/rules", **returns(RulesPage, 404))
async def rules(name: Annotated[str, Path(max_length=40)]) -> Json:
    """The rules of a game, as HTML."""
    game = known_game(name)
    return Json(RulesPage(game.name, game.title, game.summary, rules_html(game.name)))


@cache
def lesson_json(name: str) -> bytes:
    """A game's lesson, made once."""
    return msgspec.json.encode(describe_lesson(GAMES[name]))


@router.get("/lessons/{game}", **returns(LessonInfo, 404))
async def lesson(game: Annotated[str, Path(max_length=40)]) -> Json:
    """A game's lesson: every board that it shows, and what each tap leads to."""
    try:
        return Json(lesson_json(known_game(game).name))
    except NoLesson as error:
        raise ApiError(404, str(error)) from None


@router.get("/engines", **returns(list[EngineInfo]))
async def engines(request: Request) -> Json:
    """All engines you can play against."""
    return Json(players.offered_engines(request.app.state.lobby.workers.custom_players))


@router.get("/position", **returns(PositionInfo))
async def position(match: RequestedMatch) -> Json:
    """A position: its board, its legal moves and its text form."""
    now = match.position
    return Json(PositionInfo(make_view(match), [now.label(move) for move in now.moves], write_position(now)))


@router.get("/effects", **returns(Effects))
async def claim_effects(match: RequestedMatch) -> Json:
    """What every claim does in a position, and why the other unclaimed cells are refused."""
    return Json(effects(match.position), headers={"cache-control": "max-age=3600"})


@router.get("/analysis", **returns(ExplainedAnalysis))
async def analysis(
    request: Request,
    match: RequestedMatch,
    quick: Annotated[bool, Query(description="Answer at once with what is known without a long search.")] = False,
) -> Json:
    """The value of a position and of each legal move, as far as a few seconds allow.

    If `complete` is false in a quick answer, ask again without `quick` for a better one.
    """
    first = match.positions[0]
    seconds = QUICK_SECONDS if quick else ANALYSIS_SECONDS
    arguments = write_position(first), write_moves(first, match.moves), seconds, quick
    return Json(await study(request, ANALYSIS_SECONDS, work.analyze, *arguments))


@router.get("/decided", **returns(Decided))
async def decided(request: Request, match: RequestedMatch) -> Json:
    """Whether a game ends the same whatever both players play from here; false also if that takes too long to say."""
    return Json(await study(request, DECIDED_SECONDS, work.decide, write_position(match.position)))


@router.get("/puzzles/daily", **returns(work.DailyAnswer, 404))
async def daily(
    request: Request, day: Annotated[date | None, Query(description="A past date; by default today in UTC.")] = None
) -> Json:
    """The puzzle of the day, the same for everybody."""
    now = datetime.now(UTC)
    try:
        check_day(day or now.date(), now.date())
    except NoPuzzle as error:
        raise ApiError(404, str(error)) from None
    return Json(await study(request, PUZZLE_SECONDS, work.daily_puzzle, day or now.date(), now))


@router.post("/puzzles/judge", **returns(work.Verdict, body=messages.Guess))
async def judge(request: Request) -> Json:
    """Whether a move solves a puzzle, and the board after it."""
    guess = await read_body(request, messages.Guess)
    try:
        found = read_position(guess.position)
        move = read_move(found, guess.move, screen_label)
    except (InvalidPosition, InvalidMove) as error:
        raise ApiError(422, str(error)) from None
    if move not in found.moves:
        raise ApiError(422, found.refusal(move))
    check_puzzle_board(found)
    return Json(await study(request, PUZZLE_SECONDS, work.judge, guess.position, move))


@router.get("/puzzles/{game}", **returns(work.PuzzleAnswer, 404))
async def puzzle(
    request: Request,
    game: Annotated[str, Path(max_length=40)],
    seed: Annotated[int, Query(ge=0, le=2**53)] = 0,
    rating: Annotated[
        int | None, Query(ge=1, le=HARDEST, description="The difficulty; the nearest one found is used.")
    ] = None,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
) -> Json:
    """The puzzle for a seed."""
    empty = make_match(known_game(game).name, size, target, values, shuffle).position
    check_puzzle_board(empty)
    found = await study(request, PUZZLE_SECONDS, work.make_puzzle, write_position(empty), seed, rating)
    if isinstance(found, str):
        raise ApiError(404, found)
    return Json(found)


def check_puzzle_board(position: Position) -> None:
    """Refuse big boards, which would keep a worker process busy for too long."""
    if position.board.cells > LARGEST_PUZZLE:
        raise ApiError(422, f"Puzzles are limited to boards of up to {LARGEST_PUZZLE} cells.")


@cache
def measured_ladder() -> Ladder:
    """The ladder that comes with the program, as `quintet arena --ladder --json` measured it."""
    return msgspec.json.decode(files("quintet").joinpath("data", "ladder.json").read_bytes(), type=Ladder)


@router.get("/ladder", **returns(Ladder))
async def ladder() -> Json:
    """How strong the levels are, as measured."""
    return Json(measured_ladder())
