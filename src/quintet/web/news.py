"""News from other server processes on the same PostgreSQL: which match has changed."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from quintet.store.database import Database
from quintet.store.writer import CHANNEL
from quintet.web.hall import Hall

PAUSE = 1.0
"""Seconds between attempts to listen again."""

log = logging.getLogger("quintet.web")


@contextmanager
def listening(database: Database, hall: Hall) -> Iterator[None]:
    """Tell the hall of changes that other processes make, where the database tells of them."""
    if database.engine.dialect.name != "postgresql":
        yield
        return
    done = Event()
    thread = Thread(target=listen, args=(database, hall, done), name="news", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def listen(database: Database, hall: Hall, done: Event) -> None:
    """Listen until it is done, on a connection of its own; when that is lost, on another."""
    import psycopg

    address = database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    while not done.is_set():
        try:
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                tell(hall, hall.look_again)  # What happened while nobody listened.
                while not done.is_set():
                    for note in connection.notifies(timeout=PAUSE, stop_after=1):
                        id, _, revision = note.payload.partition(" ")
                        tell(hall, hall.hear, [(id, int(revision))])
        except psycopg.Error as error:
            log.warning("no news from other processes: %s", str(error).partition("\n")[0])
            done.wait(PAUSE)


def tell(hall: Hall, what: Any, *arguments: object) -> None:
    """Call something on the hall's own loop."""
    try:
        hall.loop.call_soon_threadsafe(what, *arguments)
    except RuntimeError:
        assert hall.loop.is_closed()
