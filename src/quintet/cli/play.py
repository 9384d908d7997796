"""Commands to play, and to go on: `play`, `resume`, `history`, `export`, `import`, `engine`."""

import sys
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.common import (
    GameName,
    Json,
    Moves,
    Seed,
    Setup,
    Shuffle,
    Size,
    Target,
    Unfinished,
    Usage,
    Values,
    Who,
    begin,
    print_file,
    print_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quintet.engines import Engine
    from quintet.match import Match
    from quintet.store import Store


class First(StrEnum):
    """Who moves first."""

    p1 = "p1"
    p2 = "p2"
    random = "random"


MatchId = Annotated[str, typer.Argument(metavar="ID", help="The match; `quintet history` lists them.")]


def play(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    p1: Who = "human",
    p2: Who = "human",
    first: Annotated[First | None, typer.Option(help="Who moves first; by default Player 1.")] = None,
    moves: Moves = "",
    setup: Setup = None,
    seed: Seed = None,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long an engine may think about a move.")
    ] = None,
    no_save: Annotated[bool, typer.Option("--no-save", help="Do not keep the match.")] = False,
) -> None:
    """Play a game here, in the rule book's own words."""
    import random

    from quintet.protocol import LONGEST_TIME

    opener = {None: None, "p1": 1, "p2": 2}.get(first, random.Random(seed).choice((1, 2)))
    match = begin(game, size, target, values, shuffle, moves, setup, opener)
    if time is not None and not 0 <= time <= LONGEST_TIME:
        raise Usage(f"the time for a move lies between 0 and {LONGEST_TIME:.0f} seconds")
    match.names = (p1, p2)
    sit_down(match, seats(p1, p2, seed), time, not no_save)


def seats(p1: str, p2: str, seed: int | None) -> "list[Engine | None]":
    """The players that two descriptions name."""
    from quintet.engines import UnknownPlayer, make_engine

    try:
        return [make_engine(who, None if seed is None else 2 * seed + seat) for seat, who in enumerate((p1, p2))]
    except UnknownPlayer as error:
        raise Usage(str(error)) from None


def sit_down(
    match: "Match",
    engines: "list[Engine | None]",
    seconds: float | None = None,
    save: bool = True,
    id: str | None = None,
) -> None:
    """Play a match on, and keep it, where it is kept already if it has an id."""
    from quintet.keeper import Keeper
    from quintet.terminal.line import Dialogue

    def complain(reason: str) -> None:
        print(f"quintet: this match is not kept: {reason}", file=sys.stderr)

    keeper = Keeper(match, complain, id) if save else None
    try:
        Dialogue(match, engines, sys.stdin, sys.stdout, seconds, keeper).run()
    finally:
        if keeper:
            keeper.close()
    if match.outcome and match.outcome.kind == "forfeit":
        raise typer.Exit(1)


def engine(
    who: Annotated[str, typer.Argument(metavar="WHO", help="Who plays, as in `quintet play`.")] = "perfect",
    seed: Seed = None,
) -> None:
    """Serve a player to other programs. They speak the line protocol on standard input and output."""
    from quintet.engines import UnknownPlayer, make_engine
    from quintet.engines.server import Server

    try:
        player = make_engine(who, seed)
    except UnknownPlayer as error:
        raise Usage(str(error)) from None
    if player is None:
        raise Usage("a person cannot be served: choose an engine")
    try:
        Server(player, f"Quintet {who}").run(sys.stdin.buffer, sys.stdout.buffer)
    except KeyboardInterrupt:
        pass  # That is how a person ends a server.
    finally:
        player.close()


def history(
    json: Json = False,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, metavar="N", help="Show no more than so many.")] = 20,
) -> None:
    """List the matches that are kept, the latest first."""
    with opened_store() as store:
        entries = store.entries(limit)
    if json:
        from dataclasses import asdict

        print_json([{**asdict(entry), "updated": entry.updated.isoformat()} for entry in entries])
        return
    if not entries:
        print("No matches are kept yet; `quintet play` keeps each one.")
        return
    rows = [("ID", "WHEN (LOCAL TIME)", "GAME", "SIZE", "PLAYERS", "PLIES", "RESULT")]
    for entry in entries:
        names = ", ".join(name if len(name) <= 20 else name[:19] + "…" for name in entry.names)
        players = "".join(character if character.isprintable() else "?" for character in names)
        rows.append((entry.id, entry.when, entry.game, entry.size, players, str(entry.plies), entry.result))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def resume(
    id: Annotated[str | None, typer.Argument(metavar="ID", help="The match; by default the latest.")] = None,
    p1: Annotated[str | None, typer.Option(metavar="WHO", help="Who plays on as Player 1.")] = None,
    p2: Annotated[str | None, typer.Option(metavar="WHO", help="Who plays on as Player 2.")] = None,
    seed: Seed = None,
) -> None:
    """Go on with a match that was left. The players are the same unless you name others."""
    from quintet.record import UNFINISHED

    with opened_store() as store:
        if id is None:
            left = store.entries(unfinished=True)
            if not left:
                raise Usage("no match was left unfinished")
            id = left[0].id
        match, result = store.load(id), store.record(id).result
        if result != UNFINISHED:
            raise Usage(f"match {id} is over: {result}")
        engines = seats(p1 or take_seat(match.names[0]), p2 or take_seat(match.names[1]), seed)
        if p1 or p2:
            match.names = (p1 or match.names[0], p2 or match.names[1])
            store.rename(id, match.names)
    sit_down(match, engines, id=id)


def take_seat(name: str) -> str:
    """Who plays on under a name that is kept; a program only if it is named again."""
    from quintet.engines import kept_player

    who = kept_player(name)
    if who is None:
        raise Usage(f"a player was a program; to start it again, name it with --p1 or --p2: '{name}'")
    return who


def export(
    id: MatchId,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Where to write it; a file that is there is never written over."),
    ] = None,
) -> None:
    """Print a match as a record, or write it to a new file."""
    from quintet.record import write_record

    with opened_store() as store:
        text = write_record(store.record(id))
    if file is None:
        print_file(text)
        return
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise Usage(f"there is a file {file} already; choose another name") from None
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None


def import_(files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Records.")]) -> None:
    """Keep the matches that records tell of. One wrong record, and none is kept."""
    from quintet.record import InvalidRecord, load_record

    try:
        records = [load_record(file) for file in files]
    except InvalidRecord as error:
        raise Usage(str(error)) from None
    with opened_store() as store:
        for file, record in zip(files, records, strict=True):
            print(f"{store.add(record)}  {file}")


@contextmanager
def opened_store() -> "Iterator[Store]":
    """The store of matches; what is wrong with it is one clear line."""
    from quintet.store import Store, StoreFault, UnknownMatch

    try:
        with Store() as store:
            yield store
    except UnknownMatch as error:
        raise Usage(str(error)) from None
    except StoreFault as error:
        raise Unfinished(str(error)) from None
