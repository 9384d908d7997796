"""JAX environments on several devices: their games are spread, and play as on one device."""

import os
import subprocess
import sys

import jax
import pytest

from quintet.envs.jax import make
from quintet.envs.space import InvalidSetting

FOUR_DEVICES = """
import jax, jax.numpy as jnp, numpy as np
from quintet.envs.jax import make
from quintet.envs.kernel import KERNEL, SCAN

def same(one, other):
    for first, second in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        assert np.array_equal(first, second)

assert len(jax.devices()) == 4
for name in ("adjacent-claim", "point-capture"):  # With passes, and with values; all are spread by the same code.
    alone, spread = make(name), make(name, devices=jax.devices())
    dealt = spread.deal(1024, 3)
    assert len(dealt.mine.sharding.device_set) == 4
    ended = alone.rollout(alone.deal(1024, 3), 40)
    for how in (SCAN, KERNEL):
        lanes = spread.rollout(dealt, 40, how)
        same(ended, lanes)
        assert len(lanes.mine.sharding.device_set) == 4
    turn, turns = alone.begin(1024), spread.begin(1024)
    take, take_all = jax.jit(alone.turn), jax.jit(spread.turn, static_argnums=2)
    for _ in range(12):
        action = jnp.argmax(turn.mask, axis=0)
        action_all = spread.spread(action)
        turn = take(turn, action)
        by_kernel = take_all(turns, action_all, KERNEL)
        turns = take_all(turns, action_all, SCAN)
        same(turn, turns)
        same(turn, by_kernel)
        assert len(turns.observation.sharding.device_set) == 4
print("same")
"""


def test_four_devices_play_as_one() -> None:
    settings = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    run = subprocess.run(
        [sys.executable, "-c", FOUR_DEVICES], env=settings, capture_output=True, text=True, timeout=300
    )
    assert run.stdout == "same\n", run.stderr


def test_games_must_divide_among_the_devices() -> None:
    env = make("gridlock", devices=jax.devices() * 2)
    with pytest.raises(InvalidSetting, match="multiple of the 2 devices"):
        env.init(7)
