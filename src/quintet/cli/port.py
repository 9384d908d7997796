"""The port that a server listens on."""

import socket

from quintet.cli.common import Unfinished

BACKLOG = 2_048
"""Connections that may wait to be accepted."""
RECEIVE_BUFFER = 65_536
"""Bytes that the system receives for a connection before the server reads them: requests and messages are small."""


def open_port(host: str, port: int) -> tuple[socket.socket, str]:
    """A listening socket and its URL; port 0 chooses a free one."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise Unfinished(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    listener.set_inheritable(True)
    return listener, f"http://{bracketed(host)}:{listener.getsockname()[1]}"


def bracketed(host: str) -> str:
    """A host as URLs write it."""
    return f"[{host}]" if ":" in host else host
