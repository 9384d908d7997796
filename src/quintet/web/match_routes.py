"""The routes of matches: create, join, watch and play them, import and export records."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from quintet.games import GAMES
from quintet.language import later, tr
from quintet.record import UNFINISHED, InvalidRecord, read_record, write_record
from quintet.store.online_matches import load_online_record, load_seats
from quintet.store.summaries import find_summaries
from quintet.study.reports import ReviewReport
from quintet.web import messages, work
from quintet.web.api_error import ApiError
from quintet.web.hosts import listens_to_all, port_of, shared_url
from quintet.web.limits import client_address
from quintet.web.lobby import Lobby
from quintet.web.players import seat_title, seat_who
from quintet.web.responses import Json, RouteOptions, bearer_token, read_body, read_bytes, returns
from quintet.web.study_answers import MAX_LISTED, REVIEW_SECONDS, make_match
from quintet.web.study_requests import study
from quintet.web.table import Table

ONLY_HERE = later("Only this computer can open this link. To invite others, start the server with {command}")
ACCEPT_OTHERS = "quintet serve --host 0.0.0.0"
OTHER_ADDRESS = later(
    "Only this computer can open this link. To invite others, open this page with an address that they can open too."
)
NO_NETWORK = later("Only this computer can open this link: it is not connected to a network.")

router = APIRouter(prefix="/api")
Id = Annotated[str, Path(pattern="^[0-9a-z]{1,20}$", description="The ID of the match.")]


def lobby_of(request: Request) -> Lobby:
    """The lobby that serves a request."""
    lobby: Lobby = request.app.state.lobby
    return lobby


def token_of(request: Request) -> str:
    """The token of a seat that a request carries; empty if there is none."""
    return bearer_token(request)[: messages.LONGEST_TOKEN]


async def change(request: Request, id: str, act: Callable[[Table, list[int]], Awaitable[None]]) -> Json:
    """Let the player whose token a request carries act at a table; gives the state after that."""
    token = token_of(request)
    async with lobby_of(request).table(id) as table:
        if not token:
            raise ApiError(401, tr("Send the token of your seat: Authorization: Bearer TOKEN."))
        seats = await table.find_seats([token])
        if not seats:
            raise ApiError(403, tr("That token is not valid for a seat at this table."))
        await act(table, seats)
        return Json(table.read_state())


def changes(body: type) -> RouteOptions:
    """The options of a route that changes a table, for which a token is required."""
    options = returns(messages.State, 401, 403, 404, 409, body=body)
    options["openapi_extra"]["security"] = [{"seat": []}]
    return options


@router.post("/matches", **returns(messages.CreatedMatch, body=messages.NewMatch, status=201))
async def create(request: Request) -> Json:
    """Create a match. The tokens of the seats you take are returned only here. The same `key` gives the same match."""
    body = await read_body(request, messages.NewMatch)
    match = make_match(
        body.game, body.size, body.target, body.values, body.shuffle, body.first, body.moves, body.position
    )
    return Json(await lobby_of(request).create(match, body), 201)


@router.get("/matches", **returns(list[messages.MatchSummary]))
async def summaries(
    request: Request,
    ids: Annotated[str, Query(max_length=1_100, description="Up to 50 IDs, separated by commas.")],
) -> Json:
    """Several matches by their IDs. There is no list of all matches."""
    wanted = [id for id in dict.fromkeys(ids.split(",")) if id]
    if len(wanted) > MAX_LISTED:
        raise ApiError(422, tr("Ask for at most {most} matches at once.", most=MAX_LISTED))
    if any("\0" in id for id in wanted):
        raise ApiError(422, tr("An ID has only letters and digits."))
    lobby = lobby_of(request)
    async with lobby.lists.place(client_address(request.scope)):
        entries = await lobby.read(find_summaries, lobby.store, wanted)
        seats = await lobby.read(load_seats, lobby.store, [entry.id for entry in entries])
    return Json(
        [
            messages.MatchSummary(
                entry.id,
                entry.game,
                tr(GAMES[entry.game].title) if entry.game in GAMES else entry.game,
                entry.size,
                (
                    seat_title(seats.get((entry.id, 1)), entry.names[0], 1),
                    seat_title(seats.get((entry.id, 2)), entry.names[1], 2),
                ),
                entry.plies,
                entry.result,
                entry.updated.isoformat(),
                (seat_who(seats.get((entry.id, 1))), seat_who(seats.get((entry.id, 2)))),
            )
            for entry in entries
        ]
    )


@router.get("/matches/{id}", **returns(messages.Table, 404))
async def table(request: Request, id: Id) -> Json:
    """A table as you see it. With your token, the response names your seats."""
    async with lobby_of(request).table(id) as table:
        return Json(table.describe(await table.find_seats([token_of(request)])))


@router.post("/matches/{id}/join", **returns(messages.TakenSeat, 404, 409, body=messages.JoinRequest))
async def join(request: Request, id: Id) -> Json:
    """Take a free seat. Its token is returned only here. With a `key`, sending it again returns the same seat."""
    body = await read_body(request, messages.JoinRequest)
    async with lobby_of(request).table(id) as table:
        return Json(await table.join(body.name, body.seat, body.key))


@router.post("/matches/{id}/moves", **changes(messages.MoveRequest))
async def move(request: Request, id: Id) -> Json:
    """Play a move. Sending the same move again does not play it twice."""
    body = await read_body(request, messages.MoveRequest)
    return await change(request, id, lambda table, seats: table.move(seats, body.ply, body.undone, body.move))


@router.post("/matches/{id}/resign", **changes(messages.Empty))
async def resign(request: Request, id: Id) -> Json:
    """Resign the game."""
    await read_body(request, messages.Empty)
    return await change(request, id, lambda table, seats: table.resign(seats))


@router.post("/matches/{id}/rematch", **changes(messages.OfferRequest))
async def rematch(request: Request, id: Id) -> Json:
    """Offer a rematch, or answer such an offer."""
    body = await read_body(request, messages.OfferRequest)
    return await change(request, id, lambda table, seats: table.rematch(seats, body.answer))


@router.post("/matches/{id}/undo", **changes(messages.UndoRequest))
async def undo(request: Request, id: Id) -> Json:
    """Offer to undo a move, or answer such an offer. With `ply` and `undone`, sending it twice changes nothing more."""
    body = await read_body(request, messages.UndoRequest)
    return await change(request, id, lambda table, seats: table.undo(seats, body.answer, body.ply, body.undone))


@router.get("/matches/{id}/record", **returns(str, 404, media="text/plain"))
async def record(request: Request, id: Id) -> Response:
    """A match as a game record."""
    lobby = lobby_of(request)
    text = write_record(await lobby.read(load_online_record, lobby.store, id))
    return Response(text, media_type="text/plain; charset=utf-8")


@router.post("/records", **returns(messages.ImportedMatch, body=str, status=201))
async def import_record(request: Request) -> Json:
    """Import a game record. Importing the same record twice gives one match."""
    lobby = lobby_of(request)
    try:
        found = read_record((await read_bytes(request)).decode())
    except (InvalidRecord, UnicodeDecodeError) as error:
        reason = tr("The record is not UTF-8 text.") if isinstance(error, UnicodeDecodeError) else str(error)
        raise ApiError(422, reason) from None
    if any("\0" in text for text in (*found.tags.values(), *found.comments.values())):
        raise ApiError(422, tr("A record cannot contain null characters."))
    return Json(messages.ImportedMatch(await lobby.read(lobby.store.add, found, True)), 201)


def invite(request: Request, id: str, kind: str = "match") -> messages.Invitation:
    """The link to a match or a tournament: with this machine's address in the network, if it was opened there."""
    here, listening_on = f"{request.base_url}{kind}/{id}", request.app.state.listening_on
    port = own_port(request)
    url = shared_url(here, listening_on, port)
    if url:
        return messages.Invitation(url)
    if port is None or port_of(urlsplit(here)) != port:
        return messages.Invitation(here, tr(OTHER_ADDRESS))
    if listens_to_all(listening_on):
        return messages.Invitation(here, tr(NO_NETWORK))
    return messages.Invitation(here, tr(ONLY_HERE, command=ACCEPT_OTHERS), ACCEPT_OTHERS)


def own_port(request: Request) -> int | None:
    """The port that a request came to; `None` if a proxy sent it on, or if it came through a Unix socket."""
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return None
    server: tuple[str, int | None] | None = request.scope.get("server")
    return server[1] if server else None


@router.get("/matches/{id}/invitation", **returns(messages.Invitation, 404))
async def invitation(request: Request, id: Id) -> Json:
    """The match's link, under an address that others can open where there is one."""
    async with lobby_of(request).table(id):
        return Json(invite(request, id))


@router.get("/matches/{id}/qr", **returns(str, 404, media="image/svg+xml"))
async def qr(request: Request, id: Id) -> Response:
    """The match's link as a QR code."""
    async with lobby_of(request).table(id):
        return qr_code(invite(request, id).url)


def qr_code(url: str) -> Response:
    """A link as a QR code."""
    import io

    import segno

    picture = io.BytesIO()
    try:
        code = segno.make(url)
    except segno.DataOverflowError:
        raise ApiError(422, tr("The link is too long for a QR code.")) from None
    code.save(picture, kind="svg", scale=4, border=2)
    return Response(picture.getvalue(), media_type="image/svg+xml")


@router.get("/matches/{id}/review", **returns(ReviewReport, 404, 409))
async def review(request: Request, id: Id) -> Json:
    """The review of a finished match, move by move."""
    lobby = lobby_of(request)
    found = await lobby.read(load_online_record, lobby.store, id)
    if found.result == UNFINISHED:
        raise ApiError(409, tr("The game is not over yet."))
    return Json(await study(request, REVIEW_SECONDS, work.review_record, write_record(found), REVIEW_SECONDS))
