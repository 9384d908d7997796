"""Perft data: every game has its file, the program agrees with it, and so does the naive reading."""

from pathlib import Path

import pytest

from boards import every_game
from naive import NAIVE, count
from quintet.board import value_list
from quintet.games import GAMES
from quintet.options import start
from quintet.perft import divide, perft
from quintet.rules import Game

DATA = Path(__file__).parent / "data" / "perft"


def read(game: Game) -> list[tuple[str, list[int]]]:
    """The lines of a data file: a size and the counts from depth 1 on."""
    lines = (DATA / f"{game.name}.txt").read_text().splitlines()
    return [(line.split()[0], [int(word) for word in line.split()[1:]]) for line in lines if line[0] != "#"]


@every_game
def test_the_data_goes_deep(game: Game) -> None:
    assert sum(sum(counts) for _, counts in read(game)) >= 10**6


@every_game
def test_counts(game: Game) -> None:
    for size, counts in read(game):
        assert [perft(start(game, size), depth + 1) for depth in range(len(counts))] == counts, size


@every_game
def test_the_naive_reading_counts_the_same(game: Game) -> None:
    for size, counts in read(game):
        board = start(game, size).board
        oracle = NAIVE[game.name](board.rows, board.cols, value_list(board), board.target)
        for depth, number in enumerate(counts, 1):
            if number > 10_000:
                break
            assert count(oracle, depth) == number, (size, depth)


@every_game
def test_divide_adds_up(game: Game) -> None:
    position = start(game)
    assert sum(divide(position, 3).values()) == perft(position, 3)
    assert perft(position, 0) == 1


def test_no_data_is_left_over() -> None:
    assert {path.stem for path in DATA.iterdir()} == set(GAMES)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("gridlock", [16, 192, 2120, 16872, 119808]),
        ("isolation", [13, 132, 990, 5040, 15120, 20160]),
        ("grid-conquest", [25, 520, 8844, 120576]),
        ("adjacent-claim", [25, 600, 1840, 5488]),
        ("point-capture", [25, 600, 13800, 303600]),
    ],
)
def test_published_counts(name: str, counts: list[int]) -> None:
    """Figures computed elsewhere, by other programs."""
    position = start(GAMES[name])
    assert [perft(position, depth + 1) for depth in range(len(counts))] == counts
