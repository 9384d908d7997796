"""The study of learning, at toy size: it can be interrupted, and its fits and inputs are what they say."""

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return runpy.run_path(str(EXAMPLES / "study.py"))


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / "study_report.py"))


def command(folder: Path, *words: str) -> str:
    run = subprocess.run(
        [sys.executable, str(EXAMPLES / "study.py"), str(folder), *words], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def without_times(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in found["rows"]]


class Interrupted(Exception):
    pass


def test_an_interrupted_run_ends_as_if_it_had_not_been(study: dict[str, Any], tmp_path: Path) -> None:
    run = study["plan"]("scaling", "toy")[0]
    results = []
    for name, stops in (("whole", 0), ("broken", 2)):
        folder, reports = tmp_path / name, list[str]()
        folder.mkdir()

        def report(line: str, reports: list[str] = reports, stops: int = stops) -> None:
            reports.append(line)
            if len(reports) <= stops:
                raise Interrupted

        for _ in range(stops):
            with pytest.raises(Interrupted):
                study["run_scaling"](run, study["Progress"](folder, run), report)
            assert (folder / f"{run.name}.npz").exists()
        progress = study["Progress"](folder, run)
        study["run_scaling"](run, progress, report)
        progress.finish()
        assert len(reports) == 3 and list(folder.iterdir()) == [folder / f"{run.name}.json"]
        results.append(json.loads((folder / f"{run.name}.json").read_text()))
    assert results[0]["done"] == run.length and without_times(results[0]) == without_times(results[1])
    regrets = results[0]["rows"][-1]["regret"]
    assert len(regrets) == 2 and max(regrets) < results[0]["rows"][-1]["random"]


def test_what_is_done_is_not_repeated_and_is_reported(tmp_path: Path) -> None:
    assert (
        "no results yet"
        in subprocess.run(
            [sys.executable, str(EXAMPLES / "study.py"), str(tmp_path), "--report"], capture_output=True, text=True
        ).stderr
    )
    assert command(tmp_path, "--scale", "toy").count("run ") == 4
    assert command(tmp_path, "--scale", "toy") == ""
    tables = command(tmp_path, "--report")
    assert tables.count("| Isolation | 7 |") == 2 and "not finished" not in tables
    assert {file.name for file in tmp_path.glob("*.svg")} == {"scaling.svg", "wall.svg"}


def test_two_positions_are_seen_as_they_were_played(study: dict[str, Any]) -> None:
    plain = study["make"]("gridlock", "3x3")
    env = study["Frames"](plain)
    state = env.init(jax.random.PRNGKey(0))
    assert state.observation.shape == (3, 3, 2 * plain.observation_shape[-1])
    seen = []
    for action in (0, 8, 2):
        state = env.step(state, action)
        seen.append(state.observation)
    # A position's only possible predecessor, where the player before has claimed one cell.
    everything = study["find_positions"]("gridlock", "3x3")
    place = [
        i
        for i, (mine, theirs) in enumerate(zip(everything.mine, everything.theirs, strict=True))
        if (mine, theirs) == (1, 1 << 8)
    ]
    shown, legal = study["observe"](plain, everything, 2, seed=0)
    assert np.array_equal(shown[place[0]], seen[1]) and legal[place[0]][2] and not legal[place[0]][8]
    alone, _ = study["observe"](plain, everything, 1, seed=0)
    assert np.array_equal(alone[place[0]], seen[1][..., : plain.observation_shape[-1]])


def test_the_fit_finds_the_exponent_of_a_power_law(report: dict[str, Any]) -> None:
    points = [(float(10**i), 3 * 10 ** (-0.4 * i)) for i in range(2, 9)]
    assert report["exponent"](points, random=10.0) == pytest.approx(-0.4)
    assert report["exponent"](points[:2], random=10.0) is None
    assert report["exponent"](points, random=1e-9) is None, "nothing has been learned"
    runs = [{"rows": [{"compute": 1, "regret": [0.5]}, {"compute": 4, "regret": [0.3]}]}]
    runs += [{"rows": [{"compute": 2, "regret": [0.6]}, {"compute": 8, "regret": [0.1]}]}]
    assert report["frontier"](runs, 0) == [(1, 0.5), (4, 0.3), (8, 0.1)]
    assert report["write_interval"]([1.0]) == "1.0000"
    assert report["write_interval"]([1.0, 2.0, 3.0], 2) == "2.00 ± 2.48"
