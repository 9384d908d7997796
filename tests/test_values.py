"""Exact values for learning: regrets against playing everything out."""

import random

import numpy as np
import pytest

from boards import every_game
from minimax import minimax
from quintet.envs.space import Space
from quintet.envs.values import MANY, exact_facts, regrets
from quintet.games import GAMES
from quintet.gears import FAST
from quintet.notation import read_position
from quintet.options import start
from quintet.rules import Game, IllegalMove, Position
from quintet.solve import oracle
from quintet.solve.oracle import oracle_of


def pairs(game: Game, sizes: tuple[str, ...], number: int) -> list[tuple[Position, int]]:
    """Random positions with a random action each."""
    rng = random.Random(game.name)
    found: list[tuple[Position, int]] = []
    while len(found) < number:
        position = start(game, rng.choice(sizes))
        while position.moves:
            move = rng.choice(position.moves)
            found.append((position, Space(position).action(move)))
            position = position.play(move)
    return found


@every_game
def test_regrets_are_what_playing_everything_out_gives(game: Game) -> None:
    batch = pairs(game, ("7", "2x3", "3x3"), 300)
    given = regrets(*zip(*batch, strict=True))
    for (position, action), regret, margin_loss in zip(batch, *given, strict=True):
        best = minimax(position)[0]
        got = -minimax(position.play(Space(position).move(action)))[0]
        assert regret == (np.sign(best) - np.sign(got)) / 2
        assert margin_loss == best - got if game.territory else np.isnan(margin_loss)
        optimal = exact_facts(position)["optimal_actions"][action]
        assert not optimal or regret == 0
        assert (margin_loss == 0) == optimal if game.territory else True
    assert given.regret.any() and not given.regret.all(), "both good and bad actions were tried"


@every_game
def test_large_batches_take_the_compiled_gear_and_get_the_same(game: Game) -> None:
    batch = pairs(game, ("3x3",), MANY)
    oracle.shared.clear()
    small = [regrets(*zip(*batch[i : i + 100], strict=True)) for i in range(0, len(batch), 100)]
    oracle.shared.clear()
    large = regrets(*zip(*batch, strict=True))
    assert oracle_of(batch[0][0], FAST).solver.nodes and not oracle_of(batch[0][0]).solver.nodes
    for part, whole in zip(zip(*small, strict=True), large, strict=True):
        np.testing.assert_array_equal(np.concatenate(part), whole)


def test_positions_of_many_games_in_one_batch() -> None:
    batch = [pair for game in GAMES.values() for pair in pairs(game, ("2x2",), 5)]
    given = regrets(*zip(*batch, strict=True))
    assert given.regret.shape == given.margin_loss.shape == (len(batch),)
    assert np.isnan(given.margin_loss).tolist() == [not position.game.territory for position, _ in batch]


def test_what_is_told_is_for_the_player_to_move() -> None:
    facts = exact_facts(read_position("adjacent-claim XO.. X"))
    assert (facts["value"], facts["margin"]) == (-1, -2) and facts["optimal_actions"].tolist() == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("action", [0, 4, -1])
def test_illegal_actions_have_no_regret(action: int) -> None:
    with pytest.raises(IllegalMove):
        regrets([read_position("gridlock X./.. O")], [action])


def test_every_position_needs_an_action() -> None:
    with pytest.raises(ValueError, match="zip"):
        regrets([start(GAMES["gridlock"])], [])
