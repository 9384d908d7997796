"""The port that a server listens on."""

import socket

from quintet.cli.common import Unfinished

BACKLOG = 2_048
"""Callers that may wait to be heard."""


def open_port(host: str, port: int) -> tuple[socket.socket, str]:
    """A port that listens, and the address to reach it by; 0 finds one that is free."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise Unfinished(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    listener.set_inheritable(True)
    return listener, f"http://{bracketed(host)}:{listener.getsockname()[1]}"


def bracketed(host: str) -> str:
    """A host as addresses write it."""
    return f"[{host}]" if ":" in host else host
