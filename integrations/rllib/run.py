# /// script
# requires-python = ">=3.11"
# dependencies = ["quintet-games[gymnasium]", "ray[rllib]==2.60.0", "torch==2.13.0"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
"""PPO of RLlib learns Gridlock 3x3 against a random player, with RLlib's own module for action masks."""

import os

os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"  # Everything runs on this machine, so nothing needs to be copied.

import gymnasium
import numpy as np
import ray
from gymnasium import spaces
from gymnasium.wrappers import TransformObservation
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from quintet.envs.space import Observation

Seen = dict[str, np.ndarray]


def read(seen: Observation) -> Seen:
    """An observation with the names and the type of numbers that RLlib's module expects."""
    return {
        "observations": seen["observation"].astype(np.float32).ravel(),
        "action_mask": seen["action_mask"].astype(np.float32),
    }


def make(options: dict[str, object]) -> gymnasium.Env[Seen, np.int64]:
    """A board for RLlib."""
    env = gymnasium.make("quintet.envs:quintet/Gridlock-v0", **options)
    parts = env.observation_space.sample()
    boxes = {name: spaces.Box(0, 1, part.shape, np.float32) for name, part in read(parts).items()}
    return TransformObservation(env, read, spaces.Dict(boxes))


ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
register_env("gridlock", make)
config = (
    PPOConfig()
    .environment("gridlock", env_config={"size": "3x3", "seat": "random"})
    .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
    .training(train_batch_size=1024, minibatch_size=128, num_epochs=4, gamma=1.0, lr=1e-3)
    .rl_module(
        rl_module_spec=RLModuleSpec(
            module_class=ActionMaskingTorchRLModule,
            model_config={"head_fcnet_hiddens": [64, 64], "head_fcnet_activation": "relu"},
        )
    )
    .debugging(seed=1, log_level="ERROR")
)
algorithm = config.build_algo()
returns = [algorithm.train()["env_runners"]["episode_return_mean"] for _ in range(6)]
algorithm.stop()
ray.shutdown()
print("mean reward against a random player, per round:", *(f"{mean:+.2f}" for mean in returns))
assert returns[-1] > returns[0], "nothing was learned"
