"""The command to solve puzzles: `puzzle`."""

import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.board_options import Shuffle, Size, Target, Values
from quintet.cli.common import (
    Json,
    Seed,
    Unfinished,
    Usage,
    print_json,
    read_match,
)
from quintet.cli.progress import search_progress

if TYPE_CHECKING:
    from datetime import date

    from quintet.store.matches import Store
    from quintet.study.puzzles import Puzzle


REVIEW_SECONDS = 60.0
"""Time limit for finding the mistakes of a recorded game."""


def puzzle(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Name of the game (default: a random one).")
    ] = None,
    rating: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=9,
            metavar="N",
            help="Difficulty from 1 to 9: how many of the ten levels usually miss it.",
        ),
    ] = None,
    seed: Seed = None,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    day: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Solve the puzzle of that day (default: today, in UTC).")
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Make puzzles from the mistakes in a game record.")
    ] = None,
    player: Annotated[
        int | None, typer.Option(min=1, max=2, metavar="N", help="With --from: use only the mistakes of Player N.")
    ] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Print the solution instead of asking.")] = False,
    json: Json = False,
) -> None:
    """Solve a puzzle: find the move that wins or saves the draw.

    Without arguments, it is the puzzle of the day, the same for everybody: three tries, and a streak of days.
    """
    from quintet.study import puzzles
    from quintet.terminal.puzzle_dialogue import PuzzleDialogue
    from quintet.terminal.puzzle_log import PuzzleLog

    made = (game, rating, seed, size, target, values, shuffle)
    if sum((made != (None,) * len(made), day is not None, source is not None)) > 1:
        raise Usage("choose one: a game with its options, --day, or --from")
    if player and not source:
        raise Usage("--player needs --from")
    if source:
        chosen = own_mistakes(source, player)
    elif any(option is not None for option in made):
        chosen = [new_puzzle(game, rating, seed, size, target, values, shuffle)]
    else:
        now = puzzles.today()
        wanted = read_day(day) if day is not None else now
        puzzles.check_day(wanted, now)
        chosen = [puzzles.puzzle_of_the_day(wanted)]
    if json:
        from quintet.study.reports import puzzle_report

        found = [puzzle_report(one, solution) for one in chosen]
        print_json(found if source else found[0])
        return
    if rating and chosen[0].rating != rating:
        print(f"No puzzle rated {rating} was found; this is the closest.\n")
    with ExitStack() as opened:

        @cache
        def open_store() -> "Store":
            from quintet.store.matches import Store

            return opened.enter_context(Store())

        log = PuzzleLog(open_store, lambda warning: print(warning, file=sys.stderr))
        for one in chosen:
            if not PuzzleDialogue(one, sys.stdin, sys.stdout, log).run(solution):
                return


def new_puzzle(
    name: str | None,
    rating: int | None,
    seed: int | None,
    size: str | None,
    target: int | None,
    values: str | None,
    shuffle: int | None,
) -> "Puzzle":
    """The puzzle that the options describe; what they leave open is random."""
    import random

    from quintet.games import GAMES
    from quintet.options import start
    from quintet.study.puzzles import make_puzzle

    if name is None and (size, target, values, shuffle) != (None,) * 4:
        raise Usage("board options need a game: quintet puzzle GAME")
    if seed is None:
        seed = random.randrange(1_000_000)
    empty = start(name or random.Random(seed).choice(list(GAMES)), size, target, values, shuffle)
    return make_puzzle(empty.game, seed, rating, empty)


def own_mistakes(file: Path, player: int | None) -> "list[Puzzle]":
    """The puzzles in a recorded game."""
    from quintet.study.puzzles import mistakes
    from quintet.study.reviews import review

    match = read_match(file)
    with search_progress() as watch:
        found = mistakes(review(match, seconds=REVIEW_SECONDS, watch=watch), player=player)
    if not found:
        whose = f"Player {player}" if player else "either player"
        raise Unfinished(f"{file}: no mistake by {whose} changed the result, so there is no puzzle")
    return found


def read_day(text: str) -> "date":
    """The date that a text names."""
    from datetime import date

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Usage(f"--day: cannot read {text[:20]!r}; write it like 2026-11-15") from None
