"""The time: the database's where several programs on different hosts share one, otherwise the host's."""

import time
from datetime import UTC, datetime

_offset: float | None = None
"""What to add to this process's monotonic clock; `None` if the host's time is the time."""


def seconds() -> float:
    """The time in seconds since 1970."""
    return time.time() if _offset is None else time.monotonic() + _offset


def adjust(shown: float, before: float, after: float) -> None:
    """Follow a clock that showed a time between two moments of the monotonic clock.

    The offset must be between `shown - after` and `shown - before`. One that is there already is not changed, so that
    a slow answer does not make the time less exact.
    """
    global _offset
    low, high = shown - after, shown - before
    _offset = (low + high) / 2 if _offset is None else min(max(_offset, low), high)


def use_host_time() -> None:
    """Follow the host's clock."""
    global _offset
    _offset = None


def as_text(time: datetime) -> str:
    """A time in UTC as the store writes it: text that sorts by time."""
    return time.isoformat(timespec="microseconds")


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.fromtimestamp(seconds(), UTC)


def now() -> str:
    """The time as the store writes it."""
    return as_text(utc_now())
