"""Runs `quintet` in a process whose clock is wrong by some seconds: `python -m quintet.bench.shifted_clock 60 serve`.

Everything in the process that asks Python for the time is told the shifted one. What measures durations is not changed,
and neither is anything outside of the process, such as a database.
"""

import datetime
import runpy
import sys
import time
from typing import Self


def shift_clock(seconds: float) -> None:
    """Shift the clock of this process, for all modules that are imported after this."""
    true_time = time.time

    class ShiftedDatetime(datetime.datetime):
        """A datetime whose `now` is shifted."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Self:
            """The shifted time."""
            return cls.fromtimestamp(true_time() + seconds, tz)

    time.time = lambda: true_time() + seconds
    setattr(datetime, "datetime", ShiftedDatetime)  # noqa: B010 - Assigning to a type is an error to mypy.


if __name__ == "__main__":
    shift_clock(float(sys.argv.pop(1)))
    runpy.run_module("quintet", run_name="__main__", alter_sys=True)
