"""How a command line is parsed: help in groups, usage lines without Python's types, errors in plain words."""

import re
from typing import TYPE_CHECKING

import typer
from typer.core import TyperCommand, TyperGroup

from quintet.cli.common import Usage
from quintet.errors import suggest

if TYPE_CHECKING:
    from typer._click import Command as AnyCommand
    from typer._click import Context, HelpFormatter, Parameter

ERRORS = {
    "int_parsing": "must be a whole number, not {given!r}",
    "float_parsing": "must be a number, not {given!r}",
    "greater_than_equal": "must be at least {param.min}, not {given}",
    "less_than_equal": "must be at most {param.max}, not {given}",
}
"""The parser's kinds of errors in plain words."""
PHRASES = (
    (r"^Got unexpected extra argument\S* \((.*)\)$", r"unexpected argument: \1"),
    (r"\(Possible options: (.*)\)$", r"(did you mean \1?)"),
)
"""The parser's other errors that are reworded: patterns, and what replaces them."""
OLD_NAMES = ", --jobs"
"""Names of options that still work, but are not in the help any more."""
LONGEST = 40
"""How many letters of somebody's input an error repeats."""


class Command(TyperCommand):
    """A command whose help names its arguments as manuals do: `ID [FILE]`."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Parse the arguments; an error names this command's help."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            raise Usage(explain(error, ctx)) from None

    def collect_usage_pieces(self, ctx: "Context") -> list[str]:
        """What follows the command's name in its usage line."""
        arguments = [param for param in self.get_params(ctx) if param.param_type_name == "argument"]
        return [self.options_metavar or "", *(usage(argument) for argument in arguments)]

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """The arguments by name, then the options."""
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record:
                name, help = record
                named = usage(param) if param.param_type_name == "argument" else name.replace(OLD_NAMES, "")
                rows[param.param_type_name].append((named, help))
        for kind, records in rows.items():
            if records:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(records)


class Commands(TyperGroup):
    """Commands whose help lists them in groups."""

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """One line for each command, under the heading of its group."""
        wide = max(map(len, self.commands))
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.commands[name]
            panel = getattr(command, "rich_help_panel", None)
            line = command.get_short_help_str(formatter.width - wide - 6)
            groups.setdefault(panel if isinstance(panel, str) else "Commands", []).append((f"{name:<{wide}}", line))
        for heading, rows in groups.items():
            with formatter.section(heading):
                formatter.write_dl(rows)

    def resolve_command(self, ctx: "Context", args: list[str]) -> "tuple[str | None, AnyCommand | None, list[str]]":
        """The command that the first argument names."""
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            from quintet.games import GAMES

            called = name[:LONGEST]
            if name in GAMES:
                raise Usage(f"{called!r} is a game, not a command. To play it: quintet play {called}")
            hint = suggest(called, self.commands) or f"See `{ctx.command_path} --help`."
            raise Usage(f"no command called {called!r}. {hint}")
        return super().resolve_command(ctx, args)


def usage(argument: "Parameter") -> str:
    """An argument as a usage line shows it."""
    name = f"{argument.metavar or str(argument.name).upper()}{'...' if argument.nargs != 1 else ''}"
    return name if argument.required else f"[{name}]"


def explain(error: typer.TyperException, context: "Context | None" = None) -> str:
    """What is wrong with a command line, and which help to read."""
    context = context or getattr(error, "ctx", None)
    path = context.command_path if context else "quintet"
    text = " ".join(error.format_message().split()).rstrip(".")
    for pattern, plain in PHRASES:
        text = re.sub(pattern, plain, text)
    return f"{explain_value(error) or text[:1].lower() + text[1:]}. See `{path} --help`."


def explain_value(error: typer.TyperException) -> str | None:
    """What is wrong with the value of an option or argument; `None` if the error is about something else."""
    errors = getattr(error.__cause__, "errors", None)
    if not isinstance(error, typer.BadParameter) or error.param is None or errors is None:
        return None
    first, name = errors()[0], error.param.get_error_hint().replace("'", "")
    if first["type"] in ERRORS:
        return f"{name} {ERRORS[first['type']].format(given=str(first['input'])[:LONGEST], param=error.param)}"
    return f"{name}: {error.message.removeprefix('Value error, ').rstrip('.')}"
