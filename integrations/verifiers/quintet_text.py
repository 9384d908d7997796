"""Games of text with exact rewards, as a taskset of verifiers: `--env.taskset.id quintet-text`.

The game runs in the environment's own process, as the user of the conversation. The reward of a rollout is the sum over
its turns; the rewards of the turns are in `trace.info["rewards"]`, for algorithms that give credit to each message.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import aiohttp
import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.dialects.chat import message_to_wire

from quintet.text import TextEpisode

__all__ = ["QuintetEnv", "QuintetHarness", "QuintetTaskset", "load_environment"]


class QuintetConfig(vf.TasksetConfig):
    """Which games are played; the fields are the arguments of `TextEpisode`."""

    game: str = "gridlock"
    size: str | None = None
    opponent: str = "random"
    player: int = 1
    reward: str = "shaped"
    options: dict[str, str | bool | int] = Field(default_factory=dict)
    rows: list[dict[str, Any]] = Field(default_factory=list)
    """The games one by one, each with what differs from the fields above; without them any number, by their seeds."""


class QuintetData(vf.TaskData):
    """A game: the arguments of `TextEpisode`."""

    row: dict[str, Any]


class QuintetTask(vf.Task[QuintetData, vf.State, vf.TaskConfig]):
    """Nothing of its own: the environment records the rewards."""


class QuintetTaskset(vf.Taskset[QuintetTask, QuintetConfig]):
    """Games, each with its first prompt."""

    INFINITE = True

    def load(self) -> Iterator[QuintetTask]:
        """One game after another."""
        base = self.config.model_dump(include={"game", "size", "opponent", "player", "reward", "options"})
        for row in self.config.rows or ({"seed": seed} for seed in itertools.count()):
            episode = TextEpisode(**base | row)
            yield QuintetTask(QuintetData(prompt=episode.text, row=base | row), self.config.task)
            episode.close()


class QuintetHarness(vf.Harness[vf.HarnessConfig]):
    """The model answers once per turn, in this process: a game needs no sandbox and no program in it."""

    APPENDS_SYSTEM_PROMPT = SUPPORTS_RESUME = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data) -> vf.ProgramResult:
        """Ask the model for its next message."""
        system, prompt = self.resolve_prompt(data)
        told = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else map(message_to_wire, prompt)
        messages = [*([{"role": "system", "content": system}] if system else []), *told]
        body = {"model": ctx.model, "messages": messages}
        async with (
            aiohttp.ClientSession(headers={"Authorization": f"Bearer {secret}"}) as session,
            session.post(f"{endpoint}/chat/completions", json=body) as reply,
        ):
            text = await reply.text()
        return vf.ProgramResult(
            exit_code=int(reply.status != 200), stdout="", stderr=text if reply.status != 200 else ""
        )


class QuintetEnvConfig(vf.EnvConfig):
    """One player."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class QuintetEnv(vf.Env[QuintetEnvConfig]):
    """A rollout is a game."""

    async def run(self, task: QuintetTask, agents: vf.Agents) -> None:
        """Play a game; one that the agent stops playing is lost."""
        episode = TextEpisode(**task.data.row)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                episode.step(segment.last_reply)
                if episode.over:
                    break
                segment = await interaction.turn(episode.text)
        episode.give_up()
        trace = interaction.trace
        trace.record_reward(task.data.row["reward"], episode.total)
        trace.record_metrics({"points": episode.game.points, "regret": episode.game.regret})
        trace.info["rewards"] = episode.rewards


def load_environment(**options: Any) -> vf.Env:
    """The environment, with the fields of `QuintetConfig`."""
    from verifiers.v1.utils.loaders import load_environment, resolve_env_config

    return load_environment(resolve_env_config({"taskset": {"id": "quintet-text"} | options}))
