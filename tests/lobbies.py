"""A lobby over a real store, in the test's own process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from quintet.store.matches import Store
from quintet.web.lobby import Lobby
from quintet.web.workers import WorkerPool
from serving import WAIT


@asynccontextmanager
async def open_lobby(folder: Path, options: str = "", delete_after: timedelta | None = None) -> AsyncIterator[Lobby]:
    """A lobby over the store in a folder; options are those of its URL."""
    with Store(f"sqlite:///{folder}/quintet.db{options}") as store:
        workers = WorkerPool(2, {})
        lobby = Lobby(store, workers, delete_after)
        try:
            yield lobby
        finally:
            await lobby.close()
            workers.close()


async def until(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(WAIT):
        while not condition():
            await asyncio.sleep(0.005)
