"""One definition of regret: every surface gives the same points for the same move of the same position."""

import random
from collections.abc import Iterator

import gymnasium
import numpy as np
import pytest

import quintet
import quintet.envs
from boards import every_game
from minimax import minimax
from quintet.envs.space import Space
from quintet.envs.values import exact_facts, regrets
from quintet.games import GAMES
from quintet.llm.statistics import Turn, collect
from quintet.match import Match
from quintet.notation import read_position
from quintet.options import start
from quintet.rules import Game, IllegalMove, Position
from quintet.solve.regret import margin_loss, points_of, regret
from quintet.solve.value import Value
from quintet.study.reviews import review

SIZE = "7"
"""A board on which every game has good and bad moves, small enough to be played out."""
DRAWN = ("grid-conquest X.../XX.. O", "adjacent-claim XX.O/.... O", "adjacent-claim .... X")
"""Positions that are a draw with best play and a loss after a mistake."""


def matches(game: Game, number: int = 6) -> Iterator[Match]:
    """Random games on a small board."""
    for seed in range(number):
        rng = random.Random(seed)
        match = Match(start(game, SIZE))
        while match.position.moves:
            match.play(rng.choice(match.position.moves))
        yield match


def plain_points(position: Position) -> float:
    """What a position is worth to the player to move, by playing everything out."""
    margin = minimax(position)[0]
    return 0.5 if margin == 0 else float(margin > 0)


def info_points(position: Position) -> float:
    """The same, from the value that environments tell; of a finished game, from its outcome."""
    if position.outcome:
        return 0.5 if position.outcome.winner is None else float(position.outcome.winner == position.player)
    return (exact_facts(position)["value"] + 1) / 2


@every_game
def test_all_surfaces_agree(game: Game) -> None:
    seen = set()
    for match in matches(game):
        grades = review(match).grades
        batch = regrets(
            match.positions[:-1], [Space(p).action(m) for p, m in zip(match.positions, match.moves, strict=False)]
        )
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
            after = position.play(move)
            expected = plain_points(position) - (1 - plain_points(after))
            statistics = collect([Turn(position, move)], whole_game=False)
            assert regret(position, move) == expected
            assert quintet.regret(position, move) == expected
            assert batch.regret[ply] == expected
            assert statistics.regret == expected
            assert info_points(position) - (1 - info_points(after)) == expected
            assert 0 <= expected <= 1
            if grades[ply].judged:
                assert grades[ply].regret == expected
            lost = margin_loss(position, move)
            if game.territory:
                assert lost == minimax(position)[0] + minimax(after)[0]
                assert batch.margin_loss[ply] == statistics.margin_loss == lost
            else:
                assert lost is None and np.isnan(batch.margin_loss[ply]) and not statistics.margin_turns
            seen.add(expected)
    assert {0, 1} <= seen


@pytest.mark.parametrize("text", DRAWN)
def test_a_draw_is_half_a_point(text: str) -> None:
    position = read_position(text)
    assert plain_points(position) == info_points(position) == 0.5
    for move in position.moves:
        expected = 0.5 - (1 - plain_points(position.play(move)))
        given = regrets([position], [Space(position).action(move)])
        (grade,) = review(Match(position, [move])).grades
        assert regret(position, move) == given.regret[0] == grade.regret == expected
        assert collect([Turn(position, move)], whole_game=False).regret == expected
    assert {regret(position, move) for move in position.moves} == {0, 0.5}


@every_game
def test_the_environment_tells_the_same(game: Game) -> None:
    env = gymnasium.make(f"quintet.envs:{game.title.replace(' ', '')}-v0", size=SIZE, exact=True).unwrapped
    rng = np.random.default_rng(1)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        while "value" in info:
            position: Position = env.get_wrapper_attr("position")
            given = [regret(position, move) for move in position.moves]
            assert (info["value"] + 1) / 2 == plain_points(position)
            for move, lost in zip(position.moves, given, strict=True):
                assert not info["optimal_actions"][Space(position).action(move)] or lost == 0
            *_, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))


def test_an_illegal_move_has_no_regret() -> None:
    position = start(GAMES["gridlock"]).play(1)
    with pytest.raises(IllegalMove):
        regret(position, 1)
    with pytest.raises(IllegalMove):
        margin_loss(position, 1)


def test_an_unknown_outcome_has_no_points() -> None:
    with pytest.raises(ValueError, match="not known"):
        points_of(Value(-3, 5, True))
