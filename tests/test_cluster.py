"""A Ray cluster of two nodes on this machine does what processes do, whatever is killed."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from chores import Chores
from clusters import Nodes, find, nodes
from quintet.arena import standings, tournament
from quintet.games import GAMES
from quintet.gears import PLAIN
from quintet.notation import write_position
from quintet.options import start
from quintet.solve.divided import divide
from quintet.solve.solution import solve
from quintet.solve.solver import Solver
from quintet.solve.verify import verify
from quintet.version import __version__
from quintet.workers import Workers, read_workers
from quintet.workers.ray_cluster import ClusterFault
from test_workers import (
    test_a_dropped_task_that_runs_is_told,
    test_a_task_is_tried_again,
    test_an_error_is_raised_here,
    test_every_task_is_answered_once,
    test_who_was_thinking_is_blamed,
)

if not (find_spec("ray") and find_spec("grpc")):
    pytest.skip("Ray is not installed", allow_module_level=True)

__all__ = [
    "nodes",
    "test_a_dropped_task_that_runs_is_told",
    "test_a_task_is_tried_again",
    "test_an_error_is_raised_here",
    "test_every_task_is_answered_once",
    "test_who_was_thinking_is_blamed",
]

BOARDS = [write_position(start(game)) for game in GAMES.values()]
COMMAND = [sys.executable, "-m", "quintet", "arena", "--players", "random,greedy,level:3", "--games", "20", "--json"]


@pytest.fixture
def workers(nodes: Nodes) -> Workers:
    return read_workers("ray")


@pytest.fixture
def others(workers: Workers) -> Workers:
    return workers


def test_two_nodes_play_what_one_process_plays(nodes: Nodes, workers: Workers) -> None:
    """A worker process, an actor and a node are killed in the middle: no game is lost, and none counts twice."""
    names = ("random", "greedy")
    duels = tournament.schedule([names], BOARDS, 2000)
    alone = list(tournament.run(duels, 1, compiled=False))
    results = []
    for result in tournament.run(duels, workers, compiled=False):
        results.append(result)
        if len(results) == 200:
            os.kill(min(find("python", nodes.actors())), signal.SIGKILL)
        elif len(results) == 600:
            os.kill(min(nodes.actors()), signal.SIGKILL)
        elif len(results) == 1000:
            assert workers.size <= 2
            nodes.tell("lose")
    assert workers.size == 0
    nodes.tell("add")
    assert len(results) == len(duels) and set(results) == set(alone)
    order = sorted(results, key=lambda result: duels.index(result.duel))
    table, expected = (standings.rating_table(standings.standing(names, found)) for found in (order, alone))
    assert table == expected


def test_a_solve_survives_a_node(nodes: Nodes, workers: Workers) -> None:
    """A worker process and a node are killed in the middle."""
    empty = start(GAMES["gridlock"], "5x5")
    searcher = divide(empty, workers, gear=PLAIN, seconds=0.1)
    killed: list[str] = []

    def kill(_: Solver) -> None:
        if not killed and searcher.answered >= 1:
            os.kill(min(find("python", nodes.actors())), signal.SIGKILL)
            killed.append("process")
        elif len(killed) == 1 and searcher.answered >= 3:
            nodes.tell("lose")
            killed.append("node")

    with closing(searcher):
        found = solve(empty, PLAIN, watch=kill, searcher=searcher)
    assert killed == ["process", "node"]
    nodes.tell("add")
    assert str(found.value) == "win in 17" and found.best == solve(empty, PLAIN).best and found.complete


@pytest.mark.parametrize("client", [False, True])
def test_the_arena_prints_the_same(nodes: Nodes, client: bool) -> None:
    where = f"ray://127.0.0.1:{nodes.port}" if client else "ray"
    run = subprocess.run([*COMMAND, "--workers", where], capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (0, "")
    alone = subprocess.run([*COMMAND, "--workers", "1"], capture_output=True, text=True, timeout=120)
    assert json.loads(run.stdout)["pairs"] and run.stdout == alone.stdout


def test_a_proof_is_the_one_in_memory(workers: Workers, tmp_path: Path) -> None:
    empty = start("adjacent-claim", "3x3")
    assert verify(empty, "plain", folder=tmp_path / "proof", workers=workers, memory=4_000) == verify(empty, "plain")


def test_another_version_is_one_line(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.workers.ray_cluster.__version__", "99.0")
    with pytest.raises(ClusterFault, match=f"^the Ray cluster has quintet {__version__}, this machine has 99.0$"):
        list(workers.run(Chores(), ["square 1"]))


def test_a_cluster_that_cannot_be_reached_is_one_line() -> None:
    run = subprocess.run([*COMMAND, "--workers", "ray://127.0.0.1:1"], capture_output=True, text=True, timeout=120)
    message = "quintet: cannot connect to the Ray cluster ray://127.0.0.1:1: [Errno 111] Connection refused\n"
    assert (run.returncode, run.stdout, run.stderr) == (1, "", message)


CLIENT = """
import sys
from pathlib import Path
from chores import Chores
from quintet.workers import read_workers

def wait(pool, file):
    while not Path(file).exists():
        pool.answers(0.1)

_, address, *files = sys.argv
pools = [read_workers(address).pool(Chores()) for _ in files]
for pool, file in zip(pools, files):
    pool.give(f"listen {file}")
    wait(pool, f"{file}.begun")
pools[0].drop(f"listen {files[0]}")
wait(pools[1], f"{files[0]}.dropped")
input("begun\\n")
pools[0].close()  # The loss has not been noticed yet.
for use in (pools[1].drop, pools[1].give, lambda _: pools[1].answers()):
    try:
        use(f"listen {files[1]}")
    except Exception as error:
        print(type(error).__name__, error)
pools[1].close()
"""


def test_a_client_drops_tasks_and_a_lost_head_is_one_line(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head's server for clients is killed. No later test can be a client."""
    monkeypatch.setenv("RAY_CLIENT_RECONNECT_GRACE_PERIOD", "1")
    words = [sys.executable, "-c", CLIENT, f"ray://127.0.0.1:{nodes.port}", str(tmp_path / "a"), str(tmp_path / "b")]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as client:
        assert client.stdout and client.stdout.readline() == "begun\n", client.stderr and client.stderr.read()
        os.kill(nodes.client_server(), signal.SIGKILL)
        output, errors = client.communicate("\n", timeout=120)
    assert output.splitlines() == ["ClusterFault the connection to the Ray cluster is lost"] * 3
    assert (client.returncode, errors) == (0, "")
