"""Commands that put web servers under load and break them: `bench serve`, `bench chaos`."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from quintet.cli.benchmarks import Runs
from quintet.cli.board_options import Size
from quintet.cli.common import WEB, Json, Unfinished, Usage, print_json, require
from quintet.cli.progress import status_line

if TYPE_CHECKING:
    from quintet.bench.chaos import Report
    from quintet.bench.meter import Figures
    from quintet.bench.tables import Row

FASTEST_PACE = 0.1
"""Seconds between the moves of a match, at least, on a server with its limits."""


def bench_serve(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Name of a game (default: all games in turn).")
    ] = None,
    size: Size = None,
    matches: Annotated[int, typer.Option(min=1, metavar="N", help="Number of concurrent matches.")] = 100,
    engines: Annotated[int, typer.Option(min=0, metavar="N", help="How many of them are against an engine.")] = 0,
    engine: Annotated[str, typer.Option(metavar="WHO", help="The engine to play against.")] = "level:5",
    sockets: Annotated[
        int, typer.Option(min=0, metavar="N", help="Open at least N sockets; the extra ones only watch.")
    ] = 0,
    pace: Annotated[
        float,
        typer.Option(min=0, metavar="SECONDS", help="Average pause between the moves of a match; 0 is full speed."),
    ] = 0,
    seconds: Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="How long to measure.")] = 10,
    flooding: Annotated[
        int, typer.Option(min=0, metavar="N", help="Add N hostile sockets that send as fast as they can.")
    ] = 0,
    half_open: Annotated[
        int, typer.Option(min=0, metavar="N", help="Add N hostile connections with requests that never end.")
    ] = 0,
    processes: Annotated[
        int,
        typer.Option(
            min=1,
            max=64,
            metavar="N",
            help="Server processes to start; more than one need PostgreSQL (see --database).",
        ),
    ] = 1,
    kill_every: Annotated[
        float | None,
        typer.Option(min=0.1, metavar="SECONDS", help="Kill one of the server processes (SIGKILL) every SECONDS."),
    ] = None,
    drain_every: Annotated[
        float | None,
        typer.Option(min=0.1, metavar="SECONDS", help="Stop one of the server processes (SIGTERM) every SECONDS."),
    ] = None,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Measure a running server, started with --no-limits.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Database of the server to start (default: a temporary one).")
    ] = None,
    runs: Runs = 1,
    json: Json = False,
) -> None:
    """Load-test the web server with many matches at once. It prints moves per second, latency, memory and errors."""
    from dataclasses import asdict

    from msgspec import structs

    from quintet.bench.tables import print_runs
    from quintet.games import GAMES
    from quintet.options import start

    if game is not None:
        start(game, size)
    elif size is not None:
        raise Usage("--size needs a game")
    if (flooding or half_open) and pace < FASTEST_PACE:
        raise Usage(f"--flooding and --half-open need a --pace of at least {FASTEST_PACE}: the server has its limits")
    if kill_every and drain_every:
        raise Usage("choose --kill-every or --drain-every")
    if (kill_every or drain_every) and (processes == 1 or sys.platform != "linux"):
        raise Usage("--kill-every and --drain-every need --processes, at least 2, and Linux")
    if url and processes > 1:
        raise Usage("--processes starts a server, and --url names one that runs: choose one")
    require("the web server", "web", *WEB)
    from quintet.bench import web_load as load

    games = tuple(GAMES) if game is None else (game,)
    plan = load.Plan(
        games,
        size,
        matches,
        min(engines, matches),
        engine,
        sockets,
        pace,
        flooding=flooding,
        half_open=half_open,
        processes=processes,
        kill_every=kill_every,
        drain_every=drain_every,
    )
    measured: list[Figures] = []

    def measure() -> Iterator["Row"]:
        measured.append(load.run(plan, seconds, url, database))
        return figures_table(measured[-1])

    if json:
        for _ in range(runs):
            measure()
        facts = [structs.asdict(figures) for figures in measured]
        print_json({**asdict(plan), **(facts[0] if runs == 1 else {"runs": facts})})
    else:
        print_runs(runs, measure)
    errors = sum(sum(figures.errors.values()) for figures in measured)
    outages = [figures.outages for figures in measured if figures.outages]
    wrong = sum(one.lost + one.doubled for one in outages)
    if errors or wrong:
        raise Unfinished(f"{errors} errors" + (f", {wrong} lost or doubled moves" if outages else ""))


def figures_table(figures: "Figures") -> Iterator["Row"]:
    """The results of a load test, one per line, errors last."""
    yield ("moves per second", f"{figures.moves_per_second:,.0f}", f"  ({figures.moves:,} in {figures.seconds:.0f} s)")
    yield ("engine moves", f"{figures.engine_moves:,}")
    for name, time in (("p50", figures.p50_ms), ("p99", figures.p99_ms), ("max", figures.max_ms)):
        yield (name, show_ms(time))
    if figures.server_mb is not None:
        yield ("server memory", f"{figures.server_mb:.0f} MB")
        yield ("server cores", f"{figures.server_cores:.2f}")
    yield ("client cores", f"{figures.client_cores:.2f}")
    if figures.hostile:
        yield ("hostile messages", f"{figures.hostile.messages:,}")
        yield ("hostile closed", f"{figures.hostile.closed:,} flooding, {figures.hostile.half_open_closed:,} half-open")
    if outages := figures.outages:
        yield ("processes ended", str(outages.ended), f"  ({outages.signal})")
        yield ("sockets", f"{outages.lost_sockets:,} lost, {outages.restarted_sockets:,} asked to reconnect")
        yield ("time to reconnect", show_ms(outages.max_to_reconnect_ms), "  max")
        yield ("time to agree", show_ms(outages.max_to_agree_ms), f"  max of {outages.agreements:,}")
        yield ("lost moves", str(outages.lost))
        yield ("doubled moves", str(outages.doubled))
    yield ("errors", str(sum(figures.errors.values())))
    for error, times in figures.errors.items():
        yield (f"{times} times:", f" {error}")


def show_ms(milliseconds: float | None) -> str:
    """A time, if there is one."""
    return "-" if milliseconds is None else f"{milliseconds:.1f} ms"


def bench_chaos(
    faults: Annotated[int, typer.Option(min=1, metavar="N", help="Number of faults, shared by the databases.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for the schedule of faults and the players.")] = 0,
    database: Annotated[
        Literal["sqlite", "postgresql"] | None,
        typer.Option(help="Test only this database (default: both, if PostgreSQL is installed)."),
    ] = None,
    matches: Annotated[int, typer.Option(min=1, metavar="N", help="Number of concurrent matches.")] = 10,
    servers: Annotated[int, typer.Option(min=1, metavar="N", help="Number of servers on PostgreSQL.")] = 3,
    pace: Annotated[
        float, typer.Option("--seconds-per-fault", min=0, metavar="SECONDS", help="Time between two faults, at least.")
    ] = 1.0,
    quiet: Annotated[
        int, typer.Option("--quiet-every", min=1, metavar="N", help="Stop after N faults to compare what all see.")
    ] = 10,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write what clients did and saw to FILE.")] = None,
    json: Json = False,
) -> None:
    """Break servers and databases during play. It checks that nothing is lost or doubled and that all see the same."""
    require("the web server", "web", *WEB)
    if os.name != "posix":
        raise Usage("the faults are signals, which only Linux and macOS have")
    from quintet.bench import chaos
    from quintet.bench.chaos_parts import StoreKind
    from quintet.bench.postgres_process import why_not
    from quintet.bench.tables import print_table

    reason = why_not()
    if database == StoreKind.postgresql and reason:
        raise Usage(reason)
    stores = [StoreKind(database)] if database else [StoreKind.sqlite, *([] if reason else [StoreKind.postgresql])]
    if StoreKind.postgresql in stores:
        require("PostgreSQL", "postgres", "psycopg")
    shares = [(faults + number) // len(stores) for number in range(len(stores))]
    plans = [
        chaos.Plan(store, share, seed, matches, servers, pace, quiet)
        for store, share in zip(stores, shares, strict=True)
        if share
    ]
    reports = []
    with status_line() as show:
        for report in chaos.run(plans, lambda text: show(lambda: text), out):
            reports.append(report)
            if not json:
                print_table(report_table(report))
                print()
    if json:
        print_json(reports)
    if found := sum(sum(report.violations.values()) for report in reports):
        raise Unfinished(f"{found} violations; the same schedule again: --seed {seed}")


def report_table(report: "Report") -> Iterator["Row"]:
    """The results of a test, one per line, violations last."""
    yield (report.store, f"seed {report.seed}", f"{report.seconds:.0f} s")
    yield ("operations", "ok", "unknown", "refused")
    for kind, counts in sorted(report.operations.items()):
        yield (f"  {kind}", *(f"{counts.get(outcome, 0):,}" for outcome in ("ok", "unknown", "refused")))
    yield ("tables", f"{report.tables:,}")
    yield ("sockets", f"{report.sockets:,}")
    yield ("states seen", f"{report.views:,}")
    yield ("faults", str(sum(report.faults.values())))
    for kind, times in sorted(report.faults.items()):
        yield (f"  {kind}", str(times))
    for kind in report.untested:
        yield (f"  not tested: {kind}",)
    yield ("time to converge", f"{report.longest_to_converge:.2f} s", f"max of {report.quiet}")
    for kind, times in report.violations.items():
        yield (kind, str(times))
    for example in report.examples:
        yield (f"  {example}",)
