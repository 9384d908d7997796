"""The standings of a tournament between people: points, then Buchholz, then Sonneborn-Berger.

Points are counted in halves: a win is 2, a draw 1. Buchholz is the sum of the opponents' points. Sonneborn-Berger is
the points of the opponents that were beaten, and half the points of those who drew. A bye has no opponent.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIN, DRAW, LOSS = 2, 1, 0


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game, or a bye, with what it brought each player in half points."""

    one: int
    two: int | None
    points: tuple[int, int]
    """`(0, 0)` if both forfeited."""


@dataclass(slots=True)
class Place:
    """A player's line in the standings."""

    player: int
    rank: int = 1
    """Players who are equal in everything share a rank."""
    points: int = 0
    buchholz: int = 0
    sonneborn: int = 0
    """In quarters of a point, because it may be half of a half."""
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def strength(self) -> tuple[int, int, int]:
        """What decides the rank."""
        return self.points, self.buchholz, self.sonneborn


def standings(players: Sequence[int], games: Iterable[Game]) -> list[Place]:
    """The places of these players, the best first; who is equal stays in the order given."""
    places = {player: Place(player) for player in players}
    met: list[tuple[int, int, int]] = []
    for game in games:
        sides = ((game.one, game.two, game.points[0]), (game.two, game.one, game.points[1]))
        for player, opponent, points in sides:
            if player is None:
                continue
            place = places[player]
            place.points += points
            if opponent is not None:
                met.append((player, opponent, points))
                place.wins += points == WIN
                place.draws += points == DRAW
                place.losses += points == LOSS
    for player, opponent, points in met:
        places[player].buchholz += places[opponent].points
        places[player].sonneborn += places[opponent].points * points
    found = sorted(places.values(), key=lambda place: place.strength, reverse=True)
    for number, place in enumerate(found):
        above = found[number - 1] if number else None
        place.rank = above.rank if above and above.strength == place.strength else number + 1
    return found
