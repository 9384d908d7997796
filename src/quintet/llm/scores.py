"""Scores with 95 % intervals, made from the sums of games. A game is one cluster: its moves are not independent.

A score is a ratio of sums over games, such as points given away per turn. Its standard error is cluster-robust: with
`e = top - ratio * bottom` for each game, the variance is `n / (n - 1) * sum(e^2) / sum(bottom)^2` over n games. A share
gets a Wilson interval for the number of independent trials that this error amounts to (never more than there were, and
the number of games where the error is 0), which stays inside 0 and 1; any other ratio gets Student's interval. Both
have n - 1 degrees of freedom. What belongs to the cases and not to the agent is exact, or as uncertain as the
luck in it; and no score is surer than the luck in it allows.
"""

from collections.abc import Iterable, Mapping
from math import inf, pi, sqrt, tan
from typing import NamedTuple

from quintet.arena.ratings import NORMAL, wilson

Row = tuple[str, Mapping[str, float]]
"""The name of a game, and its sums. Repeats of a game under one name are one cluster."""


class Estimate(NamedTuple):
    """A score and where the truth may lie."""

    value: float
    low: float
    high: float
    number: float
    """What it was counted over: games, turns or answers."""


class Score(NamedTuple):
    """What a score is the ratio of."""

    top: tuple[str, ...]
    """The sum above the line, less the others."""
    bottom: str
    limits: tuple[float, float]
    """Where it can lie; between 0 and 1 it is a share."""
    meaning: str
    measured: bool = True
    """Whether it tells of the agent, and not of what it was set."""
    doubt: str = ""
    """The sum of the variances that luck alone gives to what is above the line: so uncertain it is at least."""


SHARE = (0.0, 1.0)
NUMBER = (0.0, inf)

SCORES = {
    "score": Score(("points",), "games", SHARE, "points a game: 1 for a win, half for a draw, none after a fault"),
    "par": Score(("par",), "games", SHARE, "points that perfect play gets from the same seats", False, "doubt"),
    "to_par": Score(("points", "par"), "games", (-1, 1), "score less par", doubt="swing"),
    "faults": Score(("faults",), "games", SHARE, "games lost because no legal move came"),
    "legality": Score(("legal",), "answers", SHARE, "answers that name a legal move"),
    "regret": Score(("regret",), "stakes", SHARE, "points given away a turn, where the outcome is at stake"),
    "guessing": Score(("luck",), "stakes", SHARE, "what a random move would give away at the same turns", False),
    "optimal": Score(("optimal",), "choices", SHARE, "turns with a best move, where moves differ in value"),
    "cells": Score(("cells",), "margins", NUMBER, "cells of the margin given away a turn, in territory games"),
    "kept": Score(("kept",), "wins", SHARE, "won positions brought home"),
    "held": Score(("held",), "wins", NUMBER, "moves that a won position stays won"),
}


def estimate(rows: Iterable[Row], score: Score) -> Estimate | None:
    """A score over games; `None` where there was nothing to count."""
    rows = list(rows)
    clusters: dict[str, tuple[float, float]] = {}
    for name, sums in rows:
        top = sums[score.top[0]] - sum(sums[other] for other in score.top[1:])
        before = clusters.get(name, (0.0, 0.0))
        if sums[score.bottom]:
            clusters[name] = before[0] + top, before[1] + sums[score.bottom]
    whole = sum(bottom for _, bottom in clusters.values())
    if not whole:
        return None
    ratio = sum(top for top, _ in clusters.values()) / whole
    luck = sum(sums[score.doubt] for _, sums in rows) / whole**2 if score.doubt else 0.0
    if not score.measured:
        reach = NORMAL * sqrt(luck)
        return Estimate(ratio, max(0.0, ratio - reach), min(1.0, ratio + reach), whole)
    number = len(clusters)
    if number < 2:
        return Estimate(ratio, *score.limits, whole)
    squares = sum((top - ratio * bottom) ** 2 for top, bottom in clusters.values())
    variance = max(number / (number - 1) * squares / whole**2, luck)
    reach = student(number - 1)
    if score.limits == SHARE:
        trials = max(min(ratio * (1 - ratio) / variance, whole) if variance > 1e-12 else float(number), 1.0)
        return Estimate(ratio, *wilson(ratio * trials, trials, reach), whole)
    low, high = score.limits
    width = reach * sqrt(variance)
    return Estimate(ratio, max(low, ratio - width), min(high, ratio + width), whole)


def summarize(rows: Iterable[Row]) -> dict[str, Estimate]:
    """Every score that there is something to count for."""
    rows = list(rows)
    found = {name: estimate(rows, score) for name, score in SCORES.items()}
    return {name: value for name, value in found.items() if value is not None}


def student(freedom: int) -> float:
    """So many standard errors to each side hold 95 % in Student's distribution: exact for 1 and 2, else to 1 %."""
    if freedom == 1:
        return tan(pi * 0.475)
    if freedom == 2:
        return 0.95 * sqrt(2 / (1 - 0.95**2))
    z = NORMAL
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))
