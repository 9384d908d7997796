"""Commands to study positions and games: `show`, `analyze`, `solve`, `review`."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.board_options import on_match, on_match_or_record
from quintet.cli.common import (
    STOPPED,
    Gear,
    Json,
    Memory,
    Threads,
    Time,
    Unfinished,
    Usage,
    check_threads,
    print_json,
    read_match,
    table_memory,
    write_bytes,
    write_text,
)
from quintet.cli.progress import search_progress
from quintet.safe_text import escape

if TYPE_CHECKING:
    from quintet.match import Match
    from quintet.solve.divided import DividedSearch
    from quintet.study.analysis import Part


@on_match_or_record
def show(
    match: "Match",
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a picture of the board to FILE, replacing it; - prints it."),
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="The same as PNG.")] = None,
    gif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a replay of the moves to FILE as animated GIF.")
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Use the dark colours for --png and --gif.")] = False,
    caption: Annotated[
        bool, typer.Option("--caption", help="Write the game's title and the scores around the board of --png.")
    ] = False,
    parts: Annotated[
        bool,
        typer.Option(
            "--parts",
            help="Show the parts of the open cells that do not affect each other, with their nimbers"
            " (Isolation, Grid Conquest).",
        ),
    ] = False,
) -> None:
    """Show a position and its legal moves, or draw it."""
    position = match.position
    if [svg, png, gif].count(Path("-")) > 1:
        raise Usage("only one picture can be printed: name a file for the others")
    found: Sequence[Part] = ()
    if parts:
        from quintet.study.analysis import find_parts

        found = find_parts(position)
        if not found and not match.outcome:
            raise Usage(f"{position.game.title} is not a sum of independent parts")
    if svg:
        last = match.positions[-2].gain(match.moves[-1]) if match.moves else 0
        shown = {part.cells: "" if part.nimber is None else str(part.nimber) for part in found}
        write_text(svg, position.picture(last, parts=shown))
    if png or gif:
        from quintet import pictures

        if png:
            write_bytes(png, pictures.board_png(match, dark, caption, screen=False))
        if gif:
            write_bytes(gif, pictures.replay_gif(match, dark, screen=False))
    if svg or png or gif:
        return
    from quintet.notation import list_moves, write_position

    print(position)
    print()
    print(f"Score: {position.scores[0]} to {position.scores[1]}")
    if match.outcome:
        print(match.outcome.sentence)
    else:
        print(f"Player {position.player} ({'XO'[position.player - 1]}) to move: {list_moves(position)}")
    for number, part in enumerate(found, 1):
        nimber = "" if part.nimber is None else f" (nimber {part.nimber})"
        print(f"Part {number}{nimber}: {list_moves(position, part.cells)}")
    print(f"Position: {write_position(position)}")


@on_match
def analyze(
    match: "Match",
    json: Json = False,
    time: Time = 60,
    memory: Memory = "1G",
) -> None:
    """Compute the exact value of a position and of each move.

    What cannot be proved in time is estimated, and marked as an estimate.
    """
    from quintet.solve.oracle import Oracle
    from quintet.study import analysis

    with search_progress() as watch:
        oracle = Oracle(match.position.game, match.position.board, memory=table_memory(match, memory))
        result = analysis.analyze(match.position, oracle, time, watch)
    if json:
        from quintet.study.reports import analysis_report

        print_json(analysis_report(match, result))
    else:
        print(analysis.headline(match.position, result.value))
        if result.moves:
            from quintet.study import coach

            print("\n" + analysis.value_map(result))
            notes = [] if result.complete else [*coach.proved(result), coach.estimated(result)]
            best = [match.position.label(move) for move in result.moves if result.is_best(move)]
            notes += [coach.parts_of(result), f"Best: {'; '.join(best)}" if best else ""]
            if any(notes):
                print("\n" + "\n".join(filter(None, notes)))
        if result.line:
            print(f"Line: {'; '.join(match.position.label(move) for move in result.line)}")
    if not result.complete:
        raise Unfinished(f"{STOPPED}, except for estimates, marked ~" if result.estimate else STOPPED)


@on_match
def solve(
    match: "Match",
    json: Json = False,
    time: Annotated[float | None, typer.Option(min=0, metavar="SECONDS", help="Time limit (default: none).")] = None,
    memory: Memory = "1G",
    gear: Annotated[
        Gear | None, typer.Option(help="Run plain Python or compiled code (default: whichever suits the board).")
    ] = None,
    threads: Threads = 1,
    workers: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Divide the search among N worker processes, which share --memory, or among a Ray cluster's workers,"
            " which have it each: ray or ray://HOST:PORT (extra: cluster).",
        ),
    ] = None,
    proved: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Append what is proved to FILE; an interrupted solve continues from it."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore saved solutions and solve again.")] = False,
    winner: Annotated[
        bool,
        typer.Option(
            "--winner", help="Find only who wins, not how soon or by how much; in Isolation by Grundy numbers."
        ),
    ] = False,
) -> None:
    """Solve a position: its value and its best moves. Boards may be as large as time and memory allow."""
    from platformdirs import user_cache_path

    from quintet.solve import solution
    from quintet.study.analysis import headline

    position, chosen = match.position, check_threads(match, gear, threads)
    folder = user_cache_path("quintet") / "solutions"
    divided = workers is not None or proved is not None
    known = None if fresh or gear or winner or divided else solution.read(folder, position)
    found = known
    if found is None:
        with ExitStack() as stack:
            if divided:
                search = divide_search(match, "1" if workers is None else workers, proved, chosen, memory, threads)
                searcher, room = stack.enter_context(closing(search)), 0
            else:
                searcher, room = None, table_memory(match, memory, chosen, threads)
            watch = stack.enter_context(search_progress())
            found = solution.solve(position, chosen, room, time, watch, threads, searcher, winner)
        if not winner:
            solution.save(folder, position, found)
    best, keeps_win = ([position.label(move) for move in found_moves] for found_moves in (found.best, found.keeps_win))
    if json:
        from quintet.study.reports import value_report

        facts = {"value": value_report(found.value), "best": best, "nodes": found.nodes}
        facts |= {"seconds": round(found.seconds, 3), "gear": found.gear}
        facts |= {} if found.grundy is None else {"grundy": found.grundy}
        print_json(facts | ({"keeps_win": keeps_win} if keeps_win else {}))
    else:
        print(headline(position, found.value))
        if found.grundy is not None:
            print(f"Grundy number: {found.grundy}")
        for name, labels in (("Best", best), ("Keeps the win", keeps_win)):
            if labels:
                print(f"{name}: {'; '.join(labels)}")
        earlier = " (saved result; --fresh solves again)" if known else ""
        counted = " (finished tasks only)" if divided and not found.complete else ""
        print(f"{found.nodes:,} positions{counted} in {found.seconds:.3f} s, {found.gear} gear{earlier}")
    if not found.complete:
        raise Unfinished(STOPPED)


def divide_search(
    match: "Match", workers: str, proved: Path | None, gear: str | None, memory: str, threads: int
) -> "DividedSearch":
    """The search that `--workers` and `--proved` describe."""
    import signal

    from quintet.cli.compete import interrupt
    from quintet.solve.divided import divide
    from quintet.workers import read_workers

    signal.signal(signal.SIGTERM, interrupt)
    crew = read_workers(workers)
    processes = crew.most + 1 if workers.isdigit() and crew.most > 1 else 1
    room = table_memory(match, memory, gear, threads, processes)
    search = divide(match.position, crew, proved, gear, room, threads)
    if search.proved.read:
        print(f"quintet: {search.proved.read:,} results read from {escape(str(proved))}", file=sys.stderr)
    return search


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game record; `quintet export` writes one.")],
    json: Json = False,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a graph of the value, move by move, to FILE, replacing it; - prints it."
        ),
    ] = None,
    time: Time = 60,
    memory: Memory = "1G",
) -> None:
    """Grade each move of a recorded game against perfect play."""
    from quintet.solve.oracle import Oracle
    from quintet.study import remarks, reviews

    if json and str(svg) == "-":
        raise Usage("--json and --svg - both print: choose one")
    match = read_match(file)
    with search_progress() as watch:
        oracle = Oracle(match.position.game, match.position.board, memory=table_memory(match, memory))
        found = reviews.review(match, oracle, time, watch)
    if json:
        from quintet.study.reports import review_report

        print_json(review_report(found))
    elif str(svg) != "-":
        print(escape(remarks.report(found), lines=True))
    if svg:
        from quintet.study.value_graph import value_graph

        write_text(svg, value_graph(found))
    if not found.complete:
        raise Unfinished(f"not every move could be graded within {time:g} s and {memory}; the grades shown are exact")
