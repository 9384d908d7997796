"""Where matches live: a SQLite file in the user's data folder, or any database by its SQLAlchemy URL.

A match is a row, and each of its moves is a row in the rule book's notation, on the disk before the call returns.
What is read back is played through the rules again, so damage is named and never shown as a game.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from types import TracebackType
from typing import Any, Self

from sqlalchemy import (
    URL,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    Row,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    make_url,
    select,
    update,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from quintet.match import Match, replay
from quintet.notation import read_move, read_position, write_position
from quintet.record import RESULTS, UNFINISHED, Record, write_record
from quintet.rules import Outcome, Position

VERSION = 1
"""The version of the tables below."""

DAMAGED = "damaged"
"""The result of an entry whose match cannot be read."""

PATIENCE = 5
"""How many seconds to wait for another program's lock; `?timeout=1` in the URL says otherwise."""

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"

TABLES = MetaData()
SCHEMA = Table("schema", TABLES, Column("version", Integer, primary_key=True))
MATCHES = Table(
    "matches",
    TABLES,
    Column("id", String(20), primary_key=True),
    Column("game", Text, nullable=False),
    Column("start", Text, nullable=False),
    Column("player1", Text),
    Column("player2", Text),
    Column("created", String(40), nullable=False),
    Column("updated", String(40), nullable=False, index=True),
    Column("result", String(10), nullable=False),
    Column("termination", Text),
    Column("notes", Text),  # The other tags and the comments of a record that was brought in; null for a match played.
)
MOVES = Table(
    "moves",
    TABLES,
    Column("match", String(20), ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("move", String(20), nullable=False),
)

REASONS = {
    "BUSY": "is locked by another program",
    "LOCKED": "is locked by another program",
    "FULL": "cannot be written: the disk is full",
    "READONLY": "cannot be written: it is read-only",
    "PERM": "cannot be written: it is not yours",
    "CANTOPEN": "cannot be opened: its folder is missing or may not be written",
    "CORRUPT": "is damaged; move the file away to begin a new one",
    "NOTADB": "is damaged; move the file away to begin a new one",
    "IOERR": "cannot be read or written: the disk is full or failing",
}
"""What SQLite's families of errors mean to a person."""


class StoreFault(Exception):
    """The store cannot do what is asked; the message is one clear line."""


class UnknownMatch(StoreFault):
    """An id that is no match's."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A match as a list of matches shows it."""

    id: str
    game: str
    size: str
    names: tuple[str, str]
    plies: int
    result: str
    """`1-0`, `0-1`, `1/2`, `*` while it goes on, or `damaged`."""
    updated: datetime


class Store:
    """The matches in one database."""

    def __init__(self, url: str | None = None) -> None:
        """Open the database, and make its tables if they are not there; by default where `QUINTET_DATABASE` says."""
        address = find_database(url)
        embedded = address.get_backend_name() == "sqlite"
        self.where = (embedded and address.database) or address.render_as_string(hide_password=True)
        if embedded:
            address = address.set(query={"timeout": str(PATIENCE), **address.query})
        try:
            self.engine = create_engine(address)
        except (SQLAlchemyError, ImportError, TypeError, ValueError) as error:
            raise StoreFault(f"the store {self.where} cannot be used: {_first_line(error)}") from None
        self._latest: tuple[object, Position] | None = None
        if embedded:
            event.listen(self.engine, "connect", _set_up_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
        try:
            self._prepare()
        except StoreFault:
            self.close()
            raise

    def begin(self, match: Match) -> str:
        """Keep a match from here on; gives its id. Names become one line of text."""
        outcome = match.outcome
        result = RESULTS[outcome.winner] if outcome else UNFINISHED
        tags = {"Player1": _one_line(match.names[0]), "Player2": _one_line(match.names[1])}
        if outcome:
            tags["Termination"] = outcome.reason
        record = Record(match.positions[0], tuple(match.moves), result, tags)
        with self._transaction(writing=True) as connection:
            id = next(id for id in _random_ids() if not _is_taken(connection, id))
            _insert(connection, id, record, None)
        return id

    def add(self, record: Record) -> str:
        """Bring in a record with everything it says; gives its id, which is the same when it is brought in again."""
        notes = {name: text for name, text in record.tags.items() if name not in ("Player1", "Player2", "Termination")}
        with self._transaction(writing=True) as connection:
            for id in _derived_ids(write_record(record)):
                if not _is_taken(connection, id):
                    _insert(connection, id, record, json.dumps({"tags": notes, "comments": record.comments}))
                    return id
                if _read(connection, id) == record:
                    return id
        raise AssertionError("there is always another id")

    def append(self, id: str, ply: int, move: int) -> None:
        """Keep the move that was played after `ply` moves. Keeping the same one again is fine."""
        with self._transaction(writing=True) as connection:
            row, moves = _find(connection, id), _moves_of(connection, id)
            position = self._position(row, moves)
            label = position.label(move)
            if 0 <= ply < len(moves):
                if moves[ply].move != label:
                    raise StoreFault(f"match {id} has another move in place of {label} already")
                return
            if ply != len(moves):
                raise StoreFault(f"match {id} has {len(moves)} moves, so {label} cannot be number {ply + 1}")
            if row.result != UNFINISHED:
                raise StoreFault(f"match {id} is over, so {label} cannot be played")
            try:
                position = position.play(move)
            except ValueError as error:
                raise StoreFault(f"match {id} does not allow {label}: {error}") from None
            connection.execute(insert(MOVES).values(match=id, ply=ply, move=label))
            result = _conclude(connection, id, position.outcome)
        self._latest = (id, row.start, result, [*moves, (ply, label)]), position

    def truncate(self, id: str, ply: int) -> None:
        """Forget the moves from the one played after `ply` moves on, and that the match was over."""
        with self._transaction(writing=True) as connection:
            record = _read(connection, id)
            match = Match(record.start, record.moves[: max(ply, 0)])
            connection.execute(delete(MOVES).where(MOVES.c.match == id, MOVES.c.ply >= ply))
            _conclude(connection, id, match.outcome)
            kept = {at: comment for at, comment in record.comments.items() if at <= match.ply}
            if kept != record.comments:
                tags = json.loads(_find(connection, id).notes)["tags"]
                notes = json.dumps({"tags": tags, "comments": kept})
                connection.execute(update(MATCHES).where(MATCHES.c.id == id).values(notes=notes))

    def finish(self, id: str, match: Match) -> None:
        """Keep how a match ended."""
        with self._transaction(writing=True) as connection:
            row, moves = _find(connection, id), _moves_of(connection, id)
            self._position(row, moves)
            if [row.move for row in moves] != [match.position.label(move) for move in match.moves]:
                raise StoreFault(f"match {id} has other moves than the one that ended")
            _conclude(connection, id, match.outcome)

    def rename(self, id: str, names: tuple[str, str]) -> None:
        """Others have taken the seats."""
        with self._transaction(writing=True) as connection:
            _find(connection, id)
            seats = {"player1": _one_line(names[0]), "player2": _one_line(names[1])}
            connection.execute(update(MATCHES).where(MATCHES.c.id == id).values(seats))

    def load(self, id: str) -> Match:
        """The match of that id."""
        return replay(self.record(id))

    def record(self, id: str) -> Record:
        """The match of that id on paper."""
        with self._transaction() as connection:
            return _read(connection, id)

    def entries(self, limit: int = 50, unfinished: bool = False) -> list[Entry]:
        """The matches played last, latest first."""
        chosen = select(MATCHES).order_by(MATCHES.c.updated.desc(), MATCHES.c.id).limit(limit)
        if unfinished:
            chosen = chosen.where(MATCHES.c.result == UNFINISHED)
        with self._transaction() as connection:
            found = [_enter(row, _moves_of(connection, row.id)) for row in connection.execute(chosen).all()]
        return [entry for entry in found if not unfinished or entry.result == UNFINISHED]

    def close(self) -> None:
        """Give back the connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _position(self, row: "Row[Any]", moves: "Sequence[Row[Any, Any]]") -> Position:
        """Where a match stands, played through the rules unless it is as we left it with the last move."""
        if self._latest and self._latest[0] == (row.id, row.start, row.result, moves):
            return self._latest[1]
        return replay(_restore(row, moves)).position

    def _prepare(self) -> None:
        """Make the tables of a new database; refuse one that is not ours."""
        with self._transaction() as connection:
            there = set(inspect(connection).get_table_names())
        if SCHEMA.name not in there:
            with self._transaction(writing=True) as connection:
                # Another program may have made them since, and we waited for it.
                there = set(inspect(connection).get_table_names())
                if SCHEMA.name not in there:
                    if there & set(TABLES.tables):
                        raise StoreFault(f"the store {self.where} is a database of something else")
                    TABLES.create_all(connection)
                    connection.execute(insert(SCHEMA).values(version=VERSION))
        with self._transaction() as connection:
            version = connection.scalar(select(SCHEMA.c.version))
        if not isinstance(version, int) or version < 1:
            raise StoreFault(f"the store {self.where} does not say which version it has")
        if version > VERSION:
            newer = f"it has version {version}, this program knows {VERSION}"
            raise StoreFault(f"the store {self.where} was made by a newer Quintet: {newer}")

    @contextmanager
    def _transaction(self, writing: bool = False) -> Iterator[Connection]:
        """All or nothing, on the disk at the end; whatever goes wrong is a `StoreFault`."""
        try:
            with self.engine.execution_options(writing=writing).begin() as connection:
                yield connection
        except DBAPIError as error:
            family = getattr(error.orig, "sqlite_errorname", "").removeprefix("SQLITE_").partition("_")[0]
            reason = REASONS.get(family, f"does not answer: {_first_line(error.orig)}")
            raise StoreFault(f"the store {self.where} {reason}") from None
        except (SQLAlchemyError, OSError, UnicodeError) as error:
            raise StoreFault(f"the store {self.where} does not answer: {_first_line(error)}") from None


def find_database(url: str | None = None) -> URL:
    """The address of the database: as given, as the environment says, or the file in the user's data folder."""
    url = url or os.environ.get("QUINTET_DATABASE")
    if url:
        try:
            return make_url(url)
        except ArgumentError:
            raise StoreFault("QUINTET_DATABASE must be a URL, such as sqlite:////home/ada/quintet.db") from None
    from platformdirs import user_data_path

    folder = user_data_path("quintet")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFault(f"the store's folder {folder} cannot be made: {error.strerror}") from None
    return URL.create("sqlite", database=str(folder / "quintet.db"))


def _set_up_sqlite(connection: Any, record: object) -> None:
    """Make commits durable, and let others read while one writes."""
    connection.isolation_level = None  # We say BEGIN ourselves, so that tables are made inside a transaction too.
    connection.text_factory = lambda data: data.decode(errors="replace")
    connection.execute("PRAGMA synchronous = FULL")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except connection.OperationalError:
        pass  # Another program is busy or the file is read-only. The older journal is as durable.


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once where it will be needed: waiting for it later could not be told from a deadlock."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writing") else "BEGIN")


def _first_line(error: object) -> str:
    """What an error says, as one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def _one_line(name: str) -> str:
    """A name that every database and a record can hold."""
    return " ".join(name.encode(errors="replace").decode().replace("\0", " ").split())


def _now() -> str:
    """The time as the store writes it: text that sorts."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _random_ids() -> Iterator[str]:
    """Short ids, one after the other."""
    while True:
        yield "".join(secrets.choice(ALPHABET) for _ in range(6))


def _derived_ids(text: str) -> Iterator[str]:
    """Short ids that always follow from a text."""
    for attempt in count():
        digest = hashlib.sha256(f"{attempt} {text}".encode(errors="replace")).digest()
        yield "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:6])


def _is_taken(connection: Connection, id: str) -> bool:
    """Whether there is a match of that id."""
    return connection.scalar(select(MATCHES.c.id).where(MATCHES.c.id == id)) is not None


def _insert(connection: Connection, id: str, record: Record, notes: str | None) -> None:
    """A new match with its moves."""
    first, now = record.start, _now()
    connection.execute(
        insert(MATCHES).values(
            id=id,
            game=first.game.name,
            start=write_position(first),
            player1=record.tags.get("Player1"),
            player2=record.tags.get("Player2"),
            created=now,
            updated=now,
            result=record.result,
            termination=record.tags.get("Termination"),
            notes=notes,
        )
    )
    if record.moves:
        rows = [{"match": id, "ply": ply, "move": first.label(move)} for ply, move in enumerate(record.moves)]
        connection.execute(insert(MOVES), rows)


def _conclude(connection: Connection, id: str, outcome: Outcome | None) -> str:
    """Say how the match stands now; gives its result."""
    result = RESULTS[outcome.winner] if outcome else UNFINISHED
    reason = outcome.reason if outcome else None
    changed = {"updated": _now(), "result": result, "termination": reason}
    connection.execute(update(MATCHES).where(MATCHES.c.id == id).values(changed))
    return result


def _find(connection: Connection, id: str) -> Row[Any]:
    """The row of a match, held until the end of a transaction that writes."""
    row = connection.execute(select(MATCHES).where(MATCHES.c.id == id).with_for_update()).first()
    if row is None:
        raise UnknownMatch(f"there is no match {id[:40]!r}; `quintet history` lists them")
    return row


def _moves_of(connection: Connection, id: str) -> Sequence[Row[Any, Any]]:
    """The rows of a match's moves in order."""
    return connection.execute(select(MOVES.c.ply, MOVES.c.move).where(MOVES.c.match == id).order_by(MOVES.c.ply)).all()


def _read(connection: Connection, id: str) -> Record:
    """The match of that id, played through the rules."""
    return _restore(_find(connection, id), _moves_of(connection, id))


def _restore(row: Row[Any], rows: Sequence[Row[Any, Any]]) -> Record:
    """The record that a match's rows hold; a fault names the match if they hold none."""
    try:
        first = read_position(row.start)
        if first.game.name != row.game:
            raise ValueError(f"it begins as {first.game.name}, not as {row.game}")
        if row.notes is None:
            tags, comments = {"Date": datetime.fromisoformat(row.created).astimezone().date().isoformat()}, {}
        else:
            notes = json.loads(row.notes)
            tags, comments = notes["tags"], {int(ply): text for ply, text in notes["comments"].items()}
        given = {"Player1": row.player1, "Player2": row.player2, **tags, "Termination": row.termination}
        known = {name: text for name, text in given.items() if text is not None}
        datetime.fromisoformat(row.updated)
        return Record(first, _read_moves(first, rows), row.result, known, comments)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise StoreFault(f"match {row.id} is damaged in the store: {_first_line(error)}") from None


def _read_moves(first: Position, rows: Sequence[Row[Any, Any]]) -> tuple[int, ...]:
    """The moves that rows hold, legal or not."""
    for number, row in enumerate(rows):
        if row.ply != number:
            raise ValueError(f"move {number + 1} is missing")
    return tuple(read_move(first, row.move) for row in rows)


def _names(record: Record) -> tuple[str, str]:
    """Who played, as far as it is known."""
    return record.tags.get("Player1", "human"), record.tags.get("Player2", "human")


def _enter(row: Row[Any], rows: Sequence[Row[Any, Any]]) -> Entry:
    """A match's line in the list; one that is damaged must not hide the others."""
    try:
        record = _restore(row, rows)
    except StoreFault:
        return Entry(str(row.id), str(row.game), "?", ("?", "?"), len(rows), DAMAGED, datetime.fromtimestamp(0, UTC))
    return Entry(
        row.id,
        record.start.game.name,
        record.start.board.size,
        _names(record),
        len(record.moves),
        record.result,
        datetime.fromisoformat(row.updated),
    )
