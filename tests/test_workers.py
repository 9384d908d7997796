"""Workers: every task is answered exactly once, wherever it is done and whoever dies over it."""

import time
from collections import Counter
from pathlib import Path

import pytest

from chores import Chores
from quintet.errors import InvalidArgument
from quintet.workers import WorkerDied, Workers, read_workers


def until(path: Path) -> None:
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


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
        names = [str(tmp_path / name) for name in "abcd"]
        for name in names:
            pool.give(f"listen {name}")
        until(tmp_path / "a.begun")
        until(tmp_path / "b.begun")
        assert pool.answers(seconds=0.01) == []
        pool.drop(f"listen {names[2]}")  # It waits in a worker.
        pool.drop(f"listen {names[3]}")
        pool.drop(f"listen {names[1]}")
        pool.drop(f"listen {names[0]}")
        until(tmp_path / "a.dropped")
        until(tmp_path / "b.dropped")
        pool.give("square 2")
        assert pool.answers() == [("square 2", "4")] and pool.answers() == []
        assert not (tmp_path / "c.begun").exists() and not (tmp_path / "d.begun").exists()


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
