"""The tasks for Inspect: `quintet/play` and `quintet/positions`, found through the entry point `inspect_ai`.

    inspect eval quintet/play -T game=gridlock -T opponent=perfect --model openai/gpt-4o
    inspect eval quintet/positions -T game=all --model openai/gpt-4o
    inspect eval quintet/play --solver quintet/engine -S who=level:5

Providers, retries, concurrency, logs and the viewer are Inspect's.
"""

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset

from quintet.engines import UnknownPlayer
from quintet.engines.door import close_engine
from quintet.games import GAMES, UnknownGame, find_game
from quintet.llm import case as cases
from quintet.llm.case import Case, NoCase
from quintet.llm.contest import engine_named
from quintet.llm.grading import grader
from quintet.llm.judging import engine, exact, exact_scores, make_sample, model
from quintet.llm.prompt import InvalidManner, Manner
from quintet.llm.suite import Suite, UnknownSuite, load_suite
from quintet.options import InvalidOptions, start
from quintet.rules import Position

__all__ = ["engine", "exact", "exact_scores", "model", "play", "positions"]

PATIENCE = 60.0
"""Seconds in which the first move of a board must be solved, or it cannot be judged."""
SIDES = ("both", "1", "2")
ALL = "all"
GAMES_EACH, POSITIONS_EACH = 20, 10


class InvalidTask(PrerequisiteError):
    """Options that no task can be made of; Inspect shows the line and ends."""


@task
def play(
    game: str | list[str] | None = None,
    opponent: str | list[str] | None = None,
    size: str | None = None,
    side: str | int | None = None,
    games: int | None = None,
    seed: int | None = None,
    suite: str | None = None,
    rules: str = "full",
    legal: bool = True,
    history: bool = True,
    retries: int = 2,
    notation: str = "book",
    obfuscate: bool = False,
) -> Task:
    """Whole games against an opponent.

    Args:
        game: A game, several with commas, or all (the default).
        opponent: Who sits opposite, as `quintet play` names players; several with commas. By default perfect.
        size: The board, such as 3x3 or 9; by default the rule book's.
        side: 1 (moves first), 2, or both in turn (the default).
        games: Games on each board against each opponent; by default 20.
        seed: Other openings and other luck.
        suite: A suite such as quick, instead of all the options above.
        rules: The rule book in full or short.
        legal: Whether the legal moves are listed.
        history: Whether the moves so far are listed.
        retries: How often an answer that is no legal move is sent back; 0 loses at once.
        notation: How cells are named: book, letters, zero, one or numbers.
        obfuscate: Whether the game appears as its twin, renamed and relabelled.

    """
    manner = make_manner(rules, legal, history, retries, notation, obfuscate)
    if suite:
        refuse_others(game=game, opponent=opponent, size=size, side=side, games=games, seed=seed)
        whole = named_suite(suite)
        chosen, suite = list(whole.games), f"{whole.name}-{whole.version}"
    else:
        if str(side or "both") not in SIDES:
            raise InvalidTask(f"the side is one of {', '.join(SIDES)}, not {side!r}")
        number, luck = whole_number("games", games, GAMES_EACH, 1), whole_number("seed", seed, 0)
        opponents = listed(opponent or "perfect")
        check_opponents(opponents)
        chosen = cases.games(make_boards(game or ALL, size), opponents, number, str(side or "both"), luck)
    return make_task(chosen, manner, suite)


@task
def positions(
    game: str | list[str] | None = None,
    size: str | None = None,
    number: int | None = None,
    seed: int | None = None,
    suite: str | None = None,
    rules: str = "full",
    legal: bool = True,
    retries: int = 0,
    notation: str = "book",
    obfuscate: bool = False,
) -> Task:
    """Single positions in which the outcome depends on the move, a third of them easy, a third medium, a third hard.

    Args:
        game: A game, several with commas, or all (the default).
        size: The board, such as 3x3 or 9; by default the rule book's.
        number: Positions of each difficulty on each board; by default 10.
        seed: Other positions.
        suite: A suite such as quick, instead of all the options above.
        rules: The rule book in full or short.
        legal: Whether the legal moves are listed.
        retries: How often an answer that is no legal move is sent back; by default never.
        notation: How cells are named: book, letters, zero, one or numbers.
        obfuscate: Whether the game appears as its twin, renamed and relabelled.

    """
    manner = make_manner(rules, legal, False, retries, notation, obfuscate)
    if suite:
        refuse_others(game=game, size=size, number=number, seed=seed)
        whole = named_suite(suite)
        chosen, suite = list(whole.positions), f"{whole.name}-{whole.version}"
    else:
        of_each, luck = whole_number("number", number, POSITIONS_EACH, 1), whole_number("seed", seed, 0)
        try:
            chosen = cases.positions(make_boards(game or ALL, size), of_each, luck)
        except NoCase as error:
            raise InvalidTask(str(error)) from None
    return make_task(chosen, manner, suite)


def make_task(chosen: Sequence[Case], manner: Manner, suite: str | None) -> Task:
    """The task of playing cases in a manner."""
    return Task(
        dataset=MemoryDataset([make_sample(case, manner) for case in chosen]),
        solver=model(manner.rules, manner.legal, manner.history, manner.retries, manner.notation, manner.obfuscate),
        scorer=exact(),
        metadata={"suite": suite} if suite else None,
    )


def make_manner(rules: str, legal: bool, history: bool, retries: int, notation: str, obfuscate: bool) -> Manner:
    """The manner of asking, if there is such a one."""
    try:
        return Manner(rules, legal, history, retries, notation, obfuscate)
    except InvalidManner as error:
        raise InvalidTask(str(error)) from None


def listed(names: str | list[str]) -> list[str]:
    """Names with commas between them, which Inspect's command line has split already."""
    return [str(name).strip() for name in (names if isinstance(names, list) else str(names).split(","))]


def make_boards(names: str | list[str], size: str | None) -> list[Position]:
    """The empty boards of games, each small enough to be judged."""
    try:
        chosen = GAMES.values() if names == ALL else [find_game(name) for name in listed(names)]
        boards = [start(game, None if size is None else str(size)) for game in chosen]
    except (UnknownGame, InvalidOptions) as error:
        raise InvalidTask(str(error)) from None
    for board in boards:
        if board.outcome or not grader(board.game, board.board).can_grade(board, PATIENCE):
            raise InvalidTask(
                f"{board.game.name} {board.board.size} is not solved within {PATIENCE:.0f} s: choose a smaller board"
            )
    return boards


def check_opponents(names: Sequence[str]) -> None:
    """Refuse opponents that there are not."""
    try:
        for name in names:
            close_engine(engine_named(name, 0))
    except UnknownPlayer as error:
        raise InvalidTask(str(error)) from None


def named_suite(name: str) -> Suite:
    """The suite of a name."""
    try:
        return load_suite(str(name))
    except UnknownSuite as error:
        raise InvalidTask(str(error)) from None


def refuse_others(**options: Any) -> None:
    """A suite has its own games: nothing else may be asked for."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InvalidTask(f"a suite says what is played: leave out {', '.join(given)}")


def whole_number(name: str, given: int | None, usual: int, least: int | None = None) -> int:
    """A whole number that was given, or the usual one."""
    if given is None:
        return usual
    if type(given) is not int:
        raise InvalidTask(f"{name} must be a whole number, not {given!r}")
    if least is not None and given < least:
        raise InvalidTask(f"{name} must be {least} or more")
    return given
