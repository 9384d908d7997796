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
    monkeypatch.syspath_prepend(str(EXAMPLES))
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
    assert command(tmp_path, "--scale", "toy").count("run ") == 5
    assert command(tmp_path, "--scale", "toy") == ""
    tables = command(tmp_path, "--report")
    assert tables.count("| Isolation | 7 |") == 5 and "not finished" not in tables
    assert {file.name for file in tmp_path.glob("*.svg")} == {"scaling.svg", "sizes.svg", "wall.svg"}


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
    assert report["determination"](points, random=10.0) == pytest.approx(1.0)
    assert report["exponent"](points[:2], random=10.0) is None is report["determination"](points[:2], random=10.0)
    assert report["exponent"](points, random=1e-9) is None, "nothing has been learned"
    runs = [{"rows": [{"compute": 1, "regret": [0.5]}, {"compute": 4, "regret": [0.3]}]}]
    runs += [{"rows": [{"compute": 2, "regret": [0.6]}, {"compute": 8, "regret": [0.1]}]}]
    assert report["frontier"](runs, 0) == [(1, 0.5), (4, 0.3), (8, 0.1)]
    assert report["write_interval"]([1.0]) == "1.0000"
    assert report["write_interval"]([1.0, 2.0, 3.0], 2) == "2.00 ± 2.48"


def test_boards_and_widths_are_compared(report: dict[str, Any]) -> None:
    def trained(game: str, size: str, width: int, positions: int, regrets: list[float]) -> dict[str, Any]:
        rows = [
            {"compute": width * 10.0**i, "weights": width, "positions": positions, "random": 1.0, "regret": [regret]}
            for i, regret in enumerate(regrets)
        ]
        return {"run": {"game": game, "size": size, "width": width, "seeds": [0]}, "rows": rows}

    points = [(1.0, 0.8), (2.0, 0.5), (4.0, 0.1)]
    assert report["needed"](points, 1.0) == 2.0 and report["needed"](points[:1], 1.0) is None
    widths = [trained("isolation", "9", width, 100, [1 / width]) for width in (2, 4, 8)]
    assert report["width_exponent"](widths, 0) == pytest.approx(-1.0)
    assert report["width_exponent"](widths[:2], 0) is None
    boards = [trained("isolation", str(number), 1, 10**number, [0.9] * number + [0.4]) for number in (2, 3, 4)]
    assert report["size_table"](boards)[-1] == "| Isolation | 2, 3, 4 | 1.00 |", "ten times the positions and compute"
    assert report["size_table"](boards[:2])[-1] == "| Isolation | 2, 3 | 0 of 1 seeds |"
    assert report["width_table"](widths)[-1] == "| Isolation | 9 | 100 | 1.000 | 0.5000 | 0.2500 | 0.1250 |"
    assert report["write_billions"]([1e10, 1e12, 1e11]).startswith("100 (0.")


def test_games_and_inputs_are_compared(report: dict[str, Any]) -> None:
    shares = {("isolation", 1): (0.5, 0.7), ("isolation", 2): (0.5, 0.7), ("gridlock", 1): (0.1, 0.1)}
    runs = [
        {"run": {"game": game, "size": "9", "frames": frames}, "rows": [{"regret": [share], "random": 1.0}]}
        for (game, frames), both in shares.items()
        for share in both
    ]
    assert report["difference_table"](runs)[2:] == [
        "| 9 | Isolation: two positions − one position | +0.000 ± 0.608 | 1 |",
        "| 9 | Isolation − Gridlock, one position | +0.500 ± 1.271 | 0.1 |",
    ]
    assert report["write_difference"]([1.0, 1.0], [0.5, 0.5]) == "+0.500 |"


def test_all_images_of_a_position_are_seen_alike(study: dict[str, Any]) -> None:
    learner = study["Learner"]("gridlock", "3x3", 8, 1, 8, 1e-3, 1000)
    images = [[sum(1 << int(places[i]) for i in cells) for places in learner.turns] for cells in ((0, 5), (2,))]
    (mine, theirs), turn = learner.turn(*(jax.numpy.array(image) for image in images))
    assert len(learner.turns) == 8 and len(set(zip(*images, strict=True))) == 8
    assert set(zip(mine.tolist(), theirs.tolist(), strict=True)) == {
        min(zip(*images, strict=True), key=lambda p: p[::-1])
    }
    for place, number in enumerate(turn.tolist()):
        there = learner.turns[number]
        assert sum(1 << int(there[i]) for i in range(9) if images[0][place] >> i & 1) == mine[0]
