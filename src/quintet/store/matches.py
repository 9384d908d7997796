"""The matches in one database, as the terminal and the assistants save them."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select, update

from quintet.engines import HUMAN
from quintet.match import Match, replay
from quintet.record import UNFINISHED, Record, write_record
from quintet.rules import Position
from quintet.store.database import Database, StoreFault
from quintet.store.rows import (
    ONLINE_ID,
    PRIVATE_ID,
    Entry,
    StoredRow,
    conclude,
    derived_ids,
    entry_of,
    find_moves,
    find_players,
    find_record,
    find_row,
    insert_match,
    insert_players,
    is_taken,
    one_line,
    random_ids,
    record_of,
)
from quintet.store.schema import MATCHES, MOVES, SEATS


class Store(Database):
    """The matches in one database."""

    def __init__(self, url: str | None = None) -> None:
        """Open the database; by default where `QUINTET_DATABASE` says."""
        super().__init__(url)
        self._latest: tuple[object, Position] | None = None

    def begin(self, match: Match, players: tuple[str, str] = (HUMAN, HUMAN)) -> str:
        """Save a new match; gives its id. Names become one line of text.

        `players` are who plays, such as `level:3`. That is never read from the names, which anybody can choose.
        """
        played = match.copy()
        played.names = one_line(match.names[0]), one_line(match.names[1])
        with self.transaction(writing=True) as connection:
            id = next(id for id in random_ids(PRIVATE_ID) if not is_taken(connection, id))
            insert_match(connection, id, played.record(), None)
            insert_players(connection, id, players, played.names)
        return id

    def add(self, record: Record, online: bool = False) -> str:
        """Import a record with everything in it; gives its id, which is the same if it is imported again.

        All players are people, whatever their names. An online match is one that the web server may show.
        """
        notes = {name: text for name, text in record.tags.items() if name not in ("Player1", "Player2", "Termination")}
        with self.transaction(writing=True) as connection:
            ids = derived_ids(write_record(record), ONLINE_ID if online else PRIVATE_ID)
            id = next(id for id in ids if not is_taken(connection, id) or find_record(connection, id) == record)
            if not is_taken(connection, id):
                insert_match(connection, id, record, json.dumps({"tags": notes, "comments": record.comments}), online)
        return id

    def append(self, id: str, ply: int, move: int) -> None:
        """Save the move that was played after `ply` moves. Saving the same one again changes nothing."""
        with self.transaction(writing=True) as connection:
            row, moves = find_row(connection, id), find_moves(connection, id)
            position = self._position(row, moves)
            label = position.label(move)
            if 0 <= ply < len(moves):
                if moves[ply].move != label:
                    raise StoreFault(f"match {id} already has a different move there, not {label}")
                return
            if ply != len(moves):
                raise StoreFault(f"match {id} has {len(moves)} moves, so {label} cannot be move {ply + 1}")
            if row.result != UNFINISHED:
                raise StoreFault(f"match {id} is over, so {label} cannot be played")
            try:
                position = position.play(move)
            except ValueError as error:
                raise StoreFault(f"match {id} does not allow {label}: {error}") from None
            connection.execute(insert(MOVES).values(match=id, ply=ply, move=label))
            result = conclude(connection, id, position.outcome)
        self._latest = (id, row.start, result, [*moves, (ply, label)]), position

    def truncate(self, id: str, ply: int) -> None:
        """Remove all moves after the first `ply`, and that the match was over."""
        with self.transaction(writing=True) as connection:
            record = find_record(connection, id)
            match = Match(record.start, record.moves[: max(ply, 0)])
            connection.execute(delete(MOVES).where(MOVES.c.match == id, MOVES.c.ply >= ply))
            connection.execute(update(MATCHES).where(MATCHES.c.id == id).values(undone=MATCHES.c.undone + 1))
            conclude(connection, id, match.outcome)
            comments = {at: comment for at, comment in record.comments.items() if at <= match.ply}
            if comments != record.comments:
                tags = json.loads(find_row(connection, id).notes)["tags"]
                notes = json.dumps({"tags": tags, "comments": comments})
                connection.execute(update(MATCHES).where(MATCHES.c.id == id).values(notes=notes))

    def finish(self, id: str, match: Match) -> None:
        """Save how a match ended."""
        with self.transaction(writing=True) as connection:
            row, moves = find_row(connection, id), find_moves(connection, id)
            self._position(row, moves)
            if [row.move for row in moves] != [match.position.label(move) for move in match.moves]:
                raise StoreFault(f"match {id} has different moves from the match that ended")
            conclude(connection, id, match.outcome)

    def players(self, id: str) -> tuple[str, str]:
        """Who plays a match, such as `human` and `level:3`, to continue it; a `StoreFault` if it is an online match."""
        with self.transaction() as connection:
            return self._private_players(connection, id)

    def change_players(self, id: str, players: tuple[str, str], names: tuple[str, str]) -> None:
        """Save other players and their names."""
        called = one_line(names[0]), one_line(names[1])
        with self.transaction(writing=True) as connection:
            self._private_players(connection, id)
            changed = {"player1": called[0], "player2": called[1], "revision": MATCHES.c.revision + 1}
            connection.execute(update(MATCHES).where(MATCHES.c.id == id).values(changed))
            connection.execute(delete(SEATS).where(SEATS.c.match == id))
            insert_players(connection, id, players, called)

    def load(self, id: str) -> Match:
        """The match of that id."""
        return replay(self.record(id))

    def record(self, id: str) -> Record:
        """The record of the match of that id."""
        with self.transaction() as connection:
            return find_record(connection, id)

    def entries(
        self,
        limit: int = 50,
        unfinished: bool = False,
        ids: Sequence[str] | None = None,
        online: bool | None = None,
    ) -> list[Entry]:
        """The matches, the last played first; only those with the given ids, or only online or private ones."""
        chosen = select(MATCHES).order_by(MATCHES.c.updated.desc(), MATCHES.c.id).limit(limit)
        if unfinished:
            chosen = chosen.where(MATCHES.c.result == UNFINISHED)
        if ids is not None:
            chosen = chosen.where(MATCHES.c.id.in_(ids))
        if online is not None:
            chosen = chosen.where(MATCHES.c.online == online)
        with self.transaction() as connection:
            found = [entry_of(row, find_moves(connection, row.id)) for row in connection.execute(chosen).all()]
        return [entry for entry in found if not unfinished or entry.result == UNFINISHED]

    def _private_players(self, connection: Connection, id: str) -> tuple[str, str]:
        """Who plays a private match. An online match belongs to whoever has the tokens of its seats."""
        if find_row(connection, id).online:
            raise StoreFault(f"match {id} is played on the web: continue it on its page")
        return find_players(connection, id)

    def _position(self, row: StoredRow, moves: Sequence[StoredRow]) -> Position:
        """A match's position now, replayed by the rules unless nothing has changed since our last move."""
        if self._latest and self._latest[0] == (row.id, row.start, row.result, moves):
            return self._latest[1]
        return replay(record_of(row, moves)).position
