"""Does exact credit for every move help a policy to learn? A small network plays games of text for several credits.

    python examples/credit.py gridlock --size 4x4 --seeds 10

Updates are those of GRPO with one step per batch (so nothing is clipped) and without a KL term: a group is several
games from the same start, and the advantage of a game or of a turn is its credit minus the mean of its group, divided
by the group's standard deviation. For every kind of credit the first network, the starts, the number of games and the
optimizer are the same; its learning rate is the one that did best on other seeds. The opponent is a random player. What
is compared is the exact regret of the network's first choice, averaged over all positions of the board in which there
is a choice, each counted once. Needs NumPy and SciPy.
"""

import argparse
import json
import random
import time
from pathlib import Path
from statistics import mean, stdev

import numpy as np
from scipy.stats import t as student

from quintet import GAMES, start
from quintet.envs.all_positions import AllPositions
from quintet.text import TextEpisode

PROMPT = {"rules": "short", "history": False}
"""The network reads the board itself, so the prompt may be short."""


def whole_game(rewards):
    """Every turn gets the sum of its game."""
    return np.full(len(rewards), sum(rewards))


def each_turn(rewards):
    """Every turn gets its own reward."""
    return np.array(rewards)


def from_here(rewards):
    """Every turn gets the sum from there to the end."""
    return np.cumsum(rewards[::-1])[::-1]


CREDITS = {
    "result": ("result", whole_game),
    "regret per game": ("regret", whole_game),
    "regret per turn": ("regret", each_turn),
    "shaped per turn": ("shaped", from_here),
}
"""For each kind of credit the reward, and what a turn gets of its game's rewards."""


class Policy:
    """A network with one hidden layer, from both players' cells to a number for each cell. Adam trains it."""

    def __init__(self, cells, width, rate, rng):
        self.weights = [
            rng.normal(0, cells**-0.5, (2 * cells, width)),
            np.zeros(width),
            rng.normal(0, 0.01, (width, cells)),
            np.zeros(cells),
        ]
        self.means, self.squares = ([np.zeros_like(weight) for weight in self.weights] for _ in range(2))
        self.rate, self.steps = rate, 0

    def judge(self, seen):
        """The hidden layer and the numbers of all cells."""
        first, bias, last, other = self.weights
        hidden = np.maximum(seen @ first + bias, 0)
        return hidden, hidden @ last + other

    def chances(self, seen, legal):
        """The hidden layer and the probability of each cell; only legal ones have any."""
        hidden, numbers = self.judge(seen)
        powers = np.exp(numbers - numbers.max(1, keepdims=True, where=legal, initial=-np.inf)) * legal
        return hidden, powers / powers.sum(1, keepdims=True)

    def improve(self, seen, legal, actions, advantages):
        """A step up the policy gradient."""
        hidden, chances = self.chances(seen, legal)
        slope = -chances
        slope[np.arange(len(actions)), actions] += 1
        slope *= advantages[:, None] / len(actions)
        back = slope @ self.weights[2].T * (hidden > 0)
        gradients = [seen.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0)]
        self.steps += 1
        for weight, average, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            average += 0.1 * (gradient - average)
            square += 0.001 * (gradient**2 - square)
            size = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weight += self.rate * average / (1 - 0.9**self.steps) / size


def bits(sets, cells):
    """Sets of cells as rows of zeros and ones."""
    return (np.asarray(sets)[:, None] >> np.arange(cells) & 1).astype(np.float64)


def see(mine, theirs, cells):
    """What the network sees of positions."""
    return np.concatenate([bits(mine, cells), bits(theirs, cells)], 1)


def play(policy, episodes, rng):
    """Play games in lockstep; gives for each turn the game's number, what was seen, what was legal, and the action."""
    turns = []
    while live := [number for number, episode in enumerate(episodes) if not episode.over]:
        positions = [episodes[number].game.position for number in live]
        cells = positions[0].board.cells
        seen = see([p.mine for p in positions], [p.theirs for p in positions], cells)
        legal = bits([sum(p.moves) for p in positions], cells) > 0
        chances = policy.chances(seen, legal)[1]
        drawn = chances.cumsum(1) > rng.random((len(live), 1)) * chances.sum(1, keepdims=True)
        actions = (drawn & legal).argmax(1)
        for number, action in zip(live, actions.tolist(), strict=True):
            episode = episodes[number]
            episode.step(f"MOVE: {episode.game.presentation.label(1 << action)}")
        turns += zip(live, seen, legal, actions, strict=True)
    return turns


def advantages(owners, credits, groups, size):
    """Credits relative to their group."""
    group = np.asarray(owners) // size
    number = np.maximum(np.bincount(group, minlength=groups), 1)
    centred = credits - (np.bincount(group, credits, groups) / number)[group]
    spread = np.sqrt(np.bincount(group, centred**2, groups) / number)
    return centred / (spread[group] + 1e-6)


def random_opening(position, rng, most):
    """Up to `most` random moves from a position. They do not end the game."""
    moves = []
    for _ in range(most):
        move = rng.choice(position.moves)
        position = position.play(move)
        if position.outcome:
            break
        moves.append(move)
    return moves


def open_groups(empty, reward, groups, size, rng):
    """Games in groups. A group starts after the same random moves, with the agent to move."""
    episodes = []
    for _ in range(groups):
        moves = random_opening(empty, rng, rng.randrange(empty.board.cells // 2))
        player = 1 + len(moves) % 2
        episodes += [
            TextEpisode(empty.game.name, empty.board.size, "random", player, rng.getrandbits(31), moves, reward, PROMPT)
            for _ in range(size)
        ]
    return episodes


class Exam:
    """All positions of a board with a choice, and what the network sees of them."""

    def __init__(self, empty):
        self.positions = everything = AllPositions(empty)
        cells, sets = empty.board.cells, zip(everything.mine.tolist(), everything.theirs.tolist(), strict=True)
        self.seen = see(everything.mine, everything.theirs, cells)
        self.legal = bits([empty.game.legal(empty.board, *both) for both in sets], cells) > 0

    def grade(self, policy):
        """The mean exact regret of the policy's first choices."""
        actions = np.where(self.legal, policy.judge(self.seen)[1], -np.inf).argmax(1)
        half, whole = (float((cells >> actions & 1).mean()) for cells in (self.positions.half, self.positions.whole))
        return half / 2 + whole


def learn(empty, exam, kind, rate, seed, setup):
    """Train with a kind of credit; returns the exact regret after every tenth of the updates, and before the first."""
    reward, share = CREDITS[kind]
    cells = empty.board.cells
    rng, starts = np.random.default_rng(seed), random.Random(f"starts {seed}")
    policy = Policy(cells, setup["width"], rate, rng)

    regrets = [exam.grade(policy)]
    for update in range(1, setup["updates"] + 1):
        episodes = open_groups(empty, reward, setup["groups"], setup["group_size"], starts)
        turns = play(policy, episodes, rng)
        shares = [list(share(episode.rewards)) for episode in episodes]
        owners, seen, legal, actions = zip(*turns, strict=True)
        credits = np.array([shares[owner].pop(0) for owner in owners])
        relative = advantages(owners, credits, setup["groups"], setup["group_size"])
        policy.improve(np.array(seen), np.array(legal), np.array(actions), relative)
        if update * 10 // setup["updates"] > (update - 1) * 10 // setup["updates"]:
            regrets.append(exam.grade(policy))
    return regrets


def count_turns(empty, setup):
    """The turns of a game on average, over the games of the first update of seed 0."""
    rng = np.random.default_rng(0)
    episodes = open_groups(empty, "result", setup["groups"], setup["group_size"], random.Random("starts 0"))
    return len(play(Policy(empty.board.cells, setup["width"], 0.0, rng), episodes, rng)) / len(episodes)


def interval(numbers):
    """The mean and half the width of its 95 % interval, by Student's t."""
    return mean(numbers), student.ppf(0.975, len(numbers) - 1) * stdev(numbers) / len(numbers) ** 0.5


def compare(game, size, rates, tuning, seeds, setup, report):
    """Train with every kind of credit on the same seeds."""
    empty = start(game, size)
    exam = Exam(empty)
    everything = exam.positions
    report(
        f"{empty.game.title} {empty.board.size}: mean exact regret over all {len(everything):,} positions with a choice"
    )
    report(f"random play {everything.random:.4f}; {count_turns(empty, setup):.1f} turns per game before training")
    found = {}
    for kind in CREDITS:
        begun = time.perf_counter()
        tries = {
            rate: mean(learn(empty, exam, kind, rate, 1_000 + seed, setup)[-1] for seed in range(tuning))
            for rate in (rates if len(rates) > 1 else [])
        }
        rate = min(tries, key=tries.__getitem__) if tries else rates[0]
        curves = [learn(empty, exam, kind, rate, seed, setup) for seed in range(seeds)]
        found[kind] = {"rate": rate, "tries": tries, "curves": curves}
        middle, width = interval([curve[-1] for curve in curves])
        seconds = time.perf_counter() - begun
        report(f"{kind:16} {middle:.4f} +- {width:.4f} (95 %, {seeds} seeds; learning rate {rate:g}; {seconds:.0f} s)")
    report("less than with the result alone, seed by seed:")
    for kind in list(CREDITS)[1:]:
        pairs = zip(found["result"]["curves"], found[kind]["curves"], strict=True)
        middle, width = interval([before[-1] - after[-1] for before, after in pairs])
        report(f"{kind:16} {middle:+.4f} +- {width:.4f}")
    return {"game": game, "size": size, "setup": setup, "random": everything.random, "credits": found}


def main():
    """Read the options, train, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(GAMES), metavar="GAME")
    parser.add_argument("--size")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--tuning", type=int, default=2, help="other seeds that choose the learning rate")
    parser.add_argument("--rates", default="0.001,0.003,0.01", help="learning rates to choose from")
    defaults = {"updates": 100, "groups": 16, "group_size": 8, "width": 128}
    for name, value in defaults.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=value)
    parser.add_argument("--json", metavar="FILE")
    options = vars(parser.parse_args())
    if options["seeds"] < 2:
        raise SystemExit("credit.py: an interval needs 2 seeds or more")
    rates = [float(rate) for rate in options["rates"].split(",")]
    setup = {name: options[name] for name in defaults}

    def report(line):
        print(line, flush=True)

    found = compare(options["game"], options["size"], rates, options["tuning"], options["seeds"], setup, report)
    if options["json"]:
        Path(options["json"]).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
