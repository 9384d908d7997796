"""Pairings and standings of tournaments between people, by the properties that they promise."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.arena import pairings
from quintet.arena.pairings import Pair, Record, round_robin, swiss_round
from quintet.arena.places import Game, standings


def people(pairs: list[Pair]) -> list[int]:
    return [player for pair in pairs for player in pair if player is not None]


@pytest.mark.parametrize("count", range(65))
def test_everybody_plays_everybody_once(count: int) -> None:
    players = random.Random(count).sample(range(100), count)
    rounds = round_robin(players)
    assert len(rounds) == (0 if count < 2 else count - 1 if count % 2 == 0 else count)
    for pairs in rounds:
        assert sorted(people(pairs)) == sorted(players)  # Nobody twice, and a bye is a round too.
    games = [pair for pairs in rounds for pair in pairs if pair[1] is not None]
    assert sorted(tuple(sorted(people([game]))) for game in games) == sorted(combinations(sorted(players), 2))
    first, second = Counter(one for one, _ in games), Counter(two for _, two in games)
    assert all(abs(first[player] - second[player]) == (count + 1) % 2 for player in players)
    resting = [one for pairs in rounds for one, two in pairs if two is None]
    assert sorted(resting) == (sorted(players) if count % 2 and count > 1 else [])


class Swiss:
    """A Swiss tournament that is played by dice."""

    def __init__(self, count: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.records = {player: Record(0) for player in range(count)}
        self.rematches = 0

    def play(self) -> list[Pair]:
        """A round, with whatever results."""
        pairs = swiss_round(self.records)
        for one, two in pairs:
            if two is None:
                before = self.records[one]
                self.records[one] = Record(before.points + 2, before.met, before.balance, True)
                continue
            self.rematches += two in self.records[one].met
            points = self.rng.choice((2, 2, 2, 1, 0, 0))
            for player, other, won, side in ((one, two, points, 1), (two, one, 2 - points, -1)):
                before = self.records[player]
                met = before.met | {other}
                self.records[player] = Record(before.points + won, met, before.balance + side, before.had_bye)
        return pairs


def can_be_paired(players: tuple[int, ...], records: dict[int, Record]) -> bool:
    """Whether all of an even number of players can meet somebody new: every way to pair them is tried."""
    if not players:
        return True
    top, others = players[0], players[1:]
    free = [other for other in others if other not in records[top].met]
    return any(can_be_paired(tuple(player for player in others if player != one), records) for one in free)


@settings(max_examples=60)
@given(st.integers(2, 40), st.integers(1, 9), st.integers(0, 10**6))
def test_swiss_rounds_keep_their_promises(count: int, rounds: int, seed: int) -> None:
    swiss = Swiss(count, seed)
    possible = count if count % 2 else count - 1
    for number in range(1, rounds + 1):
        before, rematches = dict(swiss.records), swiss.rematches
        pairs = swiss.play()
        assert sorted(people(pairs)) == list(range(count))  # Everybody once.
        resting = [one for one, two in pairs if two is None]
        assert len(resting) == count % 2
        if number < possible // 2:
            assert swiss.rematches == 0  # There is always somebody new.
        if count % 2 and number <= possible // 2:
            assert not before[resting[0]].had_bye
        if swiss.rematches > rematches and count <= 8:
            groups = combinations(range(count), count - count % 2)
            assert not any(can_be_paired(group, before) for group in groups), "a rematch could be avoided"
        for one, two in pairs:
            if two is not None:
                assert before[one].balance <= before[two].balance


def test_the_best_meet_in_swiss_rounds() -> None:
    swiss = Swiss(16, 3)
    for _ in range(3):
        swiss.play()
    best = sorted(swiss.records, key=lambda player: -swiss.records[player].points)
    [top] = [pair for pair in swiss_round(swiss.records) if best[0] in pair]
    new = [player for player in best[1:] if player not in swiss.records[best[0]].met]
    assert set(top) == {best[0], new[0]}


def test_two_who_have_met_play_again_if_they_must() -> None:
    met = {1: Record(2, frozenset({2}), 1), 2: Record(0, frozenset({1}), -1)}
    assert swiss_round(met) == [(2, 1)]
    others = {1: frozenset({2, 3, 4}), 2: frozenset({1}), 3: frozenset({1}), 4: frozenset({1})}
    paired = swiss_round({player: Record(0, opponents) for player, opponents in others.items()})
    assert sorted(people(paired)) == [1, 2, 3, 4]


def test_large_groups_are_paired_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairings, "STEPS", 2_000)
    for count in (13, 14, 20, 63, 64):
        swiss = Swiss(count, count)
        for _ in range(11):
            swiss.play()
        assert swiss.rematches == 0


def test_standings_by_points_then_buchholz_then_sonneborn_berger() -> None:
    games = [Game(1, 2, (2, 0)), Game(3, 4, (2, 0)), Game(1, 3, (1, 1)), Game(2, 4, (2, 0)), Game(5, None, (2, 0))]
    found = {place.player: place for place in standings([1, 2, 3, 4, 5, 6], games)}
    assert [(place.player, place.rank) for place in standings([1, 2, 3, 4, 5, 6], games)] == [
        (1, 1),
        (3, 2),
        (2, 3),
        (5, 4),
        (4, 5),
        (6, 6),
    ]
    assert found[1].strength == (3, 2 + 3, 2 * 2 + 3)  # Beat 2, who has 2 half points; drew with 3, who has 3.
    assert found[3].strength == (3, 0 + 3, 0 * 2 + 3)
    assert (found[1].wins, found[1].draws, found[1].losses) == (1, 1, 0)
    assert (found[5].points, found[5].buchholz, found[5].wins) == (2, 0, 0)


def test_who_is_equal_shares_a_place() -> None:
    places = standings([7, 8, 9], [Game(7, 8, (0, 0))])
    assert [(place.player, place.rank) for place in places] == [(7, 1), (8, 1), (9, 1)]
    assert [place.losses for place in places] == [1, 1, 0]
