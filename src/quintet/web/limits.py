"""Rate limits and size limits of one visitor."""

import ipaddress
import math
import time
from collections import OrderedDict
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache

from starlette.types import Scope

from quintet.web.metrics import LIMITED

HEAD_BYTES = 16_384
"""The first line of a request and its headers, all together."""
HEAD_FIELDS = 100
HEAD_SECONDS = 10.0
"""The time to send them."""
BODY_SECONDS = 30.0
"""The time to send the body after them."""
PIPELINE = 16
"""Requests that may be sent on one connection before the first is answered."""
READ_SECONDS = 20.0
"""The time to read a full buffer of an answer."""
HELLO_SECONDS = 20.0
"""The time to the first message of a socket."""
CONNECTIONS = 128
"""Open connections of one address that are not WebSockets."""
ALL_CONNECTIONS = 4_000
SPARE_FILES = 200
"""Files that connections must leave to the database, the worker processes and the page."""

LARGEST_BODY = 65_536

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""The address for which something is done: in a request or on a socket, and in the tasks that it starts."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many per second, after a burst."""

    per_second: float
    burst: float


REQUESTS = Rate(50, 300)
REQUEST_BYTES, MAX_COST = 64, 50
"""A request counts once more for every 64 bytes of its query and body, up to a limit: long games are replayed."""
NEW_MATCHES = Rate(1, 60)
"""Imported records and rematches count too."""
MESSAGES = Rate(200, 1_000)
"""Over all sockets of an address, which may be that of a whole school."""
SOCKET_MESSAGES = Rate(50, 100)
"""On one socket."""
EMPTY_FRAMES = Rate(2, 50)
"""Frames of one socket that are not a whole message: pings, pongs, parts."""
WARNINGS = 3
"""How often a socket may exceed its rate before it is closed; each time, nothing is read from it for a while."""
SOCKETS = 64
"""Open sockets of one address."""
ALL_SOCKETS = 20_000
REMEMBERED = 10_000
"""Addresses remembered before those with a full bucket are dropped, which happens at most once per second."""
MAX_REMEMBERED = 50_000
"""Addresses remembered at most; then the one that was seen longest ago is dropped."""


class Bucket:
    """A token bucket."""

    __slots__ = ("left", "rate", "then")

    def __init__(self, rate: Rate) -> None:
        """Start with a full bucket."""
        self.rate, self.left, self.then = rate, rate.burst, time.monotonic()

    def allow(self, cost: int = 1) -> bool:
        """Take a token, if there is one; a request that costs more takes several."""
        now = time.monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.then) * self.rate.per_second)
        self.then = now
        if self.left < cost:
            return False
        self.left -= cost
        return True


class RateLimiter:
    """A token bucket for each address."""

    def __init__(self, rate: Rate, name: str = "") -> None:
        """Start with full buckets; the name is that of the limit in the metrics."""
        self.rate, self.name = rate, name
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()
        """Those seen last come last."""
        self.swept = -math.inf

    def allow(self, address: str, cost: int = 1) -> bool:
        """Take a token, if there is one; a request that costs more takes several."""
        bucket = self.buckets.get(address)
        if bucket is None:
            if len(self.buckets) > REMEMBERED:
                self.drop_full()
            if len(self.buckets) >= MAX_REMEMBERED:
                self.buckets.popitem(last=False)
            bucket = self.buckets[address] = Bucket(self.rate)
        else:
            self.buckets.move_to_end(address)
        allowed = bucket.allow(cost)
        if not allowed:
            LIMITED.labels(self.name).inc()
        return allowed

    def drop_full(self) -> None:
        """Drop the buckets that are full again, unless that was done less than a second ago."""
        now, refill = time.monotonic(), self.rate.burst / self.rate.per_second
        if now - self.swept < 1:
            return
        self.swept = now
        for address in [address for address, bucket in self.buckets.items() if now - bucket.then >= refill]:
            del self.buckets[address]


@lru_cache(maxsize=4_096)
def network_of(address: str) -> str:
    """What limits are counted for: an IPv4 address, or the /64 network of an IPv6 address, which one person has."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]  # A proxy sent something else.
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


def client_address(scope: Scope) -> str:
    """The address or network that a request or a socket comes from."""
    return network_of(str(scope["client"][0])) if scope.get("client") else ""
