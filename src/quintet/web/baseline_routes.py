"""The routes of human baselines: a person plays the samples of a suite, and every turn is stored.

Nothing here says how good a move was: that is graded later, as for a model.
"""

from hmac import compare_digest
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query
from msgspec import Meta
from starlette.requests import Request

from quintet.games import GAMES
from quintet.language import later, tr, tr_markdown
from quintet.notation import InvalidMove, read_move, read_position, write_position
from quintet.rules import IllegalMove, play_all
from quintet.store.baselines import Baseline, BaselineTurn, load_baseline, open_baseline, save_turn
from quintet.store.online import hash_token
from quintet.suites.course import Place, course, find_place, match_of
from quintet.suites.samples import SampleSpec
from quintet.suites.suite import Suite, UnknownSuite, load_suite
from quintet.text.prompt import rules_text
from quintet.view import View, make_view
from quintet.web.api_error import ApiError
from quintet.web.match_routes import lobby_of, token_of
from quintet.web.messages import Count, Key, MoveText, Player, Strict
from quintet.web.responses import Json, read_body, returns
from quintet.web.study_answers import as_html
from quintet.web.study_requests import study

SECONDS = 20.0
"""For the opponent's moves, which come from an exact solution."""
NOT_NOW = later("This is not the move to make now. Reload the page.")
LONGEST_TURN = 86_400_000
"""The most milliseconds of a turn."""

router = APIRouter(prefix="/api/baselines")
Id = Annotated[str, Path(pattern="^[0-9a-z]{1,20}$", description="The ID of the baseline.")]


class NewBaseline(Strict):
    """A participant who begins, or continues with the same key."""

    suite: Annotated[str, Meta(max_length=40, description="A suite such as quick.")]
    code: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$", description="What the participant is called.")]
    key: Key
    game: Annotated[str, Meta(max_length=40, description="Only the samples of this game.")] = ""


class PlayedTurn(Strict):
    """A move of the participant."""

    number: Annotated[int, Meta(ge=0, le=1_000_000, description="Which sample it is, counted from 0.")]
    turn: Count
    move: MoveText
    milliseconds: Annotated[int, Meta(ge=0, le=LONGEST_TURN, description="How long the participant took.")]


class SampleInfo(msgspec.Struct):
    """A sample as the participant sees it."""

    number: int
    """Which sample it is, counted from 0."""
    turn: int
    """Which turn of the participant, counted from 0."""
    single: bool
    """Whether a single move is asked for, not a game."""
    player: Player
    """Who the participant is."""
    position: str
    view: View
    rules: str
    """The rules that models are given, as HTML."""


class BaselineOffer(msgspec.Struct):
    """What there is to play."""

    suite: str
    """The suite with its version."""
    games: int
    total: int
    """Games and single positions."""


class BaselineInfo(msgspec.Struct):
    """How far a participant is."""

    id: str
    total: int
    """How many samples there are."""
    sample: SampleInfo | None
    """The sample to play now; none at the end."""
    ended: SampleInfo | None
    """The sample that the last move ended."""


@router.get("", **returns(BaselineOffer, 404))
async def offer(
    request: Request,
    suite: Annotated[str, Query(max_length=40, description="A suite such as quick.")],
    game: Annotated[str, Query(max_length=40, description="Only the samples of this game.")] = "",
) -> Json:
    """What there is to play, if this server records a baseline on that suite."""
    found = offered(request, suite, game)
    specs = course(found, game)
    return Json(BaselineOffer(found.full_name, sum(spec.opponent is not None for spec in specs), len(specs)))


def offered(request: Request, name: str, game: str) -> Suite:
    """A suite on which this server records a baseline."""
    try:
        suite = load_suite(name)
    except UnknownSuite:
        suite = None
    if suite is None or suite.full_name not in request.app.state.baselines or (game and game not in GAMES):
        raise ApiError(404, tr("This server does not record a baseline on that suite."))
    return suite


@router.post("", **returns(BaselineInfo, 404, 409, body=NewBaseline))
async def begin(request: Request) -> Json:
    """Begin to play a suite that this server offers, or continue. The key is the token for your moves."""
    body = await read_body(request, NewBaseline)
    lobby = lobby_of(request)
    suite = offered(request, body.suite, body.game).full_name
    hashed = hash_token(body.key)
    found = await lobby.read(open_baseline, lobby.store, suite, body.game, body.code, hashed)
    if not compare_digest(found.token_hash, hashed):
        raise ApiError(409, tr("This code is in use in another browser. Continue there, or use another code."))
    return Json(await describe(request, found))


@router.post("/{id}/turns", **returns(BaselineInfo, 401, 403, 404, 409, body=PlayedTurn))
async def play(request: Request, id: Id) -> Json:
    """Make a move. It is stored before it is answered, and cannot be taken back."""
    body = await read_body(request, PlayedTurn)
    lobby = lobby_of(request)
    token = token_of(request)
    if not token:
        raise ApiError(401, tr("Send the key of your baseline: Authorization: Bearer KEY."))
    found = await lobby.read(load_baseline, lobby.store, id)
    if not compare_digest(found.token_hash, hash_token(token)):
        raise ApiError(403, tr("This baseline belongs to another key."))
    known = next((turn for turn in found.turns if (turn.number, turn.turn) == (body.number, body.turn)), None)
    if not known:
        known = await next_turn(request, found, body)
        if not await lobby.read(save_turn, lobby.store, id, known):
            raise ApiError(409, tr(NOT_NOW))
        found.turns.append(known)
    elif known.move != body.move:
        raise ApiError(409, tr("A different move was already played."))
    return Json(await describe(request, found, known.number))


async def next_turn(request: Request, baseline: Baseline, body: PlayedTurn) -> BaselineTurn:
    """The turn to store, if the move is the next one and legal."""
    specs = samples_of(baseline)
    number, moves, _ = await find(request, baseline)
    if number == len(specs) or (body.number, body.turn) != (number, len(choices_at(baseline, number))):
        raise ApiError(409, tr(NOT_NOW))
    position = play_all(specs[number].start, moves)
    try:
        move = read_move(position, body.move)
        position.play(move)
    except (InvalidMove, IllegalMove) as error:
        raise ApiError(422, str(error)) from None
    return BaselineTurn(number, body.turn, write_position(position), position.label(move), body.milliseconds)


def samples_of(baseline: Baseline) -> tuple[SampleSpec, ...]:
    """The samples of a baseline, in order."""
    return course(load_suite(baseline.suite), baseline.game)


def choices_at(baseline: Baseline, number: int) -> list[int]:
    """The participant's moves in a sample."""
    turns = (turn for turn in baseline.turns if turn.number == number)
    return [read_move(read_position(turn.position), turn.move) for turn in turns]


async def find(request: Request, baseline: Baseline) -> Place:
    """How far a participant is; a worker process plays for the opponent."""
    number = max((turn.number for turn in baseline.turns), default=0)
    return await study(request, SECONDS, find_place, samples_of(baseline), number, choices_at(baseline, number))


async def describe(request: Request, baseline: Baseline, last: int | None = None) -> BaselineInfo:
    """How far a participant is; with the sample of the last move, if that has ended."""
    specs = samples_of(baseline)
    number, moves, before = await find(request, baseline)
    ended = sample_info(baseline, last, specs[last], before) if last is not None and last < number else None
    now = sample_info(baseline, number, specs[number], moves) if number < len(specs) else None
    return BaselineInfo(baseline.id, len(specs), now, ended)


def sample_info(baseline: Baseline, number: int, spec: SampleSpec, moves: list[int]) -> SampleInfo:
    """A sample as its participant sees it."""
    match = match_of(spec, moves)
    view = make_view(match, you=spec.player, titles=(tr("Opponent"), tr("Opponent")))
    rules = as_html(tr_markdown(rules_text(spec.start.game, "full")))
    turn, single = len(choices_at(baseline, number)), spec.opponent is None
    return SampleInfo(number, turn, single, spec.player, write_position(match.position), view, rules)
