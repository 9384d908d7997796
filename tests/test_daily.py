"""The puzzle of the day as a ritual: its number, three tries, a streak, a text to share; saved on this machine."""

import json
import subprocess
from datetime import UTC, date, datetime, timedelta

import pytest

import commands
from quintet.store.database import StoreFault
from quintet.store.matches import Store
from quintet.store.puzzle_results import puzzle_results, result_of_day, save_puzzle_result
from quintet.study.daily import PuzzleResult, share_text, streak
from quintet.study.puzzles import FIRST_DAY, TRIES, NoPuzzle, check_day, day_number, puzzle_of_the_day, today

DAY = date(2026, 11, 15)


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def solved(day: date, tries: int = 1, late: int = 0) -> PuzzleResult:
    return PuzzleResult(day, "gridlock", 5, tries, True, noon(day + timedelta(late)))


def failed(day: date) -> PuzzleResult:
    return PuzzleResult(day, "gridlock", 5, TRIES, False, noon(day))


def test_the_number_counts_the_days() -> None:
    assert day_number(FIRST_DAY) == 1 and day_number(DAY) == puzzle_of_the_day(DAY).number == 319
    shown = json.loads(quintet("puzzle", "--day", str(DAY), "--json").stdout)
    assert shown["number"] == 319 and shown["day"] == str(DAY)
    assert json.loads(quintet("puzzle", "gridlock", "--seed", "1", "--json").stdout)["number"] is None


def test_only_days_that_have_come_have_a_puzzle() -> None:
    check_day(FIRST_DAY, DAY)
    check_day(DAY, DAY)
    with pytest.raises(NoPuzzle, match="the puzzle of 2026-11-16 is not out yet; today is 2026-11-15 in UTC"):
        check_day(DAY + timedelta(1), DAY)
    with pytest.raises(NoPuzzle, match="the first puzzle of the day was that of 2026-01-01"):
        check_day(FIRST_DAY - timedelta(1), DAY)
    run = quintet("puzzle", "--day", str(today() + timedelta(2)))
    assert run.returncode == 1 and "is not out yet" in run.stderr and run.stderr.count("\n") == 1


def test_three_tries() -> None:
    begun = PuzzleResult(DAY, "gridlock", 5, 0, None, noon(DAY))
    once = begun.after(False, noon(DAY))
    assert (once.tries, once.solved) == (1, None)
    right, twice = once.after(True, noon(DAY)), once.after(False, noon(DAY))
    assert (right.tries, right.solved, twice.solved) == (2, True, None)
    assert twice.after(False, noon(DAY)).solved is False and twice.after(True, noon(DAY)).solved is True
    assert right.after(False, noon(DAY)) == right, "what is over stays as it is"
    assert once.given_up(noon(DAY)).solved is False and right.given_up(noon(DAY)) == right


def test_the_streak_counts_days_whose_puzzle_was_solved_on_that_day() -> None:
    days = [DAY - timedelta(back) for back in range(10)]
    assert streak([], DAY) == (0, 0)
    assert streak([solved(day) for day in days[:3]], DAY) == (3, 3)
    assert streak([solved(day) for day in days[1:3]], DAY) == (2, 2), "today's can still be solved"
    assert streak([failed(DAY), *map(solved, days[1:3])], DAY) == (0, 2)
    assert streak([solved(DAY), solved(days[1], late=1), solved(days[2])], DAY) == (1, 1), "too late for the streak"
    assert streak([solved(DAY), *map(solved, days[2:6])], DAY) == (1, 4)
    other = PuzzleResult(None, "gridlock", 5, 1, True, noon(DAY))
    assert streak([other], DAY) == (0, 0)


def test_the_text_to_share_says_nothing_of_the_answer() -> None:
    assert share_text(solved(DAY, 2)) == "Quintet #319 2/3\n🟥🟩"
    assert share_text(failed(DAY)) == "Quintet #319 X/3\n🟥🟥🟥"
    assert share_text(solved(DAY, 2), encoding="ascii") == "Quintet #319 2/3\n[x][o]"
    given_up = PuzzleResult(DAY, "gridlock", 5, 0, None, noon(DAY)).given_up(noon(DAY))
    assert share_text(given_up) == "Quintet #319 X/3"
    with pytest.raises(ValueError, match="no puzzle of a day"):
        share_text(PuzzleResult(None, "gridlock", 5, 1, True, noon(DAY)))


def quintet(*arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    return commands.quintet(*arguments, input=typed)


def test_results_are_saved() -> None:
    begun = PuzzleResult(DAY, "gridlock", 5, 1, None, noon(DAY))
    other = PuzzleResult(None, "isolation", 3, 4, True, noon(DAY))
    with Store() as store:
        assert puzzle_results(store) == [] and result_of_day(store, DAY) is None
        save_puzzle_result(store, begun)
        assert result_of_day(store, DAY) == begun and puzzle_results(store) == [], "it is not over"
        over = begun.after(True, noon(DAY))
        for result in (over, failed(DAY), begun, other, other):
            save_puzzle_result(store, result)
        assert result_of_day(store, DAY) == over, "what is over stays as it is"
    with Store() as store:
        assert puzzle_results(store) == [over, other, other]
        with store.transaction(writing=True) as connection:
            connection.exec_driver_sql("UPDATE puzzle_results SET at = 'never' WHERE day IS NOT NULL")
        assert puzzle_results(store) == [other, other], "a damaged row does not hide the others"
        assert result_of_day(store, DAY) is None
        with store.transaction(writing=True) as connection:
            connection.exec_driver_sql("DROP TABLE puzzle_results")
        with pytest.raises(StoreFault):
            puzzle_results(store)


def typed(day: date, *answers: bool) -> str:
    """Lines that answer a day's puzzle, right or wrong."""
    puzzle = puzzle_of_the_day(day)
    position = puzzle.position
    wrong = [move for move in position.moves if move not in puzzle.answers]
    moves = [puzzle.answers[0] if right else wrong.pop() for right in answers]
    return "".join(f"{position.label(move)}\n" for move in moves)


def test_the_command_has_three_tries_and_remembers() -> None:
    """Today's may change while this runs: then it is solved on the day before, and the streak is what it was."""
    day = today()
    run = quintet("puzzle", typed=typed(day, False))
    assert run.returncode == 0 and run.stderr == "" and "Solved" not in run.stdout
    assert f"Quintet #{day_number(day)}: " in run.stdout and "\nAfter " in run.stdout and "2 tries left." in run.stdout
    run = quintet("puzzle", "--day", str(day), typed=typed(day, True))
    before, _, after = run.stdout.partition("Right: ")
    assert "\n2 tries left.\n" in before and "Solved in 2 tries.\n" in after
    assert after.endswith(f"\n\nQuintet #{day_number(day)} 2/3\n🟥🟩\n")
    if today() == day:
        assert "Streak: 1 day (best: 1).\nNext puzzle in " in after
    again = quintet("puzzle", "--day", str(day), typed=typed(day, False)).stdout
    assert "You have had this puzzle.\nSolution: " in again and "Your move" not in again and "2/3" in again
    with Store() as store:
        assert [(result.day, result.tries, result.solved) for result in puzzle_results(store)] == [(day, 2, True)]


def test_three_wrong_answers_show_the_solution_and_an_earlier_day_counts_for_no_streak() -> None:
    run = quintet("puzzle", "--day", str(DAY), typed=typed(DAY, False, False, False, True))
    assert [run.stdout.index(text) for text in ("2 tries left.", "1 try left.", "Not solved.", "Solution: ")]
    assert run.stdout.count("Your move") == 3 and "does not count for the streak" in run.stdout
    assert run.stdout.endswith("Quintet #319 X/3\n🟥🟥🟥\n")
    given_up = quintet("puzzle", "--day", "2026-11-14", typed="solution\n").stdout
    assert "Solution: " in given_up and given_up.endswith("Quintet #318 X/3\n")


def test_other_puzzles_are_saved_when_they_are_over() -> None:
    quintet("puzzle", "gridlock", "--seed", "4", typed="quit\n")
    quintet("puzzle", "gridlock", "--seed", "4", typed="solution\n")
    with Store() as store:
        [result] = puzzle_results(store)
    assert (result.day, result.game, result.tries, result.solved) == (None, "gridlock", 0, False)


def test_a_store_that_fails_does_not_stop_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATABASE", "sqlite:////no/such/folder/quintet.db")
    run = quintet("puzzle", "--day", str(DAY), typed=typed(DAY, False, True))
    assert run.returncode == 0 and run.stderr.startswith("Results are not saved: ") and run.stderr.count("\n") == 1
    assert "Solved in 2 tries." in run.stdout and "Quintet #319 2/3" in run.stdout
