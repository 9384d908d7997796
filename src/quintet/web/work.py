"""What the worker processes do for the service: engines' moves, analyses, reviews, puzzles.

Positions come in as text; answers go out as JSON, so that the server process only passes them on.
"""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from threading import Thread
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
from msgspec.structs import asdict

from quintet import pictures
from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine
from quintet.engines.door import ask_engine
from quintet.gears import PLAIN
from quintet.language import chosen_language, in_language, tr
from quintet.match import Match, replay
from quintet.notation import read_moves, read_position, screen_label
from quintet.record import read_record
from quintet.rules import Position
from quintet.solve.oracle import oracle_of, shared
from quintet.solve.watch import watched
from quintet.study import puzzles
from quintet.study.analysis import analyze as analyze_position
from quintet.study.analysis import best_line
from quintet.study.decided import is_decided
from quintet.study.progress import played_game
from quintet.study.reports import PuzzleReport, explained_analysis, puzzle_report, review_report
from quintet.study.reviews import review
from quintet.view import View, make_view, position_view

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MEMORY = 1 << 26
"""Bytes of a solver's table."""
BOARDS = 4
"""Boards whose solvers a process remembers."""
ENGINE_SECONDS = 2.0
"""An engine's time limit per move."""
CLOCK_SHARE = 0.1
"""The most of its clock that an engine spends on a move."""
NICENESS = 5
"""How far a worker steps back where the processors are busy."""
ALARMS = hasattr(signal, "SIGALRM")
"""Whether the system interrupts a process after a time and lets it step back; Windows does neither."""

Result = TypeVar("Result")
encode = msgspec.json.Encoder().encode


class PuzzleAnswer(PuzzleReport, frozen=True, kw_only=True):
    """A puzzle to solve, with its board."""

    hardest: int
    """The highest rating a puzzle can have; the lowest is 1."""
    view: View


class DailyAnswer(PuzzleAnswer, frozen=True, kw_only=True):
    """The puzzle of a day."""

    tries: int
    """How many tries there are."""
    now: datetime
    """The time of the service, whose day counts, in UTC."""


class Verdict(msgspec.Struct, omit_defaults=True, kw_only=True):
    """Whether a move solves a puzzle."""

    right: bool
    text: str
    solution: str = ""
    """The right move in a sentence."""
    line: list[str]
    """The move and how the game continues with best play."""
    solution_line: list[str] = []
    """The same for the right move; left out where the answer was right."""
    view: View
    """The board after the move."""


class TimeUp(BaseException):
    """Work took longer than it may; not an `Exception`, which an engine's door would take for the engine's."""


@dataclass(frozen=True, slots=True)
class Job(Generic[Result]):
    """A piece of work, and the seconds it may take."""

    seconds: float
    work: Callable[[], Result]


def serve(connection: "Connection", memory: int | None = None) -> None:
    """Do one job after another in a worker process, until the server ends or kills it."""
    start_process(memory)
    connection.send(None)
    while True:
        try:
            job: Job[object] = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer: object = within(job.seconds, job.work)
        except (TimeUp, Exception) as error:
            answer = error
        try:
            connection.send(answer)
        except OSError:
            return
        except Exception:  # It cannot be pickled.
            connection.send(RuntimeError(f"{type(answer).__name__}: {answer}"))


def start_process(memory: int | None) -> None:
    """Prepare a worker: Ctrl-C is for the server, no worker outlives it, and the server's own work goes first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if ALARMS:
        os.nice(NICENESS)
        signal.signal(signal.SIGALRM, _time_up)
    if memory:
        limit_memory(memory)
    shared.memory, shared.boards = MEMORY, BOARDS
    from multiprocessing import parent_process  # Not in a browser, which has no processes.

    parent = parent_process()
    assert parent
    Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def limit_memory(size: int) -> None:
    """Refuse this process more memory than that, and its children, where the system can."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    except (ModuleNotFoundError, OSError, ValueError):
        pass  # Not every system has this limit.


def _follow(parent: int) -> None:
    """End with the server, however it ends."""
    from multiprocessing.connection import wait

    wait([parent])
    os._exit(0)


_working = False
"""Whether an alarm has something to interrupt."""


def _time_up(*_: object) -> None:
    global _working
    if _working:
        _working = False  # Once is enough: what the work does on its way out is not interrupted.
        raise TimeUp


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Do some work, or raise `TimeUp`; without alarms, the caller must end the process."""
    global _working
    if not ALARMS:
        return work()
    _working = True
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return work()
    finally:
        _working = False
        signal.setitimer(signal.ITIMER_REAL, 0)


@lru_cache(maxsize=32)
def engine(who: str) -> Engine:
    """An engine, made once."""
    made = make_engine(who)
    assert made
    return made


def load(who: str) -> str:
    """Make an engine, so that its first move does not wait for it; gives why it cannot be made."""
    try:
        engine(who)
    except (EngineFault, UnknownPlayer) as fault:
        return str(fault)
    return ""


def choose(who: str, text: str, seconds: float) -> tuple[int | str, float]:
    """An engine's move, or why it has none, and the seconds it thought: waiting for a process is not counted."""
    position, started = read_position(text), time.monotonic()
    try:
        player = engine(who)
        started = time.monotonic()
        move: int | str = ask_engine(player, position, seconds)
    except (EngineFault, UnknownPlayer) as fault:
        move = str(fault)
    return move, time.monotonic() - started


def analyze(start: str, moves: str, seconds: float, quick: bool = False) -> bytes:
    """An `ExplainedAnalysis` of a position; a quick one does without compiled code, which may not be compiled yet."""
    first = read_position(start)
    match = Match(first, read_moves(first, moves))
    oracle = oracle_of(match.position, PLAIN if quick else None)
    return encode(explained_analysis(match, analyze_position(match.position, oracle, seconds)))


def decide(text: str) -> dict[str, bool]:
    """Whether a game ends the same whatever is played from a position."""
    return {"decided": is_decided(read_position(text))}


def review_record(text: str, seconds: float) -> bytes:
    """A `ReviewReport` of a game record."""
    return encode(review_report(review(replay(read_record(text)), seconds=seconds), screen_label))


def rate_play(text: str, player: int, when: str, seconds: float) -> bytes:
    """A `PlayedGame`: how well a player played the game of a record."""
    return encode(played_game(review(replay(read_record(text)), seconds=seconds), player, when))


def make_puzzle(start: str, seed: int, rating: int | None) -> bytes | str:
    """A `PuzzleAnswer` for a seed; text if there is none."""
    empty = read_position(start)
    try:
        puzzle = interruptible(empty, lambda: puzzles.make_puzzle(empty.game, seed, rating, empty))
    except puzzles.NoPuzzle as error:
        return str(error)
    return encode(puzzle_answer(puzzle))


def daily_puzzle(day: date, now: datetime) -> bytes:
    """A `DailyAnswer` for a day: on a rule book's board, which takes hardly any time."""
    answer = puzzle_answer(puzzle_of_the_day(day, chosen_language()))
    return encode(DailyAnswer(**asdict(answer), tries=puzzles.TRIES, now=now))


@lru_cache(maxsize=64)
def puzzle_of_the_day(day: date, code: str) -> puzzles.Puzzle:
    """The puzzle of a day in a language, made once: everybody asks for today's."""
    return in_language(code, puzzles.puzzle_of_the_day, day)


def puzzle_answer(puzzle: puzzles.Puzzle) -> PuzzleAnswer:
    """A puzzle to solve, with its board."""
    return PuzzleAnswer(**asdict(puzzle_report(puzzle)), hardest=puzzles.HARDEST, view=position_view(puzzle.position))


def judge(text: str, move: int) -> bytes:
    """A `Verdict` on a move in the puzzle that a position is."""
    position = read_position(text)

    def verdict() -> Verdict:
        puzzle = puzzles.puzzle_from(position, oracle_of(position), "")
        right, said = puzzles.judge(puzzle, move, name=screen_label)
        found = Verdict(right=right, text=said, line=line_of(position, move), view=make_view(Match(position, [move])))
        found.solution = puzzles.solution(puzzle, name=screen_label)
        if not right:
            found.solution_line = line_of(position, puzzle.answers[0])
        return found

    return encode(interruptible(position, verdict))


def line_of(position: Position, move: int) -> list[str]:
    """A move and one best line after it."""
    after = position.play(move)
    return [position.label(found) for found in (move, *oracle_of(after).ask(best_line, after))]


@lru_cache(maxsize=64)
def draw_png(start: str, moves: str, loser: int | None, shape: str, dark: bool) -> bytes:
    """A picture of the position after some moves; the loser is who resigned or forfeited."""
    match = drawn_match(start, moves, loser)
    if shape == "card":
        return pictures.card_png(match, dark=dark)
    return pictures.board_png(match, dark, caption=shape == "captioned")


@lru_cache(maxsize=16)
def draw_gif(start: str, moves: str, loser: int | None, dark: bool) -> bytes:
    """Moves as an animation."""
    return pictures.replay_gif(drawn_match(start, moves, loser), dark)


def drawn_match(start: str, moves: str, loser: int | None) -> Match:
    """A match of which only its board and its end are seen."""
    first = read_position(start)
    match = Match(first, read_moves(first, moves))
    match.resigned = loser
    return match


@lru_cache(maxsize=4)
def draw_daily_puzzle(day: date, dark: bool) -> bytes:
    """A card with the puzzle of a day."""
    return pictures.card_png(Match(puzzles.puzzle_of_the_day(day).position), tr("Daily puzzle"), dark)


def draw_games(dark: bool) -> bytes:
    """A card with all games."""
    return pictures.home_png(dark)


def interruptible(position: Position, work: Callable[[], Result]) -> Result:
    """Work in a thread: an alarm is handled only between two steps of Python, and a compiled search is one step."""
    results: list[Result] = []
    code = chosen_language()  # A thread does not know what was chosen where it was started.
    watched(oracle_of(position).solver, lambda: results.append(in_language(code, work)))
    return results[0]
