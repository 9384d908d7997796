"""The JAX environment and its Pgx adapter: random play, illegal actions, word sizes, and Pgx's own suite."""

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pgx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pgx._src import api_test

from boards import every_game
from quintet.bench.random_play import Run, observed, our_pgx, rollout, short_run
from quintet.envs import pgx as adapter
from quintet.envs.batch import Batch
from quintet.envs.jax import State, make
from quintet.envs.kernel import KERNEL, SCAN
from quintet.games import GAMES
from quintet.gears import PLAIN
from quintet.gears.jax import bit, popcount, to_bits, to_numbers
from quintet.gears.pairs import Pair, as_pair
from quintet.rules import Game


@every_game
@pytest.mark.parametrize("how", [SCAN, KERNEL])
def test_random_play_is_the_batchs(game: Game, how: str) -> None:
    env, batch = make(game.name), Batch(game.name, count=512, seed=3)
    lanes = env.rollout(env.deal(512, 3), 60, how)
    batch.play(60)
    for part, row in zip(lanes, batch.lanes, strict=True):
        assert np.array_equal(np.asarray(part, np.int64), row)


@every_game
@pytest.mark.parametrize("how", [SCAN, KERNEL])
def test_a_turn_is_a_step_written_out(game: Game, how: str) -> None:
    """Legal actions and a few that are not, over the ends of games."""
    env, batch = make(game.name), Batch(game.name, count=512, seed=5, illegal="lose")
    take = jax.jit(env.turn, static_argnums=2)
    turn, wild = env.begin(512), np.random.default_rng(5)
    for _ in range(40):
        assert np.array_equal(jnp.moveaxis(turn.observation, 3, 0), np.moveaxis(batch.observe(), 3, 1))
        assert np.array_equal(turn.mask.T, batch.mask)
        assert np.array_equal(to_bits(turn.options, env.actions), turn.mask)
        assert np.array_equal(turn.state.player, batch.player)
        actions = np.where(wild.random(512) < 0.01, wild.integers(-2, 99, 512), batch.sample())
        turn = take(turn, jnp.asarray(actions, jnp.int8), how)
        rewards, done = batch.step(actions)
        assert np.array_equal(turn.rewards.T, rewards) and np.array_equal(turn.done, done)


@every_game
@pytest.mark.parametrize("size", [None, "6x6"])
def test_kernels_can_be_built_for_a_graphics_card(
    game: Game, size: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make(game.name, size)
    lanes, turn, actions = env.deal(512), env.begin(512), jnp.zeros(512, jnp.int8)
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    for traced in (jax.jit(env.rollout, static_argnums=1).trace(lanes, 10), jax.jit(env.turn).trace(turn, actions)):
        assert "triton" in traced.lower(lowering_platforms=("cuda",)).as_text()


def test_kernels_take_whole_blocks() -> None:
    env = make("gridlock")
    with pytest.raises(ValueError, match="games in blocks of 256"):
        env.rollout(env.deal(100), 1, KERNEL)
    with pytest.raises(ValueError, match="games in blocks of 256"):
        env.turn(env.begin(100), jnp.zeros(100, jnp.int8), KERNEL)


@pytest.mark.parametrize("how", [SCAN, KERNEL])
@pytest.mark.parametrize(
    ("game", "size", "x64"),
    [("adjacent-claim", "7x9", False), ("gridlock", "32", False), ("point-capture", "6x6", True)],
)
def test_large_boards_need_no_64_bits(game: str, size: str, how: str, x64: bool) -> None:
    """With passes up to the last bit, with one cell in the second word, and with values."""
    batch = Batch(game, size, count=256, seed=1, gear=PLAIN)
    with jax.enable_x64(x64):
        env = make(game, size)
        lanes = env.rollout(env.deal(256, 1), 70, how)
        assert {leaf.dtype for leaf in jax.tree.leaves(lanes)} == {np.dtype(np.int32), np.dtype(np.uint32)}
    batch.play(70)
    for part, row in zip(lanes, batch.lanes, strict=True):
        assert np.array_equal(to_numbers(part), row)


@pytest.mark.parametrize("how", [SCAN, KERNEL])
def test_a_turn_on_a_large_board(how: str) -> None:
    env, batch = make("adjacent-claim", "6x6"), Batch("adjacent-claim", "6x6", count=256, seed=5, illegal="lose")
    take = jax.jit(env.turn, static_argnums=2)
    turn, wild = env.begin(256), np.random.default_rng(5)
    for _ in range(45):
        assert np.array_equal(jnp.moveaxis(turn.observation, 3, 0), np.moveaxis(batch.observe(), 3, 1))
        assert np.array_equal(turn.mask.T, batch.mask)
        actions = np.where(wild.random(256) < 0.01, wild.integers(-2, 99, 256), batch.sample())
        turn = take(turn, jnp.asarray(actions, jnp.int8), how)
        rewards, done = batch.step(actions)
        assert np.array_equal(turn.rewards.T, rewards) and np.array_equal(turn.done, done)


def test_words_are_small() -> None:
    for x64 in (False, True):
        with jax.enable_x64(x64):
            env = make("gridlock", "31")
            assert env.init(3).mine.dtype == env.rollout(env.deal(256, 1), 1).mine.dtype == jnp.int32  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="up to 63 cells, not 64"):
        make("gridlock", "8x8")


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 63))
def test_a_pair_counts_as_one_number(first: int, second: int, places: int) -> None:
    pair, other = as_pair(first), as_pair(second)
    found = {
        "&": (pair & other, first & second),
        "|": (first | other, first | second),
        "^": (pair ^ second, first ^ second),
        "~": (~pair, ~first),
        "<<": (pair << places, first << places),
        ">>": (pair >> jnp.int8(places), first >> places),
        "+": (pair + other, first + second),
        "-": (pair - second, first - second),
        "*": (jnp.bool_(True) * pair, first),
        "nothing": (pair * 0, 0),
        "cell": (Pair.cell_at(jnp.int32(places), 1), 1 << places),
    }
    for sign, (made, expected) in found.items():
        assert (int(made.high) << 32 | int(made.low)) == expected % 2**64, sign
    assert bool(pair == second) == (first == second) and bool(pair != first) is False
    assert popcount(pair) == first.bit_count() and bit(pair, places) == first >> places & 1


@pytest.mark.parametrize("action", [4, 1, -1, 99, 9])
def test_an_illegal_action_loses(action: int) -> None:
    env = make("gridlock", "3x3")
    state = env.step(env.init(), jnp.int32(4)).state
    after, rewards, done = env.step(state, jnp.int32(action))
    assert done and rewards.tolist() == [1, -1]
    assert (int(after.mine), int(after.theirs), int(after.player)) == (0, 0, 0)


def test_masks_and_observations_are_computed_only_if_used() -> None:
    env = make("gridlock")
    state = env.init(8)

    action = jnp.zeros(8, jnp.int32)

    def look(state: State, action: jax.Array) -> object:
        after = env.step(state, action)
        return after, env.observe(after.state), env.mask(after.state)

    def length(function: Callable[..., object]) -> int:
        return len(jax.jit(function).lower(state, action).as_text().splitlines())

    assert length(lambda state, action: look(state, action)[0]) == length(env.step) < length(look)  # type: ignore[index]


@every_game
@pytest.mark.parametrize("size", [None, "6x6"])
def test_pgxs_own_suite(game: Game, size: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    env = adapter.make(game.name, size)
    # Its list of known names is Pgx's own games; and its random player asks for axis 1 of one state's mask, which
    # current versions of JAX refuse for Pgx's own games as well.
    monkeypatch.setattr(api_test, "get_args", lambda _: (env.id,))
    monkeypatch.setattr(api_test, "act_randomly", act_randomly)
    pgx.api_test(env, 3)


@jax.jit
def act_randomly(key: jax.Array, mask: jax.Array) -> jax.Array:
    return jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)))


def test_pgx_keeps_the_end_and_draws_it(tmp_path: Path) -> None:
    env = adapter.make("gridlock", "1x2")
    start = env.init(jax.random.PRNGKey(1))
    end = env.step(start, jnp.int32(0))
    assert end.terminated and float(end.rewards[start.current_player]) == 1
    after = env.step(end, jnp.int32(1))
    assert after.terminated and not after.rewards.any() and (after.observation == end.observation).all()
    both = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), 2))
    assert both.to_svg().count("<title>") == 2 and end.to_svg(scale=2).startswith("<svg")
    assert end.to_svg().count('class="mark"') == 1
    pgx.save_svg(end, tmp_path / "end.svg")
    assert (tmp_path / "end.svg").read_text() == end.to_svg() and end.env_id == env.id


def test_pgx_sees_with_the_eyes_of_either_player() -> None:
    env = adapter.make("point-capture")
    state = env.step(env.init(jax.random.PRNGKey(1)), jnp.int32(3))
    mine, theirs = (env._observe(state, player) for player in (state.current_player, 1 - state.current_player))
    assert (mine[..., 0] == theirs[..., 1]).all() and int(mine[..., 1].sum()) == 1
    assert mine[..., 2].tolist() == [[1, 2, 3, 4, 5]] * 5 and (mine[..., 2] == theirs[..., 2]).all()


@pytest.mark.parametrize(("prepare", "steps"), [(rollout, 1024), (observed, 128), (our_pgx, 128)])
def test_the_benchmark_plays(prepare: Callable[[Game, int], Run], steps: int) -> None:
    run = prepare(GAMES["gridlock"], 256)
    assert run() == run() == 256 * short_run(steps)
