"""The host names that the server answers to, and the address under which other machines reach it.

A page of another site can give its own name the address of this machine (DNS rebinding). Its requests then look as if
they came from our own page, but they name the other site's host.
"""

import socket
from collections.abc import Collection
from functools import cache
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit


def host_name(host: str) -> str:
    """The name in a `Host` header, without the port."""
    name, bracket, _ = host.partition("]")
    return (name + bracket if bracket else host.partition(":")[0]).lower().removesuffix(".")


def allows_host(host: str, names: Collection[str]) -> bool:
    """Whether the server answers to a `Host` header; addresses cannot be taken by others, and are always allowed."""
    name = host_name(host)
    return not name or name in names or name in own_names() or is_address(name)


def is_address(name: str) -> bool:
    """Whether a host is an IP address."""
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


@cache
def own_names() -> frozenset[str]:
    """The names of this machine, also in its local network."""
    own = socket.gethostname().lower()
    short = own.partition(".")[0]
    return frozenset({"localhost", own, short, f"{short}.local"})


ANYWHERE = "192.0.2.1"
"""An address that no machine has (RFC 5737): the system says from where it would send, and nothing is sent."""


def is_local(name: str) -> bool:
    """Whether only this machine reaches a host."""
    return name == "localhost" or (is_address(name) and ip_address(name.strip("[]")).is_loopback)


def listens_to_all(host: str) -> bool:
    """Whether a server that listens on this address is reached from other machines."""
    return is_address(host) and ip_address(host).is_unspecified


def network_address() -> str | None:
    """The address of this machine in its network; `None` if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANYWHERE, 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if is_local(address) else address


def port_of(url: SplitResult) -> int | None:
    """The port that a URL names, or its scheme's; `None` if it is not a port."""
    try:
        return url.port or {"http": 80, "https": 443}.get(url.scheme)
    except ValueError:
        return None


def shared_url(url: str, listening_on: str, port: int | None) -> str | None:
    """The URL that other machines open, for one that this machine opens; `None` if there is none.

    A URL that names another host than this machine's own loopback is returned as it is. The address is replaced only if
    the URL's port is the one the server listens on; `None` if visitors do not connect to the server themselves.
    """
    parts = urlsplit(url)
    if not is_local(host_name(parts.netloc)):
        return url
    direct = port is not None and port_of(parts) == port
    address = network_address() if direct and listens_to_all(listening_on) else None
    return parts._replace(netloc=f"{address}:{port}").geturl() if address else None
