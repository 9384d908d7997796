"""Commands for developers: `perft`, `verify`, `dataset`, `solutions`. Benchmarks are in `benchmarks.py`."""

import sys
from contextlib import contextmanager
from enum import StrEnum
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
    write_text,
)
from quintet.cli.progress import stage_progress, status_line
from quintet.errors import QuintetError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quintet.match import Match
    from quintet.rules import Position
    from quintet.workers import Workers

Folder = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Save positions and values in FOLDER instead of memory; run the command again to continue.",
    ),
]
FolderMemory = Annotated[
    str, typer.Option(metavar="SIZE", help="With --folder: approximate memory per worker, such as 512M or 2G.")
]
ProofWorkers = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Worker processes (default: one, or with --folder one per core); or ray, or ray://HOST:PORT.",
    ),
]


class Interrupted(QuintetError):
    """A command that was interrupted and can be continued."""

    status = 130


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


def choose_workers(workers: str | None, folder: Path | None) -> "Workers":
    """The workers of a proof: in memory, this process alone if nothing else is said."""
    from quintet.workers import read_workers

    return read_workers("1" if workers is None and folder is None else workers)


@contextmanager
def in_folder(start: "Position", folder: Path | None, key: str | None = None) -> "Iterator[None]":
    """Say that a proof is continued from a folder, or can be continued from it."""
    import signal

    from quintet.cli.compete import interrupt
    from quintet.solve.stages import can_continue

    signal.signal(signal.SIGTERM, interrupt)  # A temporary folder is deleted.
    if folder is None:
        yield
        return
    try:
        if can_continue(start, folder, key):
            print(f"quintet: continuing the proof in {folder}", file=sys.stderr)
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; run the same command again to continue from {folder}") from None
    except OSError as error:
        raise Usage(f"cannot use the folder {folder}: {error.strerror or error}") from None


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
    folder: Folder = None,
    workers: ProofWorkers = None,
    memory: FolderMemory = "1G",
) -> None:
    """Check the solver against the rules. All values are computed again, independently of the search."""
    require("walking all positions", "fast", "numpy")
    from quintet.solve import verify as proof
    from quintet.solve.memory import read_worker_memory

    start, crew, room = match.position, choose_workers(workers, folder), read_worker_memory(memory)
    with in_folder(start, folder), stage_progress(crew) as progress:
        found = proof.verify(start, check_gear(match, gear), progress, keys, folder, crew, room)
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


class DataFormat(StrEnum):
    """The formats of a dataset."""

    npz = "npz"
    parquet = "parquet"


class Distribution(StrEnum):
    """The distributions of a dataset."""

    all = "all"
    random_play = "random-play"
    perfect_play = "perfect-play"


def choose_format(out: Path, format: DataFormat | None) -> DataFormat:
    """The format that was asked for, or that the file's name says."""
    names = [f".{name}" for name in DataFormat]
    if format is None and out.suffix not in names:
        raise Usage(f"--out: the name of the file must end in {' or '.join(names)}, not {out.name!r}; or give --format")
    return format or DataFormat(out.suffix[1:])


@on_empty_board
def dataset(
    match: "Match",
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the data to FILE (.npz or .parquet), replacing it.")],
    format: Annotated[
        DataFormat | None, typer.Option(help="Format of the file (default: by its name). Parquet needs the extra data.")
    ] = None,
    distribution: Annotated[
        Distribution, typer.Option(help="What the positions are weighted by; those of weight 0 are left out.")
    ] = Distribution.all,
    card: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With Parquet: write the data card to FILE (default: README.md beside --out)."
        ),
    ] = None,
    folder: Folder = None,
    workers: ProofWorkers = None,
    memory: FolderMemory = "1G",
) -> None:
    """Write all positions with values and best moves to a NumPy or Parquet file. Symmetric positions share a row."""
    require("walking all positions", "fast", "numpy")
    from quintet.solve import dataset as data
    from quintet.solve.memory import read_worker_memory

    start, crew, room = match.position, choose_workers(workers, folder), read_worker_memory(memory)
    parquet = choose_format(out, format) == DataFormat.parquet
    if parquet:
        require("Parquet", "data", "pyarrow")
        from quintet.solve.data_card import data_card, may_replace
        from quintet.solve.parquet import write_parquet
    readme = card or out.with_name("README.md")
    for file in (out, readme) if parquet else (out,):
        if file.is_dir():
            raise Usage(f"cannot write {file}: it is a folder")
        if not file.parent.is_dir():
            raise Usage(f"cannot write {file}: no such folder")
    if parquet and card is None and not may_replace(readme, out.name):
        raise Usage(f"{readme} is not the data card of {out.name}: write to a folder of its own, or give --card FILE")
    weighted = str(distribution) if parquet or distribution != Distribution.all else None
    with (
        in_folder(start, folder, data.key_of(start.game, weighted)),
        stage_progress(crew) as progress,
        data.open_dataset(start.game, start.board, progress, folder, crew, room, weighted) as (parts, about),
    ):
        try:
            if parquet:
                columns, checksum = write_parquet(out, parts, about)
            else:
                columns = data.write(out, parts, about)
        except OSError as error:
            raise Usage(f"cannot write {out}: {error.strerror}") from None
    if parquet:
        write_text(readme, data_card(about, columns, out.name, checksum))
    print(f"{about['rows']:,} rows for {about['positions']:,} positions of {start.game.title} {start.board.size}")
    print(f"columns: {', '.join(columns)}")
    if parquet:
        print(f"data card: {readme}")


def solutions(workers: WorkersOption = None) -> None:
    """Print the page of solved boards, in Markdown."""
    from quintet.study.solved_boards import page
    from quintet.workers import read_workers

    with status_line() as show:
        text = page(lambda board: show(lambda: board), read_workers(workers))
    print(text, end="")
