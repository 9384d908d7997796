"""Puzzles: one right move that does not look best, the same for everybody, quickly made."""

import io
import json
import random
import subprocess
import time
from datetime import date, timedelta
from itertools import count
from pathlib import Path

import pytest

import commands
from boards import every_game
from quintet.engines import make_engine
from quintet.engines.greedy import obvious_moves
from quintet.engines.kinds import LEVELS
from quintet.games import GAMES
from quintet.notation import read_position, sentence_label, write_position
from quintet.options import start
from quintet.record import write_record
from quintet.rules import Game
from quintet.solve.solver import Solver
from quintet.study.puzzles import (
    HARDEST,
    NoPuzzle,
    Puzzle,
    judge,
    make_puzzle,
    mistakes,
    puzzle_of_the_day,
    random_game,
    solution,
    today,
)
from quintet.study.reviews import review
from quintet.terminal.puzzle_dialogue import PROMPT, PuzzleDialogue

DAY = date(2026, 11, 15)
ASKED = 300


def quintet(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program with something typed."""
    return commands.quintet(*arguments, input=typed)


def check(puzzle: Puzzle) -> None:
    """A solver that knows nothing yet agrees that one move keeps the outcome."""
    position = puzzle.position
    values = Solver(position.game, position.board).grade(position)
    best = max(values.values())
    assert best.outcome in ("win", "draw") and puzzle.value == best and puzzle.moves == values
    assert [move for move in values if values[move].outcome == best.outcome] == list(puzzle.answers)
    assert 0 <= puzzle.rating <= HARDEST


@every_game
def test_one_move_wins_and_does_not_look_best(game: Game) -> None:
    begun = time.process_time()
    made = [make_puzzle(game, seed) for seed in range(8)]
    assert (time.process_time() - begun) / len(made) < 1
    for puzzle in made:
        check(puzzle)
        assert len(puzzle.answers) == 1 and len(puzzle.moves) >= 3
        assert puzzle.answers[0] not in obvious_moves(puzzle.position)
        right, why = judge(puzzle, puzzle.answers[0])
        assert right and why.startswith("Right: ") and solution(puzzle).startswith("Solution: ")
        for move in obvious_moves(puzzle.position):
            right, why = judge(puzzle, move)
            assert not right and why.startswith("Wrong: ") and " Then " in why
    assert len({write_position(puzzle.position) for puzzle in made}) > 2


@every_game
def test_a_seed_always_gives_the_same(game: Game) -> None:
    assert make_puzzle(game, 3) == make_puzzle(game, 3)


def test_a_draw_may_be_all_there_is_to_keep() -> None:
    game = GAMES["adjacent-claim"]
    made = [make_puzzle(game, seed, empty=start(game, "4x4")) for seed in range(20)]
    drawn = [puzzle for puzzle in made if puzzle.value.outcome == "draw"]
    assert drawn and all("keeps the draw" in puzzle.goal for puzzle in drawn)
    for puzzle in drawn:
        check(puzzle)


def test_a_rating_brings_the_nearest() -> None:
    game = GAMES["gridlock"]
    easy, hard = ([make_puzzle(game, seed, rating).rating for seed in range(5)] for rating in (1, HARDEST))
    assert sum(easy) + 5 < sum(hard) and make_puzzle(game, 1, 6).rating == 6


@every_game
def test_every_rating_brings_a_puzzle_where_there_is_one(game: Game) -> None:
    """Where the random games of a seed have few puzzles, too: never one further off than the first of them."""
    for seed in range(2):
        first = make_puzzle(game, seed).rating
        for rating in range(1, HARDEST + 1):
            assert abs(make_puzzle(game, seed, rating).rating - rating) <= abs(first - rating)
    run = quintet("puzzle", "grid-conquest", "--seed", "0", "--rating", "5", "--solution")
    assert run.returncode == 0 and run.stdout.startswith("No puzzle rated 5 was found; this is the closest.\n")


@every_game
def test_the_rating_counts_the_levels_that_miss_it(game: Game) -> None:
    """Each level is asked often; what it misses more often than not is its part of the rating."""
    puzzle = make_puzzle(game, 1)
    missed = []
    for who in LEVELS:
        level = make_engine(who, 1)
        assert level
        missed.append(sum(level.choose(puzzle.position) not in puzzle.answers for _ in range(ASKED)) / ASKED)
    clear = [share for share in missed if abs(share - 0.5) > 0.1]
    assert sum(share > 0.6 for share in clear) <= puzzle.rating <= sum(share > 0.4 for share in missed)
    assert missed[-1] == 0


def test_a_board_without_puzzles_says_so() -> None:
    with pytest.raises(NoPuzzle, match="no puzzle was found"):
        make_puzzle(GAMES["gridlock"], 1, empty=start(GAMES["gridlock"], "1x1"))
    run = quintet("puzzle", "gridlock", "--size", "1x1")
    assert run.returncode == 1 and run.stderr.startswith("quintet: no puzzle") and run.stderr.count("\n") == 1


def test_a_rating_that_was_not_found_is_said() -> None:
    for rating in (5, 2):
        made = make_puzzle("gridlock", 1, rating)
        shown = quintet("puzzle", "gridlock", "--seed", "1", "--rating", str(rating), "--solution").stdout
        assert f"rating {made.rating}\n" in shown
        assert shown.startswith(f"No puzzle rated {rating} was found") == (made.rating != rating)
    assert made.rating != rating


def test_the_puzzle_of_the_day_is_everybodys() -> None:
    days = [puzzle_of_the_day(DAY + timedelta(days=number)) for number in range(len(GAMES))]
    assert {puzzle.position.game.name for puzzle in days} == set(GAMES)
    assert days[0] == puzzle_of_the_day(DAY) and days[0].origin == "of 2026-11-15 (UTC)"
    shown = json.loads(quintet("puzzle", "--day", "2026-11-15", "--json", "--solution").stdout)
    assert read_position(shown["position"]) == days[0].position
    assert shown["answers"] == [days[0].position.label(move) for move in days[0].answers]


@pytest.mark.parametrize("zone", ["AHEAD-14", "BEHIND+12"])
def test_the_day_is_the_utc_date(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every hour the date in one of these zones is not the UTC date."""
    monkeypatch.setenv("TZ", zone)
    before, shown, after = today(), json.loads(quintet("puzzle", "--json").stdout)["day"], today()
    assert before.isoformat() <= shown <= after.isoformat()
    assert "puzzle of 2026-11-16 (UTC)" in quintet("puzzle", "--day", "2026-11-16").stdout


def test_sixty_days_in_the_dialogue() -> None:
    for day in (DAY + timedelta(days=number) for number in range(60)):
        puzzle = puzzle_of_the_day(day)
        position, [right] = puzzle.position, puzzle.answers
        wrong = next(move for move in position.moves if move != right)
        head, verdict, answer = dialogue(puzzle, position.label(wrong), sentence_label(position, right))
        assert f"{position.game.title} {position.board.size}, puzzle of {day} (UTC)" in head
        assert str(position) in head and puzzle.goal in head
        assert verdict.startswith(f"Wrong: {sentence_label(position, wrong)} ")
        assert answer.startswith(f"Right: {sentence_label(position, right)} ")
        assert sentence_label(position, right) in dialogue(puzzle, "solution")[-1]


def dialogue(puzzle: Puzzle, *typed: str) -> list[str]:
    """What the program writes before the first line is typed, and after each line."""
    sink = io.StringIO()
    assert PuzzleDialogue(puzzle, io.StringIO("".join(f"{line}\n" for line in typed)), sink).run()
    return [text.strip("\n") for text in sink.getvalue().split(PROMPT)]


@every_game
def test_own_mistakes_become_puzzles(game: Game, tmp_path: Path) -> None:
    played = (random_game(start(game), random.Random(seed)) for seed in count(7))
    found = next(found for found in map(review, played) if found.turns)
    made = mistakes(found)
    assert [puzzle.position for puzzle in made] == [grade.position for grade in found.turns] and made
    for puzzle, grade in zip(made, found.turns, strict=True):
        check(puzzle)
        assert grade.move not in puzzle.answers and f"move {grade.ply}," in puzzle.origin
    whose = found.turns[0].player
    assert all(puzzle.position.player == whose for puzzle in mistakes(found, player=whose))
    path = tmp_path / "game.txt"
    path.write_text(write_record(found.match.record()))
    listed = json.loads(quintet("puzzle", "--from", str(path), "--json").stdout)
    assert [entry["position"] for entry in listed] == [write_position(puzzle.position) for puzzle in made]
    assert all("answers" not in entry for entry in listed)
    text = quintet("puzzle", "--from", str(path), "--solution").stdout
    assert text.count("Solution: ") == len(made)


def test_asking() -> None:
    puzzle = make_puzzle(GAMES["gridlock"], 4)
    right = puzzle.position.label(puzzle.answers[0])
    wrong = puzzle.position.label(obvious_moves(puzzle.position)[0])
    run = quintet("puzzle", "gridlock", "--seed", "4", typed=f"9 9\n\nfoo\n{wrong}\n{right}\n1 1\n")
    assert run.returncode == 0 and run.stderr == ""
    said = [run.stdout.index(word) for word in ("No such cell", "Name a cell", "Wrong: ", "Right: ")]
    assert said == sorted(said) and run.stdout.count("Right") == 1
    for typed in ("quit\n", "", "\xff\n"):
        run = quintet("puzzle", "gridlock", "--seed", "4", typed=typed)
        assert run.returncode == 0 and run.stderr == "" and "Right" not in run.stdout and "Solution" not in run.stdout
    assert "Solution: " in quintet("puzzle", "gridlock", "--seed", "4", typed="solution\n").stdout


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("chess", "no game called 'chess'"),
        ("gridlock --rating 11", "rating"),
        ("gridlock --day 2026-11-15", "choose one"),
        ("--from x --seed 3", "choose one"),
        ("gridlock --player 1", "--player needs --from"),
        ("--size 3x3", "board options need a game"),
        ("gridlock --target 3", "gridlock has no target option"),
        ("--day tomorrow", "--day: cannot read 'tomorrow'"),
        ("--from /no/such/file", "cannot read /no/such/file"),
    ],
)
def test_wrong_usage(arguments: str, error: str) -> None:
    run = quintet("puzzle", *arguments.split())
    assert run.returncode == 2 and run.stdout == "" and error in run.stderr and run.stderr.count("\n") == 1
