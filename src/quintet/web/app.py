"""The service: its routes, its tables and its front door, put together."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
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
from quintet.web import answers, matches, messages, pages, study
from quintet.web.answers import Json
from quintet.web.front import Front
from quintet.web.hall import Hall
from quintet.web.live import Live
from quintet.web.news import listening
from quintet.web.refusal import Refused
from quintet.web.thinkers import Thinkers

log = logging.getLogger("quintet.web")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server process runs."""

    database: str | None = None
    """The store's address; by default where `QUINTET_DATABASE` says."""
    workers: int = 1
    """Processes that think."""
    limited: bool = True
    """Whether one visitor may only ask for so much."""
    guests: Mapping[str, str] = field(default_factory=dict)
    """Players whom the operator brings: what they are called at the tables, and what to ask."""


def make_app(settings: Settings) -> ASGIApp:
    """The service as an ASGI application."""
    app = FastAPI(
        title="Quintet",
        version=version("quintet"),
        description="Five small two-player strategy games, played perfectly: matches, live tables, exact values.",
        lifespan=lambda app: running(app, settings),
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(study.router)
    app.include_router(matches.router)
    app.include_router(pages.router)
    app.mount("/static", pages.Files(directory=pages.FOLDER, check_dir=False), name="static")
    app.add_middleware(GZipMiddleware, minimum_size=1_000)
    app.openapi = lambda: answers.describe(app)  # type: ignore[method-assign]
    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(StoreFault, store_failed)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, other)
    return Front(app, Live(lambda: app.state.hall, settings.limited), settings.limited)


@asynccontextmanager
async def running(app: FastAPI, settings: Settings) -> AsyncIterator[None]:
    """Open the hall, and close it in the end."""
    async with AsyncExitStack() as stack:
        store = stack.enter_context(Store(settings.database))
        thinkers = Thinkers(settings.workers, settings.guests)
        stack.callback(thinkers.close)
        hall = app.state.hall = Hall(store, thinkers)
        stack.push_async_callback(hall.close)
        stack.enter_context(listening(store, hall))
        hall.start(hall.wind_clocks)
        yield


async def refused(_: Request, error: Exception) -> Json:
    """What cannot be granted."""
    assert isinstance(error, Refused)
    headers = {"www-authenticate": "Bearer"} if error.status == 401 else None
    return Json(messages.Problem(str(error)), error.status, headers)


async def store_failed(_: Request, error: Exception) -> Json:
    """A store that does not answer, or does not know a match."""
    if isinstance(error, UnknownMatch):
        return Json(messages.Problem("there is no such match"), 404)
    log.error("%s", error)
    return Json(messages.Problem("the store does not answer; try again later"), 503)


async def invalid(_: Request, error: Exception) -> Json:
    """Options that cannot be read: the first of what is wrong."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return Json(messages.Problem(f"{first['loc'][-1]}: {first['msg']}"), 422)


async def other(request: Request, error: Exception) -> Response:
    """Addresses that lead nowhere, for people in the page's own words, and methods that are not allowed."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.page(404)
    return Json(messages.Problem(str(error.detail)), error.status_code, error.headers)
