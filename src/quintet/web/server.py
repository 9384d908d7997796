"""Running the service: uvicorn with its fastest parts, in one process or several."""

import logging
import socket
from multiprocessing import get_context
from typing import Any

import uvicorn

from quintet.web.app import Settings, make_app

LONGEST_FRAME = 65_536
"""Bytes of a message that is read at all; beyond, the socket is closed."""
BACKLOG = 2_048
PARTING = 3
"""Seconds that open requests have when the server stops."""


def configure(settings: Settings) -> uvicorn.Config:
    """How uvicorn runs the service."""
    options: dict[str, Any] = {"loop": "uvloop"} if uvloop_there() else {}
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


def uvloop_there() -> bool:
    """Whether the faster event loop is installed; Windows has none."""
    from importlib.util import find_spec

    return find_spec("uvloop") is not None


def open_port(host: str, port: int) -> socket.socket:
    """A port that listens; an `OSError` if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    listener.set_inheritable(True)
    return listener


def run(listener: socket.socket, settings: Settings) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    uvicorn.Server(configure(settings)).run(sockets=[listener])


def run_many(listener: socket.socket, settings: Settings, processes: int) -> None:
    """Serve in several processes that share a port; when one ends, all do."""
    from multiprocessing.connection import wait

    context = get_context("spawn")
    children = [context.Process(target=run, args=(listener, settings)) for _ in range(processes)]
    for child in children:
        child.start()
    try:
        wait([child.sentinel for child in children])
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.join()
