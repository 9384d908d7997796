"""The web service: its routes, its live tables and its gateway, put together."""

import asyncio
import logging
import shlex
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from quintet.language import tr
from quintet.store.database import StoreFault, find_database
from quintet.store.matches import Store
from quintet.store.rows import UnknownMatch
from quintet.store.tournaments import UnknownTournament
from quintet.version import __version__
from quintet.web import (
    baseline_routes,
    health,
    match_routes,
    messages,
    metrics,
    operator,
    pages,
    picture_routes,
    progress_routes,
    study_routes,
    tournament_routes,
)
from quintet.web.api_error import ApiError
from quintet.web.cleanup import delete_old_matches
from quintet.web.faults import count_error, count_refusal, explain, report
from quintet.web.gateway import Gateway
from quintet.web.lobby import Lobby
from quintet.web.logs import Form, Level
from quintet.web.notifications import listening
from quintet.web.responses import Json, Service
from quintet.web.sockets import SocketServer
from quintet.web.tournaments import Tournaments
from quintet.web.workers import WorkerPool

SHORTEST_ARGUMENT = 6
"""Characters of an argument of a program that is hidden in the log; a shorter one is an ordinary word."""

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
    hosts: tuple[str, ...] = ()
    """Host names that the server answers to, besides addresses and this machine's own names."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies that say whom they ask for; by default those that `FORWARDED_ALLOW_IPS` names."""
    delete_after: int | None = None
    """Days after which a match that nobody uses is deleted; `None` keeps all."""
    operator_token: str | None = field(default=None, repr=False)
    """The token of the operator's page; without one there is no such page."""
    processes: int = 1
    """Server processes that share the address."""
    drain: float = 0
    """Seconds for which visitors are still accepted after the server was told to stop."""
    log: Form = Form.TEXT
    """How the log is written."""
    log_level: Level = Level.WARNING
    """What is logged at least."""
    listening_on: str = "127.0.0.1"
    """The address that the server listens on; `0.0.0.0` accepts other machines."""
    baselines: tuple[str, ...] = ()
    """The suites, with their versions, on which human baselines are recorded."""

    @property
    def secrets(self) -> list[str]:
        """What must never be in the log: the token, the database's password, and the arguments of programs."""
        address = find_database(self.database)
        arguments = (word for who in self.custom_players.values() for word in split_arguments(who))
        secrets = (self.operator_token, address.password, address.query.get("password"), *arguments)
        return [secret for secret in secrets if isinstance(secret, str)]


def split_arguments(who: str) -> list[str]:
    """The arguments of a program that may be secrets, those of options such as `--token=KEY` too."""
    try:
        words = shlex.split(who)[1:]
    except ValueError:  # A quotation mark is missing.
        words = who.split()[1:]
    values = [word.partition("=")[2] for word in words if "=" in word]
    plain = [word for word in words if not word.startswith("-") or "=" in word]
    return [text for text in (*plain, *values) if len(text) >= SHORTEST_ARGUMENT]


def make_app(settings: Settings) -> Gateway:
    """The service as an ASGI application."""
    app = Service(
        title="Quintet",
        version=__version__,
        description="Five small two-player strategy games, played perfectly: matches, live tables, exact values.",
        lifespan=lambda app: running(app, settings),
        docs_url=None,
        redoc_url=None,
    )
    app.state.listening_on = settings.listening_on
    app.state.baselines = settings.baselines
    app.include_router(health.router)
    app.include_router(picture_routes.router)
    app.include_router(study_routes.router)
    app.include_router(match_routes.router)
    app.include_router(progress_routes.router)
    app.include_router(tournament_routes.router)
    app.include_router(baseline_routes.router)
    app.include_router(operator.router)
    app.include_router(pages.router)
    if settings.operator_token:
        app.add_api_route("/operator", pages.index, include_in_schema=False)
    app.mount("/static", pages.Files(directory=pages.FOLDER, check_dir=False), name="static")
    app.add_middleware(GZipMiddleware)
    app.add_exception_handler(Exception, on_unforeseen_error)
    app.add_exception_handler(ApiError, on_api_error)
    app.add_exception_handler(StoreFault, on_store_fault)
    app.add_exception_handler(RequestValidationError, on_invalid_options)
    app.add_exception_handler(HTTPException, on_http_error)
    return Gateway(app, SocketServer(lambda: app.state.lobby, settings.limited), settings.limited, settings.hosts)


@asynccontextmanager
async def running(app: FastAPI, settings: Settings) -> AsyncIterator[None]:
    """Open the lobby, and close it at the end."""
    async with AsyncExitStack() as stack:
        store = stack.enter_context(await asyncio.to_thread(Store, settings.database))
        workers = WorkerPool(settings.workers, settings.custom_players, settings.limited)
        stack.callback(workers.close)
        delete_after = timedelta(settings.delete_after) if settings.delete_after else None
        lobby = app.state.lobby = Lobby(store, workers, delete_after)
        stack.push_async_callback(lobby.close)
        app.state.tournaments = Tournaments(lobby)
        stack.enter_context(listening(store, lobby))
        lobby.start(lobby.compare_tables())
        lobby.start(lobby.resume_clocks())
        if delete_after:
            lobby.start(delete_old_matches(lobby, delete_after))
        app.state.operator = watch(lobby, settings)
        log.info("started with %s", store.where, extra={"event": "started", "workers": workers.workers})
        yield
        log.info("stopping", extra={"event": "stopping"})


def watch(lobby: Lobby, settings: Settings) -> operator.Operator | None:
    """Measure what goes on; gives the operator's view of it, if there is a token for it."""
    metrics.TABLES.set_function(lambda: len(lobby.tables))
    metrics.BUSY.set_function(lambda: len(lobby.workers.busy))
    metrics.OLDEST_WRITE.set_function(lambda: lobby.writer.delay)
    if not settings.operator_token:
        return None
    view = operator.Operator(lobby, settings.operator_token, settings.processes)
    lobby.start(view.sample())
    return view


async def on_api_error(_: Request, error: Exception) -> Json:
    """A request that is refused."""
    assert isinstance(error, ApiError)
    count_error(error)
    headers = {"www-authenticate": "Bearer"} if error.http_status == 401 else None
    return Json(messages.Problem(str(error)), error.http_status, headers)


async def on_store_fault(_: Request, error: Exception) -> Json:
    """A database that does not answer, or a match that is not in it."""
    if isinstance(error, UnknownMatch):
        count_refusal(404)
        unknown = tr("Tournament not found.") if isinstance(error, UnknownTournament) else tr("Match not found.")
        return Json(messages.Problem(unknown), 404)
    assert isinstance(error, StoreFault)
    report(error)
    return Json(messages.Problem(explain(error)), 503)


async def on_invalid_options(_: Request, error: Exception) -> Json:
    """Options in the URL that are not valid: the first of them."""
    assert isinstance(error, RequestValidationError)
    count_refusal(422)
    first = error.errors()[0]
    return Json(messages.Problem(f"{first['loc'][-1]}: {first['msg']}"), 422)


async def on_unforeseen_error(_request: Request, _error: Exception) -> Json:
    """A fault of the server's own; uvicorn logs it."""
    return Json(messages.Problem(tr("Something went wrong on the server; its operator can see it in the log.")), 500)


async def on_http_error(request: Request, error: Exception) -> Response:
    """An unknown address, for people on the page itself, or a method that is not allowed."""
    assert isinstance(error, HTTPException)
    count_refusal(error.status_code)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.page(404)
    return Json(messages.Problem(str(error.detail)), error.status_code, error.headers)
