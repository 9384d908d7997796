"""A game of text as an environment of OpenEnv: the server and the client.

uvicorn environment:app --port 8000
"""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from quintet.text import TextEpisode


class QuintetAction(Action):
    """An answer of the agent."""

    answer: str


class QuintetObservation(Observation):
    """What the agent reads next."""

    text: str


class QuintetEnvironment(Environment[QuintetAction, QuintetObservation, State]):
    """One game for each session. The arguments of `reset` are those of `TextEpisode`."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self.episode: TextEpisode | None = None
        self.id: str | None = None

    def reset(self, seed: int | None = None, episode_id: str | None = None, **row: Any) -> QuintetObservation:
        """Start a game."""
        self.close()
        self.episode, self.id = TextEpisode(**{"game": "gridlock"} | row, seed=seed or 0), episode_id
        return QuintetObservation(text=self.episode.text, done=self.episode.over)

    def step(self, action: QuintetAction, timeout_s: float | None = None, **_: Any) -> QuintetObservation:
        """Take an answer."""
        if self.episode is None or self.episode.over:
            raise ValueError("no answer is expected: call reset")
        reward = self.episode.step(action.answer)
        return QuintetObservation(text=self.episode.text, reward=reward, done=self.episode.over)

    @property
    def state(self) -> State:
        """The episode's id, and how many answers it has had."""
        return State(episode_id=self.id, step_count=len(self.episode.rewards) if self.episode else 0)

    def close(self) -> None:
        """Close the opponent."""
        if self.episode:
            self.episode.close()


class QuintetClient(EnvClient[QuintetAction, QuintetObservation, State]):
    """A session with the server."""

    def _step_payload(self, action: QuintetAction) -> dict[str, Any]:
        return {"answer": action.answer}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[QuintetObservation]:
        reward, done = payload["reward"], payload["done"]
        seen = QuintetObservation(text=payload["observation"]["text"], reward=reward, done=done)
        return StepResult(observation=seen, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


app = create_app(QuintetEnvironment, QuintetAction, QuintetObservation, env_name="quintet", max_concurrent_envs=1_000)
