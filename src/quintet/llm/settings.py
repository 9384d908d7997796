"""The settings of a model in a run, such as its temperature: they are part of who played."""

import json
import shlex
from collections.abc import Mapping

from inspect_ai.log import EvalLog

OPERATION = frozenset(
    {
        "max_retries",
        "timeout",
        "attempt_timeout",
        "stream_idle_timeout",
        "max_connections",
        "adaptive_connections",
        "cache_prompt",
        "extra_headers",
        "cache",
        "batch",
    }
)
"""Settings of how a model is reached. They do not change what it answers."""
LIMITS = ("token_limit", "message_limit", "time_limit", "working_limit", "cost_limit")
"""Limits of a sample. What they stop is scored as a fault, so they are settings too."""

Settings = Mapping[str, object]


def settings_of(log: EvalLog) -> dict[str, object]:
    """The settings that were given, in the order of Inspect's options: those of the run replace those of the model."""
    given = {
        **log.eval.model_generate_config.model_dump(exclude_none=True),
        **log.plan.config.model_dump(exclude_none=True),
        **{name: getattr(log.eval.config, name, None) for name in LIMITS},
    }
    return {name: value for name, value in given.items() if value is not None and name not in OPERATION}


def write_settings(settings: Settings) -> list[str]:
    """Settings as a report shows them: `temperature=0.7`."""
    return [f"{name}={value}" for name, value in settings.items()]


def write_flags(settings: Settings) -> list[str]:
    """Settings as options of Inspect's command line."""
    words = []
    for name, value in settings.items():
        option = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        else:
            words += [f"--{option}", shlex.quote(flag_text(value))]
    return words


def flag_text(value: object) -> str:
    """A value as Inspect's options take it: lists separated by commas, pairs as `42=10`, other structures as JSON."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, dict):
        flat = all(isinstance(item, (int, float, str)) for item in value.values())
        return ",".join(f"{key}={item}" for key, item in value.items()) if flat else json.dumps(value)
    return str(value)
