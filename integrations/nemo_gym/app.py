"""A game of text as a resources server of NeMo Gym, for its `gymnasium_agent`.

The field `episode` of a row has the arguments of `TextEpisode`. The agent adds up the rewards of the turns; `info` of
the last one has them all.
"""

from typing import Any

from nemo_gym.openai_utils import NeMoGymResponse
from resources_servers.gymnasium import GymnasiumServer, extract_text

from quintet.text import TextEpisode


class QuintetServer(GymnasiumServer):
    """Any number of games, one for each session."""

    async def reset(self, metadata: dict[str, Any], session_id: str | None = None) -> tuple[str, dict[str, Any]]:
        """Start a game."""
        self.session_state[session_id] = episode = TextEpisode(**metadata["episode"])
        return episode.text, {}

    async def step(
        self, action: NeMoGymResponse, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str | None, float, bool, bool, dict[str, Any]]:
        """Take an answer of the model."""
        episode = self.session_state[session_id]
        reward = episode.step(extract_text(action))
        if not episode.over:
            return episode.text, reward, False, False, {}
        end = {"points": episode.game.points, "regret": episode.game.regret, "rewards": episode.rewards}
        return None, reward, True, False, end


if __name__ == "__main__":
    QuintetServer.run_webserver()
