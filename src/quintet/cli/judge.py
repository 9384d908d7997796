"""Commands to evaluate players, language models and people: `suite`, `baseline` and `report`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.common import Unfinished, Usage, WorkersOption, require, write_text
from quintet.cli.progress import progress_bar
from quintet.safe_text import escape


class Rules(StrEnum):
    """How much of the rules a model is told."""

    full = "full"
    short = "short"


class ToolChoice(StrEnum):
    """The tools of a model."""

    none = "none"
    play = "play"
    analyze = "analyze"


def suite(
    name: Annotated[str, typer.Argument(metavar="SUITE", help="quick or full, or a version of one, such as quick-2.")],
    players: Annotated[str, typer.Option(metavar="WHO,WHO,...", help="Players as for `quintet play`, except human.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Write the logs to FOLDER; results already in it are reused."),
    ],
    rules: Annotated[Rules, typer.Option(help="Give models the full or the short rules.")] = Rules.full,
    legal: Annotated[bool, typer.Option(help="Give models the list of legal moves.")] = True,
    history: Annotated[bool, typer.Option(help="Give models the moves so far.")] = True,
    obfuscate: Annotated[
        bool, typer.Option("--obfuscate", help="Disguise the games (other names, symbols and coordinates).")
    ] = False,
    picture: Annotated[
        bool, typer.Option("--picture", help="Show models a picture of the board instead of text.")
    ] = False,
    tools: Annotated[
        ToolChoice, typer.Option(help="Let models answer with text (none) or play with tools, also to analyze.")
    ] = ToolChoice.none,
    temperature: Annotated[float | None, typer.Option(min=0, max=2, metavar="N", help="Temperature of models.")] = None,
    reasoning_effort: Annotated[
        str | None,
        typer.Option(metavar="EFFORT,...", help="Reasoning effort of models, such as low; a run with each."),
    ] = None,
    reasoning_tokens: Annotated[
        str | None, typer.Option(metavar="N,...", help="Most tokens of reasoning per answer; a run with each.")
    ] = None,
    max_tokens: Annotated[
        str | None, typer.Option(metavar="N,...", help="Most tokens per answer; a run with each.")
    ] = None,
    token_limit: Annotated[
        str | None, typer.Option(metavar="N,...", help="Most tokens per game or position; a run with each.")
    ] = None,
    workers: WorkersOption = None,
) -> None:
    """Evaluate players on a fixed set of games and positions. Every move is graded against perfect play."""
    require("evaluating players", "llm", "inspect_ai")
    from quintet.engines.door import close_engine
    from quintet.llm.agents import make_player
    from quintet.llm.options import FOR_GAMES, AgentOptions
    from quintet.suites.suite import load_suite
    from quintet.workers import read_workers

    crew = read_workers(workers)
    names = list(dict.fromkeys(who.strip() for who in players.split(",") if who.strip()))
    if not names:
        raise Usage("name at least one player, such as --players random,greedy")
    chosen = load_suite(name)
    for who in names:
        close_engine(make_player(who, 0))
    from quintet.llm.run import run_suite, settings_grid

    options = AgentOptions(str(rules), legal, history, obfuscate=obfuscate, tools=str(tools), picture=picture)
    settings = settings_grid(
        {
            "temperature": temperature,
            "reasoning_effort": reasoning_effort,
            "reasoning_tokens": reasoning_tokens,
            "max_tokens": max_tokens,
            "token_limit": token_limit,
        }
    )
    with progress_bar(crew) as progress:
        unfinished = run_suite(chosen, names, out, options.changes(FOR_GAMES), crew, progress, settings)
    if unfinished:
        raise Unfinished(f"not finished: {', '.join(unfinished)}. Run the same command again to continue")


def baseline(
    name: Annotated[str, typer.Argument(metavar="SUITE", help="The suite that people played on the page.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Write the logs to FOLDER; older logs of the same people are replaced."),
    ],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Database URL of the server that recorded the games.")
    ] = None,
) -> None:
    """Score people who played a suite on the page. `quintet serve --baseline SUITE` records them."""
    require("evaluating players", "llm", "inspect_ai")
    from quintet.store.baselines import Baseline, load_baselines
    from quintet.store.database import Database
    from quintet.suites.suite import load_suite

    suite = load_suite(name)
    people: dict[str, list[Baseline]] = {}
    with Database(database) as store:
        for one in load_baselines(store, suite=suite.full_name):
            people.setdefault(one.code, []).append(one)
    if not people:
        raise Unfinished(f"nobody has played {suite.full_name} on a server with this database")
    from quintet.llm.baseline import write_baseline

    for code, baselines in people.items():
        samples = write_baseline(suite, code, baselines, out)
        print(f"{code}: {samples} finished games and positions")


def report(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG", help="Inspect log files or folders.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the report to FILE, replacing it; - prints it (default: report.html or report.md).",
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown instead of HTML.")] = False,
) -> None:
    """Write an evaluation report. It has tables, plots and annotated games."""
    require("evaluating players", "llm", "inspect_ai")
    from quintet.llm.logs import read_logs
    from quintet.llm.report import html
    from quintet.llm.report import markdown as as_markdown

    sections = read_logs(logs)
    out = out or Path("report.md" if markdown else "report.html")
    write_text(out, as_markdown(sections) if markdown else html(sections))
    if str(out) != "-":
        print(f"Wrote {escape(str(out))}")
