"""Commands for developers: `perft`, `verify`, `dataset`, `solutions`. Benchmarks are in `benchmarks.py`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.board_options import on_empty_board, on_match
from quintet.cli.common import (
    Gear,
    Json,
    Usage,
    WorkersOption,
    check_gear,
    print_json,
    require,
)
from quintet.cli.progress import stage_progress, status_line

if TYPE_CHECKING:
    from quintet.match import Match


@on_match
def perft(
    match: "Match",
    depth: Annotated[int, typer.Argument(min=0, max=60, metavar="DEPTH", help="Length of the sequences, in moves.")],
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count for each first move.")] = False,
) -> None:
    """Count the move sequences of a given length. The last line is the number alone."""
    from quintet import perft as counting

    position = match.position
    if divide and depth:
        parts = counting.divide(position, depth)
        for move, number in parts.items():
            print(f"{position.label(move)}: {number}")
        print(sum(parts.values()))
    else:
        print(counting.perft(position, depth))


@on_match
def verify(
    match: "Match",
    json: Json = False,
    gear: Annotated[
        Gear | None,
        typer.Option(help="Check plain Python or compiled code (default: whichever suits the board)."),
    ] = None,
    keys: Annotated[
        bool, typer.Option("--keys", help="Also check that positions counted as one have the same value.")
    ] = False,
) -> None:
    """Check the solver against the rules. All values are computed again, independently of the search."""
    require("walking all positions", "fast", "numpy")
    from quintet.solve import verify as proof

    with stage_progress() as progress:
        found = proof.verify(match.position, check_gear(match, gear), progress, keys)
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
        "keys agree": found.keys_checked,
    }
    for name, number in counts.items():
        if number is not None:
            print(f"{name:<18}{number:>12,}")
    print(f"checksum          {found.checksum}\nPositions are identified by {found.told_by}.")


@on_empty_board
def dataset(
    match: "Match",
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the data to FILE (.npz), replacing it.")],
) -> None:
    """Write all positions with values and best moves to a NumPy file. Symmetric positions share a row."""
    require("walking all positions", "fast", "numpy")
    from quintet.solve import dataset as data

    start = match.position
    if out.is_dir():
        raise Usage(f"cannot write {out}: it is a folder")
    if not out.parent.is_dir():
        raise Usage(f"cannot write {out}: no such folder")
    if out.suffix != ".npz":
        raise Usage(f"--out: the name of the file must end in .npz, not {out.name!r}")
    try:
        with stage_progress() as progress:
            columns, about = data.collect(start.game, start.board, progress)
        data.write(out, columns, about)
    except OSError as error:
        raise Usage(f"cannot write {out}: {error.strerror}") from None
    print(f"{about['rows']:,} rows for {about['positions']:,} positions of {start.game.title} {start.board.size}")
    print(f"columns: {', '.join(columns)}")


def solutions(workers: WorkersOption = None) -> None:
    """Print the page of solved boards, in Markdown."""
    from quintet.study.solved_boards import page
    from quintet.workers import read_workers

    with status_line() as show:
        text = page(lambda board: show(lambda: board), read_workers(workers))
    print(text, end="")
