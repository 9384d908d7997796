"""Running a suite for several players, each into its own folder of logs. Finished logs are not run again."""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, Literal

from inspect_ai import eval_set
from inspect_ai.model import GenerateConfig
from pydantic import ValidationError

from quintet.arena.tournament import prepare
from quintet.errors import QuintetError
from quintet.llm.overhead import reduced_overhead
from quintet.llm.settings import LIMITS
from quintet.llm.solvers import engine
from quintet.llm.tasks import play, positions
from quintet.suites.suite import Suite
from quintet.workers import Signals, Work, Workers

MODEL = "model:"
"""Players of this kind run as Inspect runs models: many samples at once, with its retries."""
ENGINE_SAMPLES = 8
"""Samples that an engine plays at once."""
RETRIES = 3
LEAST = {"reasoning_tokens": 0, "max_tokens": 1, "token_limit": 1}
"""The settings that are numbers of tokens, and the least number of each."""


class InvalidSettings(QuintetError, ValueError):
    """Settings of a model that Inspect does not know."""


class LogsElsewhere(QuintetError):
    """Logs that a worker on another machine wrote to its own disk."""

    status = 1


def run_suite(
    suite: Suite,
    players: Sequence[str],
    folder: Path,
    options: dict[str, Any],
    workers: Workers | None = None,
    progress: Callable[[int, int], None] | None = None,
    settings: Sequence[dict[str, Any]] = ({},),
) -> list[str]:
    """Run a suite for players, models with these prompt options; returns the players who did not finish.

    A model is run once with each of the settings. Engines run on workers, one task for each of them; models run in this
    process, one after another.
    """
    models = [player for player in players if player.startswith(MODEL)]
    engines = [player for player in players if player not in models]
    done: dict[str, bool] = {}
    compiled = find_spec("numba") is not None and any(player.startswith("mcts") for player in engines)
    if workers is None or min(workers.most, len(engines)) < 2:  # Inspect shows its own progress.
        prepare(compiled)
        models = list(players)
    else:
        with workers.pool(Evaluations(suite.full_name, folder.absolute(), compiled)) as pool:
            for player in engines:
                pool.give(player)
            while answers := pool.answers():
                done.update(answers)
                if progress:
                    progress(len(done), len(engines))
        for player, finished in done.items():
            if finished and not log_folder(folder, suite.full_name, player, {}).is_dir():
                raise LogsElsewhere(
                    f"the logs of {player} are not in {folder}: choose a folder that all machines share"
                )
    for player in models:
        several = settings if player.startswith(MODEL) else [{}]
        runs = [evaluate(suite.full_name, player, folder, options, settings=each) for each in several]
        done[player] = all(runs)
    return [player for player in players if not done[player]]


class Evaluations(Work[str, bool]):
    """Evaluations of engines, each a task: whether it has finished."""

    def __init__(self, suite: str, folder: Path, compiled: bool) -> None:
        """The suite, where its logs are, and whether to compile rollouts."""
        self.suite, self.folder, self.compiled = suite, folder, compiled

    def prepare(self) -> None:
        """Compile rollouts if asked to."""
        prepare(self.compiled)

    def do(self, player: str, signals: Signals) -> bool:
        """Evaluate an engine."""
        return evaluate(self.suite, player, self.folder, {}, "none")

    def blame(self, player: str, announced: int, how: str) -> bool:
        """An engine that ends its process has not finished."""
        return False


def evaluate(
    suite: str,
    player: str,
    folder: Path,
    options: dict[str, Any],
    display: Literal["none"] | None = None,
    settings: dict[str, Any] | None = None,
) -> bool:
    """Run a suite for a player; returns whether it has finished."""
    is_model = player.startswith(MODEL)
    used, configured = (options, settings or {}) if is_model else ({}, {})  # An engine reads no prompt.
    tasks = [
        play(suite=suite, **used),
        positions(suite=suite, **{key: value for key, value in used.items() if key != "history"}),
    ]
    with reduced_overhead():
        done, _ = eval_set(
            tasks,
            log_dir=str(log_folder(folder, suite, player, used | configured)),
            model=player.removeprefix(MODEL) if is_model else None,
            solver=None if is_model else engine(player),
            max_samples=None if is_model else ENGINE_SAMPLES,
            retry_attempts=RETRIES,
            log_realtime=False,
            log_dir_allow_dirty=True,
            display=display,
            **configured,
        )
    return done


def settings_grid(given: Mapping[str, float | str | None]) -> list[dict[str, Any]]:
    """All combinations of settings; text may give several values of one, separated by commas."""
    axes: dict[str, Sequence[float | str]] = {
        name: list(dict.fromkeys(part.strip() for part in value.split(","))) if isinstance(value, str) else [value]
        for name, value in given.items()
        if value is not None
    }
    return [check_settings(dict(zip(axes, values, strict=True))) for values in product(*axes.values())]


def check_settings(given: Mapping[str, float | str | None]) -> dict[str, Any]:
    """The settings that were given, if Inspect knows them."""
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    for name in LEAST.keys() & settings.keys():
        number = str(settings[name])
        if not re.fullmatch(r"\d{1,9}", number, re.ASCII) or int(number) < LEAST[name]:
            raise InvalidSettings(f"{name} {number!r} is not valid: it must be a number, {LEAST[name]} or more")
        settings[name] = int(number)
    try:
        GenerateConfig(**{name: value for name, value in settings.items() if name not in LIMITS})
    except ValidationError as error:
        wrong, said = str(error.errors()[0]["loc"][0]), error.errors()[0]["msg"]
        raise InvalidSettings(f"{wrong} {settings[wrong]!r} is not valid: {said[:1].lower()}{said[1:]}") from None
    return settings


def log_folder(folder: Path, suite: str, player: str, options: dict[str, Any]) -> Path:
    """Where the logs of a player are."""
    name = "-".join([player, *(f"{key}={value}" for key, value in options.items())])
    return folder / suite / re.sub(r"[^\w.=-]+", "-", name)
