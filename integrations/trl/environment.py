"""A game of text as an environment of TRL: `GRPOTrainer(environment_factory=QuintetEnv, ...)`.

The model moves by calling the tool `move`. A row of the dataset has the arguments of `TextEpisode`, besides `prompt`.
"""

from typing import Any

from quintet.text import TextEpisode


class QuintetEnv:
    """One game. TRL makes one for each rollout of a batch, and resets it for each."""

    def reset(self, prompt: Any = None, **row: Any) -> str:
        """Start a game; what is returned is appended to the row's prompt."""
        self._episode = TextEpisode(**row)
        return self._episode.text

    def move(self, cell: str) -> str:
        """Make a move in the game.

        Args:
            cell: The cell to claim, one of the legal moves.

        Returns:
            The game after your move and your opponent's reply.

        """
        if self._episode.over:
            return "The game is over."
        self._episode.step(f"MOVE: {cell}")
        return self._episode.text

    def get_reward(self) -> float:
        """The sum of the turns' rewards. A game that the model stopped playing is lost."""
        self._episode.give_up()
        return self._episode.total
