"""The command line: one short function per command, in groups. A command imports only what it uses."""

import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from quintet.cli import (
    benchmarks,
    compete,
    developers,
    fuzzing,
    judge,
    play,
    puzzles,
    saved_games,
    serve,
    server_tests,
    site,
    study,
)
from quintet.cli.parser import Command, Commands, explain
from quintet.errors import InvalidArgument, QuintetError
from quintet.language import LANGUAGES, environment_language, use_language
from quintet.safe_text import escape
from quintet.version import __version__

app = typer.Typer(
    cls=Commands,
    help="Five small two-player strategy games, played perfectly. Without a command, the full-screen app opens.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DEVELOPERS = "Developers"
GROUPS = {
    "Play": (
        play.play,
        play.resume,
        play.games,
        play.rules,
        saved_games.history,
        saved_games.export,
        saved_games.import_,
    ),
    "Study": (study.show, study.analyze, study.solve, study.review, puzzles.puzzle),
    "Compete and judge": (compete.arena, judge.suite, judge.baseline, judge.report),
    "Serve": (serve.serve, site.site, serve.mcp, serve.engine),
    DEVELOPERS: (developers.perft, developers.verify, developers.dataset, developers.solutions),
}
"""The commands under the headings of `quintet --help`."""

for group, commands in GROUPS.items():
    for command in commands:
        app.command(command.__name__.rstrip("_"), cls=Command, rich_help_panel=group)(command)
for command in (server_tests.bench_serve, server_tests.bench_chaos, fuzzing.bench_fuzz):
    benchmarks.bench.command(command.__name__.removeprefix("bench_"), cls=Command)(command)
app.add_typer(benchmarks.bench, name="bench", rich_help_panel=DEVELOPERS)

HOW_TO_PLAY = """\
Quintet: five small two-player strategy games, played perfectly.

  quintet games            List the games.
  quintet rules GAME       Print the rules of a game.
  quintet play GAME        Play here, for example: quintet play gridlock
  quintet --help           List all commands."""


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help=f"The language of the app: {', '.join(LANGUAGES)}. By default that of the environment (LANG).",
        ),
    ] = None,
) -> None:
    """Open the app, print the version, or run a command."""
    if version:
        print(__version__)
        raise typer.Exit
    if language not in (None, *LANGUAGES):
        raise InvalidArgument(f"no language called {language!r}; choose from {', '.join(LANGUAGES)}")
    if language and context.invoked_subcommand:
        raise InvalidArgument("--language is for the app; commands are in English")
    if context.invoked_subcommand is None:
        if all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):  # The app draws on the last one.
            from quintet.terminal.app import QuintetApp, open_store

            use_language(language or environment_language())
            QuintetApp(open_store).run()
        else:
            print(HOW_TO_PLAY)


def discard_output() -> None:
    """Drop what is still in the buffer: our reader has gone, or its disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run a command. Whatever goes wrong is one line on standard error and an exit status, never a traceback."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # Whoever started the program closed it.
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - it stays open to the end
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # A character that the encoding lacks must not end the program.
    status = 0
    try:
        command = typer.main.get_command(app)
        with command.make_context("quintet", sys.argv[1:]) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as exit:
        status = exit.exit_code
    except QuintetError as error:
        print(f"quintet: {escape(str(error))}", file=sys.stderr)
        status = error.status
    except typer.TyperException as error:
        print(f"quintet: {escape(explain(error))}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        print("\nquintet: interrupted", file=sys.stderr)
        status = 130  # As in shells.
    except MemoryError:
        print("quintet: out of memory", file=sys.stderr)
        status = 1
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        discard_output()
        print(f"quintet: {escape(error.strerror or str(error))}", file=sys.stderr)
        status = 1
    sys.exit(status)
