"""The server over HTTP, for this machine or for clients that use an allowed host name."""

import socket
from asyncio import Protocol
from collections.abc import Iterable

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

PATH = "/mcp"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
GRACE = 3
"""Seconds to finish open requests at shutdown."""


def guard(names: Iterable[str]) -> TransportSecuritySettings:
    """Allow only these host names: a page in a browser must not reach the server under another one (DNS rebinding)."""
    hosts_allowed = list(dict.fromkeys([*LOCAL, *names]))
    hosts = [pattern for name in hosts_allowed for pattern in (name, f"{name}:*")]
    return TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    )


def serve(
    server: MCPServer,
    listener: socket.socket,
    names: Iterable[str],
    protocols: tuple[type[Protocol], type[Protocol]],
) -> None:
    """Serve until shutdown, with these protocols for HTTP and WebSockets.

    No sessions are needed: all state is in the store.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=guard(names)
    )
    http, websocket = protocols
    config = uvicorn.Config(app, http=http, ws=websocket, log_level="warning", timeout_graceful_shutdown=GRACE)
    uvicorn.Server(config).run([listener])
