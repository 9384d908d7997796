"""Commands for saved games: `history`, `export`, `import`."""

from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.common import Json, MatchId, Usage, print_file, print_json
from quintet.files import write_file
from quintet.safe_text import escape

LONGEST_NAME = 20
"""Letters of a player's name that fit in the list."""


def history(
    json: Json = False,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, metavar="N", help="List at most N games.")] = 20,
) -> None:
    """List your saved games, latest first."""
    from quintet.store.matches import Store

    with Store() as store:
        entries = store.entries(limit)
    if json:
        from dataclasses import asdict

        print_json([{**asdict(entry), "updated": entry.updated.isoformat()} for entry in entries])
        return
    if not entries:
        print("No saved games yet. `quintet play` saves every game.")
        return
    rows: list[tuple[str, ...]] = [("ID", "WHEN (LOCAL TIME)", "GAME", "SIZE", "PLAYERS", "MOVES", "RESULT")]
    for entry in entries:
        names = map(escape, entry.names)
        players = ", ".join(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…" for name in names)
        cells = entry.id, entry.when, entry.game, entry.size, players, str(entry.plies), entry.result
        rows.append(tuple(map(escape, cells)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def export(
    id: MatchId,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Write the record to FILE, which must not exist yet.")
    ] = None,
) -> None:
    """Print a saved game as a record, or write it to a file."""
    from quintet.record import write_record
    from quintet.store.matches import Store

    with Store() as store:
        text = write_record(store.record(id))
    if file is None:
        print_file(text)
        return
    try:
        write_file(file, text, new=True)
    except FileExistsError:
        raise Usage(f"{file} already exists; choose another name") from None
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None


def import_(files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files with game records.")]) -> None:
    """Import game records. If one is invalid, nothing is imported."""
    from quintet.record import load_record
    from quintet.store.matches import Store

    records = [load_record(file) for file in files]
    with Store() as store:
        for file, record in zip(files, records, strict=True):
            print(f"{store.add(record)}  {escape(str(file))}")
