"""Whether a game is decided: the same end whatever is played."""

import random

import pytest

from boards import every_game
from quintet.match import Match
from quintet.notation import read_position
from quintet.options import start
from quintet.rules import Game, Position
from quintet.study.decided import is_decided


def endings(position: Position) -> set[tuple[int | None, int]]:
    """All ways in which a game can end, by plain recursion: the winner, and the margin where it counts."""
    if position.outcome:
        first, second = position.scores
        return {(position.outcome.winner, first - second if position.game.territory else 0)}
    return set().union(*(endings(position.play(move)) for move in position.moves))


@every_game
def test_a_game_is_decided_exactly_when_all_its_endings_are_the_same(game: Game) -> None:
    seen = set()
    for seed in range(8):
        rng, match = random.Random(seed), Match(start(game, "3x3"))
        while not match.outcome:
            if match.ply >= 2:
                seen.add(is_decided(match.position))
                assert is_decided(match.position) == (len(endings(match.position)) == 1)
            match.play(rng.choice(match.position.moves))
        assert not is_decided(match.position), "nothing is left to play"
    assert True in seen


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("isolation X.O...X O", True),
        ("grid-conquest XX.OO X", True),
        ("grid-conquest X...O X", False),
        ("gridlock ..../..../..../.... X", False),
    ],
)
def test_positions_that_are_decided_and_not(text: str, decided: bool) -> None:
    assert is_decided(read_position(text)) == decided


def test_what_takes_too_long_counts_as_undecided() -> None:
    position = read_position("grid-conquest XX.OO.XX.OO X")
    assert is_decided(position) and not is_decided(position, most=2)
