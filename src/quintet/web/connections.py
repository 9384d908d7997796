"""All connections of a server process: how many each address may have, and which have taken too long."""

import asyncio
import math
from collections import Counter
from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Protocol

from quintet.web.limits import ALL_CONNECTIONS, CONNECTIONS, SPARE_FILES, network_of
from quintet.web.metrics import LIMITED
from quintet.web.open_files import file_limit

SWEEP_SECONDS = 1.0
"""How often the connections are looked at."""
CLOSING_SECONDS = 5.0
"""The time that a client has to read the rest after the server has closed a connection."""
NEVER = math.inf
MAPPED = 96
"""Bits before the IPv4 address in an IPv6 address that stands for it."""


class Connection(Protocol):
    """One connection, whatever is spoken on it."""

    transport: asyncio.Transport
    deadline: float
    """When it is called late, in the event loop's time."""

    def expire(self) -> None:
        """The deadline has passed."""


class RequestConnection(Connection, Protocol):
    """A connection for requests, which is not a WebSocket."""

    @property
    def idle(self) -> bool:
        """Whether no whole request has come that is not answered yet."""

    def uncount(self) -> None:
        """Do not count it any longer."""


class Connections:
    """The open connections of a server process."""

    def __init__(self, limited: bool = True, trusted: Collection[str] = ()) -> None:
        """Limit the connections per address, except for trusted proxies: all visitors come through them."""
        self.limited = limited
        self.trusted = proxy_networks(trusted)
        self.closing: dict[Connection, float] = {}
        """Every open connection, and when the server is done waiting for one that it has closed."""
        self.requests: dict[RequestConnection, None] = {}
        """Those that are not WebSockets, the oldest first."""
        self.requesting: Counter[str] = Counter()
        """How many of them each address has."""
        self.most = max(file_limit() - SPARE_FILES, file_limit() // 2)
        self.sweeping: asyncio.TimerHandle | None = None

    def admit(self, connection: RequestConnection, address: str) -> bool:
        """Whether a new connection is within the limits; if so, it is watched until it is released.

        When all places are taken, the oldest connection that is idle loses its place.
        """
        network = network_of(address)
        many = self.limited and self.requesting[network] >= CONNECTIONS and not self.trusts(address)
        full = len(self.closing) >= self.most or len(self.requests) >= ALL_CONNECTIONS
        if many or full:
            LIMITED.labels("connections").inc()
        if many or (full and not self.drop_idle()):
            return False
        self.requests[connection] = None
        self.requesting[network] += 1
        self.watch(connection)
        return True

    def drop_idle(self) -> bool:
        """End the oldest idle connection, if there is one."""
        for connection in self.requests:
            if connection.idle:
                connection.uncount()
                self.closing.pop(connection, None)
                connection.transport.abort()
                return True
        return False

    def trusts(self, address: str) -> bool:
        """Whether an address is that of a trusted proxy."""
        try:
            return any(ip_address(address) in network for network in self.trusted)
        except ValueError:
            return False  # A client without an address.

    def watch(self, connection: Connection) -> None:
        """Close a connection when its deadline passes."""
        self.closing[connection] = NEVER
        if not self.sweeping:
            self.sweeping = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self.sweep)

    def stop_requesting(self, connection: RequestConnection, address: str) -> None:
        """A connection from this address has ended, or is a WebSocket now."""
        del self.requests[connection]
        network = network_of(address)
        self.requesting[network] -= 1
        if not self.requesting[network]:
            del self.requesting[network]

    def sweep(self) -> None:
        """Look for connections that take too long: to send a request, to read the answer, or to end."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection, end in list(self.closing.items()):
            if connection.transport.is_closing():
                # A transport that is closed ends only when its client has read everything.
                if end == NEVER:
                    self.closing[connection] = now + CLOSING_SECONDS
                elif now >= end:
                    connection.transport.abort()
            elif now >= connection.deadline:
                connection.expire()
        self.sweeping = loop.call_later(SWEEP_SECONDS, self.sweep) if self.closing else None


def proxy_networks(texts: Collection[str]) -> list[IPv4Network | IPv6Network]:
    """The networks of proxies. Those of IPv4 are there twice: a socket for both kinds writes them as IPv6."""
    found: list[IPv4Network | IPv6Network] = []
    for text in texts:
        network = ip_network(text, strict=False)
        if isinstance(network, IPv6Network) and network.prefixlen >= MAPPED and network.network_address.ipv4_mapped:
            network = IPv4Network((network.network_address.ipv4_mapped, network.prefixlen - MAPPED))
        found.append(network)
        if isinstance(network, IPv4Network):
            found.append(IPv6Network(f"::ffff:{network.network_address}/{network.prefixlen + MAPPED}"))
    return found
