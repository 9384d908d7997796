# /// script
# requires-python = ">=3.11"
# dependencies = ["quintet-games[gymnasium]", "sb3-contrib==2.9.2", "torch==2.13.0"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
"""MaskablePPO of sb3-contrib learns Gridlock 3x3 against a random player, with the masks of `action_masks()`."""

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

torch.set_num_threads(1)
OPTIONS = {"size": "3x3", "seat": "random"}
ENV = "quintet.envs:quintet/Gridlock-v0"

check_env(gymnasium.make(ENV, **OPTIONS).unwrapped, warn=False)
envs = make_vec_env(ENV, n_envs=8, seed=1, env_kwargs=OPTIONS | {"illegal": "raise"})
model = MaskablePPO("MultiInputPolicy", envs, n_steps=64, batch_size=128, gamma=1.0, seed=1, device="cpu")
before, _ = evaluate_policy(model, envs, n_eval_episodes=100)
model.learn(6_000)
after, _ = evaluate_policy(model, envs, n_eval_episodes=100)
print(f"mean reward against a random player: {before:+.2f} before, {after:+.2f} after 6,000 steps")
assert after > before, "nothing was learned"
