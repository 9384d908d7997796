"""Games of text, for agents that read and write: prompts, answers, and the exact value of every move.

    >>> from quintet.text import TextGame
    >>> game = TextGame("gridlock", size="3x3", opponent="perfect")
    >>> while not game.over:
    ...     turn = game.answer("MOVE: " + game.labels[0])
    >>> [turn.regret for turn in game.turns], game.points
    ([0.0, 1.0, 0.0], 0.0)

It needs no other package. Any number of games may run at once, in threads or in one event loop.
"""

from quintet.solve.oracle import Unsolved
from quintet.text.curriculum import random_games
from quintet.text.episode import TextEpisode
from quintet.text.game import TextGame, TextTurn
from quintet.text.openings import find_openings
from quintet.text.prompt import PromptOptions
from quintet.text.rewards import REWARDS, potential

__all__ = [
    "REWARDS",
    "PromptOptions",
    "TextEpisode",
    "TextGame",
    "TextTurn",
    "Unsolved",
    "find_openings",
    "potential",
    "random_games",
]
