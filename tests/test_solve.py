"""The exact search against playing everything out, gear against gear, and what is known of the games."""

import dataclasses
import random
from collections.abc import Iterator

import pytest

from boards import every_game
from minimax import minimax
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_position
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.solver import FAST, PLAIN, Solver, choose_gear
from quintet.solve.value import Value

SIZES = ("1", "2", "5", "9", "2x2", "2x3", "3x3", "3x4", "4x4", "5x2", "5x5", "4x6")
PLAYABLE = 9
"""Unclaimed cells up to which everything is played out."""

every_gear = pytest.mark.parametrize("gear", [PLAIN, FAST])


def random_positions(game: Game, size: str, number: int, seed: int = 1) -> Iterator[Position]:
    """Positions late enough to be played out: half from random games, half set up by throwing dice."""
    rng = random.Random(f"{game.name} {size} {seed}")
    for turn in range(number):
        empty = start(game, size, **({"target": rng.randint(3, 15), "shuffle": rng.randint(1, 99)} if game.target else {}))
        cells = empty.board.cells
        if turn % 2:
            match = Match(empty)
            while match.position.moves and (rng.random() < 0.8 or cells > PLAYABLE):
                match.play(rng.choice(match.position.moves))
                if cells - (match.position.mine | match.position.theirs).bit_count() <= PLAYABLE and rng.random() < 0.3:
                    break
            yield match.position
        else:
            share = rng.uniform(max(0.1, 1 - PLAYABLE / cells), 1)
            dice = [rng.choice((1, 2)) if rng.random() < share else 0 for _ in range(cells)]
            mine, theirs = (sum(1 << i for i, owner in enumerate(dice) if owner == player) for player in (1, 2))
            position = Position(game, empty.board, mine, theirs, rng.choice((1, 2)))
            if not game.target or max(position.scores) <= empty.board.target != position.scores[position.player - 1]:
                yield position


def truth(position: Position) -> Value:
    """What playing everything out says."""
    margin, plies = minimax(position)
    number = margin if position.game.territory else margin * (1000 - plies)
    return Value(number, number, position.game.territory)


@every_gear
@every_game
def test_values_are_what_playing_everything_out_gives(game: Game, gear: str) -> None:
    checked = 0
    for size in SIZES:
        for position in random_positions(game, size, 60 if gear == PLAIN else 30):
            if position.legal.bit_count() > PLAYABLE or len(position.moves) > PLAYABLE:
                continue
            solver = Solver(game, position.board, gear, memory=1 << 22)
            assert solver.value(position) == truth(position), repr(position)
            for move, value in solver.grade(position).items():
                after = truth(position.play(move))
                expected = -after.low if game.territory else -after.low - (1 if after.low < 0 else -1)
                assert value.low == value.high == expected, (repr(position), move)
            best = max((value.low for value in solver.grade(position).values()), default=None)
            if best is not None:
                assert best == solver.value(position).low
                assert solver.best(position, best) == [
                    move for move, value in solver.grade(position).items() if value.low == best
                ]
            checked += 1
    assert checked > 150


@every_game
def test_a_game_without_a_theory_is_solved_by_its_rules(game: Game) -> None:
    """A sixth game needs no theory: the search gives the same values without one, passes included."""
    stranger = dataclasses.replace(game, name="stranger")
    for gear in (PLAIN, FAST):
        for position in random_positions(game, "3x4", 20):
            if position.legal.bit_count() <= PLAYABLE:
                strange = dataclasses.replace(position, game=stranger)
                assert Solver(stranger, position.board, gear, 1 << 22).value(strange) == truth(position), repr(position)
