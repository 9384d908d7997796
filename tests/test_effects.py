"""What claims do is found by playing them: it is what the rules say, for every game."""

from collections.abc import Callable

import msgspec

from boards import every_board
from quintet.board import Board, near, split
from quintet.effects import Effects, effects
from quintet.games import GAMES
from quintet.notation import read_move, read_moves
from quintet.options import start
from quintet.rules import Game, Position, play_all


def cells(text: str) -> int:
    """The set of cells that a text writes."""
    return int(text or "0", 16)


def after(game: str, moves: str, size: str | None = None) -> Position:
    empty = start(GAMES[game], size)
    return play_all(empty, read_moves(empty, moves))


def names(position: Position, text: str) -> str:
    """The cells of a text by their labels."""
    return " ".join(position.label(cell) for cell in split(cells(text)))


@every_board
def test_effects_say_what_the_rules_say(empty: Position) -> None:
    position = empty
    while not position.outcome:
        found = effects(position)
        assert found.player == position.player and found.scores == position.scores
        assert list(found.claims) == [position.label(cell) for cell in split(position.legal)]
        for label, claim in found.claims.items():
            cell = read_move(position, label)
            played = position.play(cell)
            assert cells(claim.captured) | cell == played.theirs & ~position.mine
            assert claim.scores == played.scores
            assert claim.winner == (played.outcome.winner if played.outcome else None)
            if played.legal:
                opened = position.game.legal(position.board, position.theirs, position.mine)
                assert cells(claim.closed_opponent) == opened & ~played.legal & ~played.theirs
        refused = position.board.full & ~(position.mine | position.theirs | position.legal)
        assert list(found.refused) == [position.label(cell) for cell in split(refused)]
        for label, refusal in found.refused.items():
            assert refusal.why == position.refusal(read_move(position, label))
            by = cells(refusal.by)
            assert bool(by) != position.must_pass and not by & ~(position.mine | position.theirs)
        held = position.mine | position.theirs
        assert all(found.claimed == position.refusal(cell) for cell in split(held))
        assert bool(found.claimed) == bool(held)
        assert msgspec.json.decode(msgspec.json.encode(found), type=Effects) == found
        position = position.play(position.moves[-1])
    assert effects(position) == Effects(None, position.scores, {}, {})


def test_what_a_claim_takes_and_closes() -> None:
    conquest = start(GAMES["grid-conquest"])
    claim = effects(conquest).claims["2 2"]
    assert names(conquest, claim.captured) == "1 2 2 1 2 3 3 2" and claim.scores == (5, 0)
    assert not claim.closed_mover and not claim.closed_opponent
    gridlock = start(GAMES["gridlock"])
    claim = effects(gridlock).claims["1 1"]
    assert names(gridlock, claim.closed_opponent) == "1 2 2 1" and not claim.closed_mover
    line = start(GAMES["isolation"])
    claim = effects(line).claims["7"]
    assert names(line, claim.closed_opponent) == names(line, claim.closed_mover) == "6 8"
    points = after("point-capture", "0 4; 1 4; 2 4; 3 4")
    found = effects(points)
    assert (
        names(points, found.claims["0 1"].closed_mover) == "0 3 1 3 2 3 3 3 4 3 4 4"
    )  # 12 of 15: 3 fits, 4 is too much.
    assert not found.claims["4 4"].closed_mover and found.claims["4 4"].winner == 1  # It is won with that.


def test_what_forbids_a_cell() -> None:
    gridlock = after("gridlock", "1 1; 3 2; 4 4; 2 3")
    by = {label: names(gridlock, refusal.by) for label, refusal in effects(gridlock).refused.items()}
    assert by["2 2"] == "2 3 3 2" and by["1 3"] == "2 3"  # Each of two would be enough.
    territory = after("adjacent-claim", "A1; E5; A2; E4")
    assert names(territory, effects(territory).refused["C3"].by) == "A1 A2"
    points = after("point-capture", "0 4; 1 4; 2 4; 3 4; 0 3; 1 3")  # 14 points each.
    found = effects(points).refused
    assert found["4 4"].why == "That cell would take you past 15 points."
    assert names(points, found["4 4"].by) == "0 3 0 4 2 4" and names(points, found["0 1"].by) == "0 3 0 4 2 4"
    ones = start(GAMES["point-capture"], target=5)
    ones = play_all(ones, read_moves(ones, "0 0; 0 1; 1 0; 3 0; 2 0; 4 0"))
    assert names(ones, effects(ones).refused["0 4"].by) == "0 0 1 0 2 0"  # Only together are they too much.


def test_cells_that_forbid_only_together() -> None:
    def between(board: Board, mine: int, theirs: int) -> int:
        """Unclaimed cells that do not touch both players' cells."""
        return board.full & ~(mine | theirs) & ~(near(board, mine) & near(board, theirs))

    def crowded(board: Board, mine: int, theirs: int) -> int:
        """Unclaimed cells; the first row only while both players have fewer than two."""
        return board.full & ~(mine | theirs) & ~(0b1111 * ((mine.bit_count() > 1) | (theirs.bit_count() > 1)))

    def by(rule: Callable[[Board, int, int], int], mine: int, theirs: int) -> str:
        game = Game(name="crowd", rows=4, cols=4, corner="A1", legal=rule)
        position = Position(game, start(GAMES["gridlock"]).board, mine, theirs)
        return names(position, effects(position).refused["A2"].by)

    assert by(between, 0b1, 0b100) == "A1 A3"  # Without either it could be claimed.
    assert by(crowded, 0b0001 << 4, 0b0111 << 8) == "C1 C2 C3"  # Without all of one player's cells it could.
    assert by(crowded, 0b0111 << 4, 0b0111 << 8) == "B1 B2 B3 C1 C2 C3"


def test_a_large_board_is_small_as_text() -> None:
    for game in GAMES.values():
        text = msgspec.json.encode(effects(start(game, "20x20")))
        assert len(text) < 100_000, game.name
