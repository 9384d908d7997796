"""The puzzle of the day in the app: the same three tries, the same result, saved."""

from functools import partial

from textual.pilot import Pilot

from driving import LARGE, SMALL, click, drive, text_of, until
from quintet.board import index
from quintet.rules import Position
from quintet.store.matches import Store
from quintet.store.puzzle_results import puzzle_results, save_puzzle_result
from quintet.study.daily import new_result
from quintet.study.puzzles import day_number, puzzle_of_the_day
from quintet.terminal.app import open_store
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.daily_screen import DailyScreen
from quintet.terminal.puzzle_log import utc_now


async def open_daily(pilot: Pilot[None]) -> DailyScreen:
    await pilot.press("d")
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, DailyScreen)
    await until(pilot, lambda: screen.puzzle is not None)
    return screen


def wrong_moves(screen: DailyScreen) -> list[int]:
    assert screen.puzzle
    return [move for move in screen.puzzle.moves if move not in screen.puzzle.answers]


def is_refuted(screen: DailyScreen, tries: int) -> bool:
    return screen.result.tries == tries and not screen.refuting


def shows(screen: DailyScreen, position: Position) -> bool:
    view = screen.query_one(BoardWidget).view
    return view is not None and [cell.owner for cell in view.cells] == [
        1 if position.claims[0] >> i & 1 else 2 if position.claims[1] >> i & 1 else 0 for i in range(len(view.cells))
    ]


def test_todays_puzzle_is_solved_once() -> None:
    async def story(pilot: Pilot[None]) -> None:
        assert "Puzzle #" in text_of(pilot) and ": press d" in text_of(pilot)
        screen = await open_daily(pilot)
        puzzle = screen.puzzle
        assert puzzle == puzzle_of_the_day(screen.day)
        assert f"Quintet #{day_number(screen.day)}" in text_of(pilot) and "3 tries left." in text_of(pilot)
        await pilot.press("c", "n")  # Neither is offered now.
        assert puzzle is screen.puzzle
        seen: list[bool] = []
        screen.watch(screen.query_one(BoardWidget), "view", lambda: seen.append(shows(screen, puzzle.position)))
        await click(pilot, index(wrong_moves(screen)[0]))
        await until(pilot, lambda: "2 tries left." in text_of(pilot) and not screen.refuting)
        assert "Wrong: " in text_of(pilot) and False in seen and shows(screen, puzzle.position), "refuted, taken back"
        await click(pilot, index(puzzle.answers[0]))
        await until(pilot, lambda: "Solved in 2 tries." in text_of(pilot))
        shown = text_of(pilot)
        assert "Streak: 1 day (best: 1)." in shown and f"Quintet #{day_number(screen.day)} 2/3" in shown
        assert shows(screen, puzzle.position.play(puzzle.answers[0]))
        await pilot.press("c")
        assert pilot.app.clipboard == f"Quintet #{day_number(screen.day)} 2/3\n🟥🟩"
        # It is over, also when the screen is opened again.
        await pilot.press("escape")
        screen = await open_daily(pilot)
        await until(pilot, lambda: "Solved in 2 tries." in text_of(pilot))
        assert not screen.query_one(BoardWidget).open and "Solution: " in text_of(pilot)

    drive(story, LARGE, open_store)
    with Store() as store:
        [result] = puzzle_results(store)
    assert (result.tries, result.solved, result.in_time) == (2, True, True)


def test_the_last_try_shows_the_solution_and_nothing_needs_a_store() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await open_daily(pilot)
        for move in wrong_moves(screen)[:3]:
            tries = screen.result.tries
            await click(pilot, index(move))
            await until(pilot, partial(is_refuted, screen, tries + 1))
        await until(pilot, lambda: "Solution: " in text_of(pilot))
        assert "Not solved." in text_of(pilot) and "X/3" in text_of(pilot)

    drive(story, LARGE)


def test_tries_are_remembered_and_s_gives_up() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await open_daily(pilot)
        assert screen.puzzle
        save_puzzle_result(Store(), new_result(screen.puzzle, utc_now()).after(False, utc_now()))
        await pilot.press("escape")
        screen = await open_daily(pilot)
        assert "2 tries left." in text_of(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "Not solved." in text_of(pilot))
        assert screen.result.tries == 1

    drive(story, SMALL, open_store)
