"""The routes of tournaments: create, join, watch and organise them."""

import hashlib
import secrets
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from quintet.engines import HUMAN
from quintet.language import tr
from quintet.web import messages, tournament_changes, tournament_messages, tournament_rounds
from quintet.web.api_error import ApiError
from quintet.web.match_routes import invite, qr_code, token_of
from quintet.web.players import check_player
from quintet.web.responses import Json, RouteOptions, read_body, returns
from quintet.web.study_answers import make_match
from quintet.web.tournaments import LiveTournament, Tournaments

router = APIRouter(prefix="/api/tournaments")
Id = Annotated[str, Path(pattern="^[0-9a-z]{1,20}$", description="The ID of the tournament.")]


def tournaments_of(request: Request) -> Tournaments:
    """The tournaments of the process that serves a request."""
    tournaments: Tournaments = request.app.state.tournaments
    return tournaments


async def find(request: Request, id: str) -> LiveTournament:
    """The tournament that a request is about."""
    return await tournaments_of(request).find(id)


def changes(body: type, returned: type = tournament_messages.TournamentInfo) -> RouteOptions:
    """The options of a route that needs the token of an entry or of the organiser."""
    options = returns(returned, 401, 403, 404, 409, body=body)
    options["openapi_extra"]["security"] = [{"seat": []}]
    return options


async def organised(request: Request, id: str) -> LiveTournament:
    """The tournament of an organiser, whose token the request carries."""
    live = await find(request, id)
    live.check_organiser(token_of(request))
    return live


@router.post("", **returns(tournament_messages.CreatedTournament, body=tournament_messages.NewTournament, status=201))
async def create(request: Request) -> Json:
    """Create a tournament. The organiser's token is returned only here. The same `key` gives the same tournament."""
    body = await read_body(request, tournament_messages.NewTournament)
    match = make_match(body.game, body.size, body.target, body.values, body.shuffle)
    return Json(await tournaments_of(request).create(match, body), 201)


@router.get("/{id}", **returns(tournament_messages.TournamentInfo, 404))
async def tournament(request: Request, id: Id) -> Response:
    """A tournament with its entries, rounds and standings. It advances while somebody asks for it."""
    answer = (await find(request, id)).answer()
    headers = {"etag": f'"{hashlib.sha256(answer).hexdigest()[:32]}"', "cache-control": "no-cache"}
    if request.headers.get("if-none-match", "").removeprefix("W/") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Json(answer, headers=headers)


@router.post("/{id}/entries", **returns(tournament_messages.TakenEntry, 404, 409, body=tournament_messages.NewEntry))
async def join(request: Request, id: Id) -> Json:
    """Take part. The token is returned only here; it is that of your seats too. The same `key` gives the same entry."""
    body = await read_body(request, tournament_messages.NewEntry)
    live, token = await find(request, id), body.key or secrets.token_urlsafe(24)
    await live.change(lambda draft: tournament_changes.join(draft, token, body.name))
    entry = tournament_changes.own_entry(live.tournament, token)
    return Json(tournament_messages.TakenEntry(entry.number, token))


@router.post("/{id}/leave", **changes(messages.Empty))
async def leave(request: Request, id: Id) -> Json:
    """Leave: your open game is lost, and you are not paired again unless you return."""
    await read_body(request, messages.Empty)
    live, token = await find(request, id), own_token(request)
    await live.change(lambda draft: tournament_changes.leave(draft, tournament_changes.own_entry(draft, token)))
    return Json(live.answer())


@router.post("/{id}/return", **changes(messages.Empty))
async def come_back(request: Request, id: Id) -> Json:
    """Return after you left: you are paired again from the next round on."""
    await read_body(request, messages.Empty)
    live, token = await find(request, id), own_token(request)
    await live.change(lambda draft: tournament_changes.come_back(draft, tournament_changes.own_entry(draft, token)))
    return Json(live.answer())


def own_token(request: Request) -> str:
    """The token of an entry that a request carries."""
    token = token_of(request)
    if not token:
        raise ApiError(401, tr("Send the token of your entry: Authorization: Bearer TOKEN."))
    return token


@router.post("/{id}/engines", **changes(tournament_messages.NewEngine))
async def add_engine(request: Request, id: Id) -> Json:
    """Let an engine take part (organiser)."""
    body = await read_body(request, tournament_messages.NewEngine)
    live = await organised(request, id)
    who = check_player(body.who, live.lobby.workers.custom_players)
    if who == HUMAN:
        raise ApiError(422, tr("People join by themselves."))
    await live.change(lambda draft: tournament_changes.add_engine(draft, who))
    return Json(live.answer())


@router.post("/{id}/remove", **changes(tournament_messages.EntryNumber))
async def remove(request: Request, id: Id) -> Json:
    """Remove an entry (organiser). Its open game is lost."""
    body = await read_body(request, tournament_messages.EntryNumber)
    live = await organised(request, id)
    await live.change(
        lambda draft: tournament_changes.leave(draft, tournament_changes.numbered_entry(draft, body.entry), True)
    )
    return Json(live.answer())


@router.post("/{id}/start", **changes(tournament_messages.WantedRound))
async def start(request: Request, id: Id) -> Json:
    """Begin a round (organiser): the first, or the next one if all games have ended."""
    body = await read_body(request, tournament_messages.WantedRound)
    live = await organised(request, id)
    await live.change(lambda draft: tournament_rounds.begin_round(draft, body.round))
    return Json(live.answer())


@router.post("/{id}/rule", **changes(tournament_messages.Ruling))
async def rule(request: Request, id: Id) -> Json:
    """End a game of the current round (organiser): the entry named loses it."""
    body = await read_body(request, tournament_messages.Ruling)
    live = await organised(request, id)
    await live.change(lambda draft: tournament_changes.rule(draft, body.entry, body.match))
    return Json(live.answer())


@router.get("/{id}/invitation", **returns(messages.Invitation, 404))
async def invitation(request: Request, id: Id) -> Json:
    """The tournament's link, under an address that others can open where there is one."""
    await find(request, id)
    return Json(invite(request, id, "tournament"))


@router.get("/{id}/qr", **returns(str, 404, media="image/svg+xml"))
async def qr(request: Request, id: Id) -> Response:
    """The tournament's link as a QR code."""
    await find(request, id)
    return qr_code(invite(request, id, "tournament").url)
