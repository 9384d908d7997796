"""The results file of a tournament: one game per line, each written as soon as it is played."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Literal

import msgspec

from quintet.errors import QuintetError


class InvalidResults(QuintetError, ValueError):
    """A file that is not a results file, or cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Duel:
    """A game to be played: everything that decides it."""

    board: str
    """The empty board, as a position is written."""
    players: tuple[str, str]
    """Who moves first from the empty board, and who second."""
    opening: int
    """Which of the random openings; a negative number is a game from the empty board."""
    seed: int
    seconds: float | None = None
    """The time for a move, if it is limited."""


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was played."""

    duel: Duel
    winner: int | None
    """1 or 2; `None` for a draw."""
    plies: int
    fault: str = ""
    """Why the loser's engine gave no move."""

    @property
    def points(self) -> float:
        """The points of Player 1: 1 for a win, half a point for a draw."""
        return 0.5 if self.winner is None else float(self.winner == 1)


def write_result(result: Result) -> str:
    """A result as a line of JSON."""
    facts = {**asdict(result.duel), "winner": result.winner, "plies": result.plies}
    return json.dumps(facts | ({"fault": result.fault} if result.fault else {})) + "\n"


class Line(msgspec.Struct):
    """A line of the file."""

    board: str
    players: tuple[str, str]
    opening: int
    seed: int
    seconds: float | None
    winner: Literal[1, 2] | None
    plies: int
    fault: str = ""


def read_result(line: str) -> Result:
    """A result from its line."""
    try:
        found = msgspec.json.decode(line, type=Line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise InvalidResults(f"not a game result: {error}") from None
    duel = Duel(found.board, found.players, found.opening, found.seed, found.seconds)
    return Result(duel, found.winner, found.plies, found.fault)


def read_results(path: Path) -> dict[Duel, Result]:
    """The games that were played already, each once; an unfinished last line does not count."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidResults(f"cannot read {path}: {getattr(error, 'strerror', None) or 'not text'}") from None
    *lines, rest = text.split("\n")
    if rest and not rest.startswith("{"):
        raise InvalidResults(f"{path} is not a results file; nothing was changed")
    results: dict[Duel, Result] = {}
    for number, line in enumerate(lines, 1):
        try:
            result = read_result(line)
        except InvalidResults:
            raise InvalidResults(f"line {number} of {path} is not a game result; nothing was changed") from None
        results.setdefault(result.duel, result)
    return results


def save(path: Path, results: Iterable[Result]) -> Iterator[Result]:
    """Results as they come, each saved before it is passed on."""
    try:
        with path.open("a+b") as file:
            drop_unfinished_line(file)
            for result in results:
                file.write(write_result(result).encode())
                file.flush()
                yield result
    except OSError as error:
        raise InvalidResults(f"cannot write {path}: {error.strerror}") from None


def resume(
    path: Path | None, duels: Sequence[Duel], play: Callable[[Sequence[Duel]], Iterable[Result]]
) -> Iterator[Result]:
    """The results of some games: first those already in a file, then the others as they are played and saved."""
    known = read_results(path) if path else {}
    yield from (known[duel] for duel in duels if duel in known)
    played = play([duel for duel in duels if duel not in known])
    yield from save(path, played) if path else played


def drop_unfinished_line(file: IO[bytes]) -> None:
    """Cut off an unfinished last line, left by a program that was killed."""
    file.seek(0)
    data = file.read()
    file.truncate(data.rfind(b"\n") + 1)
