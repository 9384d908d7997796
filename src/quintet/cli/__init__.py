"""The command line: one short function per command, and nothing imported that a command does not use."""

import os
import sys
from typing import Annotated

import typer

from quintet.cli import compete, exact, games, judge, learn, mcp, measure, play, serve
from quintet.cli.common import Unfinished, Usage
from quintet.cli.parser import Command, Commands, explain

app = typer.Typer(
    cls=Commands,
    help="Five small two-player strategy games, played perfectly.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


for command in (
    games.games,
    games.rules,
    games.show,
    games.perft,
    play.play,
    play.resume,
    play.history,
    play.export,
    play.import_,
    exact.analyze,
    exact.solve,
    exact.verify,
    exact.dataset,
    exact.solutions,
    learn.review,
    learn.puzzle,
    compete.arena,
    judge.suite,
    judge.report,
    play.engine,
    serve.serve,
    mcp.mcp,
):
    app.command(command.__name__.rstrip("_"), cls=Command)(command)
app.add_typer(measure.bench, name="bench")

HOW_TO_PLAY = """\
Quintet: five small two-player strategy games, played perfectly.

  quintet games            the games
  quintet rules GAME       the rules of one
  quintet play GAME        play it here, for example: quintet play gridlock
  quintet --help           everything else"""


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """Five small two-player strategy games, played perfectly."""
    if version:
        from importlib.metadata import version as installed

        print(installed("quintet"))
        raise typer.Exit
    if context.invoked_subcommand is None:
        if all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):  # The app draws on the last one.
            from quintet.terminal.app import QuintetApp, open_store

            QuintetApp(open_store).run()
        else:
            print(HOW_TO_PLAY)


def discard_output() -> None:
    """Our reader has gone, or its disk is full: what is still in the buffer must not be written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run a command; a person never sees a traceback."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # Whoever started the program closed it.
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - it stays open to the end
    for stream in (
        sys.stdin,
        sys.stdout,
    ):  # A name that the terminal's encoding does not have must not end the program.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    status = 0
    try:
        command = typer.main.get_command(app)
        with command.make_context("quintet", sys.argv[1:]) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as exit:
        status = exit.exit_code
    except Usage as error:
        print(f"quintet: {error}", file=sys.stderr)
        status = 2
    except Unfinished as error:
        print(f"quintet: {error}", file=sys.stderr)
        status = 1
    except typer.TyperException as error:
        print(f"quintet: {explain(error)}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        print("\nquintet: interrupted", file=sys.stderr)
        status = 1
    except MemoryError:
        print("quintet: out of memory", file=sys.stderr)
        status = 1
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        discard_output()
        print(f"quintet: {error.strerror or error}", file=sys.stderr)
        status = 1
    sys.exit(status)
