"""An agent that learns every position of a board by looking one move ahead, and is graded on all of them.

    python examples/lookahead.py gridlock --seconds 60

It knows the rules and no values. Games are played at random, so that every position comes up. In each position the
network judges what every legal move leads to; the best of that is what it should have said, and the move that leads
there is the one it should choose. So the truth spreads backwards from the ends of games, as in a proof, but through a
network. Afterwards the network alone, without looking ahead, chooses a move in every position of the board, and what
these moves give away is measured exactly (`quintet.envs.all_positions`).

The network sees a position up to symmetry. Where the future of a game depends on less than both players' cells, it sees
only that, and one position stands for all with the same future. Needs the extra `learn`.
"""

import argparse
import json
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

from quintet import GAMES, start
from quintet.envs.all_positions import AllPositions
from quintet.envs.jax import State, make

AVERAGE = 0.999
"""How slowly the averaged network, which judges and is graded, follows the one that is trained."""
MOST_POINTS = 31
"""The highest score that a network can tell from others."""
STEPS = 200
"""Steps of training that are compiled into one program."""


def make_network(key, inputs, cells, width, layers):
    """Weights of a residual network with two heads: a number for each cell, and the value."""
    sizes = [(inputs, width), *[(width, width)] * layers, (width, cells), (width, 1)]
    return [
        {"w": jax.random.normal(key, size) * (0.01 if size[1] in (cells, 1) else (2 / size[0]) ** 0.5),
         "b": jnp.zeros(size[1])}
        for key, size in zip(jax.random.split(key, len(sizes)), sizes, strict=True)
    ]  # fmt: skip


def predict(network, planes):
    """A number for each cell, and the value of the position for the player to move."""
    first, *middle, policy, value = network
    x = jax.nn.relu(planes @ first["w"] + first["b"])
    for layer in middle:
        normal = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
        x = x + jax.nn.relu(normal @ layer["w"] + layer["b"])
    return x @ policy["w"] + policy["b"], jnp.tanh(x @ value["w"] + value["b"])[..., 0]


def one_hot(numbers, most):
    """Small numbers as rows of zeros and a one each, joined."""
    return jax.nn.one_hot(numbers.astype(jnp.int32), most + 1).reshape(*numbers.shape[:-1], -1)


def turns(board):
    """Where each cell goes when the board is turned or mirrored, first not at all; no more if cells have values."""
    cells = np.arange(board.cells).reshape(board.rows, board.cols)
    images = [np.rot90(side, times) for side in (cells, cells.T) for times in range(4)]
    fitting = [image.ravel() for image in images if image.shape == cells.shape]
    return np.unique([np.argsort(image) for image in fitting[: 1 if board.values else None]], axis=0)


class Learner:
    """A game on a board with the functions that learn it."""

    def __init__(self, game, size, width, layers, batch, rate, updates):
        """Bind the rules, and choose the optimizer."""
        self.env = make(game, size)
        self.board = self.env.board
        self.width, self.layers, self.batch = width, layers, batch
        values = np.zeros(self.board.cells, np.float32)
        for value, where in self.board.values:
            values[[where >> i & 1 != 0 for i in range(self.board.cells)]] = value
        self.values, self.same = jnp.asarray(values), jnp.asarray(np.unique(values)[:, None] == values, jnp.float32)
        self.turns = turns(self.board)
        self.inputs = self.see(self.env.init(1))[0].shape[-1]
        # A result is 1 or -1; in games of territory the margin in cells tells more, in much smaller steps.
        self.sharpness = 60.0 if self.env.game.territory else 6.0
        self.optimizer = optax.chain(
            optax.clip_by_global_norm(1.0),
            optax.adamw(optax.warmup_cosine_decay_schedule(0.0, rate, 500, updates), weight_decay=1e-4),
        )

    def see(self, state):
        """What the network sees, which is what the game's future depends on; and how the board was turned for it."""
        (mine, theirs), turn = self.turn(state.mine, state.theirs)
        return self.see_turned(mine, theirs), turn

    def turn(self, mine, theirs):
        """Positions turned and mirrored so that all images of one become the same; and which way each was turned."""
        images = [
            jnp.stack([sum((cells >> i & 1) << int(to) for i, to in enumerate(places)) for places in self.turns])
            for cells in (theirs, mine)
        ]
        # The least image; of those with the same cells of the opponent, the one with the least cells of the player.
        least = images[0] == images[0].min(0)
        least &= images[1] == jnp.where(least, images[1], jnp.iinfo(mine.dtype).max).min(0)
        turn = least.argmax(0)
        theirs, mine = (jnp.take_along_axis(image, turn[None], 0)[0] for image in images)
        return (mine, theirs), turn

    def see_turned(self, mine, theirs):
        """What the network sees of positions that are turned already."""
        if self.env.game.future == "values":  # How many cells of each value are left, and both scores.
            claimed = self.planes(mine | theirs)
            counts = (1 - claimed) @ self.same.T
            scores = jnp.stack([self.planes(side) @ self.values for side in (mine, theirs)], -1)
            return jnp.concatenate([one_hot(counts, self.board.cells), one_hot(scores, MOST_POINTS)], -1)
        legal = partial(self.env.steps.legal, self.board)
        if self.env.game.future == "claimed":
            return jnp.concatenate([self.planes(mine | theirs), self.planes(legal(mine, theirs))], -1)
        return jnp.concatenate(
            [self.planes(cells) for cells in (mine, theirs, legal(mine, theirs), legal(theirs, mine))], -1
        )

    def planes(self, cells):
        """Sets of cells as rows of zeros and ones."""
        return (cells[..., None] >> jnp.arange(self.board.cells) & 1).astype(jnp.float32)

    def predict(self, network, seen, turn):
        """A number for each cell, the same for cells of the same value, and the value of the position."""
        logits, value = predict(network, seen)
        if self.env.game.future == "values":
            logits = logits @ self.same.T / self.same.sum(-1) @ self.same
        return jnp.take_along_axis(logits, jnp.asarray(self.turns)[turn], -1), value

    def worth(self, state, after, over, result, value):
        """What a move is worth: its result, or in games of territory what it gains and what follows, as shares."""
        if not self.env.game.territory:
            return jnp.where(over, -result, -value)
        gained = self.env.steps.popcount(after.theirs) - self.env.steps.popcount(state.mine)
        return gained.astype(jnp.float32) / self.board.cells - jnp.where(over, 0.0, value)

    def look_ahead(self, network, state):
        """What each action is worth by the network's judgement of what it leads to; far below zero if it is illegal."""
        options = self.env.options(state)[..., None]
        actions = jnp.arange(self.env.actions)
        each = State(*(jnp.broadcast_to(part[..., None], (*part.shape, self.env.actions)) for part in state))
        after, over, result = self.env.advance(each, jnp.broadcast_to(actions, each.mine.shape))
        worth = self.worth(each, after, over, result, predict(network, self.see(after)[0])[1])
        return jnp.where(options >> actions & 1, worth, -9.0)

    def loss(self, network, seen, turn, worth):
        """How far the network is from what looking ahead says."""
        logits, value = self.predict(network, seen, turn)
        best = worth.max(-1)
        cells = worth[:, : self.board.cells]
        chosen = jax.nn.softmax(jnp.where(cells > -9, self.sharpness * (cells - best[:, None]), -1e9))
        choice = (cells > -9).sum(-1) > 1
        policy = optax.softmax_cross_entropy(jnp.where(cells > -9, logits, -1e9), chosen)
        return (choice * policy + 4 * (value - best) ** 2).mean()

    @partial(jax.jit, static_argnums=0)
    def improve(self, now, key):
        """Some steps: a random move in every game, and one update on the positions that it leads to."""

        def step(now, key):
            network, average, moments, state = now
            seen, turn = self.see(state)
            worth = self.look_ahead(average, state)
            gradient = jax.grad(self.loss)(network, seen, turn, worth)
            change, moments = self.optimizer.update(gradient, moments, network)
            network = optax.apply_updates(network, change)
            average = jax.tree.map(lambda old, new: AVERAGE * old + (1 - AVERAGE) * new, average, network)
            action = jax.random.categorical(key, jnp.where(worth > -9, 0.0, -1e9))
            after, over, _ = self.env.advance(state, action)
            again = jnp.where(over, 0, 1).astype(after.mine.dtype)
            state = State(after.mine * again, after.theirs * again, after.player * 0)
            return (network, average, moments, state), None

        return jax.lax.scan(step, now, jax.random.split(key, STEPS))[0]

    def begin(self, seed):
        """A new network, and games that have just begun."""
        network = make_network(jax.random.PRNGKey(seed), self.inputs, self.board.cells, self.width, self.layers)
        return network, network, self.optimizer.init(network), self.env.init(self.batch)

    @partial(jax.jit, static_argnums=0)
    def choose(self, network, mine, theirs):
        """The numbers of the cells that the network alone claims."""
        state = State(mine, theirs, jnp.zeros_like(mine, jnp.int8))
        logits, _ = self.predict(network, *self.see(state))
        return jnp.where(self.planes(self.env.options(state)) > 0, logits, -jnp.inf).argmax(-1).astype(jnp.int32)

    def policy(self, network):
        """The network alone, as a policy on sets of cells."""
        return lambda mine, theirs: np.asarray(self.choose(network, mine, theirs))


def learn(game, size, updates, seconds, width, layers, batch, rate, seed, exam, report):
    """Train, and grade the network now and then: updates, seconds of training, regret, and wrong positions."""
    learner = Learner(game, size, width, layers, batch, rate, updates)
    now, key = learner.begin(seed), jax.random.PRNGKey(seed + 1)
    rows, spent, next_grade = [], 0.0, 1
    for number in range(1, updates // STEPS + 1):
        key, step_key = jax.random.split(key)
        begun = time.perf_counter()
        now = jax.block_until_ready(learner.improve(now, step_key))
        spent += time.perf_counter() - begun
        is_last = number == updates // STEPS or spent > seconds
        if is_last or number >= next_grade:
            next_grade = number * 1.5
            grade = exam.grade(learner.policy(now[1]))
            rows.append((number * STEPS, round(spent, 1), *grade))
            report(
                f"{number * STEPS} updates, {spent:.1f} s: regret {grade.regret:.7f}, "
                f"wrong in {grade.wrong:,}, less than best in {grade.lesser:,}"
            )
        if is_last:
            break
    return {"game": game, "size": size, "random": exam.random, "positions": len(exam), "rows": rows}


def main():
    """Read the options, train, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_to_learn", nargs="+", choices=list(GAMES), metavar="GAME")
    parser.add_argument("--size")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--rate", type=float, default=1e-3)
    for name, value in {"updates": 20_000, "width": 1024, "layers": 4, "batch": 4096, "seed": 0}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--workers", default="1", help="worker processes that find the positions")
    parser.add_argument("--json", metavar="FILE")
    options = vars(parser.parse_args())
    names = ("size", "updates", "seconds", "width", "layers", "batch", "rate", "seed")
    results = []
    for game in options["games_to_learn"]:
        empty = start(game, options["size"])
        exam = AllPositions(empty, options["workers"], key=empty.game.future)
        print(f"{game}: {len(exam):,} positions with a choice, regret of random play {exam.random:.4f}", flush=True)
        setup = {name: options[name] for name in names}
        results.append(learn(game, exam=exam, report=partial(print, flush=True), **setup))
    if options["json"]:
        Path(options["json"]).write_text(json.dumps(results))


if __name__ == "__main__":
    main()
