"""The routes of pictures: boards as PNG, replays as animated GIF, and cards for the previews of links."""

import hashlib
from collections.abc import Callable
from datetime import date
from typing import Annotated, Literal, TypeVarTuple

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from quintet.language import tr
from quintet.store.online import OnlineMatch
from quintet.store.online_matches import load_online_match
from quintet.study.puzzles import today
from quintet.version import __version__
from quintet.web import work
from quintet.web.api_error import ApiError
from quintet.web.lobby import Lobby
from quintet.web.match_routes import Id, lobby_of
from quintet.web.responses import returns
from quintet.web.study_answers import draw_arguments
from quintet.web.study_requests import study
from quintet.web.study_routes import RequestedMatch

PNG, GIF = "image/png", "image/gif"
PNG_SECONDS, GIF_SECONDS = 2.0, 10.0
LASTING = {"cache-control": "public, max-age=3600"}
"""The same address always gives the same picture."""
CHANGING = {"cache-control": "no-cache"}

Arguments = TypeVarTuple("Arguments")
Theme = Annotated[Literal["light", "dark"], Query(description="The colours.")]
Shape = Annotated[
    Literal["board", "captioned", "card"],
    Query(description="The board, the same with the game's title and the scores, or a card for the preview of a link."),
]

router = APIRouter(prefix="/api")


async def send_picture(
    request: Request,
    media: str,
    headers: dict[str, str],
    function: Callable[[*Arguments], bytes],
    *arguments: *Arguments,
) -> Response:
    """A picture that a worker draws, unless the client has it already."""
    described = repr((__version__, function.__name__, arguments)).encode(errors="replace")
    headers = {**headers, "etag": f'"{hashlib.sha256(described).hexdigest()[:32]}"'}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    picture = await study(request, GIF_SECONDS if media == GIF else PNG_SECONDS, function, *arguments)
    return Response(picture, headers=headers, media_type=media)


async def find_match(lobby: Lobby, id: str) -> OnlineMatch:
    """A match to look at: nobody has come to its table because of that, and no engine starts there."""
    table = lobby.tables.get(id)
    return table.online if table else await lobby.read(load_online_match, lobby.store, id)


@router.get("/picture.png", **returns(bytes, media=PNG))
async def picture(request: Request, match: RequestedMatch, shape: Shape = "board", theme: Theme = "light") -> Response:
    """A position as a picture, with the last move marked."""
    arguments = draw_arguments(match)
    return await send_picture(request, PNG, LASTING, work.draw_png, *arguments, shape, theme == "dark")


@router.get("/replay.gif", **returns(bytes, media=GIF))
async def replay(request: Request, match: RequestedMatch, theme: Theme = "light") -> Response:
    """Moves as an animation."""
    if not match.moves:
        raise ApiError(422, tr("There is nothing to replay: add moves."))
    return await send_picture(request, GIF, LASTING, work.draw_gif, *draw_arguments(match), theme == "dark")


@router.get("/matches/{id}/picture.png", **returns(bytes, 404, media=PNG))
async def match_picture(request: Request, id: Id, shape: Shape = "captioned", theme: Theme = "light") -> Response:
    """The board of a match as it is now."""
    match = (await find_match(lobby_of(request), id)).match
    return await send_picture(request, PNG, CHANGING, work.draw_png, *draw_arguments(match), shape, theme == "dark")


@router.get("/matches/{id}/replay.gif", **returns(bytes, 404, 409, media=GIF))
async def match_replay(request: Request, id: Id, theme: Theme = "light") -> Response:
    """A match so far, as an animation."""
    match = (await find_match(lobby_of(request), id)).match
    if not match.moves:
        raise ApiError(409, tr("There is nothing to replay: no move has been played."))
    return await send_picture(request, GIF, CHANGING, work.draw_gif, *draw_arguments(match), theme == "dark")


@router.get("/puzzles/daily/picture.png", **returns(bytes, media=PNG))
async def daily_picture(
    request: Request,
    day: Annotated[date | None, Query(description="A date; by default today in UTC.")] = None,
    theme: Theme = "light",
) -> Response:
    """A card with the puzzle of the day."""
    headers = LASTING if day else CHANGING
    return await send_picture(request, PNG, headers, work.draw_daily_puzzle, day or today(), theme == "dark")


@router.get("/games/picture.png", **returns(bytes, media=PNG))
async def home_picture(request: Request, theme: Theme = "light") -> Response:
    """A card with all games."""
    return await send_picture(request, PNG, LASTING, work.draw_games, theme == "dark")
