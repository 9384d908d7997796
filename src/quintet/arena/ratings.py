"""How strong players are, by who beat whom: maximum likelihood ratings with 95 % intervals."""

from collections.abc import Collection, Mapping, Sequence
from math import exp, log, pi, sqrt, tan
from typing import NamedTuple

SCALE = 400 / log(10)
"""Points of rating for a factor e of strength: 400 points are ten to one."""
MIDDLE = 1500
"""The rating of the average player of a tournament."""
NORMAL = 1.959964
"""The standard errors to each side that hold 95 %."""
PRIOR_GAMES = 0.5
"""Half a drawn game is added for each pair of players, so that nobody is rated infinitely strong."""

Points = Mapping[tuple[str, str], tuple[float, int]]
"""For a pair of players, the points of the first against the second, and the games they played; each pair once."""


class Rating(NamedTuple):
    """A player's strength."""

    player: str
    rating: float
    margin: float
    """Half the width of the 95 % interval."""
    points: float
    games: int


def wilson(points: float, games: float, reach: float = NORMAL) -> tuple[float, float]:
    """The Wilson interval of a score between 0 and 1, by default at 95 %; `reach` is in standard errors."""
    if not games:
        return 0.0, 1.0
    share, square = points / games, reach**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    width = reach * sqrt(share * (1 - share) / games + square / (4 * games**2)) / (1 + square / games)
    return max(0.0, middle - width), min(1.0, middle + width)


def share_interval(share: float, variance: float, clusters: int) -> tuple[float, float]:
    """The 95 % interval of a share of this variance: Wilson's, for the number of independent trials that amounts to.

    A share without spread counts as one trial per cluster.
    """
    trials = max(share * (1 - share) / variance if variance > 1e-12 else float(clusters), 1.0)
    return wilson(share * trials, trials, student(clusters - 1))


def clustered(clusters: Collection[tuple[float, float]]) -> tuple[float, float]:
    """The 95 % interval of a score, given the points and games of each cluster: games of one depend on each other."""
    number, games = len(clusters), sum(games for _, games in clusters)
    if number < 2:
        return 0.0, 1.0
    share = sum(points for points, _ in clusters) / games
    squares = sum((points - share * games) ** 2 for points, games in clusters)
    return share_interval(share, number / (number - 1) * squares / games**2, number)


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution: exact for 1 and 2 degrees of freedom, otherwise to 1 %."""
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


def rate(players: Sequence[str], points: Points) -> list[Rating]:
    """Ratings of the Bradley-Terry model, the strongest first."""
    number = len(players)
    won = [[0.0 if i == j else PRIOR_GAMES / 2 for j in range(number)] for i in range(number)]
    for (first, second), (scored, games) in points.items():
        i, j = players.index(first), players.index(second)
        won[i][j] += scored
        won[j][i] += games - scored
    strengths = [0.0] * number
    spread = covariance(won, strengths)
    for _ in range(100):
        slope = [
            sum(won[i][j] - (won[i][j] + won[j][i]) * chance(strengths[i] - strengths[j]) for j in range(number))
            for i in range(number)
        ]
        step = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in spread]
        largest = max(map(abs, step), default=0.0)
        # A long step may lead past the top.
        strengths = [strength + move / max(1.0, largest) for strength, move in zip(strengths, step, strict=True)]
        spread = covariance(won, strengths)
        if largest < 1e-9:
            break
    rated = [
        Rating(
            player,
            MIDDLE + SCALE * strengths[i],
            NORMAL * SCALE * sqrt(max(0.0, spread[i][i])),
            sum(
                scored if pair[0] == player else games - scored
                for pair, (scored, games) in points.items()
                if player in pair
            ),
            sum(games for pair, (_, games) in points.items() if player in pair),
        )
        for i, player in enumerate(players)
    ]
    return sorted(rated, key=lambda rating: -rating.rating)


def chance(ahead: float) -> float:
    """The chance to win with this lead in strength."""
    return 1 / (1 + exp(-ahead))


def covariance(won: list[list[float]], strengths: list[float]) -> list[list[float]]:
    """The covariance of the strengths: the inverse of the information matrix, with the average strength fixed."""
    number = len(strengths)
    matrix = [[1 / number] * number for _ in range(number)]
    for i in range(number):
        for j in range(number):
            if i != j:
                share = chance(strengths[i] - strengths[j])
                weight = (won[i][j] + won[j][i]) * share * (1 - share)
                matrix[i][i] += weight
                matrix[i][j] -= weight
    return [[value - 1 / number for value in row] for row in inverse(matrix)]


def inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a small matrix, by elimination."""
    number = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(number))] for i, row in enumerate(matrix)]
    for i in range(number):
        pivot = max(range(i, number), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in range(number):
            if k != i:
                factor = rows[k][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[number:] for row in rows]
