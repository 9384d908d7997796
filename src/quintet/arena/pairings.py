"""Who plays whom in the rounds of a tournament between people: everybody plays everybody, or Swiss rounds.

A pairing is `(first, second)`: the first one goes first. A bye is `(player, None)`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Pair = tuple[int, int | None]
STEPS = 20_000
"""Attempts to pair a Swiss round without a rematch. Groups of up to 64 need far fewer."""


@dataclass(frozen=True, slots=True)
class Record:
    """What matters of a player for the next Swiss round."""

    points: int
    """Half points: 2 for a win, 1 for a draw."""
    met: frozenset[int] = frozenset()
    """The opponents so far."""
    balance: int = 0
    """How much more often the player went first than second."""
    had_bye: bool = False


def round_robin(players: Sequence[int]) -> list[list[Pair]]:
    """The rounds in which everybody plays everybody once, by the circle method.

    Everybody goes first and second equally often, or once more the one than the other. If the number of players is
    odd, one of them has a bye in each round.
    """
    count = len(players)
    turning = count - 1 if count % 2 == 0 else count  # An even player stays in place and meets each of the others.
    rounds = []
    for turn in range(turning if count > 1 else 0):
        pairs: list[Pair] = []
        if count % 2 == 0:
            stays, meets = players[-1], players[turn]
            pairs.append((stays, meets) if turn % 2 else (meets, stays))
        for step in range(1, (turning + 1) // 2):
            ahead, behind = players[(turn + step) % turning], players[(turn - step) % turning]
            pairs.append((ahead, behind) if step % 2 else (behind, ahead))
        if count % 2:
            pairs.append((players[turn], None))
        rounds.append(pairs)
    return rounds


def swiss_round(records: Mapping[int, Record]) -> list[Pair]:
    """The next Swiss round of these players, who are given in the order in which equal scores are ranked.

    From the highest score down, each player meets the nearest in the ranking whom they have not met. Nobody meets the
    same opponent twice as long as that can be avoided. If their number is odd, the lowest who had no bye yet has one.
    """
    ranked = sorted(records, key=lambda player: -records[player].points)
    budget = STEPS
    for bye in byes(ranked, records):
        rest = [player for player in ranked if player != bye]
        finder = PairFinder(records, budget)
        pairs = finder.pair(rest)
        if pairs is not None:
            return seated(pairs, bye, records)
        budget = finder.steps
    bye = next(byes(ranked, records))
    rest = [player for player in ranked if player != bye]
    return seated(with_rematches(rest, records), bye, records)


def byes(ranked: Sequence[int], records: Mapping[int, Record]) -> Iterator[int | None]:
    """Who may have the bye, the first choice first; `None` if nobody needs one."""
    if len(ranked) % 2 == 0:
        yield None
        return
    upwards = ranked[::-1]
    yield from (player for player in upwards if not records[player].had_bye)
    yield from (player for player in upwards if records[player].had_bye)


class PairFinder:
    """Pairs players who have not met, nearest first, and goes back where that leads nowhere."""

    def __init__(self, records: Mapping[int, Record], steps: int) -> None:
        """Begin with a number of steps; what is left of them is in `steps`."""
        self.records = records
        self.steps = steps
        self.hopeless: set[tuple[int, ...]] = set()
        """Groups that cannot be paired."""

    def pair(self, players: Sequence[int]) -> list[tuple[int, int]] | None:
        """The pairs of these players; `None` if there are none without a rematch, or none that can be found."""
        if not players:
            return []
        rest = tuple(players)
        if rest in self.hopeless or self.steps <= 0:
            return None
        self.steps -= 1
        top, others = rest[0], rest[1:]
        for opponent in others:
            if opponent not in self.records[top].met:
                below = self.pair([player for player in others if player != opponent])
                if below is not None:
                    return [(top, opponent), *below]
        self.hopeless.add(rest)
        return None


def with_rematches(players: Sequence[int], records: Mapping[int, Record]) -> list[tuple[int, int]]:
    """Pairs where rematches cannot be avoided: still each with the nearest whom they have not met, if there is one."""
    pairs, rest = [], list(players)
    while rest:
        top = rest.pop(0)
        opponent = next((player for player in rest if player not in records[top].met), rest[0])
        rest.remove(opponent)
        pairs.append((top, opponent))
    return pairs


def seated(pairs: Sequence[tuple[int, int]], bye: int | None, records: Mapping[int, Record]) -> list[Pair]:
    """Pairs with who goes first: whoever did so less often; otherwise they take turns down the list."""
    found: list[Pair] = []
    for number, (higher, lower) in enumerate(pairs):
        ahead = records[higher].balance - records[lower].balance
        swapped = ahead > 0 or (ahead == 0 and number % 2 == 1)
        found.append((lower, higher) if swapped else (higher, lower))
    return [*found, (bye, None)] if bye is not None else found
