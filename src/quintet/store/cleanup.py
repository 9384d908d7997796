"""Deletes online matches, and tournaments, that nobody has used for a long time.

A match is used when somebody moves in it or has it open. The latter is written down only for old matches, which could
be deleted otherwise; so any number of server processes can delete, and none deletes what another one has open.
"""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Table, delete, or_, select, text, update

from quintet.store.database import Database
from quintet.store.online_matches import OnlineMatch, load_online_match
from quintet.store.rows import UnknownMatch, as_text, now, utc_now
from quintet.store.schema import MATCHES, MOVES, SEATS, TOURNAMENTS
from quintet.store.tournaments import Tournament, UnknownTournament, load_tournament

BATCH = 200
"""Matches per transaction: other writers wait for one."""
LOCK = 5_147_382_902
"""Any number: server processes lock on it in PostgreSQL, so that one deletes at a time."""

_TRY_LOCK = text(f"SELECT pg_try_advisory_xact_lock({LOCK})")


def is_old(online: OnlineMatch | Tournament, delete_after: timedelta) -> bool:
    """Whether half of the time is over after which a match or a tournament is deleted."""
    return max(online.updated, online.visited or "") < as_text(utc_now() - delete_after / 2)


def open_online_match(database: Database, id: str, delete_after: timedelta | None) -> OnlineMatch:
    """The online match of that id for somebody who has come to it, so that it is not deleted meanwhile."""
    online = load_online_match(database, id)
    if delete_after and is_old(online, delete_after) and not mark_visited(database, [id]):
        raise UnknownMatch(f"match {id} was deleted")
    return online


def open_tournament(database: Database, id: str, delete_after: timedelta | None) -> Tournament:
    """The tournament of that id for somebody who has come to it, so that it is not deleted meanwhile."""
    found = load_tournament(database, id)
    if delete_after and is_old(found, delete_after) and not mark_visited(database, [id], TOURNAMENTS):
        raise UnknownTournament(f"tournament {id} was deleted")
    return found


def mark_visited(database: Database, ids: Sequence[str], table: Table = MATCHES) -> int:
    """Write down that somebody has matches or tournaments open now; gives how many of them there still are."""
    marked = 0
    for first in range(0, len(ids), BATCH):
        with database.transaction(writing=True) as connection:
            some = table.c.id.in_(ids[first : first + BATCH])
            marked += connection.execute(update(table).where(some).values(visited=now())).rowcount
    return marked


def delete_unused(database: Database, delete_after: timedelta, table: Table = MATCHES) -> int:
    """Delete a batch of online matches or tournaments that were not used for that long; gives how many there were."""
    before = as_text(utc_now() - delete_after)
    unused = [table.c.updated < before, or_(table.c.visited.is_(None), table.c.visited < before)]
    if table is MATCHES:
        unused.append(MATCHES.c.online)
    chosen = select(table.c.id).where(*unused).limit(BATCH).with_for_update(skip_locked=True)
    with database.transaction(writing=True) as connection:
        if connection.dialect.name == "postgresql" and not connection.scalar(_TRY_LOCK):
            return 0
        ids = list(connection.scalars(chosen))
        keys = (MOVES.c.match, SEATS.c.match, MATCHES.c.id) if table is MATCHES else (table.c.id,)
        for key in keys:
            connection.execute(delete(key.table).where(key.in_(ids)))
    return len(ids)
