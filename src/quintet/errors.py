"""The errors a caller can cause. Each says in one line what is wrong, and has the exit status of a command it ends."""

from collections.abc import Iterable

from quintet.language import tr


class QuintetError(Exception):
    """Something that was asked for is wrong or not possible; the message is one line for a person."""

    status = 2
    """The exit status: 2 for wrong usage, 1 for a check or a match that failed."""


class InvalidArgument(QuintetError, ValueError):
    """A value that a function cannot use."""


def suggest(name: str, known: Iterable[str]) -> str:
    """`Did you mean 'gridlock'?` if one of the known names is close to `name`; else nothing."""
    from difflib import get_close_matches  # Loaded only when something is wrong.

    close = get_close_matches(name.lower(), known, n=1)
    return tr("Did you mean {name}?", name=repr(close[0])) if close else ""
