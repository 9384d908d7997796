"""Scripted agents, to check a training environment: what they must get, and the same games played alone.

An integration plays 256 games at once through its library. Every text that an agent reads, and every reward, must be as
if the game had been played alone with the same seed: so nothing leaks from one game into another. The agents answer
from a script, by the text alone, and a text that is not in it ends the check.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from quintet.text import REWARDS, TextEpisode, TextGame, potential

GAMES = 256
BOARDS = (("gridlock", "3x3"), ("isolation", "9"), ("adjacent-claim", "3x3"), ("grid-conquest", "2x4"))
OPPONENTS = ("perfect", "random", "level:3")
SHORT = {"rules": "short"}
"""The rules in one sentence, so that checks are fast."""

Row = dict[str, Any]
"""The arguments of an episode, as a dataset has them."""
Agent = Callable[[TextGame], str]
Answer = Callable[[str], str]
"""From a text that an agent reads to what it answers."""


class Transcript(NamedTuple):
    """An episode: what the agent read, and what it got."""

    texts: list[str]
    rewards: list[float]


def perfect(game: TextGame) -> str:
    """A best move, by exact values."""
    return game.grade("", None).best[0]


def first(game: TextGame) -> str:
    """The first legal move."""
    return game.labels[0]


def make_rows(reward: str) -> list[Row]:
    """Games on several boards, against several opponents, on both sides."""
    return [
        {
            "game": BOARDS[seed % 4][0],
            "size": BOARDS[seed % 4][1],
            "opponent": OPPONENTS[seed % 3],
            "player": 1 + seed // 4 % 2,
            "seed": seed,
            "reward": reward,
            "options": SHORT,
        }
        for seed in range(GAMES)
    ]


def play_alone(row: Row, agent: Agent, script: dict[str, str]) -> Transcript:
    """Play one game with nothing around it, add its answers to the script, and compare with theory."""
    episode = TextEpisode(**row)
    game, start, texts = episode.game, potential(episode.game), []
    while not episode.over:
        answer = f"MOVE: {agent(game)}"
        assert script.setdefault(episode.text, answer) == answer, "an agent must answer by the text alone"
        texts.append(episode.text)
        episode.step(answer)
    theory = {"result": game.points, "regret": -game.regret, "shaped": game.points - start}[str(row["reward"])]
    assert episode.total == theory, "not what theory says"
    if agent is perfect:
        assert game.regret == 0 and game.points >= start and set(episode.rewards[:-1]) <= {0.0, 0.5, 1.0}
        assert row["opponent"] != "perfect" or game.points == start, "perfect play by both gives the value of the start"
    return Transcript(texts, episode.rewards)


def check(play: Callable[[list[Row], Answer], list[Transcript]], per_turn: bool = True) -> None:
    """Play 256 games at once for every agent and reward, and compare with the same games played alone."""
    for agent in (perfect, first):
        for reward in REWARDS:
            rows, script = make_rows(reward), dict[str, str]()
            alone = [play_alone(row, agent, script) for row in rows]
            begun = time.perf_counter()
            played = play(rows, script.__getitem__)
            seconds = time.perf_counter() - begun
            assert [one.texts for one in played] == [one.texts for one in alone], "an agent read something else"
            assert [sum(one.rewards) for one in played] == [sum(one.rewards) for one in alone]
            assert not per_turn or played == alone, "other rewards"
            total = sum(sum(one.rewards) for one in alone) / GAMES
            print(
                f"{agent.__name__} agent, {reward} reward: {total:+.3f} on average, as alone; {seconds:.1f} s",
                flush=True,
            )


def run_example(heading: str, changes: dict[str, str] | None = None, **names: object) -> None:
    """Run the example under a heading of the page about training, with these names, after some changes."""
    page = (Path(__file__).parents[1] / "docs/training.md").read_text()
    found = re.search(rf"^### {heading}\n.*?^```py\n(.*?)^```\n", page, re.DOTALL | re.MULTILINE)
    assert found, heading
    code = found[1]
    for old, new in (changes or {}).items():
        assert old in code
        code = code.replace(old, new)
    exec(compile(code, f"example of {heading}", "exec"), names)
    print(f"the example of {heading} runs", flush=True)
