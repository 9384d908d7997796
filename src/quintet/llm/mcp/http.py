"""The server over HTTP, for the machine it runs on or for those who know its name."""

import socket
from collections.abc import Iterable

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

PATH = "/mcp"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
GRACE = 3
"""Seconds for questions that are being answered when the server is told to end."""


def guard(names: Iterable[str]) -> TransportSecuritySettings:
    """Answer only who asks for one of these names: a page in a browser must not reach the server by another."""
    known = list(dict.fromkeys([*LOCAL, *names]))
    hosts = [pattern for name in known for pattern in (name, f"{name}:*")]
    return TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    )


def serve(server: MCPServer, listener: socket.socket, names: Iterable[str]) -> None:
    """Answer until told to end. Sessions are not needed: all that lasts is in the store."""
    app = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=guard(names)
    )
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=GRACE)).run([listener])
