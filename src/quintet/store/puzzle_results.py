"""The results of puzzles in the store, as the terminal saves them."""

from datetime import date, datetime

from sqlalchemy import delete, insert, select

from quintet.store.database import Database
from quintet.store.rows import StoredRow, as_text
from quintet.store.schema import PUZZLE_RESULTS
from quintet.study.daily import PuzzleResult


def save_puzzle_result(store: Database, result: PuzzleResult) -> None:
    """Save a result. The puzzle of a day has one: it may change until it is over, and never after."""
    day = result.day.isoformat() if result.day else None
    row = {
        "day": day,
        "game": result.game,
        "rating": result.rating,
        "tries": result.tries,
        "solved": result.solved,
        "at": as_text(result.at),
    }
    with store.transaction(writing=True) as connection:
        if day:
            of_day = PUZZLE_RESULTS.c.day == day
            if connection.execute(
                select(PUZZLE_RESULTS.c.id).where(of_day, PUZZLE_RESULTS.c.solved.is_not(None))
            ).first():
                return
            connection.execute(delete(PUZZLE_RESULTS).where(of_day))
        connection.execute(insert(PUZZLE_RESULTS).values(row))


def puzzle_results(store: Database) -> list[PuzzleResult]:
    """All results of puzzles that are over, in the order in which they were saved."""
    chosen = select(PUZZLE_RESULTS).where(PUZZLE_RESULTS.c.solved.is_not(None)).order_by(PUZZLE_RESULTS.c.id)
    with store.transaction() as connection:
        found = map(result_of, connection.execute(chosen).all())
    return [result for result in found if result]


def result_of_day(store: Database, day: date) -> PuzzleResult | None:
    """The result of a day's puzzle, over or not; `None` if it was not tried."""
    with store.transaction() as connection:
        row = connection.execute(select(PUZZLE_RESULTS).where(PUZZLE_RESULTS.c.day == day.isoformat())).first()
    return result_of(row) if row else None


def result_of(row: StoredRow) -> PuzzleResult | None:
    """The result in a row; `None` if the row is damaged."""
    try:
        day = date.fromisoformat(row.day) if row.day is not None else None
        at = datetime.fromisoformat(row.at)
        return PuzzleResult(day, str(row.game), int(row.rating), int(row.tries), row.solved, at)
    except (ValueError, TypeError):
        return None
