"""The finished games in which one person played an engine: what is known about that person's progress."""

from dataclasses import dataclass

from sqlalchemy import select

from quintet.engines.kinds import HUMAN, level_of
from quintet.record import RESULTS
from quintet.store.database import Database
from quintet.store.rows import StoredRow
from quintet.store.schema import MATCHES, SEATS


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game of a person against an engine."""

    id: str
    game: str
    start: str
    player: int
    """The person."""
    opponent: str
    result: str
    """`1-0`, `0-1` or `1/2`."""
    when: str
    """When it ended, in UTC."""

    @property
    def beaten(self) -> int | None:
        """The level that the person beat, on a board that was empty at the start."""
        won = self.result == RESULTS[self.player]
        board = self.start.partition(" ")[2].partition(" ")[0]
        return level_of(self.opponent) if won and not set(board) & set("XO") else None


def finished_games(database: Database, limit: int = 1_000) -> list[FinishedGame]:
    """The private games of one person against an engine that are over, the last played first."""
    one, two = SEATS.alias(), SEATS.alias()
    chosen = (
        select(MATCHES, one.c.who.label("first"), two.c.who.label("second"))
        .join(one, (one.c.match == MATCHES.c.id) & (one.c.seat == 1))
        .join(two, (two.c.match == MATCHES.c.id) & (two.c.seat == 2))
        .where(~MATCHES.c.online, MATCHES.c.result.in_(RESULTS.values()))
        .where((one.c.who == HUMAN) != (two.c.who == HUMAN))
        .order_by(MATCHES.c.updated.desc(), MATCHES.c.id)
        .limit(limit)
    )
    with database.transaction() as connection:
        rows = connection.execute(chosen).all()
    return [game_of(row) for row in rows if is_sound(row)]


def is_sound(row: StoredRow) -> bool:
    """Whether everything in a row is text: a damaged row can hold anything."""
    return all(isinstance(text, str) for text in (row.id, row.game, row.start, row.updated, row.first, row.second))


def game_of(row: StoredRow) -> FinishedGame:
    """The game in a row."""
    player, opponent = (1, row.second) if row.first == HUMAN else (2, row.first)
    return FinishedGame(row.id, row.game, row.start, player, opponent, row.result, row.updated)


def beaten_levels(database: Database) -> dict[str, list[int]]:
    """The levels that were beaten, by the name of the game."""
    beaten: dict[str, set[int]] = {}
    for game in finished_games(database):
        if game.beaten:
            beaten.setdefault(game.game, set()).add(game.beaten)
    return {game: sorted(levels) for game, levels in beaten.items()}
