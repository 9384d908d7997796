"""What a board may be asked to be."""

import pytest

from quintet.board import value_list
from quintet.games import GAMES, UnknownGame
from quintet.options import InvalidOptions, describe, start
from quintet.rules import Game

POINTS = GAMES["point-capture"]


@pytest.mark.parametrize(
    ("text", "size"), [("5x5", "5x5"), (" 3 X 4 ", "3x4"), ("13", "13"), ("1x400", "400"), ("20×20", "20x20")]
)
def test_sizes(text: str, size: str) -> None:
    assert start(GAMES["gridlock"], text).board.size == size


def test_options_may_be_text() -> None:
    typed = start(POINTS, "2x3", "7", None, " 4 ")
    assert typed == start(POINTS, "2x3", 7, None, 4) and start(POINTS, "2", "7", "3,4") == start(POINTS, 2, 7, [3, 4])


def test_a_line_may_be_a_number() -> None:
    assert start("isolation", 7).board.size == "7"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_is_found_by_its_title(game: Game) -> None:
    assert start(game.title).game is start(game.name.upper()).game is start(f" {game.name} ").game is game
    with pytest.raises(UnknownGame, match=r"no game called 'chess'\. The games are "):
        start("chess")
    with pytest.raises(UnknownGame, match=r"^no game called 'Gridlok'\. Did you mean 'gridlock'\?$"):
        start("Gridlok")


@pytest.mark.parametrize("text", ["0", "0x3", "21x2", "2x21", "401", "x", "5x", "-1x3", "5x5x5", "99999", "٣x٣"])
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(InvalidOptions):
        start(GAMES["gridlock"], text)


def test_point_capture_boards() -> None:
    assert value_list(start(POINTS).board) == [1, 2, 3, 4, 5] * 5
    assert value_list(start(POINTS, "2x3").board) == [1, 2, 3] * 2
    dealt = value_list(start(POINTS, shuffle=1).board)
    assert sorted(dealt) == sorted([1, 2, 3, 4, 5] * 5)
    assert dealt == value_list(start(POINTS, shuffle=1).board) != value_list(start(POINTS, shuffle=2).board)
    assert describe(start(POINTS, "2", 7, [3, 4]).board) == {"size": "2", "target": 7, "values": [3, 4]}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"target": 0}, "between 1 and"),
        ({"target": 100_000}, "between 1 and"),
        ({"values": "1,2"}, "25 cells, but 2 values were given"),
        ({"size": "2", "values": "0,1"}, "between 1 and 999"),
        ({"size": "2", "values": "1,,2"}, "commas"),
        ({"size": "2", "values": "1,2", "shuffle": 3}, "either"),
        ({"shuffle": "x"}, "shuffle must be a number"),
    ],
)
def test_point_capture_boards_that_are_none(options: dict[str, object], why: str) -> None:
    with pytest.raises(InvalidOptions, match=why):
        start(POINTS, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["target", "values", "shuffle"])
def test_options_of_other_games_are_refused(option: str) -> None:
    with pytest.raises(InvalidOptions, match=f"no {option} option"):
        start(GAMES["gridlock"], **{option: 1})  # type: ignore[arg-type]
