"""`quintet serve` as a command: what it says when it starts, stops, or cannot."""

import re
import signal
import socket
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from quintet.cli.common import WEB
from quintet.web.runner import FILES
from serving import WAIT, Server

COMMAND = [sys.executable, "-m", "quintet", "serve"]


def refuse(*options: str, rc: int) -> str:
    """What a server says that does not start."""
    run = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=60)
    assert run.returncode == rc and run.stdout == "" and run.stderr.count("\n") == 1, run.stderr
    return run.stderr


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in refuse("--port", str(port), rc=1)


def test_several_processes_need_a_shared_database() -> None:
    assert "several processes need PostgreSQL" in refuse("--processes", "2", rc=2)


def test_a_database_that_cannot_be_opened() -> None:
    assert "the store /no/such/folder/x.db cannot be opened" in refuse(
        "--database", "sqlite:////no/such/folder/x.db", rc=1
    )
    assert "the database must be a URL" in refuse("--database", "foo", rc=1)


def test_it_may_open_as_many_files_as_the_system_lets_it(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        server = Server(f"sqlite:///{tmp_path}/quintet.db")
        server.http.get("/api/health")
        raised, _ = resource.prlimit(server.child.process.pid, resource.RLIMIT_NOFILE)
        assert server.stop() == "" and raised == (FILES if hard == resource.RLIM_INFINITY else min(FILES, hard))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_ctrl_c_stops_it_quietly_while_somebody_plays(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    begun = server.begin("isolation", seats={"1": "human", "2": "random"})
    with server.sit(begun["id"], begun["tokens"]["1"]) as me:
        me.move(0, "7")
        me.hear_until("state", ply=2)
        server.child.process.send_signal(signal.SIGINT)
        assert server.child.process.wait(WAIT) == 0
    assert server.stop() == ""


def test_the_modules_that_the_server_asks_for_are_those_of_its_extra() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    extra = {re.split("[^a-z0-9-]", one)[0] for one in project["project"]["optional-dependencies"]["web"]}
    modules = {
        module
        for module, packages in packages_distributions().items()
        if extra & {package.lower().replace("_", "-") for package in packages}
    }
    assert {module for module in modules if not module.startswith("_")} - {"uvloop"} == set(WEB)
