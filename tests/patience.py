"""How long tests wait for what is to happen."""

import time
from collections.abc import Callable

WAIT = 120
"""Seconds after which something that was to happen has not, on however slow and busy a machine."""
FOREVER = 10 * WAIT
"""Seconds that somebody sleeps whom nobody waits for."""


def wait_until(condition: Callable[[], object]) -> None:
    """Wait for something to happen, up to a limit."""
    deadline = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
