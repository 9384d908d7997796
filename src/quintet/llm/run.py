"""Running a suite for several players, each into its own folder of logs. Finished logs are not run again."""

import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from inspect_ai import eval_set

from quintet.arena.tournament import prepare
from quintet.llm.overhead import reduced_overhead
from quintet.llm.solvers import engine
from quintet.llm.suite import Suite
from quintet.llm.tasks import play, positions

MODEL = "model:"
"""Players of this kind run as Inspect runs models: many samples at once, with its retries."""
ENGINE_SAMPLES = 8
"""Samples that an engine plays at once."""
RETRIES = 3


def run_suite(suite: Suite, players: Sequence[str], folder: Path, options: dict[str, Any]) -> list[str]:
    """Run a suite for players, models with these prompt options; returns the players who did not finish."""
    prepare(find_spec("numba") is not None and any(player.startswith("mcts") for player in players))
    unfinished = []
    for player in players:
        is_model = player.startswith(MODEL)
        used = options if is_model else {}  # An engine reads no prompt.
        tasks = [
            play(suite=suite.full_name, **used),
            positions(suite=suite.full_name, **{key: value for key, value in used.items() if key != "history"}),
        ]
        name = "-".join([player, *(f"{key}={value}" for key, value in used.items())])
        with reduced_overhead():
            done, _ = eval_set(
                tasks,
                log_dir=str(folder / suite.full_name / re.sub(r"[^\w.=-]+", "-", name)),
                model=player.removeprefix(MODEL) if is_model else None,
                solver=None if is_model else engine(player),
                max_samples=None if is_model else ENGINE_SAMPLES,
                retry_attempts=RETRIES,
                log_realtime=False,
                log_dir_allow_dirty=True,
            )
        if not done:
            unfinished.append(player)
    return unfinished
