"""The command that opens the web table: `serve`."""

import os
from typing import Annotated

import typer

from quintet.cli.common import WEB, Unfinished, Usage, need

LONGEST_NAME = 30


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 is for everybody.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, metavar="N", help="Which port; 0 finds a free one.")] = 8000,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="The store, such as postgresql://host/quintet.")
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="Server processes; more than one need PostgreSQL.")
    ] = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="N",
            help="Processes that think, by default one for each core; two at least.",
        ),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=WHO", help="Offer a player of your own, such as 'Bot=exec:./bot'; may be repeated."),
    ] = None,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Count nobody's requests: for load tests, not for strangers.")
    ] = False,
) -> None:
    """Open the web table, a page to play, watch and learn on. Ctrl-C stops it."""
    need("the web table", "web", *WEB)
    from quintet.cli.port import open_port
    from quintet.store.database import StoreFault
    from quintet.store.matches import Store
    from quintet.web import runner
    from quintet.web.app import Settings

    guests = read_guests(player or [])
    try:
        with Store(database) as store:  # Said at once and once, not by every process.
            if processes > 1 and store.embedded:
                raise Usage("several processes need PostgreSQL: --database postgresql://...")
    except StoreFault as fault:
        raise Unfinished(f"--database: {fault}" if database else str(fault)) from None
    listener, address = open_port(host, port)
    settings = Settings(database, workers or os.cpu_count() or 1, not no_limits, guests)
    print(f"Quintet is at {address} (Ctrl-C stops it)", flush=True)
    with listener:
        try:
            runner.run(listener, settings, processes)
        except KeyboardInterrupt:
            pass  # That is how a person ends a server.


def read_guests(texts: list[str]) -> dict[str, str]:
    """The operator's own players: by what they are called at the tables, what to ask."""
    from quintet.engines import HUMAN, UnknownPlayer, make_engine
    from quintet.view import GUEST

    guests = {}
    for text in texts:
        name, equals, who = text.partition("=")
        if not (equals and name.isprintable() and 0 < len(name) <= LONGEST_NAME) or who == HUMAN:
            raise Usage("--player takes a short name and a player, such as 'Bot=exec:./bot'")
        try:
            made = make_engine(who)
        except UnknownPlayer as error:
            raise Usage(str(error)) from None
        if made:
            made.close()
        guests[f"{GUEST}{name}"] = who
    return guests
