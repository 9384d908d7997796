"""Scores with 95 % confidence intervals, from the statistics of samples.

The moves of a game depend on each other, and so do games from the same opening, so an opening is one cluster: both
seats, all opponents, all epochs.

A score is a ratio of sums over clusters, such as regret per turn. Its standard error is cluster-robust: with
`e = numerator - ratio * denominator` for each cluster, the variance is `n / (n - 1) * sum(e^2) / sum(denominator)^2`
over n clusters. A share gets a Wilson interval for the number of independent trials that this error amounts to (the
number of clusters where the error is 0), which stays inside [0, 1]. Any other ratio gets Student's interval,
a difference of shares after the addition of a cluster that is undecided (`signed`). The tests simulate how often they
cover the truth.

Par and guessing describe the samples, not the agent: they are exact, or as uncertain as the simulated games behind
them; and no score is more certain than the randomness of these games allows.
"""

from collections.abc import Callable, Iterable, Sequence
from math import comb, inf, sqrt
from typing import NamedTuple

from quintet.arena.ratings import NORMAL, share_interval, student
from quintet.llm.statistics import Statistics

Row = tuple[str, Statistics]
"""The cluster of a sample, and its statistics."""
Number = Callable[[Statistics], float]
"""One of the numbers of a sample, or a difference of two."""


class Estimate(NamedTuple):
    """A score with its confidence interval."""

    value: float
    low: float
    high: float
    total: float
    """The denominator: how many games, turns or answers were counted."""


class Score(NamedTuple):
    """A ratio of sums over samples."""

    numerator: Number
    denominator: Number
    limits: tuple[float, float]
    """The range of the score; from 0 to 1 it is a share."""
    meaning: str
    of_agent: bool = True
    """Whether it describes the agent, or the samples it was given."""
    variance: Number | None = None
    """The variance of the numerator by chance alone: the score is at least this uncertain."""

    @property
    def has_interval(self) -> bool:
        """Whether it can be uncertain."""
        return self.of_agent or self.variance is not None


SHARE = (0.0, 1.0)
SIGNED = (-1.0, 1.0)
UNLIMITED = (0.0, inf)

SCORES = {
    "score": Score(
        lambda s: s.points, lambda s: s.games, SHARE, "points per game: 1 for a win, 1/2 for a draw, 0 after a fault"
    ),
    "par": Score(
        lambda s: s.par,
        lambda s: s.games,
        SHARE,
        "points per game of perfect play from the same seats",
        of_agent=False,
        variance=lambda s: s.par_variance,
    ),
    "to_par": Score(
        lambda s: s.points - s.par, lambda s: s.games, SIGNED, "score minus par", variance=lambda s: s.game_variance
    ),
    "faults": Score(lambda s: s.faults, lambda s: s.games, SHARE, "games lost because the agent gave no legal move"),
    "legality": Score(lambda s: s.legal, lambda s: s.answers, SHARE, "answers that name a legal move"),
    "regret": Score(
        lambda s: s.regret,
        lambda s: s.critical_turns,
        SHARE,
        "points given away per turn, over turns where the result depends on the move",
    ),
    "guessing": Score(
        lambda s: s.random_regret,
        lambda s: s.critical_turns,
        SHARE,
        "expected regret of a random legal move at the same turns",
        of_agent=False,
    ),
    "optimal": Score(
        lambda s: s.optimal, lambda s: s.choices, SHARE, "best moves, over turns where moves differ in value"
    ),
    "cells": Score(
        lambda s: s.margin_loss,
        lambda s: s.margin_turns,
        UNLIMITED,
        "margin loss: cells of the final margin given away per turn, in territory games",
    ),
    "kept": Score(lambda s: s.kept, lambda s: s.wins, SHARE, "won positions that ended as wins"),
    "held": Score(lambda s: s.held, lambda s: s.wins, UNLIMITED, "moves per won position that kept it won"),
}
"""The scores by the names they have in logs."""


def estimate(rows: Iterable[Row], score: Score) -> Estimate | None:
    """A score over samples; `None` if nothing was counted."""
    rows = list(rows)
    clusters: dict[str, tuple[float, float]] = {}
    for cluster, statistics in rows:
        if score.denominator(statistics):
            top, bottom = clusters.get(cluster, (0.0, 0.0))
            clusters[cluster] = top + score.numerator(statistics), bottom + score.denominator(statistics)
    total = sum(bottom for _, bottom in clusters.values())
    if not total:
        return None
    ratio = sum(top for top, _ in clusters.values()) / total
    by_chance = sum(score.variance(statistics) for _, statistics in rows) / total**2 if score.variance else 0.0
    if not score.of_agent:
        width = NORMAL * sqrt(by_chance)
        return Estimate(ratio, max(0.0, ratio - width), min(1.0, ratio + width), total)
    number = len(clusters)
    if number < 2:
        return Estimate(ratio, *score.limits, total)
    squares = sum((top - ratio * bottom) ** 2 for top, bottom in clusters.values())
    variance = max(number / (number - 1) * squares / total**2, by_chance)
    if score.limits == SHARE:
        return Estimate(ratio, *share_interval(ratio, variance, number), total)
    if score.limits == SIGNED:
        return signed(list(clusters.values()), by_chance)
    low, high = score.limits
    width = student(number - 1) * sqrt(variance)
    return Estimate(ratio, max(low, ratio - width), min(high, ratio + width), total)


def signed(clusters: Sequence[tuple[float, float]], by_chance: float) -> Estimate:
    """A difference of shares. Half a cluster that gains a point and half a cluster that loses one are added.

    So a difference without spread is not taken for certain (after Agresti and Min, for pairs).
    """
    number, total = len(clusters), sum(bottom for _, bottom in clusters)
    points, mean = sum(top for top, _ in clusters), total / number
    ratio, centre = points / total, points / (total + mean)
    squares = sum((top - centre * bottom) ** 2 for top, bottom in clusters)
    squares += sum((point - centre * mean) ** 2 / 2 for point in (1, -1))
    variance = max((number + 1) / number * squares / (total + mean) ** 2, by_chance)
    width = student(number) * sqrt(variance)
    low, high = min(ratio, centre - width), max(ratio, centre + width)
    return Estimate(ratio, max(-1.0, low), min(1.0, high), total)


def difference(rows: Sequence[Row], others: Sequence[Row], score: Score) -> Estimate | None:
    """How much more a player scores than another on the same samples, given in the same order.

    The difference is taken for each sample, so that what makes a sample hard for both does not widen the interval. It
    is for scores that each sample has by itself, such as the points of a game or the regret in a position.
    """
    pairs = [
        (cluster, Statistics(games=1, points=share(score, one) - share(score, other)))
        for (cluster, one), (_, other) in zip(rows, others, strict=True)
        if score.denominator(one) and score.denominator(other)
    ]
    return estimate(pairs, Score(lambda s: s.points, lambda s: s.games, SIGNED, ""))


def share(score: Score, statistics: Statistics) -> float:
    """The score of one sample."""
    return score.numerator(statistics) / score.denominator(statistics)


def summarize(rows: Iterable[Row]) -> dict[str, Estimate]:
    """Every score for which something was counted."""
    rows = list(rows)
    found = {name: estimate(rows, score) for name, score in SCORES.items()}
    return {name: value for name, value in found.items() if value is not None}


def pass_at(rows: Iterable[Row], k: int) -> Estimate | None:
    """pass@k: the chance that at least one of k tries at a sample passes, with openings as clusters.

    Each row is a sample with all its tries. Of n tries c have passed, so `1 - C(n - c, k) / C(n, k)` is the share of
    all choices of k of them that have a pass, an unbiased estimate. `None` if no sample was tried so often.
    """
    shares = []
    for cluster, statistics in rows:
        tries, passes = round(statistics.tries), round(statistics.passes)
        if tries >= k:
            share = 1 - comb(tries - passes, k) / comb(tries, k)
            shares.append((cluster, Statistics(games=1, points=share)))
    return estimate(shares, SCORES["score"])


def passes_by_tries(rows: Sequence[Row]) -> dict[int, Estimate]:
    """pass@k for 1, 2, 4, ... tries; empty if every sample was tried only once."""
    most = round(max((statistics.tries for _, statistics in rows), default=0))
    found = {k: pass_at(rows, k) for k in (1 << i for i in range(most.bit_length()))} if most > 1 else {}
    return {k: share for k, share in found.items() if share}
