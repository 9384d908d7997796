"""Routes to play by: matches begun, joined, looked at and played; records in and out."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from quintet.games import GAMES
from quintet.record import InvalidRecord, read_record, write_record
from quintet.study.reports import ReviewReport
from quintet.view import player_name
from quintet.web import messages, work
from quintet.web.answers import Json, read_body, read_bytes, said
from quintet.web.hall import Hall
from quintet.web.refusal import Refused
from quintet.web.study import open_match
from quintet.web.table import Table

REVIEW_SECONDS = 15.0
MOST_LISTED = 50

router = APIRouter(prefix="/api")
Id = Annotated[str, Path(pattern="^[0-9a-z]{1,20}$", description="The match.")]
SECURED: dict[str, Any] = {"security": [{"seat": []}]}


def hall_of(request: Request) -> Hall:
    """The hall that serves a request."""
    hall: Hall = request.app.state.hall
    return hall


def held(request: Request, table: Table, needed: bool = True) -> list[int]:
    """The seats whose secret a request brings."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token:
        if needed:
            raise Refused(401, "Say who you are: Authorization: Bearer TOKEN.")
        return []
    seats = table.held([token[: messages.LONGEST_TOKEN]])
    if needed and not seats:
        raise Refused(403, "That is no seat's secret here.")
    return seats


def secured(kind: Any, *errors: int, body: type) -> dict[str, Any]:
    """A route that needs a seat's secret."""
    declared = said(kind, 401, 403, 404, 409, *errors, body=body)
    declared["openapi_extra"] |= SECURED
    return declared


@router.post("/matches", **said(messages.Begun, body=messages.NewMatch, status=201))
async def begin(request: Request) -> Json:
    """Begin a match; the secrets of the seats you take are told this once."""
    wish = await read_body(request, messages.NewMatch)
    match = open_match(
        wish.game, wish.size, wish.target, wish.values, wish.shuffle, wish.first, wish.moves, wish.position
    )
    return Json(await hall_of(request).begin(match, wish), 201)


@router.get("/matches", **said(list[messages.Listed]))
async def listed(
    request: Request, ids: Annotated[str, Query(max_length=1_100, description="Up to 50 ids, with commas between.")]
) -> Json:
    """A few matches by their ids; there is no list of everybody's."""
    wanted = [id for id in dict.fromkeys(ids.split(",")) if id]
    if len(wanted) > MOST_LISTED:
        raise Refused(422, f"ask for at most {MOST_LISTED} matches at once")
    if any("\0" in id for id in wanted):
        raise Refused(422, "an id is made of letters and digits")
    hall = hall_of(request)
    entries = await hall.read(lambda: hall.store.entries(ids=wanted))
    return Json(
        [
            messages.Listed(
                entry.id,
                entry.game,
                GAMES[entry.game].title if entry.game in GAMES else entry.game,
                entry.size,
                (player_name(entry.names[0], 1), player_name(entry.names[1], 2)),
                entry.plies,
                entry.result,
                entry.updated.isoformat(),
            )
            for entry in entries
        ]
    )


@router.get("/matches/{id}", **said(messages.Table, 404))
async def table(request: Request, id: Id) -> Json:
    """A table as you see it: with your secret your seats are told too."""
    async with hall_of(request).table(id) as table:
        return Json(table.table_text(held(request, table, needed=False)))


@router.post("/matches/{id}/join", **said(messages.Joined, 404, 409, body=messages.Joining))
async def join(request: Request, id: Id) -> Json:
    """Take a free seat; its secret is told this once."""
    wish = await read_body(request, messages.Joining)
    async with hall_of(request).table(id) as table:
        return Json(await table.join(wish.name, wish.seat))


@router.post("/matches/{id}/moves", **secured(messages.State, body=messages.Moving))
async def move(request: Request, id: Id) -> Json:
    """Play a move; the same one again is answered and not played twice."""
    wish = await read_body(request, messages.Moving)
    async with hall_of(request).table(id) as table:
        await table.move(held(request, table), wish.ply, wish.undone, wish.move)
        return Json(table.state_text())


@router.post("/matches/{id}/resign", **secured(messages.State, body=messages.Nothing))
async def resign(request: Request, id: Id) -> Json:
    """Give up."""
    await read_body(request, messages.Nothing)
    async with hall_of(request).table(id) as table:
        await table.resign(held(request, table))
        return Json(table.state_text())


@router.post("/matches/{id}/undo", **secured(messages.State, body=messages.TakingBack))
async def undo(request: Request, id: Id) -> Json:
    """Offer to take a move back, or answer such an offer; with the history, the same again changes nothing."""
    wish = await read_body(request, messages.TakingBack)
    async with hall_of(request).table(id) as table:
        await table.undo(held(request, table), wish.answer, wish.ply, wish.undone)
        return Json(table.state_text())


@router.post("/matches/{id}/rematch", **secured(messages.State, body=messages.Answering))
async def rematch(request: Request, id: Id) -> Json:
    """Offer to play again, or answer such an offer."""
    wish = await read_body(request, messages.Answering)
    async with hall_of(request).table(id) as table:
        await table.rematch(held(request, table), wish.answer)
        return Json(table.state_text())


@router.get("/matches/{id}/record", **(said(str, 404, media="text/plain")))
async def record(request: Request, id: Id) -> Response:
    """A match as a record."""
    hall = hall_of(request)
    text = write_record(await hall.read(hall.store.record, id))
    return Response(text, media_type="text/plain; charset=utf-8")


@router.post("/records", **said(messages.Kept, body=str, status=201))
async def bring_in(request: Request) -> Json:
    """Keep the match that a record tells of; the same record again is the same match."""
    hall = hall_of(request)
    try:
        found = read_record((await read_bytes(request)).decode())
    except (InvalidRecord, UnicodeDecodeError) as error:
        reason = "the record is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
        raise Refused(422, reason) from None
    if any("\0" in text for text in (*found.tags.values(), *found.comments.values())):
        raise Refused(422, "a record holds text only")
    return Json(messages.Kept(await hall.read(hall.store.add, found)), 201)


@router.get("/matches/{id}/qr", **said(str, 404, media="image/svg+xml"))
async def qr(request: Request, id: Id) -> Response:
    """The match's link as a QR code."""
    import io

    import segno

    async with hall_of(request).table(id):
        picture = io.BytesIO()
        try:
            code = segno.make(f"{request.base_url}match/{id}")
        except segno.DataOverflowError:
            raise Refused(422, "the link is too long for a QR code") from None
        code.save(picture, kind="svg", scale=4, border=2)
        return Response(picture.getvalue(), media_type="image/svg+xml")


@router.get("/matches/{id}/review", **said(ReviewReport, 404, 409))
async def review(request: Request, id: Id) -> Json:
    """A match that is over, graded move by move."""
    hall = hall_of(request)
    found = await hall.read(hall.store.record, id)
    if found.result == "*":
        raise Refused(409, "The game is not over yet.")
    return Json(await hall.thinkers.study(REVIEW_SECONDS, work.review_record, write_record(found), REVIEW_SECONDS))
