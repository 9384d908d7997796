"""The database of the store: how it is found and opened, its transactions, and its errors in words."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from sqlite3 import Connection as SqliteConnection
from sqlite3 import OperationalError
from types import TracebackType
from typing import Self

import msgspec
from sqlalchemy import URL, Connection, PoolProxiedConnection, create_engine, event, func, inspect, make_url, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    InvalidatePoolError,
    SQLAlchemyError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from quintet.errors import QuintetError
from quintet.store import timekeeper
from quintet.store.schema import MATCHES, SCHEMA, TABLES, VERSION
from quintet.version import missing

PATIENCE = 5
"""Seconds to wait for another program's lock, unless the URL sets them, such as `?timeout=1`."""

POSTGRES = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""How soon a PostgreSQL that cannot be reached is noticed, unless the URL says otherwise."""
POSTGRES_OPTIONS = "-c lock_timeout=3s -c statement_timeout=10s -c idle_in_transaction_session_timeout=30s"
"""When PostgreSQL gives up, so that no lock stops us for long; `?options=...` in the URL comes after it."""
IDLE = 1.0
"""Seconds after which a pooled connection is checked before it is used: the server may have closed it."""

DRIVERS = dict.fromkeys(("postgres", "postgresql"), "postgresql+psycopg")
"""The driver for a URL that names none."""

REASONS = {
    "BUSY": "is locked by another program",
    "LOCKED": "is locked by another program",
    "FULL": "cannot be written: the disk is full",
    "READONLY": "cannot be written: it is read-only",
    "PERM": "cannot be written: permission denied",
    "CANTOPEN": "cannot be opened: its folder is missing or not writable",
    "CORRUPT": "is damaged; move the file elsewhere to start with a new one",
    "NOTADB": "is damaged; move the file elsewhere to start with a new one",
    "IOERR": "cannot be read or written: the disk is full or failing",
}
"""SQLite's families of errors in words."""
POSTGRES_REASONS = {"55P03": REASONS["LOCKED"], "40P01": REASONS["LOCKED"], "57014": "did not answer in time"}
"""PostgreSQL's codes for giving up what is locked, in words."""


class StoreFault(QuintetError):
    """The store cannot do what is asked."""

    status = 1


class RejectedData(StoreFault):
    """The store works, but cannot take what was to be written."""


class LockedData(StoreFault):
    """The store works, but what was to be read or written is locked."""


class DamagedMatch(StoreFault):
    """The store works, but what it has of a match makes no sense."""


class UnknownOutcome(StoreFault):
    """The store failed while it committed: what was written may be stored or not."""


class Database:
    """One database with the newest tables."""

    def __init__(self, url: str | None = None) -> None:
        """Open the database, and create its tables if needed; by default the one that `QUINTET_DATABASE` names."""
        address = find_database(url)
        self.embedded = address.get_backend_name() == "sqlite"
        self.where = (self.embedded and address.database) or address.render_as_string(hide_password=True)
        if self.embedded:
            address = address.set(query={"timeout": str(PATIENCE), **address.query})
        if address.get_backend_name() == "postgresql":
            given = address.query.get("options", "")
            options = " ".join((POSTGRES_OPTIONS, *([given] if isinstance(given, str) else given)))
            address = address.set(query={**POSTGRES, **address.query, "options": options})
        try:
            self.engine = create_engine(address, json_serializer=lambda value: msgspec.json.encode(value).decode())
        except (SQLAlchemyError, ImportError, TypeError, ValueError) as error:
            reason = f"cannot be used: {first_line(error)}"
            if getattr(error, "name", None) == "psycopg":
                reason = missing("postgres", "psycopg")
            raise StoreFault(f"the store {self.where} {reason}") from None
        if self.embedded:
            event.listen(self.engine, "connect", _set_up_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            _create_private(address.database)
        if self.engine.dialect.name == "postgresql":
            event.listen(self.engine, "checkout", self._check_connection)
            event.listen(self.engine, "checkin", _note_use)
        try:
            self._prepare()
            self.read_time()
        except StoreFault:
            self.close()
            raise

    def check(self) -> None:
        """Query the database; a `StoreFault` if it does not answer."""
        with self.transaction() as connection:
            connection.execute(select(MATCHES.c.id).limit(1))

    def read_time(self) -> None:
        """Take over the time of the database, which is the time for all programs that share it."""
        if self.engine.dialect.name == "postgresql":
            with self.transaction() as connection:
                before = time.monotonic()
                shown = connection.scalars(select(func.extract("epoch", func.clock_timestamp()))).one()
                timekeeper.adjust(float(shown), before, time.monotonic())
        else:
            timekeeper.use_host_time()

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def transaction(self, writing: bool = False) -> Iterator[Connection]:
        """A transaction, on disk at the end; whatever goes wrong is a `StoreFault`."""
        # Readers take no locks, and must not see a match's row of one moment with its moves of the next. SQLite always
        # works like this.
        level = {} if writing or self.embedded else {"isolation_level": "REPEATABLE READ"}
        done = False
        try:
            with self.engine.connect().execution_options(writing=writing, **level) as connection, connection.begin():
                yield connection
                done = True
        except DBAPIError as error:
            family = getattr(error.orig, "sqlite_errorname", "").removeprefix("SQLITE_").partition("_")[0]
            code = str(getattr(error.orig, "sqlstate", ""))
            reason = REASONS.get(family) or POSTGRES_REASONS.get(code, f"does not answer: {first_line(error.orig)}")
            kind = StoreFault
            if isinstance(error, IntegrityError | DataError):
                kind = RejectedData
            elif code in POSTGRES_REASONS:
                kind = LockedData
            elif done and not self.embedded:
                kind = UnknownOutcome
            raise kind(f"the store {self.where} {reason}") from None
        except UnicodeError as error:
            raise RejectedData(f"the store {self.where} cannot store this text: {first_line(error)}") from None
        except (SQLAlchemyError, OSError) as error:
            raise StoreFault(f"the store {self.where} does not answer: {first_line(error)}") from None

    def _check_connection(self, raw: DBAPIConnection, entry: ConnectionPoolEntry, _: PoolProxiedConnection) -> None:
        """Replace a pooled connection that is dead; one that was used a moment ago is not asked, to save the time."""
        if time.monotonic() - entry.info.get("used", time.monotonic()) > IDLE:
            try:
                self.engine.dialect.do_ping(raw)
            except self.engine.dialect.loaded_dbapi.Error:
                raise InvalidatePoolError from None

    def _prepare(self) -> None:
        """Create the tables of a new database, migrate an old one, and refuse one that is not ours."""
        with self.transaction() as connection:
            if self._version(connection) == VERSION:
                return
        # Imported here because it takes long to load, and most databases need no migration.
        from quintet.store.migrations import migrate, take_turns

        with self.transaction(writing=True) as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0")  # A big database takes its time.
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
            take_turns(connection)
            version = self._version(connection)  # Another program may have migrated while we waited.
            if version < VERSION:
                migrate(connection, version)

    def _version(self, connection: Connection) -> int:
        """The version of the schema; 0 if the database is empty."""
        present = set(inspect(connection).get_table_names())
        if SCHEMA.name not in present:
            if present & set(TABLES.tables):
                raise StoreFault(f"the store {self.where} is the database of another program")
            return 0
        version = connection.scalar(select(SCHEMA.c.version))
        if not isinstance(version, int) or version < 1:
            raise StoreFault(f"the store {self.where} has no schema version")
        if version > VERSION:
            newer = f"its schema version is {version}, and this version reads {VERSION}"
            raise StoreFault(f"the store {self.where} was created by a newer version of Quintet: {newer}")
        return version


def find_database(url: str | None = None) -> URL:
    """The database's URL: as given, from the environment, or the file in the user's data folder."""
    named = url or os.environ.get("QUINTET_DATABASE")
    if named:
        try:
            address = make_url(named)
        except (ArgumentError, ValueError):  # The other one is about the port.
            what = "the database" if url else "QUINTET_DATABASE"
            raise StoreFault(f"{what} must be a URL, such as sqlite:////home/ada/quintet.db") from None
        return address.set(drivername=DRIVERS.get(address.drivername, address.drivername))
    from platformdirs import user_data_path

    folder = user_data_path("quintet")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFault(f"the store's folder {folder} cannot be created: {error.strerror}") from None
    return URL.create("sqlite", database=str(folder / "quintet.db"))


def _create_private(path: str | None) -> None:
    """Create a database file that only its owner can read; the files that SQLite puts beside it are the same."""
    if path and path != ":memory:" and not path.startswith("file:"):
        with suppress(OSError):  # It exists, or SQLite says what is wrong.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _set_up_sqlite(connection: SqliteConnection, _: object) -> None:
    """Make commits durable, and allow reading while another writes."""
    connection.isolation_level = None  # We send BEGIN ourselves, so that tables are created inside a transaction too.
    connection.text_factory = lambda data: data.decode(errors="replace")
    connection.execute("PRAGMA synchronous = FULL")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except OperationalError:
        pass  # Another program is busy or the file is read-only. The older journal is as durable.


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once if it is needed: waiting for it later could look like a deadlock."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing(connection) else "BEGIN")


def _note_use(_: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
    """Note when a pooled connection was used."""
    entry.info["used"] = time.monotonic()


def is_writing(connection: Connection) -> bool:
    """Whether a connection's transaction writes."""
    return bool(connection.get_execution_options().get("writing"))


def first_line(error: object) -> str:
    """The first line of an error's message."""
    return (str(error).splitlines() or [type(error).__name__])[0]
