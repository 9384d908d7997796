"""The learning example, at toy size: its regret falls far below that of random play, on one device or several."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "learn.py"
TOY = "--rounds 80 --games 128 --steps 16 --simulations 8 --batch 256 --width 64 --layers 1 --positions 200"


def test_the_example_learns(tmp_path: Path) -> None:
    data, drawing = tmp_path / "regret.json", tmp_path / "regret.svg"
    files = ("--json", str(data), "--plot", str(drawing))
    command = [sys.executable, str(EXAMPLE), "gridlock", "--size", "3x3", *TOY.split(), *files]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    (result,) = json.loads(data.read_text())
    regrets = [regret for _, _, regret in result["rounds"]]
    assert len(regrets) == 81 and 0 < result["random"] < 1 and max(regrets) <= 1
    assert sum(regrets[-5:]) / 5 < result["random"] / 4
    assert "<svg" in drawing.read_text()


def test_a_small_board_has_few_positions_to_grade() -> None:
    example = runpy.run_path(str(EXAMPLE))
    exam = example["Exam"](example["make"]("gridlock", "2x2"), "2x2", 400, 0)
    assert exam.regrets.shape == (1, 4), "after a claim only the opposite corner is left"


def test_several_devices_learn_the_same_as_one(tmp_path: Path) -> None:
    tiny = "--rounds 2 --games 32 --steps 8 --simulations 4 --batch 64 --width 16 --layers 1 --positions 50"
    rounds = []
    for devices in (1, 4):
        data = tmp_path / f"{devices}.json"
        command = [sys.executable, str(EXAMPLE), "gridlock", "--size", "3x3", *tiny.split(), "--json", str(data)]
        settings = {**os.environ, "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}"}
        run = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr
        (result,) = json.loads(data.read_text())
        rounds.append([(number, regret) for number, _, regret in result["rounds"]])
    assert rounds[0] == rounds[1] and len(set(rounds[0])) == 3
