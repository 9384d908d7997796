"""The one description of a position: it says what the rules say, and JSON carries it."""

import json

import msgspec

from boards import every_board
from quintet.board import split
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_move, read_moves
from quintet.options import start
from quintet.rules import Position
from quintet.study.analysis import analyze
from quintet.view import View, facts, make_view, show


@every_board
def test_a_view_says_what_the_rules_say(empty: Position) -> None:
    match = Match(empty)
    while True:
        position, view = match.position, make_view(match)
        assert len(view.cells) == position.board.cells == view.rows * view.cols
        for number, cell in enumerate(view.cells):
            assert read_move(position, cell.label) == 1 << number
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
        assert json.loads(json.dumps(facts(view))) == json.loads(msgspec.json.encode(view))
        if not position.moves:
            break
        match.play(position.moves[-1])


def test_values_are_shown_where_one_may_claim() -> None:
    position = start(GAMES["gridlock"])
    match = Match(position, read_moves(position, "2 2; 3 3"))
    found = analyze(match.position)
    view = make_view(match, found.moves)
    best = [cell.label for cell in view.cells if cell.best]
    assert best == [position.label(move) for move in found.moves if found.is_best(move)]
    assert {cell.value for cell in view.cells if not cell.legal} == {""}
    assert view.cells[0].value == "L10" and view.cells[0].outcome == "loss"


def test_status_tells_captures_passes_and_resignations() -> None:
    conquest = start(GAMES["grid-conquest"])
    match = Match(conquest, read_moves(conquest, "2 2"))
    assert make_view(match).status == "Player 1 claimed (2,2) and 4 more. Player 2 to move."
    match.resign()
    view = make_view(match)
    assert view.result == "Player 1 wins: Player 2 resigned." and view.winner == 1 and view.player is None
    assert not any(cell.legal for cell in view.cells)


def test_labels_and_worth() -> None:
    line = show(start(GAMES["isolation"]))
    assert line.row_labels == line.column_labels == () and line.cells[6].label == "7"
    points = show(start(GAMES["point-capture"], "2x3"))
    assert points.column_labels == ("0", "1", "2") and [cell.worth for cell in points.cells] == [1, 2, 3] * 2
    assert points.target == 15 and len(list(split(start(GAMES["point-capture"], "2x3").board.full))) == 6
