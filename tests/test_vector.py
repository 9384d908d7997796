"""The vector environment: the same games as single environments, step by step, and Gymnasium's own wrappers on it."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import quintet.envs
from boards import every_game
from quintet.envs.batch import IllegalAction
from quintet.envs.gymnasium import GameEnv
from quintet.envs.space import InvalidSetting, Observation, Space
from quintet.envs.vector import BatchEnv
from quintet.gears import PLAIN
from quintet.rules import Game, Position

assert quintet.envs  # Registers the games.


def make(name: str = "Gridlock", count: int = 64, **options: Any) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
    return gymnasium.make_vec(f"quintet/{name}-v0", num_envs=count, vectorization_mode="vector_entry_point", **options)


def last_legal(seen: Observation) -> npt.NDArray[np.int64]:
    mask = seen["action_mask"]
    actions: npt.NDArray[np.int64] = mask.shape[-1] - 1 - mask[..., ::-1].argmax(axis=-1)
    return actions


class LastLegal:
    """The same player for a single environment."""

    def choose(self, position: Position, seconds: float | None = None) -> int:
        space = Space(position)
        return space.move(last_legal(space.observe(position, position.player)))

    def close(self) -> None:
        pass


@every_game
@pytest.mark.parametrize(("size", "seat"), [(None, 1), (None, 2), ("1x3", 2), ("2x3", 1), ("3x3-B2", 2)])
def test_it_plays_as_single_environments_do(game: Game, size: str | None, seat: int) -> None:
    """Also where the opponent's first move ends the game, and where an action is illegal."""
    many = BatchEnv(game.name, 8, last_legal, seat, size=size, gear=PLAIN)
    singles = SyncVectorEnv([lambda: GameEnv(game.name, LastLegal(), seat, size=size)] * 8)
    wild, ended = np.random.default_rng(3), 0
    found, expected = many.reset(seed=1)[0], singles.reset(seed=1)[0]
    assert many.single_observation_space == singles.single_observation_space
    assert many.observation_space == singles.observation_space and many.action_space == singles.action_space
    for _ in range(60):
        assert data_equivalence(found, expected) and found in many.observation_space
        legal = [wild.choice(np.flatnonzero(row)) if row.any() else 0 for row in found["action_mask"]]
        actions = np.where(wild.random(8) < 0.03, wild.integers(0, many.batch.actions, 8), legal)
        found, *told, info = many.step(actions)
        expected, *wanted, _ = singles.step(actions)
        assert all(np.array_equal(one, other) for one, other in zip(told, wanted, strict=True))
        assert np.array_equal(info["action_mask"], found["action_mask"])
        ended += told[1].sum()
    assert ended >= 8
    singles.close()


def test_a_seed_repeats_everything() -> None:
    def play(envs: Any, seed: int | None) -> list[Any]:
        seen, _ = envs.reset(seed=seed)
        steps = [seen]
        for _ in range(30):
            *step, _ = envs.step(last_legal(seen))
            seen = step[0]
            steps.append(step)
        return steps

    envs = make(seat="random")
    first, second, again = play(envs, 5), play(envs, None), play(envs, 5)
    assert data_equivalence(first, again) and data_equivalence(second, play(envs, None))
    assert not data_equivalence(first, second)
    seats = {bool(game.any()) for game in envs.reset(seed=5)[0]["observation"]}
    assert seats == {False, True}, "in some games the opponent has gone first"


def test_gymnasiums_wrappers_take_it() -> None:
    assert make().metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    envs = DictInfoToList(RecordEpisodeStatistics(make(count=4, size="3x3")))
    seen, infos = envs.reset(seed=1)
    lengths = []
    for _ in range(20):
        seen, rewards, _, cut, infos = envs.step(last_legal(seen))
        assert rewards.dtype == np.float64 and not cut.any()
        lengths += [info["episode"]["l"] for info in infos if "episode" in info]
    assert len(lengths) >= 8 and set(lengths) <= {1, 2, 3, 4, 5}


def test_what_is_not_possible_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="vectorization_mode='sync'"):
        make(opponent="level:5")
    with pytest.raises(InvalidSetting, match="no option 'position'"):
        make().reset(options={"position": "gridlock ..../..../..../.... X"})
    with pytest.raises(InvalidSetting, match="seat"):
        make(seat=3)
    envs = make(count=2, illegal="raise")
    envs.reset(seed=1)
    before = envs.observe()[0]  # type: ignore[attr-defined]
    for actions in ([0, 99], [0, -1], [0], [0.5, 1]):
        with pytest.raises(IllegalAction):
            envs.step(actions)
    assert data_equivalence(before, envs.observe()[0]), "nothing has moved"  # type: ignore[attr-defined]


def test_an_illegal_action_loses() -> None:
    envs = make(count=3)
    envs.reset(seed=1)
    _, rewards, over, _, _ = envs.step([0, 16, -1])
    assert rewards.tolist() == [0, -1, -1] and over.tolist() == [False, True, True]
