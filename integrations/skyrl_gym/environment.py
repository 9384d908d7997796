"""A game of text as an environment of SkyRL-gym. The row's `episode` are the arguments of `TextEpisode`."""

from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput, ConversationType

from quintet.text import TextEpisode


class QuintetEnv(BaseTextEnv):
    """One game. The prompt comes from the game, so the prompt of the row may be empty."""

    def __init__(self, env_config: object, extras: dict[str, Any]) -> None:
        super().__init__()
        self.episode = TextEpisode(**extras["episode"])

    def init(self, prompt: ConversationType) -> tuple[ConversationType, dict[str, object]]:
        """The conversation so far, with the first prompt of the game."""
        return [*prompt, {"role": "user", "content": self.episode.text}], {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Take an answer of the model."""
        reward = self.episode.step(action)
        seen = [] if self.episode.over else [{"role": "user", "content": self.episode.text}]
        return BaseTextEnvStepOutput(observations=seen, reward=reward, done=self.episode.over, metadata={})

    def get_metrics(self) -> dict[str, float]:
        """Logged for each episode."""
        return {"points": self.episode.game.points, "regret": self.episode.game.regret}

    def close(self) -> None:
        """Close the opponent."""
        self.episode.close()
