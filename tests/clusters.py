"""A Ray cluster of two nodes on this machine, for a whole module of tests."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

import pytest

HERE = Path(__file__).parent
TOKEN = sha256(os.environ.get("PYTEST_XDIST_TESTRUNUID", token_hex(32)).encode()).hexdigest()
"""Only the tests of this run may use their clusters. Ray reads it once in a process, so it never changes."""


class Nodes:
    """Two nodes."""

    def __init__(self, folder: str) -> None:
        words = [sys.executable, str(HERE / "two_nodes.py"), folder]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin and self.process.stdout
        self.asked, self.said = self.process.stdin, self.process.stdout
        self.address, self.port = self.said.readline().split()

    def tell(self, what: str) -> None:
        """Lose a node, or add one."""
        print(what, file=self.asked, flush=True)
        assert self.said.readline().strip() == what

    def actors(self) -> set[int]:
        """The processes of our actors."""
        return find("ray::Host", find("raylet", {self.process.pid}))

    def client_server(self) -> int:
        """The process that listens for `ray://`."""
        for process in find("", {self.process.pid}):
            if f"--port={self.port}" in Path(f"/proc/{process}/cmdline").read_text().split("\0"):
                return process
        raise AssertionError("nobody listens")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Two nodes, to which `--workers ray` connects."""
    folder = tempfile.mkdtemp(prefix="q", dir="/tmp")  # Sockets need a short path.
    one_at_a_time = Path(tempfile.gettempdir()) / "quintet-test-cluster.lock"  # Two clusters use the same ports.
    with one_at_a_time.open("a") as lock, pytest.MonkeyPatch.context() as environment:
        fcntl.flock(lock, fcntl.LOCK_EX)
        environment.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        environment.setenv("RAY_AUTH_MODE", "token")
        environment.setenv("RAY_AUTH_TOKEN", TOKEN)  # None is saved.
        import ray  # It reads the environment when it is loaded.

        nodes = Nodes(folder)
        environment.setenv("RAY_ADDRESS", nodes.address)
        yield nodes
        ray.shutdown()
        nodes.process.communicate()
        shutil.rmtree(folder)


def stat(process: Path) -> tuple[str, int]:
    """The name and the parent of a process."""
    try:
        name, _, rest = (process / "stat").read_text().rpartition(")")
        return name.partition("(")[2], int(rest.split()[1])
    except OSError:
        return "", 0


def find(name: str, parents: set[int]) -> set[int]:
    """Processes with this name whose parent is one of these."""
    found = {int(process.name): stat(process) for process in Path("/proc").glob("[0-9]*")}
    return {number for number, (called, parent) in found.items() if called.startswith(name) and parent in parents}
