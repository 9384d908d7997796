# /// script
# requires-python = ">=3.11"
# dependencies = ["quintet-games[pettingzoo]", "tianshou==2.0.1", "torch==2.13.0"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
"""DQN of Tianshou learns Gridlock 3x3 as the first player, on PettingZoo, against a random player."""

import logging

import numpy as np
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from quintet.envs.pettingzoo import gridlock_v0

GAMES = 200

torch.set_num_threads(1)
torch.manual_seed(1)
np.random.seed(1)  # Tianshou explores with it.
logging.disable(logging.WARNING)  # A note about the rewards of two players, at every step.


def make() -> PettingZooEnv:
    """A board for Tianshou."""
    return PettingZooEnv(gridlock_v0.env(size="3x3"))


env = make()
space = env.observation_space["observation"]
net = Net(state_shape=space.shape, action_shape=env.action_space.n, hidden_sizes=[128, 128])
policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, observation_space=space, eps_training=0.2)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=100)
random = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, random], env=env)
training = Collector(both, DummyVectorEnv([make] * 8), VectorReplayBuffer(20_000, 8), exploration_noise=True)
test = Collector(both, DummyVectorEnv([make] * 8))


def measure() -> float:
    """The mean reward of the learner."""
    return float(test.collect(n_episode=GAMES, reset_before_collect=True).returns[:, 0].mean())


before = measure()
training.collect(n_step=512, random=False, reset_before_collect=True)
both.run_training(
    OffPolicyTrainerParams(
        training_collector=training,
        max_epochs=1,
        epoch_num_steps=8_000,
        collection_step_num_env_steps=64,
        batch_size=64,
        update_step_num_gradient_steps_per_sample=0.3,
        test_step_num_episodes=0,
        show_progress=False,
        verbose=False,
    )
)
after = measure()
print(f"mean reward against a random player: {before:+.2f} before, {after:+.2f} after 8,000 steps")
assert after > before, "nothing was learned"
