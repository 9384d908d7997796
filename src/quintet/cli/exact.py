"""Commands about exact values: `analyze`, `solve`, `verify`, `dataset`, `solutions`."""

from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.common import (
    GameName,
    Gear,
    Json,
    Memory,
    Moves,
    Setup,
    Shuffle,
    Size,
    Target,
    Time,
    Unfinished,
    Usage,
    Values,
    begin,
    check_gear,
    need,
    print_json,
    room_for_table,
)
from quintet.cli.progress import showing_progress, showing_stages, status_line


def analyze(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    json: Json = False,
    time: Time = 60,
    memory: Memory = "1G",
) -> None:
    """Tell what a position and its moves are worth in perfect play."""
    from quintet.solve.oracle import Oracle
    from quintet.study import analysis

    match = begin(game, size, target, values, shuffle, moves, setup)
    with showing_progress() as watch:
        oracle = Oracle(match.position.game, match.position.board, memory=room_for_table(match, memory))
        result = analysis.analyze(match.position, oracle, time, watch)
    if json:
        from quintet.study.reports import analysis_report

        print_json(analysis_report(match, result))
    else:
        print(analysis.headline(match.position, result.value))
        if result.moves:
            print("\n" + analysis.value_map(match.position, result.moves))
            best = [match.position.label(move) for move in result.moves if result.is_best(move)]
            if best:
                print(f"\nBest: {'; '.join(best)}")
        if result.line:
            print(f"Line: {'; '.join(match.position.label(move) for move in result.line)}")
    if not result.complete:
        raise Unfinished("stopped before everything was decided; what is said is right")


def solve(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    json: Json = False,
    time: Annotated[float | None, typer.Option(min=0, metavar="SECONDS", help="Stop after so long.")] = None,
    memory: Memory = "1G",
    gear: Annotated[
        Gear | None, typer.Option(help="Plain Python or compiled; by default what suits the board.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Solve anew what was solved and kept before.")] = False,
) -> None:
    """Solve a position: its value and its best moves. Boards may be as big as time and memory allow."""
    from platformdirs import user_cache_path

    from quintet.solve import solution
    from quintet.study.analysis import headline

    match = begin(game, size, target, values, shuffle, moves, setup)
    position, chosen = match.position, check_gear(match, gear)
    folder = user_cache_path("quintet") / "solutions"
    known = None if fresh or gear else solution.read(folder, position)
    found = known
    if found is None:
        with showing_progress() as watch:
            found = solution.solve(position, chosen, room_for_table(match, memory, chosen), time, watch)
        solution.save(folder, position, found)
    best, keeps_win = ([position.label(move) for move in found_moves] for found_moves in (found.best, found.keeps_win))
    if json:
        from quintet.study.reports import value_report

        facts = {
            "value": value_report(found.value),
            "best": best,
            "nodes": found.nodes,
            "seconds": round(found.seconds, 3),
        }
        print_json(facts | {"gear": found.gear} | ({"keeps_win": keeps_win} if keeps_win else {}))
    else:
        print(headline(position, found.value))
        for name, labels in (("Best", best), ("Keeps the win", keeps_win)):
            if labels:
                print(f"{name}: {'; '.join(labels)}")
        earlier = " (kept from an earlier run; --fresh solves anew)" if known else ""
        print(f"{found.nodes:,} positions in {found.seconds:.3f} s, {found.gear} gear{earlier}")
    if not found.complete:
        raise Unfinished("stopped before everything was decided; what is said is right")


def verify(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    json: Json = False,
    gear: Annotated[Gear | None, typer.Option(help="The gear of the search that is put to the proof.")] = None,
) -> None:
    """Prove all values from the rules alone. The search must know every one of them."""
    need("walking all positions", "fast", "numpy")
    from quintet.solve import verify as proof

    match = begin(game, size, target, values, shuffle, moves, setup)
    try:
        with showing_stages() as progress:
            found = proof.verify(match.position, check_gear(match, gear), progress)
    except proof.TooLarge as error:
        raise Usage(str(error)) from None
    except proof.Disproved as error:
        raise Unfinished(str(error)) from None
    if json:
        from quintet.study.reports import value_report

        print_json({**found._asdict(), "value": value_report(found.value)})
        return
    print(f"{match.position.game.title} {match.position.board.size}: {found.value} for the player to move, proved")
    counts = {
        "positions": found.positions,
        "before a pass": found.before_passes,
        "before the target": found.before_target,
        "wins": found.wins,
        "losses": found.losses,
        "draws": found.draws,
        "search agrees": found.compared,
    }
    for name, number in counts.items():
        if number is not None:
            print(f"{name:<18}{number:>12,}")
    print(f"checksum          {found.checksum}\nA position is told by {found.told_by}.")


def dataset(
    game: GameName,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the columns to this .npz file, over an old one.")],
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
) -> None:
    """Write all positions with values and best moves, for NumPy. Those that are alike by symmetry are one row."""
    need("walking all positions", "fast", "numpy")
    from quintet.solve import dataset as data
    from quintet.solve.verify import TooLarge

    start = begin(game, size, target, values, shuffle).position
    if out.is_dir() or not out.parent.is_dir():
        raise Usage(f"cannot write {out}: there is {'a folder of that name' if out.is_dir() else 'no such folder'}")
    if out.suffix != ".npz":
        raise Usage(f"a dataset is an .npz file: {out} must end so")
    try:
        with showing_stages() as progress:
            columns, about = data.collect(start.game, start.board, progress)
        data.write(out, columns, about)
    except TooLarge as error:
        raise Usage(str(error)) from None
    except OSError as error:
        raise Usage(f"cannot write {out}: {error.strerror}") from None
    print(f"{about['rows']:,} rows for {about['positions']:,} positions of {start.game.title} {start.board.size}")
    print(f"columns: {', '.join(columns)}")


def solutions() -> None:
    """Print the page of solved boards, Markdown."""
    from quintet.study.solved_boards import page

    with status_line() as show:
        text = page(lambda board: show(lambda: board))
    print(text, end="")
