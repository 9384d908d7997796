"""How well an evaluation runs many games at once: with a slow mock model, compared with the time it needs alone."""

import asyncio
import re
import time
from tempfile import TemporaryDirectory
from typing import NamedTuple

from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from quintet.errors import QuintetError
from quintet.llm.overhead import reduced_overhead
from quintet.llm.solvers import EPISODE
from quintet.llm.tasks import play


class EvaluationFailed(QuintetError):
    """An evaluation that Inspect could not finish."""

    status = 1


class Load(NamedTuple):
    """The time that a run of many games took."""

    games: int
    turns: int
    """The model's turns in the longest game."""
    asked: int
    """The number of the model's answers in all games."""
    together: int
    """The most answers that were awaited at one time."""
    bound: float
    """Seconds that the longest game takes if only the model takes time."""
    seconds: float
    """Seconds from the first prompt until the last sample was scored and logged."""


def measure(games: int, latency: float, game: str, opponent: str, size: str | None = None) -> Load:
    """Let a mock model that takes `latency` seconds per answer play games at once."""
    waiting: list[int] = [0]
    asked: list[float] = []
    together = 0

    async def answer(input: list[ChatMessage], *_: object) -> ModelOutput:
        nonlocal together
        asked.append(time.monotonic())
        waiting[0] += 1
        together = max(together, waiting[0])
        await asyncio.sleep(latency)
        waiting[0] -= 1
        legal = input[0].text.partition("Your legal moves: ")[2]
        output = ModelOutput.from_content("mock", f"MOVE: {re.split('[,.]', legal, maxsplit=1)[0]}")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    task = play(game=game, opponent=opponent, size=size, games=games)
    with TemporaryDirectory() as folder, reduced_overhead():
        [log] = evaluate(
            task,
            model=model,
            max_connections=games,
            max_samples=games,
            display="none",
            log_dir=folder,
            log_realtime=False,
            log_model_api=False,
        )
        seconds = time.monotonic() - asked[0]
        if log.status != "success":
            raise EvaluationFailed(f"the evaluation failed: {log.error and log.error.message}")
        turns = max(len(sample.store[EPISODE]["answers"]) for sample in log.samples or [])
    return Load(games, turns, len(asked), together, turns * latency, seconds)
