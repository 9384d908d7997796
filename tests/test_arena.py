"""The arena: fair schedules, results that are kept, ratings that are right."""

import json
import math
import random
from pathlib import Path
from typing import Any, cast

import pytest

from commands import quintet
from quintet.arena import tournament as arena
from quintet.arena.ratings import SCALE, rate, wilson
from quintet.arena.results import Duel, InvalidResults, Result, read_results, save, write_result
from quintet.arena.standings import facts, rating_table, standing, tally
from quintet.arena.tournament import every_pair, neighbours, opening, play, run, schedule
from quintet.engines import EngineFault, make_engine
from quintet.games import GAMES
from quintet.notation import write_position
from quintet.options import start
from quintet.rules import Position

BOARDS = [write_position(start(game)) for game in GAMES.values()]


def test_every_opening_is_played_from_both_sides() -> None:
    duels = schedule(every_pair(("random", "greedy", "perfect")), BOARDS, 60)
    assert len(duels) == len(set(duels)) == 3 * 60
    begun: dict[tuple[str, int], set[Position]] = {}
    for duel in duels:
        assert duel.players[::-1] in {other.players for other in duels if other.opening == duel.opening}
        begun.setdefault((duel.board, duel.opening), set()).add(opening(duel))
    assert all(len(positions) == 1 for positions in begun.values())
    played = {(position.mine | position.theirs).bit_count() for positions in begun.values() for position in positions}
    assert min(played) == 0 and max(played) > 1
    assert len(schedule([("random", "greedy")], BOARDS[:1], 3)) == 4


def test_openings_leave_something_to_play() -> None:
    for game in GAMES.values():
        for size in ("1x1", "2x2", "3"):
            for duel in schedule([("random", "greedy")], [write_position(start(game, size))], 40):
                assert opening(duel).outcome is None or start(game, size).outcome
                assert play(duel).fault == ""


def test_processes_change_nothing() -> None:
    duels = schedule([("random", "greedy"), ("level:5", "random")], BOARDS, 20)
    alone = {result.duel: result for result in run(duels, 1, compiled=False)}
    together = {result.duel: result for result in run(duels, 2, compiled=False)}
    assert alone == together and len(alone) == len(duels)


def test_workers_print_the_same() -> None:
    """Whoever was faster: not a byte differs. `--jobs` is the old name of `--workers`."""
    words = ["arena", "--players", "level:3,random,greedy", "--games", "20"]
    for options in ([], ["--json"]):
        alone, together = quintet(*words, *options, "--workers", "1"), quintet(*words, *options, "--jobs", "2")
        assert alone.stdout == together.stdout and alone.returncode == 0


def test_a_fault_loses_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def choose(self, position: Position, seconds: float | None = None) -> int:
            if position.player == 1:
                raise EngineFault("no answer")
            return 1 << 999

        def close(self) -> None:
            pass

    monkeypatch.setattr(arena, "make_engine", lambda who, seed: Broken() if who == "broken" else make_engine(who, seed))
    results = [play(duel) for duel in schedule([("broken", "random")], [BOARDS[3]], 12)]
    assert all(result.points == (result.duel.players[0] == "random") for result in results)
    assert all("no answer" in result.fault or "not a legal move" in result.fault for result in results)
    found = standing(("broken", "random"), results)
    assert sum(found.faults.values()) == 12 and len(found.faults) > 1
    assert any("lost by broken: no answer" in line for line in rating_table(found))


def test_results_are_kept_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    words = ["arena", "--players", "random,greedy", "--game", "gridlock", "--games", "20", "--jobs", "1", "--json"]
    whole = quintet(*words)
    assert quintet(*words, "--out", str(path)).stdout == whole.stdout
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 20

    path.write_text("".join(lines[:7]) + lines[7][:25])
    assert quintet(*words, "--out", str(path)).stdout == whole.stdout
    assert path.read_text() == "".join(lines)

    path.write_text("".join(lines + lines))
    assert quintet(*words, "--out", str(path)).stdout == whole.stdout
    more = json.loads(quintet(*words[:-3], "--games", "30", "--json", "--out", str(path)).stdout)
    assert more["pairs"][0]["games"] == 30 and len(path.read_text().splitlines()) == 50


def test_a_file_that_holds_no_results_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    for text in ("Dear reader,\n", "Dear reader", "{}\n", '{"winner": 3}\n', "[1]\n", "\n"):
        path.write_text(text)
        run = quintet("arena", "--players", "random,greedy", "--games", "2", "--out", str(path))
        assert run.returncode == 2 and run.stderr.count("\n") == 1 and "nothing was changed" in run.stderr
        assert path.read_text() == text
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(InvalidResults):
        read_results(path)
    assert read_results(tmp_path / "none") == {}


def test_results_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "results"
    duels = schedule([("random", "exec:a b")], BOARDS, 20, 3, 0.5)
    results = [Result(duel, (1, 2, None)[i % 3], i, "why" * (i % 2)) for i, duel in enumerate(duels)]
    assert list(save(path, results)) == results
    assert list(read_results(path).values()) == results
    assert path.read_text() == "".join(map(write_result, results))


def test_ratings_recover_known_strengths() -> None:
    rng = random.Random(5)
    true = {"a": 300.0, "b": 120.0, "c": 0.0, "d": -70.0, "e": -350.0}
    points = {}
    for first, second in every_pair(list(true)):
        chance = 1 / (1 + math.exp((true[second] - true[first]) / SCALE))
        points[first, second] = (float(sum(rng.random() < chance for _ in range(2000))), 2000)
    rated = rate(list(true), points)
    assert [rating.player for rating in rated] == list(true)
    for rating in rated:
        assert abs(rating.rating - 1500 - true[rating.player]) < 25
        assert 3 < rating.margin < 25
    assert sum(rating.rating for rating in rated) / 5 == pytest.approx(1500)


def test_intervals_hold_what_they_promise() -> None:
    """Of many small tournaments, some 95 in 100 have the truth within their interval."""
    rng = random.Random(8)
    inside = 0
    for _ in range(400):
        won = float(sum(rng.random() < 0.64 for _ in range(100)))
        rated = {rating.player: rating for rating in rate(("a", "b"), {("a", "b"): (won, 100)})}
        ahead = rated["a"].rating - 1500
        inside += abs(ahead - SCALE * math.log(0.64 / 0.36) / 2) < rated["a"].margin
    assert 360 < inside < 395


def test_ratings_at_the_edges() -> None:
    swept = rate(("a", "b"), {("a", "b"): (50.0, 50)})
    assert swept[0].player == "a" and 1600 < swept[0].rating < 3000 and swept[0].margin > 100
    assert [rating.rating for rating in rate(("a", "b"), {})] == [1500, 1500]
    low, high = wilson(50, 100)
    assert low == pytest.approx(0.4038, abs=1e-3) and high == pytest.approx(0.5962, abs=1e-3)
    assert wilson(0, 0) == (0, 1) and wilson(10, 10)[1] == pytest.approx(1)


def test_tally_counts_both_sides_together() -> None:
    duels = schedule([("a", "b")], BOARDS[:1], 4)
    results = [Result(duel, winner, 9) for duel, winner in zip(duels, (1, 2, None, 1), strict=True)]
    assert tally(results) == {("a", "b"): (2.5, 4)}
    assert standing(("a", "b"), results).score("b", "a") == (1.5, 4)
    assert neighbours(("a", "b", "c")) == [("b", "a"), ("c", "b")]


def test_the_ladder_is_a_table() -> None:
    lines = quintet("arena", "--ladder", "--games", "10", "--jobs", "1").stdout.splitlines()
    assert len(lines) == 11 and lines[2].startswith("| level:2 | level:1 | 10 | ")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("", "name at least two players"),
        ("--players random", "name at least two players"),
        ("--players random,random", "name each player only once"),
        ("--players random,human", "a person cannot play"),
        ("--players random,level:11", "choose a level from"),
        ("--players random,greedy --game chess", "no game called"),
        ("--players random,greedy --size 0x0", "boards can be"),
        ("--players random,greedy --target 9", "has no target option"),
        ("--players random,greedy --games 0", "--games"),
        ("--ladder --players random,greedy", "leave out --players"),
        ("--players random,greedy --games 2 --out /no/such/folder/x", "cannot write"),
    ],
)
def test_wrong_usage_is_one_clear_line(arguments: str, error: str) -> None:
    run = quintet("arena", *arguments.split())
    assert run.returncode == 2 and run.stdout == ""
    assert error in run.stderr and run.stderr.count("\n") == 1


def test_a_plot_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ["arena", "--players", "random,greedy", "--game", "isolation", "--games", "4", "--jobs", "1", "--plot"]
    assert quintet(*words, str(tmp_path / "ratings.svg")).returncode == 0
    assert "<svg" in (tmp_path / "ratings.svg").read_text()
    run = quintet(*words, str(tmp_path / "no" / "where.svg"))
    assert run.returncode == 2 and "cannot write" in run.stderr and "greedy" in run.stdout


def test_benches_print_tables() -> None:
    lines = quintet("bench", "perfect", "--games", "13", "--jobs", "1").stdout.splitlines()
    assert len(lines) == 2 + 13 * len(GAMES) and lines[-1].split()[0] == "all" and lines[-1].split()[-1] == "0"
    words = ["bench", "perfect", "--size", "2x3,3x3,9x9", "--games", "1", "--time", "0.1", "--workers", "1"]
    lines = quintet(*words, "--game", "gridlock").stdout.splitlines()
    assert len(lines) == 1 + 3 * 3 + 3 + 1 and lines[-1].split() == ["all", "won", "boards", "9", "9", "0", "0"]
    assert ["won", "gridlock", "boards", "wins", "greedy", "3", "3", "0", "0"] in [line.split() for line in lines]
    words = ["bench", "perfect", "--size", "3x4", "--games", "2", "--against", "random", "--workers", "1"]
    sides = [line.split()[2:6] for line in quintet(*words, "--game", "adjacent-claim").stdout.splitlines()[1:-1]]
    assert sorted(sides) == [["1", "none", "random", "2"], ["2", "none", "random", "2"]]
    lines = quintet("bench", "arena", "--games", "10", "--jobs", "1", "--gear", "plain").stdout.splitlines()
    assert len(lines) == 2


def test_long_benches_can_be_continued(tmp_path: Path) -> None:
    words = ["bench", "perfect", "--game", "gridlock", "--size", "3x3", "--games", "2", "--cpu-time", "--workers", "1"]
    words += ["--time", "0.05", "--out", str(tmp_path / "games.jsonl"), "--against"]
    first = quintet(*words, "random").stdout
    played = (tmp_path / "games.jsonl").read_text()
    assert played.count("\n") == 2 and "3x3" in first
    assert quintet(*words, "random").stdout == first and (tmp_path / "games.jsonl").read_text() == played
    both = quintet(*words, "random,greedy").stdout
    assert both.splitlines()[-1].split() == ["all", "won", "boards", "4", "4", "0", "0"]
    assert (tmp_path / "games.jsonl").read_text().startswith(played)


def test_the_interval_of_a_pair_counts_openings_not_games() -> None:
    """Twenty openings that are not equally hard, from both sides: the games of a pair are not independent."""
    rng = random.Random(2)
    board, runs, covered, naive = write_position(start("gridlock")), 400, 0, 0
    for seed in range(runs):
        results = []
        for number in range(20):
            chance = rng.betavariate(0.1, 0.1)
            for players in (("a", "b"), ("b", "a")):
                first = (rng.random() < chance) == (players[0] == "a")
                results.append(Result(Duel(board, players, number, seed), 1 if first else 2, 5))
        found = standing(("a", "b"), results)
        [pair] = cast(list[dict[str, Any]], facts(found)["pairs"])
        assert pair["games"] == 40 and 1 < pair["openings"] <= 20
        covered += pair["interval"][0] <= 0.5 <= pair["interval"][1]
        low, high = wilson(pair["points"], 40)
        naive += low <= 0.5 <= high
    assert 0.92 <= covered / runs <= 0.99 and naive / runs < 0.9, (covered, naive)
    assert "different openings" in rating_table(found)[-1]
    one = standing(("a", "b"), results[:2])
    assert cast(list[dict[str, Any]], facts(one)["pairs"])[0]["interval"] == [0, 1]
