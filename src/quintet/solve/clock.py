"""The clock of time limits: wall time, or the processor time of this process where others use the processor too."""

import time

_processor = False


def now() -> float:
    """The time in seconds since some moment."""
    return time.process_time() if _processor else time.monotonic()


def count_processor_time(count: bool = True) -> None:
    """From now on, let time limits in this process count processor time, so that other programs cost it nothing."""
    global _processor
    _processor = count
