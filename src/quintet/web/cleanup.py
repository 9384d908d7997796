"""Deletes old matches while the server runs."""

import asyncio
import logging
from datetime import timedelta

from quintet.store.cleanup import BATCH, delete_unused, is_old, mark_visited
from quintet.store.database import StoreFault
from quintet.store.schema import TOURNAMENTS
from quintet.web.faults import report
from quintet.web.lobby import Lobby

FIRST_PAUSE = 60.0
"""Seconds before the first time: after a restart pages have to find their tables again."""
PAUSE = 3_600.0
"""Seconds between two times; much less than half a day, because open tables are marked as often."""

log = logging.getLogger("quintet.web")


async def delete_old_matches(lobby: Lobby, delete_after: timedelta) -> None:
    """Delete matches that were not used for that long, again and again."""
    await asyncio.sleep(FIRST_PAUSE)
    while True:
        try:
            count = await delete_once(lobby, delete_after)
        except StoreFault as fault:
            report(fault)
        else:
            if count:
                log.info("deleted %d old matches", count, extra={"event": "cleanup", "matches": count})
        await asyncio.sleep(PAUSE)


async def delete_once(lobby: Lobby, delete_after: timedelta) -> int:
    """Delete the matches that were not used for that long, except those at open tables; gives how many there were."""
    lobby.rematches.clear()  # One that nobody came to could be deleted.
    old = [id for id, table in lobby.tables.items() if is_old(table.online, delete_after)]
    await lobby.read(mark_visited, lobby.store, old)
    total = 0
    while count := await lobby.read(delete_unused, lobby.store, delete_after):
        total += count
        if count < BATCH:
            break
    total += await lobby.read(delete_unused, lobby.store, delete_after, TOURNAMENTS)
    return total
