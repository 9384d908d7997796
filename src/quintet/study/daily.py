"""The puzzle of the day as a ritual: three tries, a streak of days, and a text to share that gives nothing away."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from quintet.study.puzzles import TRIES, Puzzle, day_number

WRONG, RIGHT = "🟥", "🟩"
"""A try in a text to share."""
PLAIN = {WRONG: "[x]", RIGHT: "[o]"}
"""The same where these characters cannot be written."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """How somebody did in a puzzle."""

    day: date | None
    """The day whose puzzle it is; `None` for any other puzzle."""
    game: str
    rating: int
    tries: int
    solved: bool | None
    """`None` while there are tries left."""
    at: datetime
    """When it changed last, in UTC."""

    @property
    def in_time(self) -> bool:
        """Whether it counts for the streak: a puzzle that was solved on its own day."""
        return self.solved is True and self.day == self.at.date()

    def after(self, right: bool, at: datetime) -> "PuzzleResult":
        """The result after another try; what is over stays as it is."""
        if self.solved is not None:
            return self
        tries = self.tries + 1
        over = False if self.day and tries >= TRIES else None
        return replace(self, tries=tries, solved=True if right else over, at=at)

    def given_up(self, at: datetime) -> "PuzzleResult":
        """The result of looking at the solution; what is over stays as it is."""
        return self if self.solved is not None else replace(self, solved=False, at=at)


def new_result(puzzle: Puzzle, at: datetime) -> PuzzleResult:
    """The result before the first try."""
    return PuzzleResult(puzzle.day, puzzle.position.game.name, puzzle.rating, 0, None, at)


def streak(results: Iterable[PuzzleResult], today: date) -> tuple[int, int]:
    """On how many days in a row the puzzle was solved: until now, and at most. Today it can still be solved."""
    all_results = list(results)
    days = {result.day for result in all_results if result.day and result.in_time}
    last = today if today in days or any(result.day == today for result in all_results) else today - DAY

    def length(day: date) -> int:
        count = 0
        while day - count * DAY in days:
            count += 1
        return count

    return length(last), max(map(length, days), default=0)


def share_text(result: PuzzleResult, encoding: str = "utf-8") -> str:
    """A result without its answer: `Quintet #319 2/3` and its tries as squares."""
    if result.day is None:
        raise ValueError("this is no puzzle of a day, which alone has a number")
    tries = WRONG * (result.tries - 1) + RIGHT if result.solved else WRONG * result.tries
    try:
        tries.encode(encoding)
    except UnicodeEncodeError:
        tries = "".join(PLAIN[each] for each in tries)
    score = result.tries if result.solved else "X"
    return f"Quintet #{day_number(result.day)} {score}/{TRIES}\n{tries}".rstrip()
