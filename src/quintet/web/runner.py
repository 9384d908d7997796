"""Runs the service: uvicorn with its fastest options, in one process or several."""

import asyncio
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
from multiprocessing.context import SpawnProcess
from types import FrameType

import uvicorn

from quintet.web import logs
from quintet.web.app import Settings, make_app
from quintet.web.connections import Connections, proxy_networks
from quintet.web.gateway import Gateway
from quintet.web.http_guard import guarded_protocols
from quintet.web.limits import ALL_SOCKETS
from quintet.web.lobby import READER
from quintet.web.open_files import raise_file_limit
from quintet.web.websocket_guard import GuardedWebSocket

LONGEST_FRAME = 65_536
"""Bytes of a WebSocket message; a longer one closes the socket."""
FILES = ALL_SOCKETS + 1_000
"""Files that may be open: each socket is one, and the database and the workers need some."""
GC_THRESHOLDS = (50_000, 20, 50)
"""Garbage collection is rare: a table makes no cycles, and collecting takes time from everybody's moves."""
SWITCH_INTERVAL = 0.0005
"""Seconds that the writer thread waits for Python's lock: it needs it a dozen times for each transaction."""
SHUTDOWN_SECONDS = 3
"""The time that sockets, and then open requests, have when the server stops."""
DRAIN_POLL = 0.02
"""Seconds between two looks whether all sockets are closed."""
STOP_SECONDS = 15
"""Seconds after draining within which a process must have stopped."""
STARTUP_FAILED, MAX_FAILURES, FAILURE_PAUSE = 1, 5, 1.0
"""The exit status of a process that could not start, how often in a row that may happen, and the seconds between."""

log = logging.getLogger("quintet.web")


class Server(uvicorn.Server):
    """uvicorn, but it drains before it stops: its players go to another process, and what has begun is finished."""

    def __init__(self, settings: Settings) -> None:
        """A server that has not started."""
        self.gateway = make_app(settings)
        self.drain_seconds = settings.drain
        super().__init__(configure(settings, self.gateway))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop in order; at once if the same signal comes again."""
        if sig in self._captured_signals:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept visitors for a while, then nobody, ask the clients of all sockets to connect again, and stop."""
        self.gateway.socket_server.lobby().draining = True
        if signal.SIGINT not in self._captured_signals:  # A person at the keyboard does not want to wait.
            await asyncio.sleep(self.drain_seconds)
        for server in self.servers:
            server.close()
        self.gateway.socket_server.drain()
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_SECONDS):
                while any(isinstance(one, GuardedWebSocket) for one in self.server_state.connections):
                    await asyncio.sleep(DRAIN_POLL)
        await super().shutdown(sockets)


def configure(settings: Settings, app: Gateway) -> uvicorn.Config:
    """The configuration of uvicorn."""
    http, websocket = guarded_protocols(Connections(settings.limited, settings.trusted_proxies))
    return uvicorn.Config(
        app,
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
    """Serve until Ctrl-C or SIGTERM, in one process or several."""
    logs.configure(settings.log, settings.log_level, settings.secrets)
    if processes == 1:
        run_server(listener, settings)
    else:
        run_children(listener, settings, processes)


def run_server(listener: socket.socket, settings: Settings) -> None:
    """Serve in this process."""
    raise_file_limit(FILES)
    gc.freeze()  # What is loaded by now is never garbage.
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL)
    server = Server(settings)
    try:
        with suppress(SystemExit):  # Some versions of uvicorn exit by themselves if they cannot start.
            server.run(sockets=[listener])
    finally:
        leave_readers()
    if not server.started:
        sys.exit(STARTUP_FAILED)


def run_children(listener: socket.socket, settings: Settings, processes: int) -> None:
    """Serve in several processes; one that ends is replaced. `SystemExit` if they cannot start, and by SIGTERM."""
    context = get_context("spawn")
    children: list[SpawnProcess] = []
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        if stopping:
            for child in children:
                child.kill()
        else:
            stopping = True
            sys.exit()

    signal.signal(signal.SIGTERM, stop)
    failures = 0
    try:
        while True:
            while len(children) < processes:
                children.append(context.Process(target=run_child, args=(listener, settings)))
                children[-1].start()
            wait([child.sentinel for child in children])
            for ended in [child for child in children if child.exitcode is not None]:
                ended.join()
                children.remove(ended)
                failures = failures + 1 if ended.exitcode == STARTUP_FAILED else 0
                what = "stopping the others" if failures == MAX_FAILURES else "starting another"
                log.error(
                    "server process %s ended with status %s; %s",
                    ended.pid,
                    ended.exitcode,
                    what,
                    extra={"event": "process_ended"},
                )
                if failures == MAX_FAILURES:
                    sys.exit(1)
            if failures:
                time.sleep(FAILURE_PAUSE)
    finally:
        listener.close()  # Otherwise the system would go on accepting connections that nobody answers.
        for child in children:
            child.terminate()
        deadline = time.monotonic() + settings.drain + STOP_SECONDS
        for child in children:
            child.join(max(0.0, deadline - time.monotonic()))
            child.kill()
            child.join()


def leave_readers() -> None:
    """Exit now if a thread waits for a database that does not answer: Python would wait for the thread."""
    if any(thread.name.startswith(READER) for thread in threading.enumerate()):
        logging.shutdown()
        os._exit(1)


def run_child(listener: socket.socket, settings: Settings) -> None:
    """Serve in a process of several, until the one that started it ends."""
    parent = parent_process()
    assert parent
    stop_seconds = settings.drain + STOP_SECONDS
    threading.Thread(target=follow, args=(parent.sentinel, stop_seconds), daemon=True).start()
    run(listener, settings)


def follow(parent: int, seconds: float) -> None:
    """Stop when the parent has ended, however it ended: nobody else would, and the port would stay taken."""
    wait([parent])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(seconds)
    os._exit(1)  # It does not stop.
