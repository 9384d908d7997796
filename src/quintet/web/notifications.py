"""Notifications from other server processes on the same PostgreSQL: which match has changed."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TypeVarTuple

from quintet.store.database import Database
from quintet.store.writer import CHANNEL
from quintet.web import metrics
from quintet.web.lobby import Lobby

PAUSE = 1.0
"""Seconds between attempts to connect again."""

Arguments = TypeVarTuple("Arguments")
log = logging.getLogger("quintet.web")


@contextmanager
def listening(database: Database, lobby: Lobby) -> Iterator[None]:
    """Tell the lobby which matches other processes change, if the database is PostgreSQL."""
    if database.engine.dialect.name != "postgresql":
        yield
        return
    done = Event()
    lobby.heard = time.monotonic()
    thread = Thread(target=listen, args=(database, lobby, done), name="notifications", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(2 * PAUSE)  # It does not end while the database is silent.


def listen(database: Database, lobby: Lobby, done: Event) -> None:
    """Listen until done, on a connection of its own; if it is lost, connect again."""
    import psycopg

    _, address = database.engine.dialect.create_connect_args(database.engine.url)
    failing = False
    while not done.is_set():
        try:
            with psycopg.connect(**address, autocommit=True) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                failing = False
                call_on_loop(lobby, lobby.reload_all)  # Something may have changed while nobody listened.
                while not done.is_set():
                    lobby.heard = time.monotonic()
                    heard = list(connection.notifies(timeout=PAUSE, stop_after=1))  # Several may come at once.
                    for notification in heard:
                        try:
                            id, revision = notification.payload.split(" ")
                            call_on_loop(lobby, lobby.match_changed, id, int(revision))
                        except ValueError:
                            pass  # It is not one of ours.
                    if not heard:
                        connection.execute("SELECT 1")  # A connection that is dead is silent too.
        except psycopg.Error as error:
            if not failing:
                metrics.FAULTS.labels("notifications").inc()
                reason = str(error).partition("\n")[0]
                log.warning("no notifications from other processes: %s", reason, extra={"event": "notifications"})
            failing = True
            done.wait(PAUSE)


def call_on_loop(lobby: Lobby, function: Callable[[*Arguments], None], *arguments: *Arguments) -> None:
    """Call a function on the lobby's event loop."""
    try:
        lobby.loop.call_soon_threadsafe(function, *arguments)
    except RuntimeError:
        assert lobby.loop.is_closed()
