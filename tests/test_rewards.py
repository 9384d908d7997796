"""Rewards of training episodes: what each sums to, for every policy, and what perfect play gets."""

import random
from itertools import pairwise

import pytest

from boards import every_game
from minimax import minimax
from quintet.errors import InvalidArgument
from quintet.rules import Game
from quintet.text import REWARDS, TextEpisode, TextGame, potential
from quintet.text.rewards import regret_reward, result_reward, shaped_reward

OPPONENTS = ("random", "greedy", "level:4", "perfect")


def points(number: int) -> float:
    """The points of a value as `minimax` counts."""
    return ((number > 0) - (number < 0) + 1) / 2


@every_game
@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("player", [1, 2])
def test_shaped_rewards_sum_to_the_result_minus_the_value_of_the_start(game: Game, opponent: str, player: int) -> None:
    """The identity that keeps the best policy best, for random policies against opponents of all kinds."""
    for seed in range(5):
        rng = random.Random(seed)
        one = TextGame(game, "3x3", opponent, player, seed)
        value = points(minimax(one.position)[0])
        potentials, rewards, regrets, results = [potential(one)], [], [], []
        while not one.over:
            one.answer(f"MOVE: {rng.choice(one.labels)}")
            potentials.append(potential(one))
            rewards.append(shaped_reward(one))
            regrets.append(regret_reward(one))
            results.append(result_reward(one))
        assert potentials[0] == value and potentials[-1] == 0
        assert sum(rewards) == one.points - value
        assert results == [0.0] * (len(results) - 1) + [one.points]
        given = [reward - regret for reward, regret in zip(rewards, regrets, strict=True)]
        assert all(gift >= 0 for gift in given), "the opponent's moves never cost the agent anything"
        if opponent == "perfect":
            assert rewards == regrets and sum(regrets) == one.points - value
        steps = [after - before for before, after in pairwise(potentials)]
        assert rewards == [step + result for step, result in zip(steps, results, strict=True)]


def test_a_weak_opponent_gives_back_what_the_agent_gave_away() -> None:
    """In some game the agent gave a point away and got it back: the three rewards tell it apart."""
    found = set()
    for seed in range(40):
        totals = {}
        for reward in REWARDS:
            episode, choices = TextEpisode("gridlock", "3x3", seed=seed, reward=reward), random.Random(seed)
            while not episode.over:
                episode.step(f"MOVE: {choices.choice(episode.game.labels)}")
            totals[reward] = episode.total
        found.add(tuple(totals.values()))
    assert (1.0, -1.0, 0.0) in found, "won after all"
    assert (0.0, -1.0, -1.0) in found, "lost"
    assert (1.0, 0.0, 0.0) in found, "won without a mistake"


@every_game
@pytest.mark.parametrize("reward", REWARDS)
def test_perfect_answers_get_what_theory_says(game: Game, reward: str) -> None:
    for player in (1, 2):
        episode = TextEpisode(game.name, "3x3", "perfect", player, reward=reward)
        value = points(minimax(episode.game.position)[0])
        while not episode.over:
            episode.step(f"MOVE: {episode.game.grade('', None).best[0]}")
        assert episode.total == (value if reward == "result" else 0)
        assert len(episode.rewards) == len(episode.game.turns) and set(episode.rewards[:-1]) <= {0.0}


@pytest.mark.parametrize("reward", REWARDS)
def test_an_answer_that_is_sent_back_gets_nothing_and_a_forfeit_loses_the_value(reward: str) -> None:
    episode = TextEpisode("gridlock", "3x3", "perfect", reward=reward, options={"retries": 1, "rules": "short"})
    assert episode.text == episode.game.prompt and "# Rules" in episode.text and potential(episode.game) == 1
    assert episode.step("I pass") == 0 and episode.text == episode.game.correction and not episode.over
    assert episode.step("I pass") == (0 if reward == "result" else -1) and episode.over
    assert episode.rewards == [0, episode.total] and episode.text == "The game is over. You lost."


@pytest.mark.parametrize("reward", REWARDS)
def test_silence_does_not_pay(reward: str) -> None:
    episode = TextEpisode("gridlock", "3x3", "perfect", reward=reward)
    episode.step(f"MOVE: {episode.game.grade('', None).best[0]}")
    episode.give_up()
    assert episode.over and episode.game.points == 0 and episode.total == (0 if reward == "result" else -1)
    episode.give_up()
    assert len(episode.game.turns) == 2


def test_the_end_is_told() -> None:
    for size, text in (("2x2", "It is a draw."), ("1x1", "You won.")):
        episode = TextEpisode("adjacent-claim", size)
        while not episode.over:
            episode.step(f"MOVE: {episode.game.labels[0]}")
        assert episode.text == f"The game is over. {text}"


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"no reward called 'gain'\. There are result, regret, shaped\."):
        TextEpisode("gridlock", reward="gain")
    episode = TextEpisode("gridlock", "3x3")
    episode.close()
    assert episode.game.opponent is None and not episode.over
