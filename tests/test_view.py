"""The one description of a position: it says what the rules say, and JSON carries it."""

import msgspec

from boards import every_board
from quintet.board import split
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_move, read_moves
from quintet.options import start
from quintet.rules import PASS, Position
from quintet.study.analysis import analyze
from quintet.view import View, make_view, position_view


@every_board
def test_a_view_says_what_the_rules_say(empty: Position) -> None:
    match = Match(empty)
    while True:
        position, view = match.position, make_view(match)
        assert len(view.cells) == position.board.area == view.rows * view.cols
        for number, cell in enumerate(view.cells):
            assert (read_move(position, cell.label) if cell.label else 0) == 1 << number & position.board.full
            assert cell.legal == bool(position.legal >> number & 1)
            assert cell.owner == sum(player for player in (1, 2) if position.claims[player - 1] >> number & 1)
        assert view.scores == position.scores and view.player == (None if position.outcome else position.player)
        assert bool(view.result) == (position.outcome is not None) and view.status.startswith(view.result)
        gained = sum(1 << number for number, cell in enumerate(view.cells) if cell.fresh)
        claims = [ply for ply, move in enumerate(match.moves) if move]
        if claims:
            assert gained == match.positions[claims[-1] + 1].theirs & ~match.positions[claims[-1]].mine
            assert view.last is not None and 1 << view.last == match.moves[claims[-1]]
        assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view
        assert view.history == tuple(
            (before.player, before.label(move)) for before, move in zip(match.positions, match.moves, strict=False)
        )
        if not position.moves:
            break
        match.play(position.moves[-1])


def test_values_are_shown_where_one_may_claim() -> None:
    position = start(GAMES["gridlock"])
    match = Match(position, read_moves(position, "2 2; 3 3"))
    found = analyze(match.position)
    view = make_view(match, found)
    best = [cell.label for cell in view.cells if cell.best]
    assert best == [position.label(move) for move in found.moves if found.is_best(move)]
    assert {cell.value for cell in view.cells if not cell.legal} == {""}
    assert view.cells[0].value == "L10" and view.cells[0].outcome == "loss"


def test_the_status_says_what_was_taken_who_passed_and_whose_turn_it_is() -> None:
    conquest = start(GAMES["grid-conquest"])
    match = Match(conquest, names=("human", "level:4"))
    assert make_view(match).status == "Player 1's turn." and make_view(match, you=1).status == "Your turn."
    assert make_view(match).event == ""
    match.play(read_move(conquest, "2 2"))
    assert make_view(match).status == "Player 1 took 5 cells. Dora's turn."
    assert make_view(match, you=1).status == "You took 5 cells. Dora's turn."
    match.play(read_move(match.position, "0 0"))
    assert make_view(match, you=1).status == "Dora took 3 cells. Your turn."
    assert make_view(match, you=1).event == "Dora took 3 cells."
    match.names = "Ada", "level:4"
    match.resign()
    view = make_view(match)
    assert view.status == view.result == "Player 2 wins: Player 1 resigned." and view.event == "Ada resigned."
    assert view.events == ("You resigned.", "Ada resigned.") and make_view(match, you=1).event == "You resigned."
    assert view.winner == 2 and view.player is None and not any(cell.legal for cell in view.cells)


def test_a_forced_pass_is_said_before_and_after() -> None:
    line = start(GAMES["adjacent-claim"], "4")
    match = Match(line, read_moves(line, "A2; A1; A3"), ("Ada", "guest:Bot"))
    view = make_view(match)
    assert view.events == ("You claimed #3.", "Ada claimed #3.") and view.scored
    assert view.must_pass and view.status == "Ada claimed #3. Bot must pass."
    match.play(PASS)
    view = make_view(match, you=2)
    assert not view.must_pass and view.status == "You had to pass. Ada's turn."


def test_labels_and_worth() -> None:
    line = position_view(start(GAMES["isolation"]))
    assert line.row_labels == line.column_labels == () and line.cells[6].label == "7"
    points = position_view(start(GAMES["point-capture"], "2x3"))
    assert (
        points.column_labels == ("1", "2", "3")
        and points.row_labels == ("A", "B")
        and [cell.worth for cell in points.cells] == [1, 2, 3] * 2
    )
    assert points.target == 15 and len(list(split(start(GAMES["point-capture"], "2x3").board.full))) == 6
