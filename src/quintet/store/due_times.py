"""When running clocks run out, read from the store without loading the matches."""

from contextlib import suppress

from sqlalchemy import exists, func, or_, select

from quintet.record import UNFINISHED
from quintet.store.database import Database
from quintet.store.online_matches import timestamp
from quintet.store.schema import MATCHES, MOVES, SEATS

_PLIES = select(func.count()).select_from(MOVES).where(MOVES.c.match == MATCHES.c.id).correlate(MATCHES)
_LEFT = (  # The player to move made the move before last, the one before that, and so on.
    select(MOVES.c.clock)
    .where(MOVES.c.match == MATCHES.c.id, MOVES.c.clock.is_not(None))
    .where(MOVES.c.ply % 2 == _PLIES.scalar_subquery() % 2)
    .order_by(MOVES.c.ply.desc())
    .limit(1)
    .correlate(MATCHES)
)
_JOINED = select(func.max(SEATS.c.joined)).where(SEATS.c.match == MATCHES.c.id).correlate(MATCHES)
_RUNNING = select(
    MATCHES.c.id, MATCHES.c.updated, MATCHES.c.seconds, _LEFT.scalar_subquery(), _JOINED.scalar_subquery()
).where(
    MATCHES.c.result == UNFINISHED,
    MATCHES.c.seconds.is_not(None),
    or_(exists().where(MOVES.c.match == MATCHES.c.id), MATCHES.c.tournament.is_not(None)),
    ~exists().where(SEATS.c.match == MATCHES.c.id, SEATS.c.joined.is_(None)),
)


def due_times(database: Database) -> dict[str, float]:
    """When the running clock of each match runs out, in seconds since 1970, by the match's id."""
    with database.transaction() as connection:
        rows = connection.execute(_RUNNING).all()
    due = {}
    for id, updated, seconds, left, joined in rows:
        with suppress(ValueError, TypeError):  # A damaged match is reported when it is loaded.
            started = max(timestamp(text) for text in (updated, joined) if text)
            due[id] = started + (seconds if left is None else left / 1000)
    return due
