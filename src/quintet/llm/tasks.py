"""The tasks: `quintet/play` and `quintet/positions`. Inspect finds them by the entry point `inspect_ai`.

    inspect eval quintet/play -T game=gridlock -T opponent=perfect --model openai/gpt-4o
    inspect eval quintet/positions -T game=all --model openai/gpt-4o
    inspect eval quintet/play --solver quintet/engine -S who=level:5

Inspect provides the model APIs, retries, concurrency, logs and the viewer.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Literal

from inspect_ai import Epochs, Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset

from quintet.engines.door import close_engine
from quintet.errors import QuintetError
from quintet.games import GAMES, find_game
from quintet.llm.agents import make_player
from quintet.llm.options import AgentOptions
from quintet.llm.registered import registered
from quintet.llm.scorers import all_epochs, exact, exact_scores
from quintet.llm.solvers import engine, make_sample, model
from quintet.llm.variants import make_variants
from quintet.options import start
from quintet.rules import Position
from quintet.solve.oracle import solve_within
from quintet.solve.solver import Solver
from quintet.suites.samples import SampleSpec, game_samples, position_samples
from quintet.suites.suite import Suite, load_suite

__all__ = ["all_epochs", "engine", "exact", "exact_scores", "model", "play", "positions"]

SIDES = ("both", "1", "2")
ALL = "all"
GAMES_EACH, POSITIONS_EACH = 20, 10


class InvalidTask(PrerequisiteError, QuintetError):
    """Options that are not valid; Inspect prints the line and ends."""


@task(name=registered("play", __name__))
def play(
    game: str | list[str] | None = None,
    opponent: str | list[str] | None = None,
    size: str | None = None,
    shuffle: int | None = None,
    variants: int | None = None,
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
    tools: str = "none",
    picture: bool = False,
) -> Task:
    """Whole games against an opponent.

    Args:
        game: A game, several separated by commas, or all (the default).
        opponent: The opponent, named as in `quintet play`; several separated by commas. Default: perfect.
        size: The board, such as 3x3 or 9. Default: the rule book's.
        shuffle: A seed that shuffles the values of the cells, in games that have any.
        variants: A number of other boards of each game, made from the seed, instead of size and shuffle.
        side: 1 (moves first), 2, or both in turn (the default).
        games: Games on each board against each opponent. Default: 20.
        seed: Seed for openings and opponents. Default: 0.
        suite: A suite such as quick, instead of the options above.
        rules: The rule book in full or short.
        legal: Whether the legal moves are listed.
        history: Whether the moves so far are listed.
        retries: How often an answer without a legal move is sent back; with 0 it loses at once.
        notation: How cells are named: book, letters, zero, one or numbers.
        obfuscate: Whether the game is disguised (other name, symbols and coordinates).
        picture: Whether the board is a picture, and not drawn as text.
        tools: none (the model answers with text), play (with legal_moves and play_move) or analyze (and analyze).

    """
    with invalid_options():
        options = AgentOptions(rules, legal, history, retries, notation, obfuscate, tools, picture)
        if suite:
            refuse_others(
                game=game,
                opponent=opponent,
                size=size,
                shuffle=shuffle,
                variants=variants,
                side=side,
                games=games,
                seed=seed,
            )
            return suite_task(load_suite(str(suite)), "games", options)
        if str(side or "both") not in SIDES:
            raise InvalidTask(f"side must be one of {', '.join(SIDES)}, not {side!r}")
        number = whole_number("games", games, default=GAMES_EACH, least=1)
        opponents = listed(opponent or "perfect")
        for name in opponents:
            close_engine(make_player(name, 0))
        first = whole_number("seed", seed, default=0)
        boards = make_boards(game or ALL, size, shuffle, variants, first)
        specs = game_samples(boards, opponents, number, str(side or "both"), first)
        return make_task(specs, options)


@task(name=registered("positions", __name__))
def positions(
    game: str | list[str] | None = None,
    size: str | None = None,
    shuffle: int | None = None,
    variants: int | None = None,
    number: int | None = None,
    seed: int | None = None,
    suite: str | None = None,
    rules: str = "full",
    legal: bool = True,
    retries: int = 0,
    notation: str = "book",
    obfuscate: bool = False,
    tools: str = "none",
    picture: bool = False,
) -> Task:
    """Single positions in which the outcome depends on the move, a third of them easy, a third medium, a third hard.

    Args:
        game: A game, several separated by commas, or all (the default).
        size: The board, such as 3x3 or 9. Default: the rule book's.
        shuffle: A seed that shuffles the values of the cells, in games that have any.
        variants: A number of other boards of each game, made from the seed, instead of size and shuffle.
        number: Positions of each difficulty on each board. Default: 10.
        seed: Seed for the positions. Default: 0.
        suite: A suite such as quick, instead of the options above.
        rules: The rule book in full or short.
        legal: Whether the legal moves are listed.
        retries: How often an answer without a legal move is sent back. Default: never.
        notation: How cells are named: book, letters, zero, one or numbers.
        obfuscate: Whether the game is disguised (other name, symbols and coordinates).
        picture: Whether the board is a picture, and not drawn as text.
        tools: none (the model answers with text), play (with legal_moves and play_move) or analyze (and analyze).

    """
    with invalid_options():
        options = AgentOptions(rules, legal, False, retries, notation, obfuscate, tools, picture)
        if suite:
            refuse_others(game=game, size=size, shuffle=shuffle, variants=variants, number=number, seed=seed)
            return suite_task(load_suite(str(suite)), "positions", options)
        of_each = whole_number("number", number, default=POSITIONS_EACH, least=1)
        first = whole_number("seed", seed, default=0)
        specs = position_samples(make_boards(game or ALL, size, shuffle, variants, first), of_each, first)
        return make_task(specs, options)


@contextmanager
def invalid_options() -> Iterator[None]:
    """Turn what is wrong with the options into an error that Inspect prints as one line."""
    try:
        yield
    except InvalidTask:
        raise
    except QuintetError as error:
        raise InvalidTask(str(error)) from None


def make_task(specs: Sequence[SampleSpec], options: AgentOptions, suite: str | None = None) -> Task:
    """The task of playing samples with these prompt options."""
    return Task(
        dataset=MemoryDataset([make_sample(spec, options) for spec in specs]),
        solver=model(**asdict(options)),
        scorer=exact(),
        epochs=Epochs(1, all_epochs()),
        metadata={"suite": suite} if suite else None,
    )


def suite_task(suite: Suite, part: Literal["games", "positions"], options: AgentOptions) -> Task:
    """The task of playing the games, or the positions, of a suite."""
    return make_task(suite.games if part == "games" else suite.positions, options, suite.full_name)


def listed(names: str | list[str]) -> list[str]:
    """Names separated by commas; Inspect's command line has already split them."""
    return [str(name).strip() for name in (names if isinstance(names, list) else str(names).split(","))]


def make_boards(
    names: str | list[str], size: str | None, shuffle: int | None, variants: int | None, seed: int
) -> list[Position]:
    """The empty boards of games, if they are small enough to be solved."""
    games = list(GAMES.values()) if names == ALL else [find_game(name) for name in listed(names)]
    if variants is not None:
        if size is not None or shuffle is not None:
            raise InvalidTask("variants have their own sizes and values: leave out size and shuffle")
        number = whole_number("variants", variants, default=0)
        boards = [board for game in games for board in make_variants(game, number, seed)]
    elif shuffle is not None and not any(game.target for game in games):
        raise InvalidTask("there are no values to shuffle: choose a game whose cells have values")
    else:
        boards = [
            start(game, None if size is None else str(size), shuffle=shuffle if game.target else None) for game in games
        ]
    for board in boards:
        if board.outcome:
            raise InvalidTask(f"{board.game.title} {board.board.size} is over before it begins: choose a larger board")
        solve_within(Solver.grade, board)
    return boards


def refuse_others(**options: object) -> None:
    """A suite fixes what is played: it cannot be combined with other options."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InvalidTask(f"a suite fixes what is played: leave out {', '.join(given)}")


def whole_number(name: str, given: int | None, default: int, least: int | None = None) -> int:
    """A whole number that was given, or the default."""
    if given is None:
        return default
    if type(given) is not int:
        raise InvalidTask(f"{name} must be a whole number, not {given!r}")
    if least is not None and given < least:
        raise InvalidTask(f"{name} must be {least} or more")
    return given
