"""Workers: every task is answered exactly once, wherever it is done and whoever dies over it."""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from chores import Chores
from quintet.errors import InvalidArgument
from quintet.workers import Pool, WorkerDied, Workers, read_workers

HERE = Path(__file__).parent


def until(pool: Pool[str, str], folder: Path, files: str, number: int) -> list[str]:
    """Wait for a number of files; meanwhile nothing is answered."""
    end = time.monotonic() + 60
    while len(found := sorted(folder.glob(files))) < number:
        assert pool.answers(seconds=0.02) == [] and time.monotonic() < end
    return [path.stem for path in found]


@pytest.fixture(params=["1", "2"])
def workers(request: pytest.FixtureRequest) -> Workers:
    return read_workers(request.param)


@pytest.fixture
def others() -> Workers:
    """Workers that can die without us."""
    return read_workers("2")


def test_every_task_is_answered_once(workers: Workers) -> None:
    assert sorted(map(int, workers.run(Chores(), [f"square {i}" for i in range(50)], ahead=3))) == [
        i * i for i in range(50)
    ]
    with workers.pool(Chores()) as pool:
        assert pool.answers() == [] and pool.answers(seconds=0) == []
        pool.give("square 5")
        assert pool.answers() == [("square 5", "25")] and 1 <= pool.size == workers.size <= workers.most
        assert pool.answers() == []


def test_an_error_is_raised_here(workers: Workers) -> None:
    with pytest.raises(ValueError, match="broken"):
        list(workers.run(Chores(), ["square 1", "fail broken"]))


def test_a_dropped_task_that_waits_is_forgotten(workers: Workers) -> None:
    with workers.pool(Chores()) as pool:
        for task in ("square 1", "square 2", "square 3", "fail never begun"):
            pool.give(task)
        pool.drop("fail never begun")
        pool.drop("square 9")
        found: list[tuple[str, str]] = []
        while answers := pool.answers():
            found += answers
        assert sorted(found) == [("square 1", "1"), ("square 2", "4"), ("square 3", "9")]


def test_a_dropped_task_that_runs_is_told(others: Workers, tmp_path: Path) -> None:
    with others.pool(Chores(), ahead=2) as pool:
        for name in "abcd":
            pool.give(f"listen {tmp_path / name}")
        begun = until(pool, tmp_path, "*.begun", 2)
        for name in sorted("abcd", key=begun.__contains__):  # First those that wait in a worker.
            pool.drop(f"listen {tmp_path / name}")
        assert until(pool, tmp_path, "*.dropped", 2) == begun
        pool.give("square 2")
        assert pool.answers() == [("square 2", "4")] and pool.answers() == []
        assert until(pool, tmp_path, "*.begun", 2) == begun


def test_who_was_thinking_is_blamed(others: Workers) -> None:
    tasks = ["exit 3", "square 1", "kill it", "square 2", "square 3", "square 4"]
    found = Counter(others.run(Chores(blamed=True), tasks, ahead=3))
    assert found == Counter(["1 with status 3", "1 by SIGKILL", "1", "4", "9", "16"])


def test_parts_are_done_one_by_one(others: Workers) -> None:
    with others.pool(Chores(blamed=True)) as pool:
        pool.give("all square 2, exit 3, square 3")
        pool.give("all square 4, square 5")
        found: dict[str, str] = {}
        while answers := pool.answers():
            found.update(answers)
    parts = {"square 2": "4", "exit 3": "1 with status 3", "square 3": "9"}
    assert found == {"all square 4, square 5": "16 25", **parts}


def test_a_task_is_tried_again(others: Workers, tmp_path: Path) -> None:
    tasks = [f"once {tmp_path / 'a'}", "square 1", f"once {tmp_path / 'b'}", "square 2"]
    assert sorted(others.run(Chores(), tasks, ahead=2)) == ["1", "4", "again", "again"]


def test_a_task_that_keeps_ending_workers_is_an_error(others: Workers) -> None:
    with pytest.raises(WorkerDied, match=r"^a worker process ended with status 9 in the chore 'exit 9'$"):
        list(others.run(Chores(), ["exit 9", "square 1"]))


def test_what_workers_are_read_from() -> None:
    assert read_workers(1).most == 1 and read_workers("8").most == 8 and read_workers().most >= 1
    for text in ("0", "-1", "two", "1.5", "9999", "", "rays", "ray:/x", "²"):
        with pytest.raises(InvalidArgument, match="workers must be a number from 1 to 1024, ray, or ray://HOST:PORT"):
            read_workers(text)
    for text in ("ray://", "ray://here:x", "ray://:5", "ray://[x"):
        with pytest.raises(InvalidArgument, match="a Ray cluster is named ray://HOST:PORT, not 'ray://"):
            read_workers(text)


def test_only_a_cluster_needs_ray() -> None:
    code = "import sys; from quintet.workers import read_workers; from chores import Chores\n"
    code += "if __name__ == '__main__': print(*read_workers('2').run(Chores(), ['square 7']), 'ray' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=HERE)
    assert run.stdout == "49 False\n"
