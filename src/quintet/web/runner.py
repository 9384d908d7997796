"""Runs the service: uvicorn with its fastest options, in one process or several."""

import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait

import uvicorn

from quintet.web import logs
from quintet.web.app import Settings, make_app
from quintet.web.connections import Connections, proxy_networks
from quintet.web.http_guard import guarded_protocols
from quintet.web.limits import ALL_SOCKETS
from quintet.web.lobby import READER
from quintet.web.open_files import raise_file_limit

LONGEST_FRAME = 65_536
"""Bytes of a WebSocket message; a longer one closes the socket."""
FILES = ALL_SOCKETS + 1_000
"""Files that may be open: each socket is one, and the database and the workers need some."""
GC_THRESHOLDS = (50_000, 20, 50)
"""Garbage collection is rare: a table makes no cycles, and collecting takes time from everybody's moves."""
SWITCH_INTERVAL = 0.0005
"""Seconds that the writer thread waits for Python's lock: it needs it a dozen times for each transaction."""
SHUTDOWN_SECONDS = 3
"""The time that open requests have when the server stops."""
GRACE = 5
"""Seconds more after which a process that does not stop is ended."""

log = logging.getLogger("quintet.web")


def configure(settings: Settings) -> uvicorn.Config:
    """The configuration of uvicorn."""
    http, websocket = guarded_protocols(Connections(settings.limited, settings.trusted_proxies))
    return uvicorn.Config(
        make_app(settings),
        loop="uvloop" if find_spec("uvloop") else "auto",  # Windows has no uvloop.
        http=http,
        ws=websocket,
        ws_max_size=LONGEST_FRAME,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,  # What it logs goes through our own formatter.
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=[str(one) for one in proxy_networks(settings.trusted_proxies)] or None,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def run(listener: socket.socket, settings: Settings, processes: int = 1) -> None:
    """Serve until Ctrl-C or SIGTERM, in one process or several; when one of them ends, all do."""
    logs.configure(settings.log, settings.log_level, settings.secrets)
    if processes == 1:
        raise_file_limit(FILES)
        gc.freeze()  # What is loaded by now is never garbage.
        gc.set_threshold(*GC_THRESHOLDS)
        sys.setswitchinterval(SWITCH_INTERVAL)
        server = uvicorn.Server(configure(settings))
        try:
            with suppress(SystemExit):  # Some versions of uvicorn exit by themselves if they cannot start.
                server.run(sockets=[listener])
        finally:
            leave_readers()
        if not server.started:
            sys.exit(1)
        return
    context = get_context("spawn")
    children = [context.Process(target=run_child, args=(listener, settings)) for _ in range(processes)]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        for child in children:
            child.start()
        ready = wait([child.sentinel for child in children])
        ended = next(child for child in children if child.sentinel in ready)
        ended.join()  # It is ending: its files are closed first.
        log.error(
            "server process %s ended with status %s; stopping the others",
            ended.pid,
            ended.exitcode,
            extra={"event": "process_ended"},
        )
        sys.exit(1)
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.join(SHUTDOWN_SECONDS + GRACE)
            child.kill()


def leave_readers() -> None:
    """Exit now if a thread waits for a database that does not answer: Python would wait for the thread."""
    if any(thread.name.startswith(READER) for thread in threading.enumerate()):
        logging.shutdown()
        os._exit(1)


def run_child(listener: socket.socket, settings: Settings) -> None:
    """Serve in a process of several, until the one that started it ends."""
    parent = parent_process()
    assert parent
    threading.Thread(target=follow, args=(parent.sentinel,), daemon=True).start()
    run(listener, settings)


def follow(parent: int) -> None:
    """Stop when the parent has ended, however it ended: nobody else would, and the port would stay taken."""
    wait([parent])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(SHUTDOWN_SECONDS + GRACE)
    os._exit(1)  # It does not stop.
