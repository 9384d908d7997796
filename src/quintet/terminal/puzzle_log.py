"""The results of puzzles as the terminal saves and reports them. A store that fails never stops a puzzle."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from quintet.language import tr, tr_count
from quintet.study.daily import PuzzleResult, new_result, streak
from quintet.study.puzzles import TRIES, Puzzle

if TYPE_CHECKING:
    from quintet.store.matches import Store

Found = TypeVar("Found")


class PuzzleLog:
    """Saved results. If the store fails, it warns once, and results last as long as the program."""

    def __init__(self, opener: "Callable[[], Store | None] | None" = None, warn: Callable[[str], None] = print) -> None:
        """Save results in the store that `opener` opens, when it is first needed; without one, save nothing."""
        self.opener = opener
        self.warn = warn
        self.unsaved: list[PuzzleResult] = []

    def ask(self, question: "Callable[[Store], Found]", otherwise: Found) -> Found:
        """What the store answers; `otherwise` without a store or if it fails."""
        if not self.opener:
            return otherwise
        # The database library is loaded only now, so that the first prompt comes quickly.
        from quintet.store.database import StoreFault

        try:
            store = self.opener()
            return question(store) if store else otherwise
        except StoreFault as error:
            self.opener = None
            self.warn(tr("Results are not saved: {reason}", reason=error))
            return otherwise

    def result_of(self, puzzle: Puzzle) -> PuzzleResult:
        """The result of a puzzle so far; of a puzzle of the day, also what was tried before."""
        from quintet.store.puzzle_results import result_of_day

        begun, day = new_result(puzzle, utc_now()), puzzle.day
        if day is None:
            return begun
        unsaved = next((result for result in reversed(self.unsaved) if result.day == day), begun)
        return self.ask(lambda store: result_of_day(store, day), None) or unsaved

    def save(self, result: PuzzleResult) -> None:
        """Save a result; one that is not over is saved for a puzzle of the day only, whose tries count."""
        from quintet.store.puzzle_results import save_puzzle_result

        if result.day or result.solved is not None:
            self.unsaved.append(result)
            self.ask(lambda store: save_puzzle_result(store, result), None)

    def streak(self) -> tuple[int, int]:
        """On how many days in a row the puzzle of the day was solved: until now, and at most."""
        from quintet.store.puzzle_results import puzzle_results

        over = [result for result in self.unsaved if result.solved is not None]
        saved: list[PuzzleResult] = self.ask(lambda store: puzzle_results(store), over)
        return streak([*saved, *over], utc_now().date())

    def report(self, result: PuzzleResult) -> str:
        """What is said about a puzzle of the day that is over."""
        said = [how_it_went(result)]
        if result.day == utc_now().date():
            now, best = self.streak()
            said.append(
                tr_count("Streak: {count} day (best: {best}).", "Streak: {count} days (best: {best}).", now, best=best)
            )
            said.append(tr("Next puzzle in {time}, at midnight UTC.", time=time_left(utc_now())))
        elif not result.in_time:
            said.append(tr("A puzzle of an earlier day does not count for the streak."))
        return "\n".join(said)


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def how_it_went(result: PuzzleResult) -> str:
    """A result that is over, or how many tries are left, in a sentence."""
    if result.solved:
        return tr_count("Solved in {count} try.", "Solved in {count} tries.", result.tries)
    if result.solved is None:
        return tr_count("{count} try left.", "{count} tries left.", TRIES - result.tries)
    return tr("Not solved.")


def time_left(now: datetime) -> str:
    """The time until midnight, such as `5 h 12 min`."""
    minutes = 24 * 60 - now.hour * 60 - now.minute
    return tr("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)
