"""The chaos test as a command: `bench chaos`."""

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.common import WEB, Json, Unfinished, Usage, print_json, require
from quintet.cli.progress import status_line

if TYPE_CHECKING:
    from quintet.bench.chaos import Report
    from quintet.bench.tables import Row


class Database(StrEnum):
    """The databases that can be tested."""

    sqlite = "sqlite"
    postgresql = "postgresql"


def bench_chaos(
    faults: Annotated[int, typer.Option(min=1, metavar="N", help="Number of faults, shared by the databases.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for the schedule of faults and the players.")] = 0,
    database: Annotated[
        Database | None, typer.Option(help="Test only this database (default: both, if PostgreSQL is installed).")
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
    if database == Database.postgresql and reason:
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
