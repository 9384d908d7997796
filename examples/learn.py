"""An agent that learns by self-play, AlphaZero-style, and is graded by exact regret: how far it is from perfect play.

    python examples/learn.py gridlock --size 5x5 --plot gridlock.svg

The search is mctx's; the environment is Quintet's, through the interface of Pgx. Before training, a few hundred
positions of random games are solved exactly. After each round the network, without search, chooses a move in each of
them. Its regret is what these moves give away on average, in points of the result: a win is 1, a draw 1/2, a loss 0.
Games and samples are spread over all devices of the machine. Needs the extra `learn`.
"""

import argparse
import json
import random
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import optax
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from pgx.experimental.wrappers import auto_reset

from quintet import GAMES, Position, regret, start
from quintet.envs.pgx import make

PATIENCE = 1_000
"""Random games without a position that is new, before the exam makes do with fewer: small boards have few."""


def make_network(key, inputs, actions, width, layers):
    """Weights of a small residual network with two heads: policy and value."""
    sizes = [(inputs, width), *[(width, width)] * layers, (width, actions), (width, 1)]
    return [
        {"w": jax.random.normal(key, size) * (0.01 if size[1] in (actions, 1) else (2 / size[0]) ** 0.5),
         "b": jnp.zeros(size[1])}
        for key, size in zip(jax.random.split(key, len(sizes)), sizes, strict=True)
    ]  # fmt: skip


def predict(network, observation):
    """The network's logits of all actions and its value, for the player to move."""
    first, *middle, policy, value = network
    x = observation.reshape(observation.shape[0], -1).astype(jnp.float32)
    x = jax.nn.relu(x @ first["w"] + first["b"])
    for layer in middle:
        x = x + jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ policy["w"] + policy["b"], jnp.tanh(x @ value["w"] + value["b"])[:, 0]


def masked(logits, mask):
    """Logits of legal actions only."""
    return jnp.where(mask, logits, jnp.finfo(logits.dtype).min)


def places():
    """Where arrays are: on all devices, spread by their first axis, and spread by their second."""
    mesh = Mesh(np.array(jax.devices()), ("games",))
    return [NamedSharding(mesh, PartitionSpec(*axes)) for axes in ((), ("games",), (None, "games"))]


def make_round(env, optimizer, games, steps, simulations, batch):
    """The start and a round of training, compiled: self-play with search, then one pass over the samples."""
    everywhere, by_game, by_sample = places()
    step = jax.vmap(env.step)
    restart = jax.vmap(auto_reset(env.step, env.init))

    def simulate(network, key, action, state):
        player = state.current_player
        state = step(state, action)
        logits, value = predict(network, state.observation)
        reward = jnp.take_along_axis(state.rewards, player[:, None], 1)[:, 0]
        output = mctx.RecurrentFnOutput(
            reward=reward,
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=masked(logits, state.legal_action_mask),
            value=jnp.where(state.terminated, 0.0, value),
        )
        return output, state

    def play(network, now, key):
        state, opening = now
        search_key, random_key, opening_key, restart_key = jax.random.split(key, 4)
        logits, value = predict(network, state.observation)
        root = mctx.RootFnOutput(prior_logits=masked(logits, state.legal_action_mask), value=value, embedding=state)
        found = mctx.gumbel_muzero_policy(
            network, search_key, root, simulate, simulations, invalid_actions=~state.legal_action_mask
        )
        # Games start with random moves, some with many: an agent must also learn positions off its best lines.
        is_opening = state._step_count < opening
        random_move = jax.random.categorical(random_key, masked(jnp.zeros_like(logits), state.legal_action_mask))
        action = jnp.where(is_opening, random_move, found.action)
        after = restart(state, action, jax.random.split(restart_key, games))
        reward = jnp.take_along_axis(after.rewards, state.current_player[:, None], 1)[:, 0]
        opening = jnp.where(after.terminated, random_openings(opening_key), opening)
        seen = state.observation, state.legal_action_mask, found.action_weights, is_opening, reward, after.terminated
        return (after, opening), seen

    def random_openings(key):
        return jax.random.randint(key, (games,), 0, env.env.board.cells)

    def outcomes(rewards, ended):
        """The result of each position's game for its player, and whether the game has ended."""

        def back(later, now):
            value, known = later
            reward, end = now
            value, known = jnp.where(end, reward, -value), end | known
            return (value, known), (value, known)

        nothing = jnp.zeros(games), jnp.zeros(games, bool)
        return jax.lax.scan(back, nothing, (rewards, ended), reverse=True)[1]

    def loss(network, observation, mask, weights, value, known):
        logits, guess = predict(network, observation)
        policy = optax.softmax_cross_entropy(masked(logits, mask), weights)
        return (policy + known * (guess - value) ** 2).mean()

    @partial(jax.jit, out_shardings=(everywhere, everywhere, by_game))
    def train(network, moments, now, key):
        play_key, order_key = jax.random.split(key)
        now, seen = jax.lax.scan(partial(play, network), now, jax.random.split(play_key, steps))
        observation, mask, weights, is_opening, reward, ended = seen
        value, known = outcomes(reward, ended)
        samples = (observation, mask, weights, value, known & ~is_opening)
        order = jax.random.permutation(order_key, games * steps)[: games * steps // batch * batch]
        flat = jax.tree.map(
            lambda x: x.reshape(games * steps, *x.shape[2:])[order].reshape(-1, batch, *x.shape[2:]), samples
        )
        flat = jax.lax.with_sharding_constraint(flat, by_sample)

        def improve(now, sample):
            network, moments = now
            gradient = jax.grad(loss)(network, *sample)
            change, moments = optimizer.update(gradient, moments, network)
            return (optax.apply_updates(network, change), moments), None

        (network, moments), _ = jax.lax.scan(improve, (network, moments), flat)
        return network, moments, now

    @partial(jax.jit, out_shardings=by_game)
    def begin(key):
        first, second = jax.random.split(key)
        return jax.vmap(env.init)(jax.random.split(first, games)), random_openings(second)

    return begin, train


class Exam:
    """Different positions of random games with the exact regret of every action."""

    def __init__(self, env, size, count, seed):
        empty = start(env.env.game, size)
        rng = random.Random(seed)
        positions, rows, misses = [], [], 0
        while len(positions) < count and misses < PATIENCE:
            position = random_position(empty, rng)
            misses += 1
            if len(position.moves) > 1 and position not in positions:
                positions.append(position)
                misses = 0
                row = np.full(env.num_actions, np.nan)
                for move in position.moves:
                    row[move.bit_length() - 1] = regret(position, move)
                rows.append(row)
        if not positions:
            raise SystemExit(f"learn.py: {empty.game.title} {empty.board.size} has no position with a choice")
        self.regrets = np.array(rows)
        mine, theirs = (env.env.make_sets([getattr(p, part) for p in positions]) for part in ("mine", "theirs"))
        state = env.env.init(len(positions))._replace(mine=mine, theirs=theirs)
        self.observation, self.mask = env.env.observe(state), env.env.mask(state)
        self.random = float(np.nanmean(self.regrets, axis=1).mean())
        """The mean regret of a random legal move, over the same positions."""
        self.distribution = f"{len(positions)} distinct positions of random games, with a choice of moves"
        """What a mean regret is taken over."""

    def grade(self, network):
        """The mean regret of the network's first choices, over the exam's positions."""
        chosen = masked(predict(network, self.observation)[0], self.mask).argmax(-1)
        return float(self.regrets[np.arange(len(self.regrets)), np.asarray(chosen)].mean())


def random_position(empty: Position, rng):
    """An unfinished position of a random game, each equally likely."""
    positions = [empty]
    while positions[-1].moves:
        positions.append(positions[-1].play(rng.choice(positions[-1].moves)))
    return rng.choice(positions[:-1])


def learn(game, size, rounds, games, steps, simulations, batch, width, layers, positions, seed, report):
    """Train, and grade after each round: the round, the seconds of training so far, and the mean regret."""
    env = make(game, size)
    if games % len(jax.devices()) or batch % len(jax.devices()):
        raise SystemExit(f"learn.py: --games and --batch must be multiples of the {len(jax.devices())} devices")
    exam = Exam(env, size, positions, seed)
    report(f"mean regret over {exam.distribution}")
    report(f"random play: mean regret {exam.random:.3f}")
    keys = jax.random.split(jax.random.PRNGKey(seed), rounds + 2)
    network = make_network(keys[0], int(np.prod(env.observation_shape)), env.num_actions, width, layers)
    optimizer = optax.adam(1e-3)
    network, moments, keys = jax.device_put((network, optimizer.init(network), keys), places()[0])
    begin, train = make_round(env, optimizer, games, steps, simulations, batch)
    now = begin(keys[1])
    rows = [(0, 0.0, exam.grade(network))]
    begun = time.perf_counter()
    for number, key in enumerate(keys[2:], 1):
        network, moments, now = train(network, moments, now, key)
        rows.append((number, time.perf_counter() - begun, exam.grade(network)))
        report(f"round {number}: {rows[-1][1]:.1f} s, {number * games * steps:,} moves, mean regret {rows[-1][2]:.4f}")
    return {"game": game, "size": size, "random": exam.random, "over": exam.distribution, "rounds": rows}


def plot(results, file):
    """Mean regret over training, beside that of random play."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for result in results:
        _, seconds, regrets = zip(*result["rounds"], strict=True)
        (line,) = axes.plot(seconds, regrets, label=f"{GAMES[result['game']].title} {result['size'] or ''}")
        axes.axhline(result["random"], color=line.get_color(), linestyle=":", linewidth=1)
    axes.set(xlabel="seconds of training", ylabel="mean regret per move", ylim=(0, None))
    axes.set_title("The network without search, on solved positions of random games; dotted: random play", fontsize=10)
    axes.legend()
    figure.savefig(file)


def main():
    """Read the options, train, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_to_learn", nargs="+", choices=list(GAMES), metavar="GAME")
    parser.add_argument("--size")
    defaults = {
        "rounds": 60,
        "games": 1024,
        "steps": 32,
        "simulations": 32,
        "batch": 2048,
        "width": 512,
        "layers": 3,
        "positions": 400,
        "seed": 0,
    }
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--json", metavar="FILE")
    options = vars(parser.parse_args())
    setup = {name: options[name] for name in defaults}
    results = [
        learn(game, options["size"], **setup, report=partial(print, flush=True)) for game in options["games_to_learn"]
    ]
    if options["json"]:
        Path(options["json"]).write_text(json.dumps(results))
    if options["plot"]:
        plot(results, options["plot"])


if __name__ == "__main__":
    main()
