"""All environments that play many games at once, against the naive reading of the rules: ten thousand games of each."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from pgx.experimental.wrappers import auto_reset

from boards import name
from quintet.envs import pgx
from quintet.envs.batch import Batch
from quintet.envs.jax import JaxEnv
from quintet.games import GAMES
from quintet.gears.jax import HALF_CELLS
from quintet.options import describe, start
from quintet.rules import Position
from transcripts import Transcript, planes, transcript

RULE_BOOK, OTHER, LARGE = 8_000, 2_000, 20
SAMPLES = [
    (start(game, size), games)
    for game in GAMES.values()
    for size, games in ((None, RULE_BOOK), ("3x4", OTHER), ("31", LARGE), ("7x9", LARGE), ("3x4-A2-C4", 500))
]
SAMPLES.append((start("adjacent-claim", "6x6-A2-F6"), LARGE))  # Holes where JAX has two words, and passes.
every_sample = pytest.mark.parametrize(("empty", "games"), SAMPLES, ids=[name(empty) for empty, _ in SAMPLES])


def through_batch(empty: Position, moves: Transcript, gear: str) -> tuple[Any, ...]:
    batch = Batch(empty.game.name, count=moves.actions.shape[1], gear=gear, **describe(empty.board))
    steps = []
    for actions in moves.actions:
        mask, seen, player = batch.mask, batch.observe(), batch.player
        rewards, done = batch.step(actions)
        assert (rewards.sum(-1) == 0).all()
        steps.append((mask, seen, rewards[np.arange(len(player)), player], done))
    return tuple(np.array(part) for part in zip(*steps, strict=True))


def through_jax(empty: Position, moves: Transcript) -> tuple[Any, ...]:
    env = JaxEnv(empty.game, empty.board)

    def turn(state: Any, action: Any) -> Any:
        after, rewards, done = env.step(state, action)
        return after, (env.mask(state), env.observe(state), rewards, state.player, done)

    @jax.jit
    @jax.vmap
    def replay(state: Any, actions: Any) -> Any:
        return jax.lax.scan(turn, state, actions)[1]

    lanes = replay(env.init(moves.actions.shape[1]), jnp.asarray(moves.actions.T))
    masks, seen, rewards, player, done = (np.moveaxis(part, 0, 1) for part in lanes)
    assert (rewards.sum(-1) == 0).all()
    return masks, seen, np.take_along_axis(rewards, player[..., None], -1)[..., 0], done


def through_pgx(empty: Position, moves: Transcript) -> tuple[Any, ...]:
    env = pgx.PgxEnv(JaxEnv(empty.game, empty.board))
    step = auto_reset(env.step, env.init)

    def turn(state: Any, move: Any) -> Any:
        action, key = move
        after = step(state, action, key)
        seen = (state.legal_action_mask, state.observation, after.rewards, state.current_player, after.terminated)
        return after, seen

    @jax.jit
    @jax.vmap
    def replay(key: Any, actions: Any) -> Any:
        return jax.lax.scan(turn, env.init(key), (actions, jax.random.split(key, len(actions))))[1]

    lanes = replay(jax.random.split(jax.random.PRNGKey(0), moves.actions.shape[1]), jnp.asarray(moves.actions.T))
    masks, seen, rewards, player, done = (np.moveaxis(part, 0, 1) for part in lanes)
    assert (rewards.sum(-1) == 0).all() and set(np.unique(player)) == {0, 1}
    return masks, seen, np.take_along_axis(rewards, player[..., None], -1)[..., 0], done


@every_sample
def test_the_rules_are_the_rule_books(empty: Position, games: int) -> None:
    moves = transcript(empty, games, lanes=min(games, 500))
    assert moves.done.sum() >= games
    expected = (moves.masks, planes(empty, moves.grids), moves.rewards, moves.done)
    found = {"NumPy": through_batch(empty, moves, "plain"), "JAX": through_jax(empty, moves)}
    if empty.board.cells != HALF_CELLS:  # The edge of JAX's small words; slow to compile.
        found["Numba"] = through_batch(empty, moves, "fast")
        found["Pgx"] = through_pgx(empty, moves)
    for label, parts in found.items():
        for part, wanted in zip(parts, expected, strict=True):
            assert np.array_equal(part, wanted), label
