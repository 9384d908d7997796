"""Whether a server process can do its work, for those who watch it: people, load balancers, process managers."""

import asyncio
import time

import msgspec
from fastapi import APIRouter
from starlette.requests import Request

from quintet.store.database import StoreFault
from quintet.web.api_error import ApiError
from quintet.web.lobby import Lobby
from quintet.web.responses import Json, returns

ANSWER_SECONDS = 2.0
"""The time that the database has to answer."""
WRITE_SECONDS = 4.0
"""The time that a batch of changes may take."""
SILENT_SECONDS = 5.0
"""The time that the connection for notifications may be silent; it asks for a sign of life every second."""
STALE_SECONDS = 6.0
"""The time since the tables were compared with the store, after which they may be out of date."""

router = APIRouter(prefix="/api")


class Health(msgspec.Struct):
    """Check that the server is running."""

    status: str


@router.get("/health", **returns(Health))
async def health(request: Request) -> Json:
    """Check that the server works: its database answers, changes are written, other processes are heard."""
    return await answer(request.app.state.lobby, "ok")


@router.get("/ready", **returns(Health))
async def ready(request: Request) -> Json:
    """Check that the server should receive visitors: it works, is not starting or draining, and is up to date."""
    lobby = request.app.state.lobby
    if lobby.draining:
        raise ApiError(503, "The server is draining.")
    if lobby.compared is None or not lobby.resumed:
        raise ApiError(503, "The server is starting.")
    if time.monotonic() - lobby.compared > STALE_SECONDS:
        raise ApiError(503, "The tables may be out of date: they could not be compared with the database.")
    return await answer(lobby, "ready")


async def answer(lobby: Lobby, status: str) -> Json:
    """The status, unless something does not work."""
    if (delay := lobby.writer.delay) > WRITE_SECONDS:
        raise ApiError(503, f"Changes have been waiting to be written for {delay:.0f} seconds.")
    if lobby.writer.failure:
        raise ApiError(503, "Changes cannot be written to the database; the log says why.")
    if lobby.heard is not None and (silence := time.monotonic() - lobby.heard) > SILENT_SECONDS:
        raise ApiError(503, f"Changes by other processes have not been received for {silence:.0f} seconds.")
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await lobby.check(lobby.store.check)
    except (StoreFault, TimeoutError):
        raise ApiError(503, "The database is not responding.") from None
    return Json(Health(status))
