"""The errors a caller can cause. Each has one line for a person and the exit status of the command that meets it."""


class QuintetError(Exception):
    """What can go wrong with what is asked of the games; the message is one line for a person."""

    status = 2
    """The exit status: 2 for wrong usage, 1 for a check or a match that failed."""
