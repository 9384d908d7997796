"""Rate limits and size limits of one visitor."""

import time
from dataclasses import dataclass

from starlette.types import Scope

LARGEST_BODY = 65_536
LARGEST_MESSAGE = 4_096


@dataclass(frozen=True, slots=True)
class Rate:
    """How many per second, after a burst."""

    per_second: float
    burst: float


REQUESTS = Rate(50, 300)
NEW_MATCHES = Rate(1, 60)
"""Imported records and rematches count too."""
MESSAGES = Rate(200, 1_000)
"""Over all sockets of an address, which may be that of a whole school."""
SOCKETS = 64
"""Open sockets of one address."""
ALL_SOCKETS = 20_000
REMEMBERED = 10_000
"""Addresses remembered before those with a full bucket are dropped."""


class RateLimiter:
    """A token bucket for each address."""

    def __init__(self, rate: Rate) -> None:
        """Start with full buckets."""
        self.rate = rate
        self.buckets: dict[str, tuple[float, float]] = {}
        """The tokens of each address, and when they were counted."""

    def allow(self, address: str) -> bool:
        """Take a token, if there is one."""
        now = time.monotonic()
        left, then = self.buckets.get(address, (self.rate.burst, now))
        left = min(self.rate.burst, left + (now - then) * self.rate.per_second)
        if len(self.buckets) > REMEMBERED:
            self.drop_full(now)
        self.buckets[address] = (left - 1 if left >= 1 else left, now)
        return left >= 1

    def drop_full(self, now: float) -> None:
        """Drop the buckets that are full again."""
        refill = self.rate.burst / self.rate.per_second
        self.buckets = {address: it for address, it in self.buckets.items() if now - it[1] < refill}


def client_address(scope: Scope) -> str:
    """The address a request or a socket comes from."""
    return str(scope["client"][0]) if scope.get("client") else ""
