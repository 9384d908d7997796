"""The host names that the server answers to.

A page of another site can give its own name the address of this machine (DNS rebinding). Its requests then look as if
they came from our own page, but they name the other site's host.
"""

import socket
from collections.abc import Collection
from functools import cache
from ipaddress import ip_address


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
