"""What a tournament shows: points, ratings and faults, as tables, JSON and a plot."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from quintet.arena.ratings import Points, Rating, clustered, rate, wilson
from quintet.arena.results import Result
from quintet.arena.tournament import Pair, neighbours, opening_moves
from quintet.files import whole_file


def tally(results: Sequence[Result]) -> Points:
    """Points and games of each pair, the players of a pair in order of their first game."""
    points: dict[Pair, tuple[float, int]] = {}
    for result in results:
        first, second = result.duel.players
        pair, scored = (first, second), result.points
        if (second, first) in points:
            pair, scored = (second, first), 1 - result.points
        before, games = points.get(pair, (0.0, 0))
        points[pair] = before + scored, games + 1
    return points


Opening = tuple[str, tuple[int, ...]]
"""A board and the moves that a game begins with."""


def tally_openings(results: Sequence[Result]) -> dict[Pair, dict[Opening, tuple[float, float]]]:
    """The same for each opening: its games, one from each side, depend on each other."""
    by_opening: dict[Opening, list[Result]] = {}
    for result in results:
        by_opening.setdefault((result.duel.board, tuple(opening_moves(result.duel))), []).append(result)
    found: dict[Pair, dict[Opening, tuple[float, float]]] = {pair: {} for pair in tally(results)}
    for opening, games in by_opening.items():
        for (first, second), (points, number) in tally(games).items():
            turned = (first, second) not in found
            pair = (second, first) if turned else (first, second)
            found[pair][opening] = number - points if turned else points, number
    return found


class Standing(NamedTuple):
    """What a tournament shows."""

    ratings: list[Rating]
    points: Points
    faults: dict[str, int]
    """The number of games lost for each reason."""
    openings: dict[Pair, dict[Opening, tuple[float, float]]]
    """The points and games of each pair after each opening."""

    def score(self, player: str, other: str) -> tuple[float, int]:
        """A player's points and games against another."""
        if (player, other) in self.points:
            return self.points[player, other]
        points, games = self.points.get((other, player), (0.0, 0))
        return games - points, games


def standing(players: Sequence[str], results: Sequence[Result]) -> Standing:
    """Ratings, points and faults of a tournament."""
    points = tally(results)
    faults: dict[str, int] = {}
    for result in results:
        if result.fault:
            loser = result.duel.players[2 - (result.winner or 0)]
            reason = f"{loser}: {result.fault}"
            faults[reason] = faults.get(reason, 0) + 1
    return Standing(rate(players, points), points, faults, tally_openings(results))


def rating_table(found: Standing) -> list[str]:
    """The ratings and the crosstable: the score of a row against each column, in percent."""
    names = [rating.player for rating in found.ratings]
    wide = max(map(len, names), default=0) + 2
    columns = [max(len(name), 4) + 2 for name in names]
    head = f"{'player':<{wide}}{'rating':>7}{'+/-':>6}{'score':>8}{'games':>7}  "
    lines = [head + "".join(f"{name:>{column}}" for name, column in zip(names, columns, strict=True))]
    for rating in found.ratings:
        line = f"{rating.player:<{wide}}{rating.rating:>7.0f}{rating.margin:>6.0f}"
        line += f"{share(rating.points, rating.games):>8}{rating.games:>7}  "
        cells = [share(*found.score(rating.player, other)) for other in names]
        lines.append(line + "".join(f"{cell:>{column}}" for cell, column in zip(cells, columns, strict=True)))
    for (first, second), openings in found.openings.items() if len(found.openings) == 1 else ():
        low, high = clustered(openings.values())
        score = share(*found.score(first, second))
        interval = f"95 % interval {100 * low:.1f} to {100 * high:.1f}"
        lines.append(f"{first} against {second}: {score} % ({interval}, {len(openings)} different openings)")
    faults = found.faults.items()
    return lines + [f"{number} game{'' if number == 1 else 's'} lost by {reason}" for reason, number in faults]


def share(points: float, games: int) -> str:
    """A score in percent; a dash if no game was played."""
    return f"{100 * points / games:.1f}" if games else "-"


class Rung(msgspec.Struct, frozen=True):
    """A player of the ladder: its score against the one below, with its 95 % interval, and its rating."""

    player: str
    against: str
    games: int
    score: float
    low: float
    high: float
    rating: float
    error: float
    """Half the width of the 95 % interval of the rating."""


def ladder(players: Sequence[str], found: Standing) -> list[Rung]:
    """Each player against the one below."""
    rated = {rating.player: rating for rating in found.ratings}
    rungs = []
    for player, other in neighbours(players):
        points, games = found.score(player, other)
        rating = rated[player]
        rungs.append(Rung(player, other, games, points / games, *wilson(points, games), rating.rating, rating.margin))
    return rungs


def ladder_table(rungs: Sequence[Rung]) -> list[str]:
    """The ladder as a Markdown table."""
    lines = ["| player | against | games | score | 95 % interval | rating |", "|---|---|---|---|---|---|"]
    for rung in rungs:
        lines.append(
            f"| {rung.player} | {rung.against} | {rung.games} | {100 * rung.score:.1f} % "
            f"| {100 * rung.low:.1f} - {100 * rung.high:.1f} % | {rung.rating:.0f} ± {rung.error:.0f} |"
        )
    return lines


def facts(found: Standing) -> dict[str, object]:
    """A tournament as JSON."""
    return {
        "ratings": [rating._asdict() for rating in found.ratings],
        "pairs": [
            {
                "players": list(pair),
                "points": points,
                "games": games,
                "openings": len(found.openings[pair]),
                "interval": list(clustered(found.openings[pair].values())),
            }
            for pair, (points, games) in found.points.items()
        ],
        "faults": found.faults,
    }


def plot(found: Standing, path: Path) -> None:
    """Plot the ratings with their intervals to a file."""
    from matplotlib.figure import Figure

    ratings = found.ratings[::-1]
    figure = Figure(figsize=(7, 1.2 + 0.4 * len(ratings)), layout="constrained")
    axes = figure.add_subplot()
    axes.errorbar(
        [rating.rating for rating in ratings],
        [rating.player for rating in ratings],
        xerr=[rating.margin for rating in ratings],
        fmt="o",
        capsize=4,
    )
    axes.set_xlabel("rating, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    with whole_file(path) as file:
        figure.savefig(file, format=path.suffix[1:] or None)
