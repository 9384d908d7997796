"""The PettingZoo environments: its own suites, the naive rules, and what may go wrong."""

import pickle
import xml.etree.ElementTree as xml
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    render_test,
    seed_test,
)
from pettingzoo.utils import aec_to_parallel
from pettingzoo.utils.wrappers import BaseWrapper

from boards import every_game
from quintet.board import split, value_list
from quintet.envs import pettingzoo
from quintet.envs.pettingzoo import AGENTS, Module, gridlock_v0, version_name
from quintet.games import GAMES
from quintet.options import InvalidOptions, start
from quintet.rules import Game, IllegalMove, Position
from recorded import planes, recorded, result

every_size = pytest.mark.parametrize("size", [None, "3x4"])


def module(game: Game) -> Module:
    """A game as `from quintet.envs.pettingzoo import gridlock_v0` gives it."""
    found: Module = getattr(pettingzoo, version_name(game))
    return found


# PettingZoo keeps a list of its own environments that may have masks and empty boards; others are warned about them.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
@every_game
@every_size
def test_the_interface(game: Game, size: str | None) -> None:
    api_test(module(game).env(size=size, exact=size is not None), num_cycles=100)
    api_test(module(game).raw_env(size=size), num_cycles=100)


@every_game
@every_size
def test_seeds(game: Game, size: str | None) -> None:
    seed_test(lambda: module(game).env(size=size), num_cycles=50)


@every_game
@every_size
def test_drawings(game: Game, size: str | None) -> None:
    render_test(
        lambda render_mode: module(game).env(size=size, render_mode=render_mode),
        {"svg": lambda text: xml.fromstring(text).tag.endswith("svg")},
    )


class InTheirHalf(BaseWrapper):  # type: ignore[misc]
    """Samples only actions that both agents can carry out in one round, each at its own end of the board.

    PettingZoo's test of `max_cycles` is meant for agents that act at once and may do anything at any time.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.metadata = env.metadata | {"is_parallelizable": True}

    def action_space(self, agent: str) -> Any:
        position: Position = self.env.unwrapped.position
        player = AGENTS[agent]
        own, other = position.claims if player == 1 else position.claims[::-1]
        half = (1 << position.board.cols * 3) - 1 << (player - 1) * (position.board.cells - position.board.cols * 3)
        cells = [*split(Position(position.game, position.board, own, other, player).legal & half)]
        return SimpleNamespace(sample=lambda: cells[len(cells) // 2].bit_length() - 1)


@every_game
@pytest.mark.parametrize("size", ["8x8", "7x9"])
def test_the_number_of_cycles(game: Game, size: str) -> None:
    options = {"size": size, "target": 900} if game.target else {"size": size}

    def env(max_cycles: int) -> InTheirHalf:
        return InTheirHalf(module(game).env(max_cycles=max_cycles, illegal="raise", **options))

    max_cycles_test(SimpleNamespace(env=env, parallel_env=lambda max_cycles: aec_to_parallel(env(max_cycles))))


@every_game
def test_it_plays_by_the_rule_books(game: Game) -> None:
    env, board = module(game).raw_env(illegal="raise"), start(game).board
    for record in recorded(game.name):
        env.reset()
        for turn, action in enumerate(record.actions):
            assert env.agent_selection == f"player_{turn % 2 + 1}"
            observation, reward, over, cut, info = env.last()
            seen = observation["observation"].reshape(board.cells, -1)
            assert seen[:, :2].tolist() == planes(record.owners[turn], turn % 2 + 1)
            assert not board.target or seen[:, 2].tolist() == value_list(board)
            for mask in (observation["action_mask"], info["action_mask"]):
                assert mask.nonzero()[0].tolist() == record.legal[turn]
            assert (reward, over, cut) == (0, False, False)
            env.step(action)
        for agent, player in AGENTS.items():
            seen = env.observe(agent)
            assert seen["observation"].reshape(board.cells, -1)[:, :2].tolist() == planes(record.owners[-1], player)
            assert not seen["action_mask"].any()
            assert env.rewards[agent] == env._cumulative_rewards[agent] == result(record.winner, player)
        assert env.terminations == dict.fromkeys(AGENTS, True) and not any(env.truncations.values())


def test_every_agent_sees_its_own_side() -> None:
    env = gridlock_v0.raw_env(size="2x2")
    env.step(0)
    one, two = (env.observe(agent) for agent in AGENTS)
    assert (one["observation"] == two["observation"][..., ::-1]).all() and one["observation"][0, 0].tolist() == [1, 0]
    assert one["action_mask"].tolist() == [0, 0, 0, 0] and two["action_mask"].tolist() == [0, 0, 0, 1]
    env.step(3)
    for agent, player in (("player_1", 1), ("player_2", 2)):
        observation, reward, over, _, _ = env.last()
        assert (env.agent_selection, over, reward) == (agent, True, -1 if player == 1 else 1)
        assert observation["observation"][0, 0].tolist() == ([1, 0] if player == 1 else [0, 1])
        env.step(None)
    assert env.agents == []


def test_a_game_can_be_over_before_it_begins() -> None:
    env = pettingzoo.point_capture_v0.raw_env(size="1", values="5", target=3)
    assert env.terminations == dict.fromkeys(AGENTS, True) and env.rewards == {"player_1": -1, "player_2": 1}
    for agent, reward in (("player_1", -1), ("player_2", 1)):
        assert (env.agent_selection, *env.last()[1:3]) == (agent, reward, True)
        env.step(None)
    assert env.agents == []


def test_illegal_actions_lose_or_raise() -> None:
    env = gridlock_v0.raw_env()
    env.step(5)
    env.step(5)
    assert env.rewards == {"player_1": 1, "player_2": -1} and all(env.terminations.values())
    assert not env.observe("player_1")["action_mask"].any()
    env = gridlock_v0.raw_env(illegal="raise")
    env.step(5)
    with pytest.raises(IllegalMove, match="already claimed"):
        env.step(5)
    assert env.agent_selection == "player_2" and env.rewards == {"player_1": 0, "player_2": 0}


def test_exact_values_are_told_to_the_agent_to_move() -> None:
    env = gridlock_v0.raw_env(size="3x3", exact=True)
    info = env.last()[4]
    assert info["value"] == 1 and info["plies"] == 5
    assert np.flatnonzero(info["optimal_actions"]).tolist() == [0, 2, 4, 6, 8]
    env.step(4)
    assert env.last()[4]["value"] == -1 and "value" not in env.infos["player_1"]


def test_it_can_be_pickled() -> None:
    env = pickle.loads(pickle.dumps(gridlock_v0.raw_env(size="2x3", render_mode="ansi")))
    assert env.render().count("|") == 8 and str(env) == "gridlock_v0"


def test_there_is_one_for_each_game_and_no_other() -> None:
    assert list(pettingzoo.MODULES) == [version_name(game) for game in GAMES.values()]
    with pytest.raises(AttributeError, match="chess_v0"):
        _ = pettingzoo.chess_v0


@pytest.mark.parametrize("options", [{"size": "0"}, {"illegal": "ignore"}, {"render_mode": "smell"}])
def test_bad_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises((InvalidOptions, ValueError)):
        gridlock_v0.env(**options)
