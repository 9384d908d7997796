"""The command for assistants: `mcp`."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.common import Usage, need

if TYPE_CHECKING:
    from quintet.llm.mcp.tools import Tools

HOST, PORT = "127.0.0.1", 8765


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP instead of standard input and output.")] = False,
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help=f"Where to listen, with --http; by default {HOST}.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, metavar="N", help=f"The port, with --http; by default {PORT}, and 0 takes any free one."
        ),
    ] = None,
    allow: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name by which clients reach it, with --http.")
    ] = None,
) -> None:
    """Serve the games to assistants, over the Model Context Protocol."""
    if not http and (host is not None or port is not None or allow):
        raise Usage("--host, --port and --allow go with --http")
    need("serving assistants", "mcp", "mcp")
    from quintet.llm.mcp.server import make_server
    from quintet.llm.mcp.tools import Tools

    tools = Tools()
    try:
        if http:
            serve_http(tools, host or HOST, PORT if port is None else port, allow or [])
        else:
            make_server(tools).run()
    except KeyboardInterrupt:
        pass  # That is how a person ends a server.
    finally:
        tools.close()


def serve_http(tools: "Tools", host: str, port: int, names: list[str]) -> None:
    """Serve over HTTP, and say where."""
    from quintet.cli.port import bracketed, open_port
    from quintet.llm.mcp.http import PATH, serve
    from quintet.llm.mcp.server import make_server

    listener, address = open_port(host, port)
    print(f"Serving assistants at {address}{PATH}", file=sys.stderr, flush=True)
    serve(make_server(tools), listener, [bracketed(host), *names])
