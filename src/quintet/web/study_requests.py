"""Requests that a worker process works on, as long as somebody waits for the answer."""

import asyncio
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from starlette.requests import Request

from quintet.language import tr
from quintet.web.api_error import ApiError
from quintet.web.limits import client_address
from quintet.web.workers import WorkerPool

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")


async def study(
    request: Request, seconds: float, function: Callable[[*Arguments], Found], *arguments: *Arguments
) -> Found:
    """What a worker works out for a request, unless its client goes away meanwhile."""
    workers: WorkerPool = request.app.state.lobby.workers
    working = asyncio.create_task(workers.study(client_address(request.scope), seconds, function, *arguments))
    watching = asyncio.create_task(until_gone(request))
    try:
        await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ApiError(400, tr("The request was aborted."))
        return working.result()
    finally:
        working.cancel()
        watching.cancel()


async def until_gone(request: Request) -> None:
    """Wait until the client of a request has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
