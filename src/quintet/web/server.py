"""Running the service: uvicorn with its fastest parts, in one process or several."""

import gc
import logging
import signal
import socket
import sys
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import Any

import uvicorn

from quintet.web.app import Settings, make_app
from quintet.web.files import allow_files
from quintet.web.limits import ALL_SOCKETS

LONGEST_FRAME = 65_536
"""Bytes of a message that is read at all; beyond, the socket is closed."""
FILES = ALL_SOCKETS + 1_000
"""Files that may be open: a socket is one, and the store and the processes need some."""
COLLECT = (50_000, 20, 50)
"""How rarely to look for garbage in circles: a table makes none, and looking takes time from everybody's moves."""
SWITCH = 0.0005
"""Seconds that the thread that writes waits for Python's lock: it needs it a dozen times for each transaction."""
PARTING = 3
"""Seconds that open requests have when the server stops."""


def configure(settings: Settings) -> uvicorn.Config:
    """How uvicorn runs the service."""
    options: dict[str, Any] = {"loop": "uvloop"} if find_spec("uvloop") else {}  # Windows has none.
    return uvicorn.Config(
        make_app(settings),
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=LONGEST_FRAME,
        ws_per_message_deflate=False,
        lifespan="on",
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=PARTING,
        **options,
    )


def run(listener: socket.socket, settings: Settings, processes: int = 1) -> None:
    """Serve until Ctrl-C or SIGTERM, in several processes if need be; when one of them ends, all do."""
    if processes == 1:
        allow_files(FILES)
        gc.freeze()  # What is loaded stays.
        gc.set_threshold(*COLLECT)
        sys.setswitchinterval(SWITCH)
        uvicorn.Server(configure(settings)).run(sockets=[listener])
        return
    context = get_context("spawn")
    children = [context.Process(target=run, args=(listener, settings)) for _ in range(processes)]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        for child in children:
            child.start()
        wait([child.sentinel for child in children])
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.join()
