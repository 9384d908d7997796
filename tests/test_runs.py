"""Benchmarks of several runs: every figure that varies is given as its range."""

import json
import subprocess
import sys

import pytest

from quintet.bench.boardgame_io import ratios
from quintet.bench.meter import Figures
from quintet.bench.tables import Row, merge, print_runs


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["249", "249"], "249"),
        (["4,052", "985", "3,981"], "985 to 4,052"),
        (["18.6 ms", "9.25 ms"], "9.25 to 18.6 ms"),
        (["  (40,520 in 10 s)", "  (39,000 in 10 s)"], "  (39,000 to 40,520 in 10 s)"),
        (["gridlock 5x5", "gridlock 5x5"], "gridlock 5x5"),
        (["-", "3.0 ms"], "- | 3.0 ms"),
        (["", ""], ""),
    ],
)
def test_figures_of_several_runs_become_one(words: list[str], expected: str) -> None:
    assert merge(words) == expected


def test_every_run_is_shown_and_then_the_range(capsys: pytest.CaptureFixture[str]) -> None:
    tables: list[list[Row]] = [
        [("moves per second", "1,000"), ("errors", "0")],
        [("moves per second", "900"), ("errors", "2"), ("2 times:", " it is late")],
    ]
    waiting = iter(tables)
    print_runs(2, lambda: next(waiting))
    said = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert said[0] == ["run", "1", "of", "2"] and said[3] == ["run", "2", "of", "2"]
    assert [" ".join(words) for words in said[-4:]] == [
        "lowest to highest of 2 runs",
        "moves per second 900 to 1,000",
        "errors 0 to 2",
        "2 times: it is late",
    ]
    print_runs(1, lambda: tables[0])
    assert capsys.readouterr().out.split() == ["moves", "per", "second", "1,000", "errors", "0"]


def test_a_comparison_is_made_round_by_round() -> None:
    ours, theirs = (
        [Figures(1, 1, rate, 0, 1, p99, 9, {}) for rate, p99 in rounds]
        for rounds in (((120, 30), (90, 20)), ((100, 40), (100, 10)))
    )
    assert ratios(ours, theirs) == ([1.2, 0.9], [0.75, 2.0])


@pytest.mark.parametrize(
    "words",
    [
        "solve gridlock --no-grading --time 0",
        "engines --positions 2",
        "arena --games 10 --jobs 1 --gear plain",
        "play --games gridlock --seconds 0 --only python",
    ],
)
def test_every_benchmark_can_be_run_several_times(words: str) -> None:
    run = bench(*words.split(), "--runs", "2")
    head, found, last = run.rpartition("\nlowest to highest of 2 runs\n")
    assert head.startswith("run 1 of 2\n") and "\nrun 2 of 2\n" in head and found
    lines = head.partition("\nrun 2 of 2\n")[2].splitlines()
    # The last table of the second run and the one of all runs tell of the same things.
    assert [line.split()[0] for line in last.splitlines()] == [line.split()[0] for line in lines[-last.count("\n") :]]


def test_the_figures_of_all_runs_are_in_the_json() -> None:
    rows = json.loads(
        bench("play", "--games", "gridlock", "--seconds", "0", "--only", "python", "--runs", "2", "--json")
    )
    assert [row["key"] for row in rows] == ["python", "python"]
    found = json.loads(bench("serve", "gridlock", "--matches", "2", "--seconds", "0.1", "--runs", "2", "--json"))
    assert found["matches"] == 2 and len(found["runs"]) == 2 and all(one["moves"] for one in found["runs"])


def bench(*words: str) -> str:
    """What a benchmark prints."""
    run = subprocess.run(
        [sys.executable, "-m", "quintet", "bench", *words], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
