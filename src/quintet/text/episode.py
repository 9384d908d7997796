"""An episode of training: a game of text that pays a reward for every answer."""

from collections.abc import Sequence

from quintet.rules import Outcome
from quintet.text.game import TextGame
from quintet.text.prompt import PromptOptions
from quintet.text.rewards import find_reward


class TextEpisode:
    """A game with rewards. Its arguments are plain data, so a row of a dataset can describe one."""

    def __init__(
        self,
        game: str,
        size: str | None = None,
        opponent: str = "random",
        player: int = 1,
        seed: int = 0,
        moves: Sequence[int] = (),
        reward: str = "shaped",
        options: dict[str, str | bool | int] | None = None,
    ) -> None:
        """Set up a game as `TextGame` does; `options` are those of `PromptOptions`."""
        self._reward = find_reward(reward)
        self.game = TextGame(game, size, opponent, player, seed, moves, PromptOptions(**(options or {})))  # type: ignore[arg-type]
        self.rewards: list[float] = []
        """One for each answer so far; an answer that is sent back gets 0."""

    @property
    def over(self) -> bool:
        """Whether no answer is expected any more."""
        return self.game.over

    @property
    def total(self) -> float:
        """The sum of the rewards, for trainers that take one number for an episode."""
        return sum(self.rewards)

    @property
    def text(self) -> str:
        """What the agent reads next: the prompt, what was wrong with its answer, or how the game ended."""
        if self.game.outcome:
            return describe_end(self.game.outcome, self.game.player)
        return self.game.correction or self.game.prompt

    def step(self, answer: str) -> float:
        """Take an answer; returns its reward."""
        turn = self.game.answer(answer)
        self.rewards.append(0.0 if turn is None else self._reward(self.game))
        return self.rewards[-1]

    def give_up(self) -> None:
        """Lose a game that the agent has stopped playing, so that silence does not pay; one that is over stays so."""
        while not self.over:
            self.step("")

    def close(self) -> None:
        """Close the opponent of an episode that is not played to its end."""
        self.game.close()


def describe_end(outcome: Outcome, player: int) -> str:
    """How a game ended, for the agent."""
    if outcome.winner is None:
        return "The game is over. It is a draw."
    return f"The game is over. You {'won' if outcome.winner == player else 'lost'}."
