"""A server that is told to stop: it says so, finishes what it has begun, and sends its players to another process."""

import json
import os
import signal
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from postgres import running_postgres
from quintet.bench.outages import server_processes
from quintet.store.matches import Store
from quintet.store.online_matches import load_online_match
from serving import WAIT, Seat, Server, wait_until

TOKEN = "a-token-of-the-operator"
LONG = "60"
"""Seconds of draining, of which a test waits for none."""
RESTART = 1012


def is_refused(server: Server) -> bool:
    """Whether nobody listens at a server's address."""
    host, port = server.host.split(":")
    with socket.socket() as client:
        return client.connect_ex((host, int(port))) != 0


def closing_code(seat: Seat) -> int:
    """How a socket ends, and that nothing comes before."""
    with pytest.raises(ConnectionClosed) as ended:
        seat.hear()
    assert ended.value.rcvd
    return ended.value.rcvd.code


def test_a_move_that_is_being_stored_is_acknowledged_before_the_socket_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    server = Server(f"sqlite:///{file}", "--operator-token", TOKEN)
    id, one, two = server.friends("isolation")
    metrics = {"Authorization": f"Bearer {TOKEN}"}

    def is_writing() -> bool:
        lines = server.http.get("/metrics", headers=metrics).text.splitlines()
        [value] = [line.split()[-1] for line in lines if line.startswith("quintet_oldest_write_seconds{")]
        return float(value) > 0

    with server.sit(id, one) as ada, server.sit(id, two) as bea, closing(sqlite3.connect(file)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        ada.move(0, "7", id=1)
        wait_until(is_writing)
        server.child.process.terminate()
        wait_until(lambda: is_refused(server))
        assert closing_code(bea) == RESTART
        holder.rollback()
        assert ada.hear("state")["ack"] == 1
        assert closing_code(ada) == RESTART
    assert server.child.process.wait(WAIT) == -signal.SIGTERM
    assert server.stop() == ""
    with Store(server.database) as store:
        assert load_online_match(store, id).match.ply == 1


def test_a_draining_server_is_not_ready_but_serves_until_its_time_is_over(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/tables.db", "--drain", LONG)
    id, one, two = server.friends("isolation")

    def ready() -> httpx.Response:
        return server.http.get("/api/ready")

    wait_until(lambda: ready().status_code == 200)
    with server.sit(id, one) as ada:
        server.child.process.terminate()
        wait_until(lambda: ready().status_code == 503)
        assert ready().json() == {"error": "The server is draining."} and server.http.get("/api/health").is_success
        with server.sit(id, two) as bea:
            ada.move(0, "7", id="kept")
            assert ada.hear("state")["ack"] == "kept" and bea.hear("state")["ply"] == 1
            server.child.process.terminate()  # The second time it ends at once.
            assert server.child.process.wait(WAIT) == -signal.SIGTERM
    assert server.stop() == ""


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with running_postgres("-c", "fsync=off") as url:
        yield url


def is_replaced(server: Server, process: int) -> bool:
    """Whether another server process has taken the place of one that has ended."""
    found = server_processes(server.child.process.pid)
    return process not in found and len(found) == 2


def test_a_process_that_dies_is_replaced_and_one_that_drains_too(database: str) -> None:
    server = Server(database, "--no-limits", "--processes", "2", "--log", "json")
    id, one, _ = server.friends("isolation")
    for number in (signal.SIGKILL, signal.SIGTERM):
        seats = [server.sit(id, one) for _ in range(4)]
        both = server_processes(server.child.process.pid)
        assert len(both) == 2
        for process in both:
            os.kill(process, number)
            wait_until(partial(is_replaced, server, process))
        for seat in seats:
            with pytest.raises(ConnectionClosed) as ended:
                seat.hear()
            assert number == signal.SIGKILL or (ended.value.rcvd and ended.value.rcvd.code == RESTART)
            seat.socket.close()
    with server.sit(id, one) as ada:
        server.child.process.terminate()
        assert closing_code(ada) == RESTART
        assert server.child.process.wait(WAIT) == 0
    lines = [json.loads(line) for line in server.stop().splitlines()]
    assert [line["event"] for line in lines] == ["process_ended"] * 4
    assert all("starting another" in line["message"] for line in lines)


def test_a_second_signal_ends_all_processes_at_once(database: str) -> None:
    server = Server(database, "--no-limits", "--processes", "2", "--drain", LONG)
    wait_until(lambda: server.http.get("/api/ready").status_code == 200)
    server.http.close()
    children = server_processes(server.child.process.pid)
    server.child.process.terminate()
    wait_until(lambda: httpx.get(f"{server.child.url}/api/ready", timeout=WAIT).status_code == 503)
    server.child.process.terminate()
    assert server.child.process.wait(WAIT) == 0
    assert not [child for child in children if Path(f"/proc/{child}/cmdline").exists()]
    server.stop()
