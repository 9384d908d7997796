"""Scores: the arithmetic of the intervals, and known policies that get what theory says."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from boards import every_game
from minimax import minimax
from quintet.arena.ratings import student, wilson
from quintet.engines import Engine, make_engine
from quintet.engines.perfect import best_choices
from quintet.games import GAMES
from quintet.llm.agents import Agent, Answer, engine_agent
from quintet.llm.episode import play_episode, read_episode, result_of, write_episode
from quintet.llm.par import par
from quintet.llm.scorers import score_episode
from quintet.llm.scores import SCORES, Estimate, Row, difference, estimate, pass_at, passes_by_tries, summarize
from quintet.llm.statistics import Statistics, read_statistics, write_statistics
from quintet.notation import read_position
from quintet.options import start
from quintet.rules import PASS, Game, Position, play_all
from quintet.solve.oracle import oracle_of
from quintet.suites.samples import (
    LEVELS,
    SampleSpec,
    TooFewPositions,
    game_samples,
    position_samples,
)
from quintet.suites.suite import VERSIONS, UnknownSuite, load_suite
from quintet.text.openings import is_critical

SMALL = {"isolation": "7"}
"""Boards small enough to be played out; 3x3 where nothing is said."""
RUNS = 1_500
"""Simulated reports behind a figure of coverage."""
SUITES = {"quick": (("level:4", "perfect"), 4, 4), "full": (("random", "level:5", "perfect"), 10, 20)}
"""The opponents, the games against each and the positions of each difficulty, on every board."""


def small(game: Game) -> Position:
    return start(game, SMALL.get(game.name, "3x3"))


def engine(who: str, seed: int) -> Engine:
    found = make_engine(who, seed)
    assert found
    return found


def run(case: SampleSpec, agent: Agent) -> Statistics:
    async def whole() -> Statistics:
        return await score_episode(case, await play_episode(case, agent))

    return asyncio.run(whole())


def rows(cases: Sequence[SampleSpec], who: str) -> list[Row]:
    return [(case.id, run(case, engine_agent(engine(who, case.agent_seed)))) for case in cases]


async def no_answer(position: Position, moves: Sequence[int]) -> Answer:
    return Answer(None, 3, "nothing was said")


# --- Intervals


def test_students_quantiles() -> None:
    table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042, 100: 1.984}
    for freedom, quantile in table.items():
        assert student(freedom) == pytest.approx(quantile, rel=0.01)


def test_one_game_is_one_cluster() -> None:
    turns = [("a", 3, 4), ("b", 0, 4), ("c", 2, 4), ("d", 4, 4)]
    facts = [(name, Statistics(regret=top, critical_turns=bottom)) for name, top, bottom in turns]
    found = estimate(facts, SCORES["regret"])
    assert found and found.value == pytest.approx(9 / 16) and found.total == 16
    # By hand: residuals 0.75, -2.25, -0.25, 1.75; variance 4/3 * 8.75 / 16^2.
    variance = 4 / 3 * 8.75 / 256
    trials = found.value * (1 - found.value) / variance
    assert found[1:3] == pytest.approx(wilson(9 / 16 * trials, trials, student(3)))
    doubled = [(name, Statistics(regret=2 * top, critical_turns=2 * bottom)) for name, top, bottom in turns]
    more = estimate(doubled, SCORES["regret"])
    assert more and more[:3] == pytest.approx(found[:3])  # Twice the turns of the same games tell nothing more.
    repeated = [*facts, *facts]
    assert estimate(repeated, SCORES["regret"])[:3] == pytest.approx(found[:3])  # type: ignore[index]


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = random.Random(5)
    held = 0
    for _ in range(400):
        facts = []
        for game in range(25):
            chance = rng.choice((0.1, 0.5))
            turns = rng.randint(1, 6)
            lost = sum(rng.random() < chance for _ in range(turns))
            facts.append((str(game), Statistics(regret=lost, critical_turns=turns)))
        found = estimate(facts, SCORES["regret"])
        assert found
        held += found.low <= 0.3 <= found.high
    assert 0.91 <= held / 400 <= 0.99


def test_nothing_counted_is_no_score_and_one_game_says_nothing() -> None:
    assert estimate([("a", Statistics())], SCORES["regret"]) is None
    assert estimate([("a", Statistics(regret=1, critical_turns=2))], SCORES["regret"]) == Estimate(0.5, 0, 1, 2)


def test_a_perfect_score_is_not_certain() -> None:
    found = estimate([(str(i), Statistics(legal=9, answers=9)) for i in range(10)], SCORES["legality"])
    assert found and found.value == 1 and 0.6 < found.low < 0.8  # As ten trials, not as ninety.


# --- Sums


@every_game
def test_sums_are_those_of_the_rules_played_out(game: Game) -> None:
    rng = random.Random(1)
    (case, *_) = game_samples([small(game)], ["random"], 1, "1", 3)

    async def chosen(position: Position, moves: Sequence[int]) -> Answer:
        return Answer(rng.choice(position.moves), rng.randint(1, 3))

    played = asyncio.run(play_episode(case, chosen))
    sums = asyncio.run(score_episode(case, played))

    def worth(position: Position, move: int) -> tuple[int, float]:
        margin = -minimax(position.play(move))[0]
        return margin, 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0

    stakes = regret = luck = 0.0
    for turn in played.turns(case):
        assert turn.move is not None
        found = {move: worth(turn.position, move)[1] for move in turn.position.moves}
        if min(found.values()) < max(found.values()):
            stakes += 1
            regret += max(found.values()) - found[turn.move]
            luck += max(found.values()) - sum(found.values()) / len(found)
    assert (sums.critical_turns, sums.regret) == (stakes, regret) and sums.random_regret == pytest.approx(luck)
    assert sums.answers == sum(played.answers) and sums.legal == len(played.answers) and not sums.faults
    assert read_episode(case, write_episode(case, played, "random")) == played
    assert read_statistics(write_statistics(sums)) == sums


def test_logs_have_the_published_names() -> None:
    names = (
        "games points par doubt swing faults answers legal stakes regret luck choices optimal margins cells wins kept"
    )
    assert list(write_statistics(Statistics())) == [*names.split(), "held", "tries", "passes"]
    old = {"points": 1, "doubt": 0.25, "stakes": 3, "luck": 1.5, "margins": 2, "cells": 7}
    read = read_statistics(old)
    assert (read.points, read.par_variance, read.critical_turns) == (1, 0.25, 3)
    assert (read.random_regret, read.margin_turns, read.margin_loss, read.games) == (1.5, 2, 7, 0)


def test_an_opponent_without_a_legal_move_loses() -> None:
    case = SampleSpec("x", "gridlock .../.../... X", 1, "python:scripted_player:broken", 0, "broken")
    episode = asyncio.run(play_episode(case, engine_agent(engine("random", 1))))
    assert "KeyError" in episode.opponent_fault and not episode.fault and len(episode.moves) == 1
    assert read_episode(case, write_episode(case, episode, "random")) == episode
    assert result_of(case, episode) == 1


def test_no_legal_move_loses_and_gives_everything_away() -> None:
    cases = game_samples([start(GAMES["gridlock"], "3x3")], ["random"], 8, "both", 0)
    sums = [run(case, no_answer) for case in cases]
    assert all((one.points, one.faults, one.legal, one.answers, one.kept) == (0, 1, 0, 3, 0) for one in sums)
    asked = position_samples([start(GAMES["gridlock"], "3x3")], 2, 0)
    found = summarize((case.id, run(case, no_answer)) for case in asked)
    assert found["regret"].value == 1 and found["optimal"].value == 0 and "score" not in found


# --- Known policies


@every_game
def test_perfect_play_gets_par_and_regrets_nothing(game: Game) -> None:
    cases = game_samples([small(game)], ["perfect", "random"], 8, "both", 0)
    played = rows(cases, "perfect")
    found = summarize(played)
    assert found["to_par"].low <= 0 <= found["to_par"].high
    assert found["faults"].value == 0 and found["legality"].value == 1
    against = {case.id: case.opponent for case in cases}
    exact = summarize(row for row in played if against[row[0]] == "perfect")["to_par"]
    assert exact.value == 0 and exact.low < 0 < exact.high, "exactly par, and not certain to be so in other games"
    for name, best in (("regret", 0), ("optimal", 1), ("kept", 1), ("cells", 0)):
        assert name not in found or found[name].value == best
    for case in cases:
        value = minimax(case.start)[0] * (1 if case.start.player == case.player else -1)
        mean, doubt, swing = asyncio.run(par(case))
        if case.opponent == "perfect":
            assert mean == (1 if value > 0 else 0.5 if value == 0 else 0) and doubt == swing == 0
        else:
            assert mean >= (1 if value > 0 else 0.5 if value == 0 else 0) and 0 < 16 * doubt < swing < 0.27


def test_par_holds_what_perfect_play_can_expect() -> None:
    """Against a random opponent, worked out over the whole tree."""

    @cache
    def expect(position: Position, me: int) -> float:
        if position.outcome:
            return float(position.outcome.winner == me)
        moves: Sequence[int] = position.moves
        if position.player == me:
            moves = oracle_of(position).ask(best_choices, position)
        return sum(expect(position.play(move), me) for move in moves) / len(moves)

    cases = game_samples([start(GAMES["gridlock"], "3x3")], ["random"], 60, "both", 0)
    found = summarize(rows(cases, "random"))["par"]
    exact = sum(expect(case.start, case.player) for case in cases) / len(cases)
    assert found.low <= exact <= found.high and 0 < found.high - found.low < 0.06
    certain = game_samples([start(GAMES["gridlock"], "3x3")], ["perfect"], 8, "both", 0)
    exactly = summarize(rows(certain, "random"))["par"]
    assert exactly.low == exactly.value == exactly.high


@pytest.mark.parametrize("opponent", ["random", "perfect"])
def test_random_play_gets_its_exact_expectation(opponent: str) -> None:
    """What a random player regrets and scores against a known opponent, worked out over the whole tree."""
    empty = start(GAMES["gridlock"], "3x3")

    def replies(position: Position) -> Sequence[int]:
        if opponent == "random":
            return position.moves
        return oracle_of(position).ask(best_choices, position)

    @cache
    def expect(position: Position, me: int) -> tuple[float, float, float]:
        """Points, regret and turns at stake, from here on."""
        if position.outcome:
            return float(position.outcome.winner == me), 0.0, 0.0
        moves = position.moves if position.player == me else replies(position)
        after = [expect(position.play(move), me) for move in moves]
        points, regret, stakes = (sum(column) / len(after) for column in zip(*after, strict=True))
        if position.player == me:
            wins = [minimax(position.play(move))[0] < 0 for move in moves]
            if any(wins) and not all(wins):
                regret += 1 - sum(wins) / len(wins)
                stakes += 1
        return points, regret, stakes

    cases = game_samples([empty], [opponent], 400, "both", 0)
    found = summarize(rows(cases, "random"))
    exact = [expect(case.start, case.player) for case in cases]
    points, regret, stakes = (sum(column) for column in zip(*exact, strict=True))
    assert found["score"].low <= points / len(cases) <= found["score"].high
    assert found["regret"].low <= regret / stakes <= found["regret"].high
    assert found["regret"].low <= found["guessing"].value <= found["regret"].high
    assert found["regret"].high - found["regret"].low < 0.15  # Narrow enough to mean something.


def test_a_difference_is_taken_sample_by_sample() -> None:
    """Two players who differ a little on samples of very different difficulty."""
    rng = random.Random(5)
    hard = [rng.random() for _ in range(40)]
    one, other = ([(str(i), Statistics(games=1, points=p + more)) for i, p in enumerate(hard)] for more in (0.1, 0.0))
    found = difference(one, other, SCORES["score"])
    assert found and found.value == pytest.approx(0.1) and 0 < found.low < 0.1 < found.high < 0.2
    alone = [estimate(rows, SCORES["score"]) for rows in (one, other)]
    assert alone[0] and alone[1] and alone[0].low < alone[1].high, "the intervals of their own overlap"
    assert difference(one, [(id, Statistics()) for id, _ in other], SCORES["score"]) is None


def simulated(rng: random.Random, number: int, skill: tuple[float, float]) -> list[Row]:
    """Games from openings that are not equally hard, each from its won seat and from its lost one."""
    rows = []
    for cluster in range(number):
        hardness = rng.betavariate(*skill)
        for chance in (hardness, hardness / 10):
            turns = rng.randint(1, 6)
            lost = sum(rng.random() > hardness for _ in range(turns))
            points = float(rng.random() < chance)
            par = float(chance == hardness)
            rows.append((str(cluster), Statistics(games=1, points=points, par=par, critical_turns=turns, regret=lost)))
    return rows


@pytest.mark.parametrize("number", [20, 75])
@pytest.mark.parametrize("skill", [(0.5, 0.5), (2, 2), (6, 3)])
def test_intervals_cover_the_truth_as_often_as_they_say(number: int, skill: tuple[float, float]) -> None:
    """The number of openings of the suites, agents from unsteady to steady."""
    rng = random.Random(f"{number} {skill}")
    mean = skill[0] / sum(skill)
    truth = {"score": mean * 1.1 / 2, "regret": 1 - mean, "to_par": mean * 1.1 / 2 - 0.5, "difference": 0.0}
    covered = dict.fromkeys(truth, 0)
    for _ in range(RUNS):
        rows, others = simulated(rng, number, skill), simulated(rng, number, skill)
        for name, value in truth.items():
            found = difference(rows, others, SCORES["score"]) if name == "difference" else estimate(rows, SCORES[name])
            assert found
            covered[name] += found.low <= value <= found.high
    assert all(0.93 <= covered[name] / RUNS <= 0.97 for name in ("score", "regret")), covered
    assert all(0.93 <= covered[name] / RUNS <= 0.99 for name in ("to_par", "difference")), covered


def test_pass_at_k_is_the_share_of_choices_with_a_pass() -> None:
    rows = [("x", Statistics(tries=4, passes=1)), ("y", Statistics(tries=4, passes=0)), ("z", Statistics())]
    found = {k: share.value for k, share in passes_by_tries(rows).items()}
    assert found == {1: pytest.approx(1 / 8), 2: pytest.approx(1 / 4), 4: pytest.approx(1 / 2)}
    assert pass_at(rows, 5) is None and passes_by_tries([("x", Statistics(tries=1, passes=1))]) == {}


@pytest.mark.parametrize("k", [1, 4])
def test_the_interval_of_pass_at_k_counts_openings_not_tries(k: int) -> None:
    """Twenty openings that are not equally hard, two seats each, eight tries: the interval covers the truth."""
    rng = random.Random(k)
    draws = [rng.betavariate(0.5, 1) for _ in range(100_000)]
    truth = sum(1 - (1 - chance) ** k for chance in draws) / len(draws)
    covered, naive = 0, 0
    for _ in range(RUNS):
        rows = []
        for opening in range(20):
            chance = rng.betavariate(0.5, 1)
            for _ in range(2):
                passes = sum(rng.random() < chance for _ in range(8))
                rows.append((str(opening), Statistics(tries=8, passes=passes)))
        found = pass_at(rows, k)
        assert found and found.total == 40
        covered += found.low <= truth <= found.high
        low, high = wilson(found.value * 320, 320)
        naive += low <= truth <= high
    assert 0.93 <= covered / RUNS <= 0.97 and naive / RUNS < 0.8, (covered, naive)


@pytest.mark.parametrize(("number", "chance"), [(20, 0.98), (75, 0.99), (20, 0.02)])
def test_nothing_is_certain_because_it_was_always_so(number: int, chance: float) -> None:
    """Agents that win or lose nearly everything: often without any spread."""
    rng = random.Random(f"{number} {chance}")
    covered = 0
    for _ in range(500):
        rows = [(str(i), Statistics(games=1, points=float(rng.random() < chance), par=1)) for i in range(number)]
        found, apart = estimate(rows, SCORES["to_par"]), difference(rows, rows, SCORES["score"])
        assert found and apart and found.low < found.high and apart.low < 0 < apart.high
        covered += found.low <= chance - 1 <= found.high
    assert covered / 500 >= 0.95


# --- Cases


@every_game
def test_positions_have_something_at_stake_and_grow_harder(game: Game) -> None:
    cases = position_samples([start(game)], 3, 7)
    assert [case.level for case in cases] == [level for level in LEVELS for _ in range(3)]
    assert len({case.position for case in cases}) == len({case.id for case in cases}) == 9
    assert all(is_critical(case.start) and case.start.player == case.player for case in cases)
    assert cases == position_samples([start(game)], 3, 7) != position_samples([start(game)], 3, 8)


def test_a_board_with_nothing_at_stake_has_no_positions() -> None:
    with pytest.raises(TooFewPositions, match="too few"):
        position_samples([start(GAMES["gridlock"], "1x2")], 1, 0)


@pytest.mark.parametrize("name", VERSIONS)
def test_suites_hold_what_they_say(name: str) -> None:
    suite = load_suite(name)
    opponents, number, of_each = SUITES[name]
    assert suite == load_suite(f"{name}-{VERSIONS[name]}")
    assert len(suite.games) == len(GAMES) * len(opponents) * number
    assert len(suite.positions) == len(GAMES) * len(LEVELS) * of_each
    assert len({case.id for case in suite.games + suite.positions}) == len(suite.games) + len(suite.positions)
    assert {case.opponent for case in suite.games} == set(opponents)
    assert all(is_critical(read_position(case.position)) for case in suite.positions)
    for case in suite.games:
        empty = Position(case.start.game, case.start.board)
        assert play_all(empty, case.opening_moves) == case.start
        assert is_critical(case.start)
    seats = Counter((case.cluster, case.player) for case in suite.games)
    openings = {cluster for cluster, _ in seats}
    assert set(seats.values()) == {1} and len(seats) == 2 * len(openings), "each opening once from each seat"
    assert len({case.cluster for case in suite.positions}) == len(suite.positions)
    movers = Counter(case.start.player for case in suite.games)
    assert abs(movers[1] - movers[2]) <= 2 * len(GAMES)


@pytest.mark.parametrize("name", ["", "slow", "quick-99", "quick-x", "../quick-2"])
def test_unknown_suites_are_refused(name: str) -> None:
    with pytest.raises(UnknownSuite, match="choose quick or full"):
        load_suite(name)


def test_a_forced_pass_asks_nobody() -> None:
    case = SampleSpec("x", "adjacent-claim XO./OO./... X", 1, "perfect", 0, "perfect")
    assert case.start.must_pass
    asked: list[Position] = []

    async def first(position: Position, moves: Sequence[int]) -> Answer:
        asked.append(position)
        return Answer(position.moves[0])

    played = asyncio.run(play_episode(case, first))
    assert all(not position.must_pass for position in asked)
    assert played.moves[0] == PASS and len(played.answers) == len(asked)
    assert asyncio.run(score_episode(case, played)).games == 1
