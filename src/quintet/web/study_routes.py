"""The routes of study: games and rules, engines, positions, analyses, puzzles, the ladder."""

from datetime import UTC, date, datetime
from functools import cache
from html import escape
from typing import Annotated
from zlib import crc32

import msgspec
from fastapi import APIRouter, Depends, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from quintet.effects import Effects, effects
from quintet.games import GAMES
from quintet.language import LANGUAGES, chosen_language, language, page_texts, tr, tr_markdown
from quintet.lesson import LessonInfo
from quintet.match import Match
from quintet.notation import LONGEST_POSITION, write_position
from quintet.options import LONGEST_SIZE, MAX_TARGET
from quintet.study.puzzles import HARDEST, NoPuzzle, check_day
from quintet.study.reports import ExplainedAnalysis
from quintet.web import messages, players, work
from quintet.web.api_error import ApiError
from quintet.web.players import EngineInfo
from quintet.web.responses import Json, read_body, returns
from quintet.web.study_answers import (
    ANALYSIS_SECONDS,
    DECIDED_SECONDS,
    PUZZLE_SECONDS,
    Decided,
    GameInfo,
    Ladder,
    PositionInfo,
    analysis_arguments,
    as_html,
    check_puzzle_board,
    describe_position,
    known_game,
    lesson_json,
    list_games,
    make_match,
    measured_ladder,
    read_guess,
)
from quintet.web.study_requests import study

RULINGS = "**Rulings.**"
"""What comes before the corrections in a manual."""
router = APIRouter(prefix="/api")


class RulesPage(msgspec.Struct):
    """The rules of a game."""

    name: str
    title: str
    summary: str
    html: str


GameName = Annotated[str, Query(max_length=40, description="The game's name.")]
Size = Annotated[
    str | None,
    Query(max_length=LONGEST_SIZE, description="Rows x columns, or the length of a line; 5x5-C3-D4 without C3 and D4."),
]
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
    return Json(list_games())


@cache
def rules_html(name: str, code: str) -> str:
    """A game's manual as HTML, with the corrections of the rule book folded."""
    rules, _, rulings = GAMES[name].manual.partition(RULINGS)
    with language(code):
        html = as_html(tr_markdown(rules))
        if rulings:
            title = escape(tr("Corrections of the rule book"))
            html += f"<details><summary>{title}</summary>{as_html(tr_markdown(rulings))}</details>"
    return html


@router.get("/games/{name}/rules", **returns(RulesPage, 404))
async def rules(name: Annotated[str, Path(max_length=40)]) -> Json:
    """The rules of a game, as HTML."""
    game = known_game(name)
    return Json(RulesPage(game.name, tr(game.title), tr(game.summary), rules_html(game.name, chosen_language())))


@router.get("/lessons/{game}", **returns(LessonInfo, 404))
async def lesson(game: Annotated[str, Path(max_length=40)]) -> Json:
    """A game's lesson: every board that it shows, and what each tap leads to."""
    return Json(lesson_json(known_game(game).name, chosen_language()))


@router.get("/languages/{code}", **returns(dict[str, str | list[str]], 404))
async def texts(request: Request, code: Annotated[str, Path(max_length=10)]) -> Response:
    """The page's texts in a language: a translation, or one for each plural form, by the English text."""
    if code not in LANGUAGES:
        raise ApiError(404, tr("There is no such language here."))
    body = page_texts(code)
    headers = {"etag": f'"{crc32(body):08x}"', "cache-control": "no-cache"}
    if request.headers.get("if-none-match", "").removeprefix("W/") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Json(body, headers=headers)


@router.get("/engines", **returns(list[EngineInfo]))
async def engines(request: Request) -> Json:
    """All engines you can play against."""
    return Json(players.offered_engines(request.app.state.lobby.workers.custom_players))


@router.get("/position", **returns(PositionInfo))
async def position(match: RequestedMatch) -> Json:
    """A position: its board, its legal moves and its text form."""
    return Json(describe_position(match))


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
    return Json(await study(request, ANALYSIS_SECONDS, work.analyze, *analysis_arguments(match, quick)))


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
    move = read_guess(guess)
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


@router.get("/ladder", **returns(Ladder))
async def ladder() -> Json:
    """How strong the levels are, as measured."""
    return Json(measured_ladder())
