"""The laws that hold for every registered game, at several sizes. A new game is tested the day it is registered."""

import copy
import pickle
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from boards import every_board, every_game
from naive import NAIVE, Naive
from quintet.board import index, move_cells, place_values, split, symmetries
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import list_moves, read_move, read_moves, read_position, write_moves, write_position
from quintet.options import describe, start
from quintet.record import read_record, write_record
from quintet.rules import PASS, Game, IllegalMove, Position

GAMES_AGAINST_ORACLE = 2_000


def random_games(empty: Position, number: int) -> Iterator[Match]:
    """Random games, all different and always the same."""
    rng = random.Random(f"{empty.game.name} {empty.board.size}")
    for _ in range(number):
        match = Match(empty)
        while match.position.moves:
            match.play(rng.choice(match.position.moves))
        yield match


@every_board
def test_a_game_goes_on_while_there_is_a_move(empty: Position) -> None:
    for match in random_games(empty, 20):
        assert all(position.outcome is None and position.moves for position in match.positions[:-1])
        assert match.outcome and match.position.moves == []
        assert match.outcome.winner or empty.game.territory, "only territory can be shared equally"


@every_board
def test_claims_only_add_cells(empty: Position) -> None:
    for match in random_games(empty, 20):
        for before, move, after in zip(match.positions, match.moves, match.positions[1:], strict=False):
            assert after.mine == before.theirs
            assert after.theirs & before.mine == before.mine
            assert after.theirs & move == move
            assert bool(after.theirs ^ before.mine) == (move != PASS)
            assert after.player == before.other


@every_board
def test_a_copy_of_a_position_is_equal_to_it(empty: Position) -> None:
    for position in next(random_games(empty, 1)).positions:
        assert pickle.loads(pickle.dumps(position)) == position == copy.deepcopy(position)
        assert len(pickle.dumps(position)) < 1_000 + 8 * empty.board.cells, "the rules are named, not written out"


def test_a_game_that_is_not_registered_is_copied_whole() -> None:
    other = replace(GAMES["gridlock"], name="other")
    copied = pickle.loads(pickle.dumps(other))
    assert copied.legal is other.legal
    assert copied != other, "only registered games are equal to their copies"


@every_game
def test_what_is_refused_is_explained(game: Game) -> None:
    position = start(game)
    claimed = position.moves[0]
    for move, reason in (
        (claimed, "That cell is already claimed."),
        (0b11, "That is not a cell of this board."),
        (1 << 500, "That is not a cell of this board."),
        (-1, "That is not a cell of this board."),
        (PASS, "You may pass only when you can claim nothing." if game.passes else "This game has no passes."),
    ):
        with pytest.raises(IllegalMove) as caught:
            position.play(claimed).play(move)
        assert str(caught.value) == reason


@every_game
def test_a_move_has_a_number_and_what_is_neither_is_refused(game: Game) -> None:
    position = start(game, "3x4")
    moves = [*position.moves, *([PASS] if game.passes else [])]
    assert [position.move(position.action(move)) for move in moves] == moves
    assert [position.action(move) for move in moves] == list(range(len(moves)))
    for move in (0b11, -1, 1 << 99, *([] if game.passes else [PASS])):
        with pytest.raises(
            IllegalMove, match=r"^This game has no passes\.$" if move == PASS else "not a cell of this board"
        ):
            position.action(move)
    for action in (-1, len(moves), 10**30):
        with pytest.raises(IllegalMove, match=f"No action {action}: actions are numbers from 0 to {len(moves) - 1}"):
            position.move(action)
    wrong: Any
    for wrong in ("a", 1.0, None):
        for read in (position.move, position.action):
            with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
                read(wrong)


@every_board
def test_text_reads_back(empty: Position) -> None:
    for match in random_games(empty, 5):
        for position in match.positions:
            for move in position.moves:
                assert read_move(position, position.label(move)) == move
                assert read_move(position, f" claim {position.label(move).lower()} ") == move
            assert read_position(write_position(position)) == position
        record = match.record()
        assert read_record(write_record(record)) == record
        assert read_moves(empty, write_moves(empty, match.moves)) == match.moves
        assert start(empty.game, **describe(empty.board)) == empty


@every_board
def test_passes_may_be_left_out(empty: Position) -> None:
    for match in random_games(empty, 5):
        spoken = [move for move in match.moves if move != PASS]
        assert read_moves(empty, write_moves(empty, spoken)) == match.moves


@every_board
def test_symmetries_keep_the_rules(empty: Position) -> None:
    maps = symmetries(empty.board)
    assert maps[0] == tuple(range(empty.board.area))
    for match in random_games(empty, 5):
        for position in match.positions:
            for s in maps:
                image = Position(
                    empty.game,
                    empty.board,
                    move_cells(position.mine, s),
                    move_cells(position.theirs, s),
                    position.player,
                )
                assert image.legal == move_cells(position.legal, s)
                assert image.scores == position.scores
                assert (image.outcome and image.outcome.winner) == (position.outcome and position.outcome.winner)


@pytest.mark.no_cover  # Counting branches makes it slow, and others run the same ones.
@every_board
def test_the_rules_are_the_rule_books(empty: Position) -> None:
    """Random games against the naive reading: the same moves at every step, and the same end."""
    board = empty.board
    holes = [divmod(index(hole), board.cols) for hole in split(board.holes)]
    for match in random_games(empty, GAMES_AGAINST_ORACLE):
        oracle: Naive = NAIVE[empty.game.name](board.rows, board.cols, place_values(board), board.target, holes)
        for position, move in zip(match.positions, match.moves, strict=False):
            expected = oracle.moves()
            assert position.moves == [
                PASS if cell is None else 1 << cell[0] * board.cols + cell[1] for cell in expected
            ]
            oracle.play(divmod(index(move), board.cols) if move else None)
        assert oracle.moves() == []
        assert match.outcome and (match.outcome.winner or 0) == oracle.winner()


@every_board
def test_the_future_depends_on_what_the_game_says(empty: Position) -> None:
    """Where a game says that less than both players' cells matters, the rest can change and the rules say the same."""
    game, board = empty.game, empty.board
    rng = random.Random(1)
    assert game.future in ("cells", "claimed", "values")
    for match in random_games(empty, 20):
        for position, move in zip(match.positions, match.moves, strict=False):
            mine, theirs = position.mine, position.theirs
            if game.future == "claimed":
                other = (mine | theirs) & rng.getrandbits(board.area)
                rest = (mine | theirs) ^ other
                assert game.legal(board, other, rest) == position.legal
                assert game.gain(board, other, rest, move) == game.gain(board, mine, theirs, move)
            elif game.future == "values":
                cells = [index(cell) for cell in split(rng.choice(board.values)[1])]
                swap = list(range(board.area))
                for i, j in zip(cells, rng.sample(cells, len(cells)), strict=True):
                    swap[i] = j
                image = game.legal(board, move_cells(mine, swap), move_cells(theirs, swap))
                assert image == move_cells(position.legal, swap)
                assert game.gain(board, mine, theirs, move) == move


@every_board
def test_screens_can_show_it(empty: Position) -> None:
    for match in random_games(empty, 3):
        for position in match.positions:
            assert str(position).count("\n") >= empty.board.rows - 1
            assert list_moves(position)
            drawing = position.picture()
            assert drawing.count('class="dot"') == len([move for move in position.moves if move])
            assert drawing.count('class="mark"') == (position.mine | position.theirs).bit_count()


@every_game
def test_a_game_explains_itself(game: Game) -> None:
    assert game.summary and "**Goal.**" in game.manual
    assert game.name == game.name.lower() and game.title.replace(" ", "-").lower() == game.name
