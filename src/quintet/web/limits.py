"""How much one visitor may ask for."""

import time
from dataclasses import dataclass
from typing import Any

LARGEST_BODY = 65_536
LARGEST_MESSAGE = 4_096
FORGET = 10_000
"""Addresses remembered before the full buckets are thrown away."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second, after a burst of so many."""

    second: float
    burst: float


REQUESTS = Rate(50, 300)
BEGINNINGS = Rate(1, 60)
"""New matches and records brought in."""
MESSAGES = Rate(200, 1_000)
"""Over all sockets of an address, which may be a whole school's."""
SOCKETS = 64
"""Open sockets of one address."""
ALL_SOCKETS = 20_000


class Buckets:
    """A bucket of tokens for each address, filled steadily."""

    def __init__(self, rate: Rate) -> None:
        """All buckets are full."""
        self.rate = rate
        self.known: dict[str, tuple[float, float]] = {}

    def take(self, address: str) -> bool:
        """Take a token, if there is one."""
        now = time.monotonic()
        left, then = self.known.get(address, (self.rate.burst, now))
        left = min(self.rate.burst, left + (now - then) * self.rate.second)
        if len(self.known) > FORGET:
            self.forget(now)
        self.known[address] = (left - 1 if left >= 1 else left, now)
        return left >= 1

    def forget(self, now: float) -> None:
        """Throw the buckets away that are full again."""
        full = self.rate.burst / self.rate.second
        self.known = {address: it for address, it in self.known.items() if now - it[1] < full}


def address(scope: Any) -> str:
    """Who asks."""
    return str(scope["client"][0]) if scope.get("client") else ""
