"""The file of a tournament's results: one game to a line, so that what was played stays played."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from quintet.errors import QuintetError


class InvalidResults(QuintetError, ValueError):
    """A file that cannot be used as a file of results."""


@dataclass(frozen=True, slots=True)
class Duel:
    """A game to be played: everything that decides it."""

    board: str
    """The empty board, as a position is written."""
    players: tuple[str, str]
    """Who moves first from the empty board, and who second."""
    opening: int
    """Which of the random openings."""
    seed: int
    seconds: float | None = None
    """The time for a move."""


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was played."""

    duel: Duel
    winner: int | None
    """Player 1, Player 2, or nobody."""
    plies: int
    fault: str = ""
    """Why the loser's engine gave no move."""

    @property
    def points(self) -> float:
        """What Player 1 gets: a point, or half a point for a draw."""
        return 0.5 if self.winner is None else float(self.winner == 1)


def write_result(result: Result) -> str:
    """A result as a line of JSON."""
    facts = {**asdict(result.duel), "winner": result.winner, "plies": result.plies}
    return json.dumps(facts | ({"fault": result.fault} if result.fault else {})) + "\n"


def read_result(line: str) -> Result:
    """A result from its line."""
    try:
        facts: dict[str, Any] = json.loads(line)
        first, second = facts["players"]
        seconds = facts["seconds"]
        duel = Duel(
            str(facts["board"]),
            (str(first), str(second)),
            int(facts["opening"]),
            int(facts["seed"]),
            None if seconds is None else float(seconds),
        )
        if facts["winner"] not in (1, 2, None):
            raise ValueError("no such winner")
        return Result(duel, facts["winner"], int(facts["plies"]), str(facts.get("fault", "")))
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidResults("no result of a game") from error


def read_results(path: Path) -> dict[Duel, Result]:
    """What was played already, each game once; a last line that was not finished does not count."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidResults(f"cannot read {path}: {getattr(error, 'strerror', None) or 'not text'}") from None
    *lines, rest = text.split("\n")
    if rest and not rest.startswith("{"):
        raise InvalidResults(f"{path} is no file of results; nothing was changed")
    results: dict[Duel, Result] = {}
    for number, line in enumerate(lines, 1):
        try:
            result = read_result(line)
        except InvalidResults:
            raise InvalidResults(f"line {number} of {path} is no result of a game; nothing was changed") from None
        results.setdefault(result.duel, result)
    return results


def keep(path: Path, results: Iterable[Result]) -> Iterator[Result]:
    """Results as they come, each written before it is passed on."""
    try:
        with path.open("a+b") as file:
            drop_unfinished_line(file)
            for result in results:
                file.write(write_result(result).encode())
                file.flush()
                yield result
    except OSError as error:
        raise InvalidResults(f"cannot write {path}: {error.strerror}") from None


def drop_unfinished_line(file: IO[bytes]) -> None:
    """Cut off what follows the last line's end: a program that was killed left it."""
    file.seek(0)
    data = file.read()
    file.truncate(data.rfind(b"\n") + 1)
