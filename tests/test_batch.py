"""The batch environment: what it refuses, how it restarts, and that its gears play the same games."""

import numpy as np
import pytest

from boards import every_game
from quintet.engines.rng import next_state, pick, seeded
from quintet.envs import lockstep
from quintet.envs.batch import CELLS, MINE, PLAYER, RNG_STATE, THEIRS, Batch, IllegalAction, bind_steps
from quintet.games import GAMES
from quintet.options import InvalidOptions, start
from quintet.rules import Game


@every_game
def test_gears_play_the_same_random_games(game: Game) -> None:
    plain, fast = (Batch(game.name, count=600, seed=5, gear=gear) for gear in ("plain", "fast"))
    assert plain.play(100) == fast.play(100)
    assert np.array_equal(plain.lanes, fast.lanes)
    games, balance = fast.play(1)
    assert games > 600 and -games <= balance <= games


@every_game
def test_random_play_is_what_it_says(game: Game) -> None:
    """One step at a time through the front door gives the counts that random play keeps."""
    counted, stepped = (Batch(game.name, count=300, seed=8) for _ in range(2))
    games, balance = 0, 0.0
    for _ in range(60):
        rewards, done = stepped.step(stepped.sample())
        games += int(done.sum())
        balance += float(rewards[:, 0].sum())
    assert counted.play(60) == (games, balance)
    for row in (MINE, THEIRS, PLAYER, CELLS, RNG_STATE):
        assert np.array_equal(counted.lanes[row], stepped.lanes[row])


@every_game
def test_random_choice_is_the_engines(game: Game) -> None:
    board = start(game, "7x9").board
    rng = np.random.default_rng(1)
    sets = rng.integers(1, 1 << 63, 2_000)
    states = rng.integers(1, 1 << 32, 2_000)
    chosen = bind_steps(game, board).choose(sets, states)
    assert chosen.tolist() == [pick(cells, state) for cells, state in zip(sets.tolist(), states.tolist(), strict=True)]


def test_every_legal_action_has_the_same_chance() -> None:
    batch = Batch("gridlock", "3x3", count=90_000, seed=2)
    counts = np.bincount(batch.sample(), minlength=9)
    assert abs(counts - 10_000).max() < 500, "five standard deviations"


def test_lanes_differ_and_seeds_repeat() -> None:
    first, again, other = (Batch("isolation", count=1_000, seed=seed) for seed in (1, 1, 2))
    assert len(set(first.lanes[RNG_STATE].tolist())) == 1_000 and first.lanes[RNG_STATE].min() > 0
    assert np.array_equal(first.lanes, again.lanes) and not np.array_equal(first.lanes, other.lanes)
    assert lockstep.seed_states(3, seeded(1)) == first.lanes[RNG_STATE, 3]
    assert next_state(int(first.lanes[RNG_STATE, 3])) != first.lanes[RNG_STATE, 3]


def test_a_finished_game_starts_again() -> None:
    batch = Batch("gridlock", "1x2", count=2)
    assert batch.observe().shape == (2, 1, 2, 2) and batch.mask.tolist() == [[True, True]] * 2
    rewards, done = batch.step([0, 1])
    assert done.all() and rewards.tolist() == [[1, -1], [1, -1]], "the other cell is next to it: nobody can answer"
    assert batch.player.tolist() == [0, 0] and not batch.observe().any() and batch.mask.all()


def test_a_pass_is_the_action_past_the_board() -> None:
    batch = Batch("adjacent-claim", "5", count=1)
    for action in (1, 0, 2):
        batch.step([action])
    assert batch.mask.tolist() == [[False] * 5 + [True]]
    with pytest.raises(IllegalAction, match="action 3 is not legal in game 0"):
        batch.step([3])
    assert batch.player.tolist() == [1]
    batch.step([5])
    assert batch.mask.tolist() == [[False, False, False, True, False, False]]


@pytest.mark.parametrize("gear", ["plain", "fast"])
@pytest.mark.parametrize("action", [4, 1, -1, 99, 9])
def test_an_illegal_action_changes_nothing_or_loses(action: int, gear: str) -> None:
    batch = Batch("gridlock", "3x3", count=3, gear=gear)
    batch.step([4, 4, 4])
    before = batch.lanes.copy()
    with pytest.raises(IllegalAction, match=f"action {action} is not legal in game 1"):
        batch.step([0, action, 2])
    assert np.array_equal(batch.lanes, before)

    strict = Batch("gridlock", "3x3", count=3, illegal="lose", gear=gear)
    strict.step([4, 4, 4])
    rewards, done = strict.step([0, action, 2])
    assert done.tolist() == [False, True, False] and rewards.tolist() == [[0, 0], [1, -1], [0, 0]]
    assert strict.player.tolist() == [0, 0, 0] and strict.lanes[MINE].tolist() == [1 << 4, 0, 1 << 4]


def test_what_cannot_be_played_is_refused_in_a_line() -> None:
    with pytest.raises(ValueError, match="up to 63 cells, not 64"):
        Batch("gridlock", "8x8")
    with pytest.raises(ValueError, match="the first player has no legal move"):
        Batch("point-capture", "1x1", values=[5], target=3)
    with pytest.raises(ValueError, match="illegal must be raise or lose"):
        Batch("gridlock", illegal="ignore")
    with pytest.raises(InvalidOptions, match="cannot read the size"):
        Batch("gridlock", "big")
    batch = Batch("gridlock", count=2)
    for actions in ([1], [1.0, 2.0], [[1, 2]], ["a", "b"]):
        with pytest.raises(ValueError, match="actions must be 2 whole numbers"):
            batch.step(actions)


def test_the_first_legal_cells_are_the_games() -> None:
    for game in GAMES.values():
        assert (Batch(game.name, count=1).lanes[CELLS] == start(game).legal).all()
