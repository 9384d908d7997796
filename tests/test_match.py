"""A game as it is played: taking back, giving up, a copy to try things on, and the way back from its record."""

import random

import pytest

from boards import every_game
from quintet.games import GAMES
from quintet.match import Match, open_match, random_opening, replay
from quintet.notation import read_moves, read_position
from quintet.options import InvalidOptions, start
from quintet.record import read_record, write_record
from quintet.rules import PASS, Game, play_all


def test_a_copy_is_played_on_by_itself() -> None:
    match = Match(start(GAMES["isolation"]), read_moves(start(GAMES["isolation"]), "7; 4"), ("Ada", "Bea"))
    copy = match.copy()
    assert (copy.positions, copy.moves, copy.names, copy.outcome) == (match.positions, match.moves, match.names, None)
    copy.play(copy.position.moves[0])
    copy.resign()
    assert match.ply == 2 and match.outcome is None
    assert copy.copy().outcome == copy.outcome


@pytest.mark.parametrize("player", [1, 2])
def test_who_cannot_go_on_loses_whoever_is_to_move(player: int) -> None:
    match = Match(start(GAMES["isolation"]), names=("Ada", "Bea"))
    match.forfeit(player, "no answer\nwithin 5 s")
    assert match.outcome == (3 - player, f"Player {player} forfeits: no answer within 5 s", "forfeit")
    again = replay(read_record(write_record(match.record())))
    assert again.outcome == match.outcome and again.names == match.names and again.resigned is None


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        ("gridlock X X", "Player 2 wins: Player 1 has no legal move."),
        ("grid-conquest XX/OO X", "Draw: 2 cells each."),
    ],
)
def test_the_end_in_a_sentence(end: str, sentence: str) -> None:
    outcome = read_position(end).outcome
    assert outcome and outcome.sentence == sentence


@pytest.mark.parametrize("game", GAMES)
def test_what_a_move_gains_is_what_its_player_has_more(game: str) -> None:
    position = start(GAMES[game])
    while position.moves:
        move = position.moves[0]
        after = position.play(move)
        assert position.gain(move) == after.theirs & ~position.mine
        position = after
    assert position.gain(PASS) == 0


def test_a_game_that_was_decided_before_its_end_was_resigned() -> None:
    match = Match(start(GAMES["isolation"]), read_moves(start(GAMES["isolation"]), "7"))
    match.resign()
    again = replay(read_record(write_record(match.record())))
    assert again.resigned == 2 and again.outcome == match.outcome == (1, "Player 2 resigned", "resigned")


def test_taking_back_goes_to_the_last_claim() -> None:
    match = Match(read_position("adjacent-claim XO./OO. X"))
    assert match.position.must_pass and match.undo() is None
    match.play(0)
    assert match.undo() is None and match.ply == 1, "a pass alone is nothing to take back"
    match.play(match.position.moves[0])
    while match.position.must_pass:
        match.play(0)
    assert match.undo() == 0b100 and match.ply == 1


def test_a_match_is_opened_by_its_options() -> None:
    assert open_match("gridlock").position == start("gridlock")
    assert open_match("gridlock", "3x3", first=2, moves="1 1; 3 3").moves == [1, 1 << 8]
    assert open_match("point-capture", "2x3", "7", None, "4").position == start("point-capture", "2x3", 7, None, 4)
    assert open_match("gridlock", position="gridlock X./.. O").position == read_position("gridlock X./.. O")


@pytest.mark.parametrize("option", ["size", "target", "values", "shuffle", "first"])
def test_a_position_has_its_options_already(option: str) -> None:
    with pytest.raises(InvalidOptions, match=f"leave out {option}") as error:
        open_match("gridlock", position="gridlock X./.. O", **{option: 1})  # type: ignore[arg-type] # Any of them.
    assert error.value.option == option


def test_a_position_of_another_game() -> None:
    with pytest.raises(InvalidOptions, match="this is a position of isolation, not of gridlock") as error:
        open_match("gridlock", position="isolation X./.. O")
    assert error.value.option == "position"


@every_game
def test_a_random_opening_does_not_end_the_game(game: Game) -> None:
    empty, rng = start(game, "2x3"), random.Random(1)
    openings = [random_opening(empty, rng, most) for most in range(8) for _ in range(10)]
    assert openings[:10] == [[]] * 10 and max(map(len, openings)) > 1
    assert not any(play_all(empty, moves).outcome for moves in openings)
