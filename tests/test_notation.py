"""Moves and positions as text: what is understood, what is refused and how, and strings nobody meant."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import every_game
from quintet.board import split
from quintet.games import GAMES, UnknownGame, find_game
from quintet.notation import (
    InvalidMove,
    InvalidPosition,
    middle_cell,
    read_move,
    read_moves,
    read_position,
    screen_label,
    write_position,
)
from quintet.options import InvalidOptions, read_size, read_target, read_values, start
from quintet.record import InvalidRecord, read_record
from quintet.rules import PASS, Game, IllegalMove, Position, play_all

SCRAPS = st.sampled_from(
    ["claim ", "Player 1", "Player2: ", "A1", "c3", "0 0", "2,2", "(1", ")", "pass", ";", "13", "x", "/", "X", "O",
     ".", " ", "gridlock", "point-capture", "target=", "values=", "1,2", "[Game ", '"gridlock"', "]\n",
     '[Size "4x4"]\n', "{", "}", "1. ", "\n", "\\", '"', "5x5", "-", "é", "²", "٣", "\x00", "9" * 50]
)  # fmt: skip
EMPTY_BOARDS = [start(game) for game in GAMES.values()]


@pytest.mark.parametrize(
    ("name", "texts", "label"),
    [
        (
            "adjacent-claim",
            [
                "C3",
                "c3",
                " claim c3 ",
                "Player 1: claim C3",
                "(C,3)",
                "c 3",
                "[c3]",
                "takes C3.",
                "'C3'",
                "P1: C3",
                "claimC3",
            ],
            "C3",
        ),
        (
            "grid-conquest",
            ["2 2", "2,2", "(2,2)", "claim 2 2", "claim (2, 2)", "Player1: claim 2 2", "[2, 2]", "[2][2]", "2-2"],
            "2 2",
        ),
        ("isolation", ["7", "claim 7", "Player1: claim 7", "(7)", "7!", "claims square 7.", "07"], "7"),
        ("gridlock", ["4 4", "4,4", "place 4 4", "place an 'X' at (4,4)", "place X at 4 4", "4  4", "\t4 4\n"], "4 4"),
        ("point-capture", ["0 4", "select 0 4", "Player 1 selects: 0 4", "selects cell (0, 4)"], "0 4"),
    ],
)
def test_moves_are_read_forgivingly(name: str, texts: list[str], label: str) -> None:
    position = start(GAMES[name])
    for text in texts:
        assert position.label(read_move(position, text)) == label, text


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("adjacent-claim", "F1", "the cells go from A1 to E5"),
        ("adjacent-claim", "33", "Name a cell, such as C3"),
        ("adjacent-claim", "3 3", "Name a cell"),
        ("grid-conquest", "5 0", "the cells go from 0 0 to 4 4"),
        ("grid-conquest", "22", "Name a cell, such as 2 2"),
        ("isolation", "0", "the cells go from 1 to 13"),
        ("isolation", "7 7", "Name a cell, such as 7"),
        ("gridlock", "0 1", "the cells go from 1 1 to 4 4"),
        ("gridlock", "Player 2: 1 1", "It is Player 1's turn"),
        ("gridlock", "", "Name a cell"),
        ("gridlock", "1 1 1", "Name a cell"),
        ("point-capture", "-1 0", "Name a cell"),
    ],
)
def test_what_names_no_cell_is_invalid(name: str, text: str, why: str) -> None:
    with pytest.raises(InvalidMove, match=why):
        read_move(start(GAMES[name]), text)


def test_lists_of_moves_say_which_one_is_wrong() -> None:
    position = start(GAMES["gridlock"])
    assert len(read_moves(position, "1 1; 3 3;")) == 2
    assert read_moves(position, "") == []
    with pytest.raises(IllegalMove, match=r"move 2 \(1 2\): You cannot place next to"):
        read_moves(position, "1 1; 1 2")
    with pytest.raises(InvalidMove, match=r"move 1 \(zz\): Name a cell"):
        read_moves(position, "zz; 1 2")


@every_game
def test_positions_of_hand_set_boards(game: Game) -> None:
    position = read_position(f"{game.name} X../.O. O")
    assert position.claims == (0b000001, 0b010000) and position.player == 2
    assert read_position(write_position(position)) == position
    assert hash(read_position(write_position(position))) == hash(position)
    assert len({position, read_position(write_position(position))}) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gridlock", "GAME ROWS TURN"),
        ("chess ... X", "no game called 'chess'"),
        ("gridlock X./O X", "same length"),
        ("gridlock Z. X", "write the rows with"),
        ("gridlock X. 1", "turn must be X or O"),
        ("gridlock X. X size=4", "only target"),
        ("gridlock X. X target=4", "has no target"),
        ("point-capture X. X target=x", "target must be between"),
        ("point-capture X. X values=1", "values were given"),
        ("point-capture XX O target=2", "above the target"),
        ("point-capture X. X target=1", "must be below it"),
    ],
)
def test_positions_that_are_none(text: str, why: str) -> None:
    with pytest.raises(InvalidPosition, match=why):
        read_position(text)


def test_impossible_positions() -> None:
    game = GAMES["gridlock"]
    board = start(game).board
    for mine, theirs, player in ((1, 1, 1), (1 << 16, 0, 1), (0, 0, 3)):
        with pytest.raises(ValueError, match=r"must lie on the board|player to move"):
            Position(game, board, mine, theirs, player)


def test_two_passes_in_a_row_end_a_set_up_game() -> None:
    """Cells nobody touches: neither side can claim them, so both would pass, and the game is over and counted."""
    passing = read_position("adjacent-claim XO.../OO..X X")
    assert not passing.must_pass
    stuck = read_position("adjacent-claim XO./OO. X")
    assert stuck.must_pass and stuck.moves == [PASS] and stuck.outcome is None
    assert stuck.play(PASS).moves != [PASS]
    with pytest.raises(IllegalMove, match="must pass"):
        stuck.play(0b100)
    with pytest.raises(IllegalMove, match="game is over"):
        read_position("adjacent-claim XX/OO X").play(PASS)


@pytest.mark.no_cover  # Counting branches makes it slow, and others run the same ones.
@settings(max_examples=2_000)
@given(st.one_of(st.text(max_size=60), st.lists(SCRAPS, max_size=12).map("".join)))
def test_any_string_is_understood_or_refused(text: str) -> None:
    """Every parser, given anything, answers or raises the one error it documents."""
    for position in EMPTY_BOARDS:
        try:
            move = read_move(position, text)
            assert move == PASS or move & position.board.full == move
        except InvalidMove:
            pass
        try:
            play_all(position, read_moves(position, text))
        except (InvalidMove, IllegalMove):
            pass
    try:
        position = read_position(text)
        assert read_position(write_position(position)) == position
    except InvalidPosition:
        pass
    for record in (text, '[Game "gridlock"]\n' + text):
        try:
            read_record(record)
        except InvalidRecord as error:
            assert re.match(r"line \d+: ", str(error))
    for parser, refusal in (
        (read_size, InvalidOptions),
        (read_values, InvalidOptions),
        (read_target, InvalidOptions),
        (find_game, UnknownGame),
    ):
        try:
            parser(text)
        except refusal:
            pass


@every_game
@pytest.mark.parametrize("size", ["3x4", "1x7"])
def test_a_cell_has_its_name_in_the_rule_book_and_its_name_on_screens(game: Game, size: str) -> None:
    position = start(game, size)
    for cell in split(position.board.full):
        assert read_move(position, position.label(cell)) == read_move(position, screen_label(position, cell)) == cell
    names = [screen_label(position, cell) for cell in split(position.board.full)]
    assert names[:3] == (["A1", "A2", "A3"] if position.board.rows > 1 else ["#1", "#2", "#3"])
    assert screen_label(position, PASS) == "pass"
    with pytest.raises(InvalidMove, match=f"such as {screen_label(position, middle_cell(position.board))}[.]"):
        read_move(position, "what", screen_label)
    with pytest.raises(InvalidMove, match=f"from {names[0]} to {names[-1]}[.]"):
        read_move(position, "Z99" if position.board.rows > 1 else "99", screen_label)
