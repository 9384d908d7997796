"""The Gymnasium environments: its own checks, the naive rules, chance that repeats, and what may go wrong."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import quintet.envs  # noqa: F401 - registers the games
from boards import every_game
from quintet.board import value_list
from quintet.engines import UnknownPlayer
from quintet.envs.gymnasium import GameEnv
from quintet.envs.space import InvalidSetting
from quintet.games import GAMES, UnknownGame
from quintet.notation import InvalidPosition, read_position
from quintet.options import InvalidOptions, start
from quintet.rules import Game, IllegalMove, Position
from quintet.solve import oracle
from quintet.solve.oracle import Unsolved
from quintet.solve.solver import Solver
from recorded import planes, recorded, result


def make(game: Game, **options: Any) -> gymnasium.Env[Any, Any]:
    """An environment as users make it."""
    return gymnasium.make(f"quintet.envs:{game.title.replace(' ', '')}-v0", **options)


class Script:
    """An opponent that plays a list of claims; forced passes are not asked for."""

    def __init__(self) -> None:
        self.actions: list[int] = []

    def choose(self, position: Position, seconds: float | None = None) -> int:
        return 1 << self.actions.pop(0)

    def close(self) -> None:
        """There is nothing to give back."""


@every_game
@pytest.mark.parametrize("size", [None, "3x4", "3x3-B2"])
@pytest.mark.parametrize("seat", [1, 2])
def test_gymnasiums_own_checks(game: Game, size: str | None, seat: int) -> None:
    check_env(make(game, size=size, seat=seat, exact=size is not None).unwrapped)


@every_game
def test_it_plays_by_the_rule_books(game: Game) -> None:
    script, board = Script(), start(game).board
    seats = [GameEnv(game.name, opponent=script, seat=seat, illegal="raise") for seat in (1, 2)]
    for number, record in enumerate(recorded(game.name)):
        env, seat = seats[number % 2], number % 2 + 1
        # Nobody moves twice in a row: a player who cannot claim passes, which an engine is not asked for.
        script.actions = [action for action in record.actions[2 - seat :: 2] if action < board.cells]
        observation, info = env.reset()
        for turn in range(seat - 1, len(record.actions), 2):
            seen = observation["observation"].reshape(board.cells, -1)
            assert seen[:, :2].tolist() == planes(record.owners[turn], seat)
            assert not board.target or seen[:, 2].tolist() == value_list(board)
            for mask in (observation["action_mask"], info["action_mask"]):
                assert mask.nonzero()[0].tolist() == record.legal[turn]
            observation, reward, over, cut, info = env.step(record.actions[turn])
            assert over == (turn + 2 >= len(record.actions)) and not cut
            assert reward == (result(record.winner, seat) if over else 0)
        assert observation["observation"].reshape(board.cells, -1)[:, :2].tolist() == planes(record.owners[-1], seat)
        assert not observation["action_mask"].any() and not script.actions


@pytest.mark.parametrize("opponent", ["random", "greedy", "level:5", "mcts:20"])
def test_a_seed_repeats_everything(opponent: str) -> None:
    env = make(GAMES["gridlock"], opponent=opponent, seat="random")

    def play(seed: int) -> list[object]:
        seen: list[object] = []
        observation, info = env.reset(seed=seed)
        for _ in range(3):
            over = False
            while not over:
                seen.append(observation["observation"].tolist())
                observation, reward, over, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
            seen.append(reward)
            observation, info = env.reset()
        return seen

    games = [play(seed) for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]


def test_who_begins_can_be_left_to_chance() -> None:
    env = make(GAMES["isolation"], seat="random")
    env.reset(seed=0)
    assert {env.reset()[0]["observation"].any() for _ in range(20)} == {False, True}


@pytest.mark.parametrize("action", [0, 25, 26, -1])
def test_illegal_actions_lose_or_raise(action: int) -> None:
    """A claimed cell, a pass that is not forced, and actions that do not exist."""
    game = GAMES["adjacent-claim"]
    env = make(game).unwrapped
    env.reset(seed=0)
    env.step(0)
    observation, reward, over, cut, info = env.step(action)
    assert (reward, over, cut) == (-1, True, False)
    assert info["reason"].startswith("Player 1 forfeits: ") and not observation["action_mask"].any()
    assert env.step(1)[1:4] == (-1, True, False), "it stays lost"

    env = make(game, illegal="raise").unwrapped
    env.reset(seed=0)
    before = env.step(0)[0]
    with pytest.raises(IllegalMove):
        env.step(action)
    after = env.observe()[0]  # type: ignore[attr-defined]
    assert all((before[key] == after[key]).all() for key in before)


def test_a_game_can_be_lost_before_ones_first_move() -> None:
    env = make(GAMES["isolation"], size="1", seat=2)
    observation, info = env.reset(seed=0)
    assert not observation["action_mask"].any() and info["reason"] == "Player 2 has no legal move"
    assert env.step(0)[1:4] == (-1, True, False)


def test_masks_for_maskable_policies() -> None:
    """All actions when the game is over, so that a masked policy is defined."""
    env = make(GAMES["gridlock"], size="2x2").unwrapped
    observation, _ = env.reset(seed=0)
    over = False
    while not over:
        masks = env.action_masks()  # type: ignore[attr-defined]
        assert masks.dtype == np.bool_ and masks.tolist() == (observation["action_mask"] == 1).tolist()
        observation, _, over, _, _ = env.step(masks.argmax())
    assert env.action_masks().all()  # type: ignore[attr-defined]


def test_names_with_and_without_a_namespace() -> None:
    for name in ("quintet.envs:Gridlock-v0", "quintet.envs:quintet/Gridlock-v0", "quintet/Gridlock-v0"):
        assert gymnasium.make(name, size="3x3").unwrapped.start.board.cells == 9  # type: ignore[attr-defined]


def test_an_engine_that_fails_loses() -> None:
    env = make(GAMES["gridlock"], opponent="exec:false", seat=2)
    _, info = env.reset(seed=0)
    assert info["reason"].startswith("Player 1 forfeits: ")
    assert env.step(0)[1:4] == (1, True, False)
    env.close()


@every_game
def test_exact_values_are_told(game: Game) -> None:
    env = make(game, size="3x3", exact=True).unwrapped
    solver = Solver(game, start(game, "3x3").board)
    for seed in range(5):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            position = env.position  # type: ignore[attr-defined]
            grades = solver.grade(position)
            best = max(value.low for value in grades.values())
            assert info["value"] == np.sign(best)
            value = solver.value(position)
            assert (info.get("margin"), info.get("plies")) == (value.margin, value.plies)
            expected = [9 if not move else move.bit_length() - 1 for move in grades if grades[move].low == best]
            assert np.flatnonzero(info["optimal_actions"]).tolist() == expected
            *_, over, _, info = env.step(env.np_random.choice(np.flatnonzero(info["action_mask"])))
        assert "value" not in info


# Processes of their own begin anew: a copy of this one, where other tests may have left threads, could hang.
@pytest.mark.parametrize(("mode", "options"), [("sync", {}), ("async", {"context": "spawn"})])
def test_many_at_once(mode: str, options: dict[str, str]) -> None:
    envs = gymnasium.make_vec(
        "quintet.envs:Gridlock-v0",
        num_envs=3,
        vectorization_mode=mode,
        vector_kwargs=options,
        opponent="greedy",
        size="3x3",
        exact=True,
    )
    observations, infos = envs.reset(seed=4)
    assert observations["observation"].shape == (3, 3, 3, 2)
    ended = 0
    for _ in range(20):
        masks = observations["action_mask"]
        # A game that was lost in the last step is dealt anew in this one, whatever the action.
        observations, rewards, over, cut, infos = envs.step(masks.argmax(axis=1))
        assert not cut.any() and set(rewards) <= {-1.0, 0.0, 1.0}
        ended += over.sum()
    assert ended > 3 and infos["action_mask"].shape == (3, 9)
    envs.close()


def test_an_episode_starts_where_it_is_told() -> None:
    env = make(GAMES["gridlock"], size="3x3", seat=2).unwrapped
    text = "gridlock X../.../..O X"
    for given in (text, read_position(text)):
        observation, _ = env.reset(seed=1, options={"position": given})
        assert observation["observation"][0, 0].tolist() == [0, 1], "the first player claimed the corner"
        assert observation["observation"].sum() == 3, "and one cell more since"
    env.reset(seed=1)
    assert env.position.mine == 0 and env.position.theirs.bit_count() == 1  # type: ignore[attr-defined]
    for options in ({"start": text}, {"position": "gridlock ../.. X"}, {"position": "isolation .../.../... X"}):
        with pytest.raises(InvalidSetting):
            env.reset(options=options)
    with pytest.raises(InvalidPosition):
        env.reset(options={"position": "nonsense"})


def test_a_board_that_cannot_be_solved_has_no_exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "SOLVE_SECONDS", 0.1)
    with pytest.raises(Unsolved, match="not solved within"):
        make(GAMES["gridlock"], size="8x8", exact=True).reset()


def test_it_can_be_drawn() -> None:
    for mode, kind in (("ansi", str), ("svg", str), ("rgb_array", np.ndarray)):
        env = make(GAMES["point-capture"], render_mode=mode, size="2x3", values=[1, 20, 300, 4, 5, 6])
        env.reset(seed=0)
        assert isinstance(env.render(), kind)
        before = np.array(env.render())
        env.step(3)
        assert (before != np.array(env.render())).any()


def test_a_person_sees_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    env = make(GAMES["gridlock"], size="1x3", render_mode="human")
    env.reset(seed=0)
    env.step(1)
    assert [line for line in capsys.readouterr().out.splitlines() if "|" in line] == [
        "1 |   |   |   |",
        "1 |   | X |   |",
    ]


def test_other_environments_do_not_need_gymnasium() -> None:
    program = "import sys; sys.modules['gymnasium'] = None; import quintet.envs.space, quintet.envs.values"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stderr, run.returncode) == ("", 0)


def test_large_values_fit() -> None:
    env = make(GAMES["point-capture"], size="1x2", values="999,1", target=1000).unwrapped
    observation, _ = env.reset(seed=0)
    assert observation["observation"][0, :, 2].tolist() == [999, 1] and observation in env.observation_space


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"size": "0x4"}, InvalidOptions),
        ({"target": 3}, InvalidOptions),
        ({"opponent": "nobody"}, UnknownPlayer),
        ({"opponent": "human"}, UnknownPlayer),
        ({"seat": 3}, ValueError),
        ({"illegal": "ignore"}, ValueError),
        ({"render_mode": "smell"}, ValueError),
        ({"game": "chess"}, UnknownGame),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        GameEnv(**({"game": "gridlock"} | options))
