"""What worker processes do for the service: engines' moves, analysis, reviews, puzzles. Text goes in and out."""

import os
import signal
import time
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

import msgspec

from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine
from quintet.engines.door import ask_engine
from quintet.match import Match, replay
from quintet.notation import read_moves, read_position
from quintet.record import read_record
from quintet.rules import Position
from quintet.solve.oracle import Oracle, oracle_of, shared
from quintet.solve.watch import watched
from quintet.study import analysis, puzzles, reviews
from quintet.study.reports import explained_analysis, puzzle_report, review_report
from quintet.view import facts, show

MEMORY = 1 << 26
"""Bytes of a search's table."""
POLITENESS = 5
"""How much a worker stands back where the processors are busy."""
ALARMS = hasattr(signal, "SIGALRM")
"""Whether the system wakes a process in time and lets it stand back; Windows does neither."""
SOLVERS = 4
"""Boards whose searches are remembered in a process."""

Outcome = TypeVar("Outcome")


class TimeUp(BaseException):
    """Work that took longer than it may; not an `Exception`, which an engine's door would take for the engine's."""


def start_process() -> None:
    """Make a worker ready: Ctrl-C is for the server, no worker outlives it, and the server's own work goes first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    shared.boards, shared.memory = SOLVERS, MEMORY
    if ALARMS:
        os.nice(POLITENESS)
        signal.signal(signal.SIGALRM, _time_up)
    parent = parent_process()
    assert parent
    Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(parent: int) -> None:
    """End with the server, however it ends."""
    wait([parent])
    os._exit(0)


def _time_up(*_: object) -> None:
    raise TimeUp


def within(seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
    """Work done within so many seconds, or `TimeUp`; without alarms, whoever waits for it must end the process."""
    if not ALARMS:
        return work(*arguments)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return work(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@lru_cache(maxsize=32)
def engine(who: str) -> Engine:
    """An engine, made once."""
    made = make_engine(who)
    assert made
    return made


def choose(who: str, text: str, seconds: float) -> tuple[int | str, float]:
    """An engine's move, or why it has none, and the seconds it thought: it does not pay for having to wait."""
    position, begun = read_position(text), time.monotonic()
    try:
        player = engine(who)
        begun = time.monotonic()
        move: int | str = ask_engine(player, position, seconds)
    except (EngineFault, UnknownPlayer) as fault:
        move = str(fault)
    return move, time.monotonic() - begun


def analyze(start: str, moves: str, seconds: float) -> bytes:
    """What `quintet analyze --json` says of a position, in words too, and by cell."""
    first = read_position(start)
    match = Match(first, read_moves(first, moves))
    position = match.position
    return msgspec.json.encode(explained_analysis(match, analysis.analyze(position, seconds=seconds)))


def review_record(text: str, seconds: float) -> bytes:
    """A record's game, graded."""
    match = replay(read_record(text))
    found = reviews.review(match, seconds=seconds)
    remarks = {grade.ply: reviews.remark(grade) for grade in found.grades if grade.fault}
    return msgspec.json.encode({**msgspec.to_builtins(review_report(found)), "remarks": remarks})


def make_puzzle(start: str, seed: int, rating: int | None) -> bytes | str:
    """A puzzle of a seed; text if there is none."""
    empty = read_position(start)
    found = oracle_of(empty)
    try:
        return puzzle_facts(interruptible(found, lambda: puzzles.make_puzzle(empty.game, seed, rating, empty)))
    except puzzles.NoPuzzle as error:
        return str(error)


def daily_puzzle(day: date) -> bytes:
    """The puzzle of a day, on a rule book's board, which takes no time to speak of."""
    return puzzle_facts(puzzles.puzzle_of_the_day(day))


def interruptible(found: Oracle, work: Callable[[], Outcome]) -> Outcome:
    """Work with a search in a thread: an alarm is heard only between two steps of Python, and a search can be one."""
    results: list[Outcome] = []
    watched(found.solver, lambda: results.append(work()))
    return results[0]


def puzzle_facts(puzzle: puzzles.Puzzle) -> bytes:
    """A puzzle to be solved, with its board."""
    return msgspec.json.encode({**msgspec.to_builtins(puzzle_report(puzzle)), "view": facts(show(puzzle.position))})


def judge(text: str, move: int) -> bytes:
    """Whether a move solves the puzzle that a position is; if not, what does."""
    position: Position = read_position(text)
    found = oracle_of(position)

    def grade() -> dict[str, Any]:
        puzzle = puzzles.make(position, found, "")
        right, said = puzzles.judge(puzzle, move, found)
        return {"right": right, "text": said} | ({} if right else {"solution": puzzles.solution(puzzle, found)})

    return msgspec.json.encode(interruptible(found, grade))
