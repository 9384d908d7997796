"""How likely each position of a walk is, exactly: distributions that a mean can be taken over, by name.

A weight is the expected number of times that a game visits a position. No game visits one twice, so it is the
probability that a game gets there. Weights are handed on from the empty board, layer by layer.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from quintet.gears.arrays import Numbers
from quintet.solve.layers import Saved
from quintet.solve.stages import PieceWork, Progress, do_pieces, pieces_of
from quintet.solve.walk import Piece, Walk
from quintet.workers import Signals, Workers

ALL, RANDOM, PERFECT = "all", "random-play", "perfect-play"
DISTRIBUTIONS = {
    ALL: "every position once",
    RANDOM: "each position as often as games reach it in which both players choose uniformly among their legal moves",
    PERFECT: "each position as often as games reach it in which both players choose uniformly among their best moves "
    "(the column `optimal`)",
}
"""The distributions, each with its definition."""

Weights = npt.NDArray[np.float64]


def best_moves(walk: Walk, places: Numbers, best: Numbers) -> Numbers:
    """The set of cells whose claim is worth as much as the position; one cell beyond the last stands for a pass."""
    moves = walk.stuck(*walk.sets(places)).astype(np.int64) << walk.board.area
    for cell, able, after, gained in walk.claims(places):
        moves[able] |= (walk.before(after, gained) == best[able]).astype(np.int64) << cell
    return moves


class WeightWork(PieceWork):
    """Adds up the weights that arrive in a part, and hands them on to the positions that its moves lead to."""

    def __init__(self, walk: Walk, distribution: str) -> None:
        """The distribution is also the name of the stage."""
        super().__init__(walk)
        self.distribution = distribution

    def begin(self) -> None:
        """Save the weight of the position at the start, one, as the first run."""
        start = self.walk.start
        first = np.array([start.mine | start.theirs << self.walk.board.area])
        self.walk.store.finish(f"{self.distribution}-start", {"runs": self.save_runs("start", [(first, np.ones(1))])})

    def do(self, task: Piece, signals: Signals) -> int:
        """Save the weights of a part, and the runs of what it hands on; how many positions it has."""
        walk, layer = self.walk, self.walk.layer(task.claimed, task.part)
        weights, values = self.arrived(task), walk.numbers(task.claimed, task.part, whole=False)
        runs = []
        for number, rows in enumerate(walk.slices(task.claimed, len(weights))):
            handed = self.hand_on(layer.places[rows], weights[rows], values[rows])
            runs += self.save_runs(f"{task.claimed:02}-{task.part:05}-{number:04}", handed)
        saved = walk.store.save(f"{task.name}-weights", weights)
        walk.store.finish(task.name, {"weights": saved, "total": float(weights.sum()), "runs": runs})
        return len(weights)

    def arrived(self, task: Piece) -> Weights:
        """The weights of a part's positions."""
        keys = self.walk.keys(task.claimed, task.part)
        weights = np.zeros(len(keys))
        for saved in self.runs(task.claimed):
            arriving, shares = self.walk.store.load(saved)
            first, last = np.searchsorted(arriving, [keys[0], keys[-1] + 1])
            weights[np.searchsorted(keys, arriving[first:last])] += shares[first:last].view(np.float64)
        return weights

    def hand_on(self, places: Numbers, weights: Weights, values: Numbers) -> Iterator[tuple[Numbers, Weights]]:
        """What claims lead to, with the weight that each of them hands on."""
        reached = weights > 0
        places, weights = places[reached], weights[reached]
        if self.distribution == RANDOM:
            moves = self.walk.legal(*self.walk.sets(places))
        else:
            moves = best_moves(self.walk, places, values[reached])
        shares = weights / np.maximum(np.bitwise_count(moves), 1)
        for cell, able, after, _ in self.walk.claims(places):
            chosen = moves[able] >> cell & 1 != 0
            yield after[chosen], shares[able][chosen]

    def save_runs(
        self, name: str, handed: "Iterator[tuple[Numbers, Weights]] | list[tuple[Numbers, Weights]]"
    ) -> list[tuple[int, Saved]]:
        """Save weights by the layers they go to: keys in ascending order, and their weights bit by bit."""
        walk = self.walk
        found: dict[int, list[tuple[Numbers, Weights]]] = {}
        for places, shares in handed:
            stuck = walk.stuck(*walk.sets(places))  # A pass hands on all, within the layer.
            places = np.append(places, walk.turn(places[stuck]))
            shares = np.append(shares, shares[stuck])
            for count, such in walk.by_claimed(places):
                found.setdefault(count, []).append((walk.key(places[such]), shares[such]))
        runs = []
        for count, parts in found.items():
            keys, rows = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
            sums = np.bincount(rows, np.concatenate([part[1] for part in parts]))
            run = np.stack([keys, sums.view(np.int64)])
            runs.append((count, walk.store.save(f"{self.distribution}-run-{count:02}-{name}", run)))
        return runs

    def runs(self, target: int) -> list[Saved]:
        """The runs that go to a layer."""
        walk, stage = self.walk, self.distribution
        names = [f"{stage}-start", *(piece.name for piece in pieces_of(walk, stage, walk.claimed_before(target)))]
        return [Saved(*saved) for name in names for count, saved in walk.store.get(name)["runs"] if count == target]


def weigh(walk: Walk, layers: list[int], distribution: str, workers: Workers, progress: Progress) -> float:
    """Save the weight of every position in a distribution; their sum."""
    if distribution == ALL:
        return float(sum(map(walk.rows, layers)))
    work, done, total = WeightWork(walk, distribution), 0, sum(map(walk.rows, layers))
    if walk.store.find(f"{distribution}-start") is None:
        work.begin()
    with workers.pool(work) as pool:
        for claimed in layers:
            for _, rows in do_pieces(pool, walk, pieces_of(walk, distribution, [claimed])):
                done += rows
                progress("weights", done / total, done)
            for saved in work.runs(claimed):
                walk.store.delete(saved)
    return float(sum(walk.store.get(piece.name)["total"] for piece in pieces_of(walk, distribution, layers)))


def weights_of(walk: Walk, distribution: str, claimed: int, part: int) -> Weights:
    """The weights of a part's positions, once they are saved."""
    if distribution == ALL:
        return np.ones(walk.rows_of(claimed, part))
    found = walk.load(distribution, claimed, part, "weights")
    assert found is not None
    return found
