"""Human baselines as the web server stores them: who plays a suite, and every turn of theirs.

Turns are only ever added, so a turn that is sent twice is stored once, and none is taken back.
"""

import msgspec
from sqlalchemy import insert, select

from quintet.store.database import Database, RejectedData
from quintet.store.ids import ONLINE_ID, random_ids
from quintet.store.rows import StoredRow, UnknownMatch
from quintet.store.schema import BASELINE_TURNS, BASELINES
from quintet.store.timekeeper import now


class UnknownBaseline(UnknownMatch):
    """An id that no baseline has."""


class BaselineTurn(msgspec.Struct, frozen=True):
    """A turn of a participant."""

    number: int
    """Which sample it is, counted from 0."""
    turn: int
    """Which turn of the participant in it, counted from 0."""
    position: str
    """The position before the move, as text."""
    move: str
    milliseconds: int
    """The time from when the board was shown until the move."""


class Baseline(msgspec.Struct):
    """A participant who plays a suite, or the part of it with one game."""

    id: str
    suite: str
    game: str
    """Empty for the whole suite."""
    code: str
    """What the researcher calls the participant."""
    token_hash: str
    turns: list[BaselineTurn]
    """All turns, in order."""


def open_baseline(database: Database, suite: str, game: str, code: str, token_hash: str) -> Baseline:
    """The baseline of a participant, a new one if there is none; it may be that of another token."""
    same = BASELINES.c.suite == suite, BASELINES.c.game == game, BASELINES.c.code == code
    id = next(random_ids(ONLINE_ID))
    row = {"id": id, "suite": suite, "game": game, "code": code, "token": token_hash, "created": now()}
    try:
        with database.transaction(writing=True) as connection:
            connection.execute(insert(BASELINES).values(row))
    except RejectedData:  # There is one.
        with database.transaction() as connection:
            id = connection.scalars(select(BASELINES.c.id).where(*same)).one()
    return load_baseline(database, id)


def load_baseline(database: Database, id: str) -> Baseline:
    """The baseline of that id."""
    found = load_baselines(database, id=id)
    if not found:
        raise UnknownBaseline(f"no baseline called {id[:40]!r}")
    return found[0]


def load_baselines(database: Database, **wanted: str) -> list[Baseline]:
    """All baselines with these values in their columns, such as those of a suite; the oldest first."""
    chosen = [BASELINES.c[name] == value for name, value in wanted.items()]
    turns = select(BASELINE_TURNS).join(BASELINES).where(*chosen)
    with database.transaction() as connection:
        rows = connection.execute(select(BASELINES).where(*chosen).order_by(BASELINES.c.created, BASELINES.c.id)).all()
        played = connection.execute(turns.order_by(BASELINE_TURNS.c.number, BASELINE_TURNS.c.turn)).all()
    found = {row.id: Baseline(row.id, row.suite, row.game, row.code, row.token, []) for row in rows}
    for row in played:
        found[row.baseline].turns.append(turn_of(row))
    return list(found.values())


def turn_of(row: StoredRow) -> BaselineTurn:
    """The turn in a row."""
    return BaselineTurn(row.number, row.turn, row.position, row.move, row.milliseconds)


def save_turn(database: Database, id: str, turn: BaselineTurn) -> bool:
    """Store a turn; whether it was stored, because none was there."""
    row = {"baseline": id, "at": now(), **msgspec.structs.asdict(turn)}
    try:
        with database.transaction(writing=True) as connection:
            connection.execute(insert(BASELINE_TURNS).values(row))
    except RejectedData:
        return False
    return True
