"""Commands to get better: `review` and `puzzle`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.common import (
    Json,
    Memory,
    Seed,
    Shuffle,
    Size,
    Target,
    Time,
    Unfinished,
    Usage,
    Values,
    begin,
    print_json,
    replay_file,
    room_for_table,
    write_text,
)
from quintet.cli.progress import showing_progress

if TYPE_CHECKING:
    from datetime import date

    from quintet.study.puzzles import Puzzle


LONGEST_REVIEW = 60.0
"""Seconds for finding the mistakes of a recorded game."""


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as `save` writes it.")],
    json: Json = False,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the value over the game as SVG into a file, over an old one; - prints it."
        ),
    ] = None,
    time: Time = 60,
    memory: Memory = "1G",
) -> None:
    """Grade every move of a recorded game against perfect play."""
    from quintet.solve.oracle import Oracle
    from quintet.study import reviews as reviewing
    from quintet.study.reports import review_report
    from quintet.study.value_graph import value_graph

    if json and str(svg) == "-":
        raise Usage("print either JSON or the picture")
    match = replay_file(file)
    with showing_progress() as watch:
        oracle = Oracle(match.position.game, match.position.board, memory=room_for_table(match, memory))
        found = reviewing.review(match, oracle, time, watch)
    if json:
        print_json(review_report(found))
    elif str(svg) != "-":
        print(reviewing.report(found))
    if svg:
        write_text(svg, value_graph(found))
    if not found.complete:
        raise Unfinished(f"not everything is decided within {time:g} s and {memory}; the grades given are right")


def puzzle(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game; by default chance chooses.")] = None,
    rating: Annotated[
        int | None,
        typer.Option(min=1, max=9, metavar="N", help="How many of the levels miss it, 1 to 9; the nearest found."),
    ] = None,
    seed: Seed = None,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    day: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The puzzle of that day.")] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="The mistakes of a recorded game.")
    ] = None,
    player: Annotated[int | None, typer.Option(min=1, max=2, metavar="N", help="Whose mistakes, with --from.")] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Print the solution instead of asking.")] = False,
    json: Json = False,
) -> None:
    """Find the one move that wins. Without arguments, it is the puzzle of the day."""
    from quintet.study import puzzles
    from quintet.terminal.puzzle_dialogue import Quiz

    made = (game, rating, seed, size, target, values, shuffle)
    if sum((made != (None,) * len(made), day is not None, source is not None)) > 1:
        raise Usage("choose one: a game with its options, --day, or --from")
    if player and not source:
        raise Usage("--player goes with --from")
    if source:
        chosen = own_mistakes(source, player)
    elif any(option is not None for option in made):
        chosen = [new_puzzle(game, rating, seed, size, target, values, shuffle)]
    else:
        chosen = [puzzles.puzzle_of_the_day(read_day(day))]
    if json:
        from quintet.study.reports import puzzle_report

        found = [puzzle_report(one, solution) for one in chosen]
        print_json(found if source else found[0])
        return
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if rating and chosen[0].rating != rating:
        print(f"No puzzle rated {rating} was found; this one is the nearest.\n")
    for one in chosen:
        if not Quiz(one, sys.stdin, sys.stdout).run(solution):
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
    """The puzzle that the options describe; what they leave open is left to chance."""
    import random

    from quintet.games import GAMES
    from quintet.study.puzzles import NoPuzzle, make_puzzle

    if name is None and (size, target, values, shuffle) != (None,) * 4:
        raise Usage("a board needs its game: quintet puzzle GAME")
    if seed is None:
        seed = random.randrange(1_000_000)
    empty = begin(name or random.Random(seed).choice(list(GAMES)), size, target, values, shuffle).position
    try:
        return make_puzzle(empty.game, seed, rating, empty)
    except NoPuzzle as error:
        raise Unfinished(str(error)) from None


def own_mistakes(file: Path, player: int | None) -> "list[Puzzle]":
    """The puzzles in a recorded game."""
    from quintet.study.puzzles import mistakes
    from quintet.study.reviews import review as look_at

    match = replay_file(file)
    with showing_progress() as watch:
        found = mistakes(look_at(match, seconds=LONGEST_REVIEW, watch=watch), player=player)
    if not found:
        whose = f"Player {player}'s" if player else "either player's"
        raise Unfinished(f"{file}: no move of {whose} is known to have changed the outcome")
    return found


def read_day(text: str | None) -> "date":
    """A date, today if none is given."""
    from datetime import date

    try:
        return date.today() if text is None else date.fromisoformat(text)
    except ValueError:
        raise Usage(f"cannot read the day {text[:20]!r}: write it as 2026-11-15") from None  # type: ignore[index]
