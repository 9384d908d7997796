"""How many games at once an evaluation bears: a mock model that takes its time, and the bound that its time sets."""

import asyncio
import re
import time
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from quintet.llm.garbage import sparing
from quintet.llm.judging import PLAYED
from quintet.llm.tasks import play


class Load(NamedTuple):
    """What a run of many games took."""

    games: int
    turns: int
    """The turns of the model in the longest game."""
    asked: int
    """How often the model was asked in all."""
    together: int
    """How many answers were awaited at one time, at most."""
    bound: float
    """Seconds that the longest game takes if nothing but the model takes time."""
    seconds: float
    """Seconds from the first question to the last answer judged and written."""


def measure(games: int, latency: float, game: str, opponent: str, size: str | None = None) -> Load:
    """Play so many games at once against a mock model that takes so long for every answer."""
    waiting: list[int] = [0]
    asked: list[float] = []
    together = 0

    async def answer(input: list[ChatMessage], *_: Any) -> ModelOutput:
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
    with TemporaryDirectory() as folder, sparing():
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
            raise RuntimeError(f"the run came to nothing: {log.error and log.error.message}")
        turns = max(len(sample.store[PLAYED]["answers"]) for sample in log.samples or [])
    return Load(games, turns, len(asked), together, turns * latency, seconds)
