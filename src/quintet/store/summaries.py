"""Online matches as a list shows them, read from their rows without replaying them: anybody can ask for many."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from sqlalchemy import func, select

from quintet.notation import read_position
from quintet.record import RESULTS, UNFINISHED
from quintet.store.database import Database
from quintet.store.rows import DAMAGED, Entry, StoredRow
from quintet.store.schema import MATCHES, MOVES

STARTS = 1_024
"""Starting positions whose size is remembered."""

_MOVES = MOVES.c.match == MATCHES.c.id
_PLIES = select(func.count()).select_from(MOVES).where(_MOVES).correlate(MATCHES).scalar_subquery()
_LAST = select(func.max(MOVES.c.ply)).where(_MOVES).correlate(MATCHES).scalar_subquery()
_SUMMARIES = select(
    MATCHES.c.id,
    MATCHES.c.game,
    MATCHES.c.start,
    MATCHES.c.player1,
    MATCHES.c.player2,
    MATCHES.c.result,
    MATCHES.c.updated,
    _PLIES.label("plies"),
    _LAST.label("last"),
).order_by(MATCHES.c.updated.desc(), MATCHES.c.id)


def find_summaries(database: Database, ids: Sequence[str]) -> list[Entry]:
    """The online matches among these ids, the last played first."""
    chosen = _SUMMARIES.where(MATCHES.c.id.in_(ids), MATCHES.c.online)
    with database.transaction() as connection:
        rows = connection.execute(chosen).all()
    return [summary_of(row) for row in rows]


def summary_of(row: StoredRow) -> Entry:
    """A match's line in a list. Damage that only a replay shows is reported when the match is loaded."""
    try:
        game, size = game_and_size(row.start)
        names = row.player1 or "human", row.player2 or "human"
        updated = datetime.fromisoformat(row.updated).astimezone(UTC)
        sound = row.result in (UNFINISHED, *RESULTS.values()) and all(isinstance(name, str) for name in names)
        if game == row.game and sound and row.plies == (0 if row.last is None else row.last + 1):
            return Entry(str(row.id), game, size, names, row.plies, row.result, updated)
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        pass
    return Entry(str(row.id), str(row.game), "?", ("?", "?"), row.plies, DAMAGED, datetime.fromtimestamp(0, UTC))


@lru_cache(STARTS)
def game_and_size(start: str) -> tuple[str, str]:
    """The game and the size of the board in a position."""
    position = read_position(start)
    return position.game.name, position.board.size
