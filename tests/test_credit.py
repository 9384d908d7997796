"""The example about credit, at toy size: every kind of credit learns, and its parts compute what they say."""

import json
import random
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np

from quintet.options import start

EXAMPLE = Path(__file__).parent.parent / "examples" / "credit.py"
TOY = "--size 3x3 --seeds 2 --updates 40 --rates 0.03 --groups 8 --group-size 6 --width 32"


def test_every_kind_of_credit_learns(tmp_path: Path) -> None:
    data = tmp_path / "credit.json"
    command = [sys.executable, str(EXAMPLE), "gridlock", *TOY.split(), "--json", str(data)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    found = json.loads(data.read_text())
    assert "all 208 positions" in run.stdout and list(found["credits"]) == [
        "result",
        "regret per game",
        "regret per turn",
        "shaped per turn",
    ]
    starts = {curve[0] for kind in found["credits"].values() for curve in kind["curves"]}
    assert len(starts) == 2, "all kinds of credit start with the same network"
    for kind in found["credits"].values():
        assert all(len(curve) == 11 and curve[-1] < 0.6 * found["random"] for curve in kind["curves"])


def test_an_interval_needs_two_seeds() -> None:
    command = [sys.executable, str(EXAMPLE), "gridlock", "--seeds", "1"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 1 and run.stderr == "credit.py: an interval needs 2 seeds or more\n"


def test_its_parts() -> None:
    example = runpy.run_path(str(EXAMPLE))
    relative = example["advantages"]([0, 1, 1, 2, 3], np.array([1.0, 0, 0, 5, 5]), 2, 2)
    assert (
        abs(relative[:3].sum()) < 1e-9 and relative[0] > 0 > relative[1] == relative[2] and set(relative[3:]) == {0.0}
    )
    shares = [share([0.0, -0.5, 1.0]).tolist() for _, share in example["CREDITS"].values()]
    assert shares == [[0.5] * 3, [0.5] * 3, [0.0, -0.5, 1.0], [0.5, 0.5, 1.0]]


def test_the_step_follows_the_gradient() -> None:
    """What is added to the weights is Adam's step along the derivative of the objective, here by differences."""
    example = runpy.run_path(str(EXAMPLE))
    rng = np.random.default_rng(0)
    policy = example["Policy"](4, 8, 0.1, rng)
    policy.weights[2] = rng.normal(size=(8, 4))
    seen, legal = rng.random((5, 8)), rng.random((5, 4)) > 0.2
    legal[:, 0] = True
    actions, gains = np.zeros(5, int), rng.normal(size=5)

    def objective() -> float:
        return float((np.log(policy.chances(seen, legal)[1][:, 0]) * gains).mean())

    before, expected = objective(), []
    for weight in policy.weights:
        slope = np.zeros_like(weight)
        for place in np.ndindex(weight.shape):
            weight[place] += 1e-6
            slope[place] = (objective() - before) / 1e-6
            weight[place] -= 1e-6
        expected.append(slope)
    policy.improve(seen, legal, actions, gains)
    for average, slope in zip(policy.means, expected, strict=True):
        assert np.allclose(average, 0.1 * slope, atol=1e-5)
    assert objective() > before and np.all(policy.chances(seen, legal)[1][~legal] == 0)


def test_groups_share_their_start() -> None:
    example = runpy.run_path(str(EXAMPLE))
    episodes = example["open_groups"](start("gridlock", "3x3"), "regret", 5, 4, random.Random(3))
    assert len(episodes) == 20
    for number in range(0, 20, 4):
        group = episodes[number : number + 4]
        assert len({episode.game.position for episode in group}) == 1
        assert all(episode.game.position.player == episode.game.player and not episode.over for episode in group)
