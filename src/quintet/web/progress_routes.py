"""The routes of one's own progress: how well a game was played, and what many games say together."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request

from quintet.language import tr
from quintet.record import UNFINISHED, write_record
from quintet.store.online_matches import load_online_record
from quintet.store.summaries import find_summaries
from quintet.study.progress import Played, PlayedGame, ProgressReport, progress_report
from quintet.web import work
from quintet.web.api_error import ApiError
from quintet.web.match_routes import Id, lobby_of
from quintet.web.responses import Json, read_body, returns
from quintet.web.study_answers import REVIEW_SECONDS
from quintet.web.study_requests import study

router = APIRouter(prefix="/api")


@router.get("/matches/{id}/progress", **returns(PlayedGame, 404, 409))
async def played(
    request: Request, id: Id, player: Annotated[int, Query(ge=1, le=2, description="1 plays X, 2 plays O.")]
) -> Json:
    """How well a player played a finished match: for `POST /api/progress`."""
    lobby = lobby_of(request)
    found = await lobby.read(load_online_record, lobby.store, id)
    if found.result == UNFINISHED:
        raise ApiError(409, tr("The game is not over yet."))
    [entry] = await lobby.read(find_summaries, lobby.store, [id])
    arguments = write_record(found), player, entry.updated.isoformat(), REVIEW_SECONDS
    return Json(await study(request, REVIEW_SECONDS, work.rate_play, *arguments))


@router.post("/progress", **returns(ProgressReport, body=Played))
async def progress(request: Request) -> Json:
    """What some games and puzzles say about who played them. Nothing is saved."""
    body = await read_body(request, Played)
    return Json(progress_report(body.games, body.puzzles))
