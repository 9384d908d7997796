"""Commands to judge agents by exact values: `suite` and `report`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.common import Unfinished, Usage, need, write_text


class Rules(StrEnum):
    """How much of its rule book a model is told."""

    full = "full"
    short = "short"


def suite(
    name: Annotated[str, typer.Argument(metavar="SUITE", help="quick or full; with a version, such as quick-1.")],
    players: Annotated[
        str, typer.Option(metavar="WHO,WHO,...", help="Players as `quintet play` takes them, or model:PROVIDER/NAME.")
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the logs go; what is there is not run again.")],
    rules: Annotated[Rules, typer.Option(help="The rule book a model gets.")] = Rules.full,
    legal: Annotated[bool, typer.Option(help="Whether a model is told its legal moves.")] = True,
    history: Annotated[bool, typer.Option(help="Whether a model is told the moves so far.")] = True,
    obfuscate: Annotated[bool, typer.Option("--obfuscate", help="Show the games as their twins.")] = False,
) -> None:
    """Judge players by fixed games and positions. Perfect play is the measure."""
    need("judging agents", "llm", "inspect_ai")
    from quintet.engines import UnknownPlayer
    from quintet.engines.door import close_engine
    from quintet.llm.contest import engine_named
    from quintet.llm.prompt import FOR_GAMES, Manner
    from quintet.llm.suite import UnknownSuite, load_suite

    names = list(dict.fromkeys(who.strip() for who in players.split(",") if who.strip()))
    if not names:
        raise Usage("name a player or more, such as --players random,greedy")
    try:
        chosen = load_suite(name)
        for who in names:
            close_engine(engine_named(who, 0))
    except (UnknownSuite, UnknownPlayer) as error:
        raise Usage(str(error)) from None
    from quintet.llm.run import run_suite

    manner = Manner(str(rules), legal, history, obfuscate=obfuscate)
    unfinished = run_suite(chosen, names, out, manner.changes(FOR_GAMES))
    if unfinished:
        raise Unfinished(f"not finished: {', '.join(unfinished)}; the same command goes on with what is left")


def report(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG", help="Inspect's logs, or folders of them.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where the page goes, over an old one: report.html or report.md if not said; - prints it.",
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Markdown instead of HTML.")] = False,
) -> None:
    """Make a page of what agents were worth. It has tables, plots and instructive games."""
    need("judging agents", "llm", "inspect_ai")
    from quintet.llm.logs import InvalidLogs, read_logs
    from quintet.llm.report import html
    from quintet.llm.report import markdown as as_markdown

    try:
        sections = read_logs(logs)
    except InvalidLogs as error:
        raise Usage(str(error)) from None
    out = out or Path("report.md" if markdown else "report.html")
    write_text(out, as_markdown(sections) if markdown else html(sections))
    if str(out) != "-":
        print(f"wrote {out}")
