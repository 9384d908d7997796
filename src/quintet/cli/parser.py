"""How a command line is read: usage as manuals write it, and what is wrong with a line in plain words."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from quintet.cli.common import Usage

FAULTS = {
    "int_parsing": "takes a whole number, not {given!r}",
    "float_parsing": "takes a number, not {given!r}",
    "greater_than_equal": "takes {param.min} or more, not {given}",
    "less_than_equal": "takes {param.max} at most, not {given}",
}
"""What the parser's kinds of faults mean to a person."""
LONGEST = 40
"""Letters of what somebody wrote that are repeated to them."""


class Command(TyperCommand):
    """A command whose help names its arguments as manuals do: `ID [FILE]`, without the types of Python."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """What is wrong is said of this command, whether the parser knows that it is or not."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            raise Usage(explain(error, ctx)) from None

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What follows the command's name in its usage."""
        arguments = [param for param in self.get_params(ctx) if param.param_type_name == "argument"]
        return [self.options_metavar or "", *(usage(argument) for argument in arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The arguments by their names alone, then the options."""
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record:
                name, help = record
                named = usage(param) if param.param_type_name == "argument" else name
                rows[param.param_type_name].append((named, help))
        for kind, records in rows.items():
            if records:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(records)


class Commands(TyperGroup):
    """All commands; who names a game only is told how to play it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named."""
        if args[0] not in self.commands:
            from quintet.games import GAMES

            if args[0] in GAMES:
                raise Usage(f"there is no command {args[0]!r}; did you mean `quintet play {args[0]}`?")
        return super().resolve_command(ctx, args)


def usage(argument: Any) -> str:
    """An argument as a usage line has it."""
    name = f"{argument.metavar or argument.name.upper()}{'...' if argument.nargs != 1 else ''}"
    return name if argument.required else f"[{name}]"


def explain(error: typer.TyperException, context: Any = None) -> str:
    """What is wrong with a command line, and which help tells more."""
    context = context or getattr(error, "ctx", None)
    path = context.command_path if context else "quintet"
    said = " ".join(error.format_message().split()).rstrip(".")
    return f"{fault(error) or said[:1].lower() + said[1:]} (`{path} --help` tells more)"


def fault(error: typer.TyperException) -> str | None:
    """What is wrong with a value; `None` if something else is."""
    errors = getattr(error.__cause__, "errors", None)
    if not isinstance(error, typer.BadParameter) or error.param is None or errors is None:
        return None
    first, name = errors()[0], error.param.get_error_hint().replace("'", "")
    if first["type"] in FAULTS:
        return f"{name} {FAULTS[first['type']].format(given=str(first['input'])[:LONGEST], param=error.param)}"
    return f"{name}: {error.message.removeprefix('Value error, ').rstrip('.')}"
