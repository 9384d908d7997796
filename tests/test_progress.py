"""Progress is counted from reviews: the same accuracy, every fault once by size, by phase and by kind."""

import random
from collections import Counter

import msgspec
import pytest
from sqlalchemy import update

from boards import every_game
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_move
from quintet.options import start
from quintet.rules import Game
from quintet.store.finished import beaten_levels, finished_games
from quintet.store.matches import Store
from quintet.store.schema import MATCHES
from quintet.study.progress import (
    KINDS,
    PHASES,
    RECENT,
    SIZES,
    Played,
    PlayedGame,
    PuzzleCount,
    accuracy,
    played_game,
    progress_report,
)
from quintet.study.reviews import review

SMALL = {"isolation": "1x9", "gridlock": "3x3", "grid-conquest": "3x3", "adjacent-claim": "3x3", "point-capture": "3x3"}


def random_game(game: Game, seed: int) -> Match:
    match, rng = Match(start(game, SMALL[game.name])), random.Random(seed)
    while not match.outcome:
        match.play(rng.choice(match.position.moves))
    return match


def one(when: str, best: int, judged: int = 10, game: str = "gridlock", **counts: dict[str, int]) -> PlayedGame:
    found = {"sizes": {}, "phases": {}, "kinds": {}, **counts}
    return msgspec.convert(
        {"game": game, "when": when, "result": "won", "judged": judged, "best": best, **found},
        PlayedGame,
    )


@every_game
def test_faults_are_those_of_the_review(game: Game) -> None:
    for seed in range(4):
        found = review(random_game(game, seed))
        for player in (1, 2):
            played = played_game(found, player, "2026-01-02T03:04:05+00:00")
            faults = [grade for grade in found.judged(player) if grade.fault]
            assert Counter(played.sizes) == Counter(grade.kind for grade in faults)
            assert sum(played.phases.values()) == sum(played.kinds.values()) == len(faults)
            assert played.kinds.get("cells", 0) == played.sizes.get("inaccuracy", 0)
            assert accuracy([played]) == found.accuracy(player)
            winner = found.match.outcome and found.match.outcome.winner
            assert played.result == ("draw" if not winner else "won" if winner == player else "lost")
            assert msgspec.json.decode(msgspec.json.encode(played), type=PlayedGame) == played


def test_a_report_adds_up() -> None:
    games = [one(f"2026-01-{day:02}", best=day) for day in range(10, 0, -1)]
    games.append(one("2026-01-11", 0, judged=0, game="isolation"))
    games.append(one("2026-01-12", 3, sizes={"blunder": 2}, phases={"ending": 2}, kinds={"win": 1, "draw": 1}))
    games.append(one("2026-01-13", 3, game="chess"))
    report = progress_report(games, [PuzzleCount("gridlock", 3, 2, 2), PuzzleCount("gridlock", 5, 1, 0)])
    assert (report.played, report.won, report.lost, report.judged) == (12, 12, 0, 110)
    assert report.accuracy == pytest.approx(58 / 110)
    assert [point.accuracy for point in report.points][:3] == [0.1, 0.2, 0.3], "the oldest is first"
    assert report.points[9].recent == pytest.approx(sum(range(11 - RECENT, 11)) / RECENT / 10)
    assert [(row.title, row.played, row.accuracy) for row in report.games] == [
        ("Isolation", 1, None),
        ("Gridlock", 11, 58 / 110),
    ]
    assert [row.count for row in report.sizes] == [0, 0, 2] and [row.count for row in report.phases] == [0, 0, 2]
    assert [(row.name, row.count) for row in report.kinds] == [("win", 1), ("draw", 1), ("cells", 0)]
    assert len(report.sizes) == len(SIZES) and len(report.phases) == len(PHASES) and len(report.kinds) == len(KINDS)
    assert (report.tried, report.solved) == (3, 2)
    assert [(row.title, row.tried, row.solved) for row in report.ratings] == [("3", 2, 2), ("5", 1, 0)]


def test_without_games_there_is_nothing_to_count() -> None:
    report = progress_report([])
    assert report.played == report.tried == 0 and report.accuracy is None and not report.points and not report.games


@pytest.mark.parametrize(
    "body",
    [
        b'{"games": [{"game": "gridlock"}]}',
        b'{"games": 3}',
        b'{"puzzles": [{"game": "gridlock", "rating": 99, "tried": 1, "solved": 1}]}',
        b'{"puzzles": [{"game": "gridlock", "rating": 9, "tried": 1, "solved": 1, "more": 1}]}',
        b'{"more": []}',
    ],
)
def test_what_is_not_progress_is_refused(body: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=Played)


def test_the_store_knows_whom_a_person_has_beaten() -> None:
    def play(store: Store, game: str, moves: str, players: tuple[str, str], size: str = "2x1") -> None:
        match = Match(start(GAMES[game], size), names=players)
        id = store.begin(match, players)
        for move in moves.split():
            match.play(read_move(match.position, move.replace(",", " ")))
            store.append(id, match.ply - 1, match.moves[-1])

    with Store() as store:
        assert beaten_levels(store) == {} and finished_games(store) == []
        play(store, "grid-conquest", "0,0", ("human", "level:3"))
        play(store, "grid-conquest", "0,0", ("human", "level:1"))
        play(store, "grid-conquest", "0,0", ("level:4", "human"))
        play(store, "grid-conquest", "0,0", ("level:1", "level:2"))
        play(store, "grid-conquest", "0,0", ("human", "human"))
        play(store, "grid-conquest", "0,0", ("human", "greedy"))
        play(store, "grid-conquest", "", ("human", "level:5"))
        begun = Match(start(GAMES["grid-conquest"], "3x1"))
        begun.play(begun.position.moves[0])
        later = Match(begun.position, names=("level:9", "human"))
        id = store.begin(later, ("level:9", "human"))
        later.play(later.position.moves[0])
        store.append(id, 0, later.moves[0])
        store.finish(id, later)
        assert beaten_levels(store) == {"grid-conquest": [1, 3]}
        own = finished_games(store)
        assert len(own) == 5 and {game.opponent for game in own} == {
            "level:1",
            "level:3",
            "level:4",
            "level:9",
            "greedy",
        }
        assert {game.player for game in own} == {1, 2} and all(store.load(game.id).outcome for game in own)
        with store.transaction(writing=True) as connection:
            connection.execute(update(MATCHES).values(start=b"damaged"))
        assert beaten_levels(store) == {} and finished_games(store) == []
