"""A suite run for one player after another, each into a folder of logs. What is there already is not run again."""

import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from inspect_ai import eval_set

from quintet.arena.tournament import prepare
from quintet.llm.garbage import sparing
from quintet.llm.judging import engine
from quintet.llm.suite import Suite
from quintet.llm.tasks import play, positions

MODEL = "model:"
"""Players of this kind are run as Inspect runs models: many games at once, with its retries."""
ENGINES_AT_ONCE = 8
RETRIES = 3


def run_suite(suite: Suite, players: Sequence[str], folder: Path, options: dict[str, Any]) -> list[str]:
    """Run a suite for players, asked in the manner that the options describe; who did not finish is returned."""
    name = f"{suite.name}-{suite.version}"
    prepare(find_spec("numba") is not None and any(player.startswith("mcts") for player in players))
    unfinished = []
    for player in players:
        is_model = player.startswith(MODEL)
        manner = options if is_model else {}  # An engine reads no prompt.
        tasks = [
            play(suite=name, **manner),
            positions(suite=name, **{key: value for key, value in manner.items() if key != "history"}),
        ]
        words = [player, *(f"{key}={value}" for key, value in manner.items())]
        with sparing():
            done, _ = eval_set(
                tasks,
                log_dir=str(folder / name / re.sub(r"[^\w.=-]+", "-", "-".join(words))),
                model=player.removeprefix(MODEL) if is_model else None,
                solver=None if is_model else engine(player),
                max_samples=None if is_model else ENGINES_AT_ONCE,
                retry_attempts=RETRIES,
                log_realtime=False,
                log_dir_allow_dirty=True,
            )
        if not done:
            unfinished.append(player)
    return unfinished
