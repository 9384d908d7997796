"""The web service: its routes, its live tables and its gateway, put together."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from quintet.store.database import StoreFault
from quintet.store.matches import Store
from quintet.store.rows import UnknownMatch
from quintet.web import match_routes, messages, pages, study_routes
from quintet.web.api_error import ApiError
from quintet.web.cleanup import delete_old_matches
from quintet.web.gateway import Gateway
from quintet.web.lobby import Lobby
from quintet.web.notifications import listening
from quintet.web.responses import Json, Service
from quintet.web.sockets import SocketServer
from quintet.web.workers import WorkerPool

log = logging.getLogger("quintet.web")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server process runs."""

    database: str | None = None
    """The database's URL; by default the one that `QUINTET_DATABASE` names."""
    workers: int = 1
    """Worker processes for engines and analysis."""
    limited: bool = True
    """Whether there are rate limits."""
    custom_players: Mapping[str, str] = field(default_factory=dict)
    """Players that the operator offers: who they are, by their names."""
    delete_after: int | None = None
    """Days after which a match that nobody uses is deleted; `None` keeps all."""


def make_app(settings: Settings) -> ASGIApp:
    """The service as an ASGI application."""
    app = Service(
        title="Quintet",
        version=version("quintet"),
        description="Five small two-player strategy games, played perfectly: matches, live tables, exact values.",
        lifespan=lambda app: running(app, settings),
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(study_routes.router)
    app.include_router(match_routes.router)
    app.include_router(pages.router)
    app.mount("/static", pages.Files(directory=pages.FOLDER, check_dir=False), name="static")
    app.add_middleware(GZipMiddleware, minimum_size=1_000)
    app.add_exception_handler(ApiError, on_api_error)
    app.add_exception_handler(StoreFault, on_store_fault)
    app.add_exception_handler(RequestValidationError, on_invalid_options)
    app.add_exception_handler(HTTPException, on_http_error)
    return Gateway(app, SocketServer(lambda: app.state.lobby, settings.limited), settings.limited)


@asynccontextmanager
async def running(app: FastAPI, settings: Settings) -> AsyncIterator[None]:
    """Open the lobby, and close it at the end."""
    async with AsyncExitStack() as stack:
        store = stack.enter_context(Store(settings.database))
        workers = WorkerPool(settings.workers, settings.custom_players)
        stack.callback(workers.close)
        delete_after = timedelta(settings.delete_after) if settings.delete_after else None
        lobby = app.state.lobby = Lobby(store, workers, delete_after)
        stack.push_async_callback(lobby.close)
        stack.enter_context(listening(store, lobby))
        lobby.start(lobby.resume_clocks())
        if delete_after:
            lobby.start(delete_old_matches(lobby, delete_after))
        yield


async def on_api_error(_: Request, error: Exception) -> Json:
    """A request that is refused."""
    assert isinstance(error, ApiError)
    headers = {"www-authenticate": "Bearer"} if error.http_status == 401 else None
    return Json(messages.Problem(str(error)), error.http_status, headers)


async def on_store_fault(_: Request, error: Exception) -> Json:
    """A database that does not answer, or a match that is not in it."""
    if isinstance(error, UnknownMatch):
        return Json(messages.Problem("Match not found."), 404)
    log.error("%s", error)
    return Json(messages.Problem("The database is not responding; try again later."), 503)


async def on_invalid_options(_: Request, error: Exception) -> Json:
    """Options in the URL that are not valid: the first of them."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return Json(messages.Problem(f"{first['loc'][-1]}: {first['msg']}"), 422)


async def on_http_error(request: Request, error: Exception) -> Response:
    """An unknown address, for people on the page itself, or a method that is not allowed."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.page(404)
    return Json(messages.Problem(str(error.detail)), error.status_code, error.headers)
