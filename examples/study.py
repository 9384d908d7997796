"""A study of learning that needs no Elo: how far a network is from perfect play, on every position of a board.

    python examples/study.py results                  # run everything that is not in the folder yet
    python examples/study.py results --only wall      # one experiment
    python examples/study.py results --report         # tables, fits and plots of what is there

Three experiments, each a list of runs with seeds:

`scaling` trains networks of several widths on several boards of all five games with `lookahead.py`, and grades them on
all positions as training goes on.
`wall` trains with AlphaZero-style self-play (`learn.py`) on a partisan game, Gridlock, and an impartial one, Isolation,
on lines and grids, with the position alone as input and with the position before it too.
`book` trains one larger network for longer on each rule book's board, to see how near it comes to regret 0.

A run is a file in the folder, saved at every grading together with a checkpoint. An interrupted run continues from its
checkpoint, a finished one is not repeated. Compute is counted, not timed: the networks' multiplications and
additions. `--scale small` is for two cores, `--scale toy` for tests. Needs the extra `learn`.
"""

import argparse
import json
import time
from dataclasses import asdict
from functools import cache
from pathlib import Path

import jax
import jax.numpy as jnp
import learn
import numpy as np
import optax
from lookahead import STEPS, Learner
from study_plan import SCALES, plan
from study_report import write_report

from quintet import start
from quintet.envs.all_positions import AllPositions
from quintet.envs.pgx import make

GAME_STEPS, SIMULATIONS = 32, 32
"""Of self-play: moves of each game in a round, and simulations of the search for each."""


@cache
def find_positions(game, size):
    """All positions of a board; those with the same future count as one."""
    empty = start(game, size)
    return AllPositions(empty, key=empty.game.future)


class Progress:
    """What a run has found so far, in a file, with a checkpoint beside it."""

    def __init__(self, folder, run):
        """Read what is there."""
        self.results, self.checkpoint = folder / f"{run.name}.json", folder / f"{run.name}.npz"
        if self.results.exists():
            self.found = json.loads(self.results.read_text())
            if self.found["run"] != json.loads(json.dumps(asdict(run))):
                raise SystemExit(f"study.py: {self.results} is of a run with other settings: use another folder")
        else:
            self.found = {"run": asdict(run), "device": jax.devices()[0].device_kind, "done": 0, "rows": []}

    @property
    def done(self):
        """The length of training at the last checkpoint."""
        return self.found["done"]

    def load(self, fresh):
        """The state at the last checkpoint; a fresh one if there is none."""
        if not self.done:
            return fresh
        leaves, shape = jax.tree.flatten(fresh)
        with np.load(self.checkpoint) as saved:
            assert int(saved["done"]) == self.done, "the checkpoint is not that of the results"
            return jax.tree.unflatten(shape, [jnp.asarray(saved[f"{i}"]) for i in range(len(leaves))])

    def save(self, done, state, row):
        """Save a row of results and the state it was measured in, both or neither."""
        leaves = {f"{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(state))}
        replace(self.checkpoint, lambda file: np.savez(file, done=done, **leaves))
        self.found["done"] = done
        self.found["rows"].append(row)
        replace(self.results, lambda file: file.write(json.dumps(self.found).encode()))

    def finish(self):
        """A finished run needs no checkpoint."""
        self.checkpoint.unlink(missing_ok=True)


def replace(path, write):
    """Write a file whole or not at all."""
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        write(file)
    new.replace(path)


def grade(everything, policies):
    """The mean regret over all positions and the number of wrong ones, of each policy."""
    grades = [everything.grade(policy) for policy in policies]
    return {"regret": [one.regret for one in grades], "wrong": [one.wrong for one in grades]}


def count_weights(network):
    """How many weights a network has."""
    return sum(leaf.size for leaf in jax.tree.leaves(network))


@cache
def look_ahead(game, size, width, layers, batch, updates):
    """A learner, and its updates of the networks of several seeds at once, compiled."""
    learner = Learner(game, size, width, layers, batch, 1e-3, updates)
    return learner, jax.jit(jax.vmap(learner.improve))


def run_scaling(run, progress, report):
    """Train networks of several seeds side by side by looking ahead; grade them after 200, 400, 800, ... updates."""
    learner, improve = look_ahead(run.game, run.size, run.width, run.layers, run.batch, run.length)
    everything = find_positions(run.game, run.size)
    fresh = jax.tree.map(lambda *each: jnp.stack(each), *[learner.begin(seed) for seed in run.seeds])
    now = progress.load(fresh)
    weights = count_weights(learner.begin(0)[0])
    # For every position: the judgement of what each action leads to, one evaluation, and a gradient, which costs two.
    compute_per_update = 2 * weights * run.batch * (learner.env.actions + 3)
    began, end = time.perf_counter(), run.length // STEPS
    for number in range(progress.done // STEPS + 1, end + 1):
        now = improve(now, jnp.stack([jax.random.fold_in(jax.random.PRNGKey(seed + 1), number) for seed in run.seeds]))
        if number & (number - 1) == 0 or number == end:
            networks = [jax.tree.map(lambda leaf, i=i: leaf[i], now[1]) for i in range(len(run.seeds))]
            row = grade(everything, map(learner.policy, networks))
            row |= {"length": number * STEPS, "compute": number * STEPS * compute_per_update, "weights": weights}
            row |= {"seconds": time.perf_counter() - began, "random": everything.random, "positions": len(everything)}
            progress.save(number * STEPS, now, row)
            report(f"{run.name}: {number * STEPS} updates, regret {max(row['regret']):.5f} or less")


class Frames:
    """A Pgx environment in which a state also shows the position before it."""

    def __init__(self, env):
        """Wrap an environment."""
        self.env, self.inner = env.env, env
        *board, self.planes = env.observation_shape
        self.num_actions, self.observation_shape = env.num_actions, (*board, 2 * self.planes)

    def show(self, state, before):
        """The state with two positions to see."""
        return state.replace(observation=jnp.concatenate([state.observation, before], -1))

    def init(self, key):
        """A new game, with nothing before it."""
        state = self.inner.init(key)
        return self.show(state, jnp.zeros_like(state.observation))

    def step(self, state, action, key=None):
        """The state after an action."""
        return self.show(self.inner.step(state, action, key), state.observation[..., : self.planes])


def observe(env, everything, frames, seed):
    """What the network sees of all positions, and which actions are legal; the move before is a random one."""
    mine, theirs = everything.mine, everything.theirs
    rng, arrays = np.random.default_rng(seed), env.env
    state = arrays.init(len(mine))._replace(mine=jnp.asarray(mine), theirs=jnp.asarray(theirs))
    seen = arrays.observe(state)
    if frames == 2:
        cells = theirs[:, None] >> np.arange(arrays.board.cells) & 1
        last = (cells * rng.random(cells.shape)).argmax(-1)
        before = state._replace(mine=jnp.asarray(theirs & ~(1 << last)), theirs=jnp.asarray(mine))
        seen = jnp.concatenate([seen, arrays.observe(before) * (theirs != 0)[:, None, None, None]], -1)
    return seen, arrays.mask(state)


@cache
def self_play(game, size, frames, batch):
    """Self-play on a board, compiled once for all seeds: environment, optimizer, start and a round of it."""
    env, optimizer = make(game, size), optax.adam(1e-3)
    env = Frames(env) if frames == 2 else env
    return env, optimizer, *learn.make_round(env, optimizer, max(32, batch // 2), GAME_STEPS, SIMULATIONS, batch)


def run_wall(run, progress, report):
    """Train by self-play with search, and grade the network alone after every fifth round."""
    env, optimizer, begin, train = self_play(run.game, run.size, run.frames, run.batch)
    (seed,), everything = run.seeds, find_positions(run.game, run.size)
    seen, legal = observe(make(run.game, run.size), everything, run.frames, seed)
    first, second = jax.random.split(jax.random.PRNGKey(seed))
    network = learn.make_network(first, int(np.prod(env.observation_shape)), env.num_actions, run.width, run.layers)
    now = progress.load((network, optimizer.init(network), begin(second)))
    weights, began = count_weights(network), time.perf_counter()
    compute_per_round = 2 * weights * max(32, run.batch // 2) * GAME_STEPS * (SIMULATIONS + 1 + 3)
    for number in range(progress.done + 1, run.length + 1):
        now = train(*now, jax.random.fold_in(jax.random.PRNGKey(seed + 1), number))
        if number % 5 == 0 or number == run.length:
            chosen = np.asarray(learn.masked(learn.predict(now[0], seen)[0], legal).argmax(-1))
            row = grade(everything, [lambda *_, chosen=chosen: chosen])
            row |= {"length": number, "compute": number * compute_per_round, "weights": weights}
            row |= {"seconds": time.perf_counter() - began, "random": everything.random, "positions": len(everything)}
            progress.save(number, now, row)
            report(f"{run.name}: {number} rounds, regret {row['regret'][0]:.5f}")


RUNNERS = {"scaling": run_scaling, "wall": run_wall, "book": run_scaling}


def main():
    """Run what is missing, or write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=RUNNERS)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no run after this time")
    parser.add_argument("--scale", choices=SCALES, default="full", help="for tests, for two cores, or for a GPU")
    parser.add_argument("--report", action="store_true", help="write tables and plots of what is there")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.report:
        write_report(options.folder)
        return
    runs = [run for name in RUNNERS if options.only in (None, name) for run in plan(name, options.scale)]
    began = time.monotonic()
    for number, run in enumerate(runs, 1):
        progress = Progress(options.folder, run)
        if progress.done < run.length and time.monotonic() - began < 60 * options.minutes:
            print(f"run {number} of {len(runs)}", flush=True)
            RUNNERS[run.experiment](run, progress, lambda line: print(line, flush=True))
            progress.finish()


if __name__ == "__main__":
    main()
