"""A Ray cluster of two nodes on this machine does what processes do, whatever is killed."""

import json
import os
import signal
import subprocess
import sys

import pytest

from clusters import Nodes, find, nodes
from quintet.arena import tournament
from quintet.games import GAMES
from quintet.notation import write_position
from quintet.options import start
from quintet.workers import Workers, read_workers
from test_workers import (
    test_a_dropped_task_that_runs_is_told,
    test_a_task_is_tried_again,
    test_an_error_is_raised_here,
    test_every_task_is_answered_once,
    test_who_was_thinking_is_blamed,
)

pytest.importorskip("ray")

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
    table, expected = (tournament.rating_table(tournament.standing(names, found)) for found in (order, alone))
    assert table == expected


@pytest.mark.parametrize("client", [False, True])
def test_the_arena_prints_the_same(nodes: Nodes, client: bool) -> None:
    where = f"ray://127.0.0.1:{nodes.port}" if client else "ray"
    run = subprocess.run([*COMMAND, "--workers", where], capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (0, "")
    alone = subprocess.run([*COMMAND, "--workers", "1"], capture_output=True, text=True, timeout=120)
    assert json.loads(run.stdout)["pairs"] and run.stdout == alone.stdout


def test_a_cluster_that_cannot_be_reached_is_one_line() -> None:
    run = subprocess.run([*COMMAND, "--workers", "ray://127.0.0.1:1"], capture_output=True, text=True, timeout=120)
    message = "quintet: cannot connect to the Ray cluster ray://127.0.0.1:1: [Errno 111] Connection refused\n"
    assert (run.returncode, run.stdout, run.stderr) == (1, "", message)
