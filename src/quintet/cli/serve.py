"""Commands that serve the games: `serve` (the web page), `mcp` (AI assistants), `engine` (other programs)."""

import os
import re
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from quintet.cli.common import WEB, Seed, Usage, require

if TYPE_CHECKING:
    from quintet.llm.mcp.tools import Tools

LONGEST_NAME = 30
OPERATOR_TOKEN = "QUINTET_OPERATOR_TOKEN"
SHORTEST_TOKEN = 16
MCP_HOST, MCP_PORT = "127.0.0.1", 8765


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 accepts other machines.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, metavar="N", help="Port to listen on; 0 chooses a free one.")
    ] = 8000,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Database URL, such as postgresql://host/quintet.")
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="Server processes; more than one needs PostgreSQL.")
    ] = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="N",
            help="Worker processes for engines and analysis, at least two (default: one per core).",
        ),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=WHO", help="Offer a player of your own, such as 'Bot=exec:./bot'; repeatable."),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Accept requests to this host name too, such as a domain; repeatable."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Trust X-Forwarded-For from this proxy (address or network); repeatable."),
    ] = None,
    delete_after: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=36_500,
            metavar="DAYS",
            help="Delete web matches that nobody has played or opened for DAYS days (default: never).",
        ),
    ] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SUITE",
            help="Record human baselines at /baseline/SUITE, for `quintet baseline`; quick or full; repeatable.",
        ),
    ] = None,
    drain: Annotated[
        float,
        typer.Option(
            min=0,
            max=3_600,
            metavar="SECONDS",
            help="After SIGTERM, accept visitors for SECONDS more: a proxy then notices that /api/ready says 503.",
        ),
    ] = 0,
    no_limits: Annotated[bool, typer.Option("--no-limits", help="Disable rate limits (load tests only).")] = False,
    operator_token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            envvar=OPERATOR_TOKEN,
            help="Token for /operator and /metrics, at least 16 characters; without it, both are disabled.",
        ),
    ] = None,
    log: Annotated[
        Literal["text", "json"], typer.Option(metavar="FORMAT", help="Write the log as text or as json, line by line.")
    ] = "text",
    log_level: Annotated[
        Literal["error", "warning", "info", "debug"],
        typer.Option(
            metavar="LEVEL",
            help="Log messages of this level and above: error, warning, info or debug, which adds tracebacks.",
        ),
    ] = "warning",
) -> None:
    """Serve the web page, to play, watch and study in a browser. Ctrl-C stops it."""
    require("the web server", "web", *WEB)
    from quintet.cli.port import open_port
    from quintet.store.matches import Store
    from quintet.suites.suite import load_suite
    from quintet.web import runner
    from quintet.web.app import Settings
    from quintet.web.logs import Form, Level

    check_operator_token(operator_token)
    custom_players = read_custom_players(player or [])
    proxies = read_proxies(trusted_proxy or [])
    baselines = tuple(load_suite(name).full_name for name in baseline or [])
    with Store(database) as store:  # Checked here, so that a fault is reported once and not by every process.
        if processes > 1 and store.embedded:
            raise Usage("several processes need PostgreSQL: --database postgresql://...")
    listener, address = open_port(host, port)
    settings = Settings(
        database,
        workers or os.cpu_count() or 1,
        not no_limits,
        custom_players,
        tuple(allowed_hosts(host, allow or [])),
        proxies,
        delete_after=delete_after,
        operator_token=operator_token,
        processes=processes,
        drain=drain,
        log=Form(log),
        log_level=Level(log_level),
        listening_on=host,
        baselines=baselines,
    )
    print(f"Quintet is running at {address} (Ctrl-C stops it)", flush=True)
    with listener:
        try:
            runner.run(listener, settings, processes)
        except KeyboardInterrupt:
            pass  # That is how a person stops a server.


def allowed_hosts(host: str, names: list[str]) -> list[str]:
    """The host names that a server accepts requests to: where it listens, and what its operator allows."""
    from quintet.cli.port import bracketed

    for name in names:
        if not re.fullmatch(r"[\w.-]+|\[[0-9a-fA-F:.]+\]", name):
            raise Usage("--allow needs a host name without scheme and port, such as quintet.example.org")
    return [bracketed(host).lower(), *(encode_host(name.lower().rstrip(".")) for name in names)]


def encode_host(name: str) -> str:
    """A host name as clients send it: in ASCII."""
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        raise Usage(f"--allow needs a host name, and {name!r} cannot be one") from None


def read_proxies(texts: list[str]) -> tuple[str, ...]:
    """The addresses of trusted proxies, checked."""
    from ipaddress import ip_network

    try:
        return tuple(str(ip_network(text, strict=False)) for text in texts)
    except ValueError:
        raise Usage("--trusted-proxy needs an address or a network, such as 10.0.0.5 or 10.0.0.0/8") from None


def check_operator_token(token: str | None) -> None:
    """Refuse a token that can be guessed or cannot be sent."""
    os.environ.pop(OPERATOR_TOKEN, None)  # The programs that play here are started with our environment.
    if token is not None and not re.fullmatch(rf"[!-~]{{{SHORTEST_TOKEN},}}", token):
        raise Usage(f"the operator token needs at least {SHORTEST_TOKEN} ASCII characters, and no spaces")


def read_custom_players(texts: list[str]) -> dict[str, str]:
    """The players that the operator offers: description by name."""
    from quintet.engines import HUMAN, read_player
    from quintet.engines.door import close_engine
    from quintet.view import CUSTOM_PREFIX

    custom_players = {}
    for text in texts:
        name, equals, who = text.partition("=")
        if not (equals and name.isprintable() and 0 < len(name) <= LONGEST_NAME) or who == HUMAN:
            raise Usage("--player needs a short name and a player, such as 'Bot=exec:./bot'")
        player = read_player(who)
        if player.outside and (engine := player.make()):
            close_engine(engine)  # It could be loaded; if not, the command is wrong, and not every game lost.
        custom_players[f"{CUSTOM_PREFIX}{name}"] = who
    return custom_players


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP instead of standard input and output.")] = False,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help=f"With --http: address to listen on (default: {MCP_HOST}).")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            metavar="N",
            help=f"With --http: port to listen on; 0 chooses a free one (default: {MCP_PORT}).",
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="With --http: accept requests to this host name too; repeatable."),
    ] = None,
) -> None:
    """Serve the games to AI assistants (Model Context Protocol)."""
    if not http and (host is not None or port is not None or allow):
        raise Usage("--host, --port and --allow need --http")
    require("serving assistants", "mcp", "mcp")
    if http:
        require("serving over HTTP", "web", *WEB)
    from quintet.llm.mcp.server import make_server
    from quintet.llm.mcp.tools import Tools

    tools = Tools()
    try:
        if http:
            serve_http(tools, host or MCP_HOST, MCP_PORT if port is None else port, allow or [])
        else:
            make_server(tools).run()
    except KeyboardInterrupt:
        pass  # That is how a person stops a server.
    finally:
        tools.close()


def serve_http(tools: "Tools", host: str, port: int, names: list[str]) -> None:
    """Serve MCP over HTTP, and print the address."""
    from quintet.cli.port import open_port
    from quintet.llm.mcp.http import PATH, serve
    from quintet.llm.mcp.server import make_server
    from quintet.web.connections import Connections
    from quintet.web.http_guard import guarded_protocols

    listener, address = open_port(host, port)
    print(f"Serving assistants at {address}{PATH}", file=sys.stderr, flush=True)
    serve(make_server(tools), listener, allowed_hosts(host, names), guarded_protocols(Connections()))


def engine(
    who: Annotated[str, typer.Argument(metavar="WHO", help="The player, as for `quintet play`.")] = "perfect",
    seed: Seed = None,
) -> None:
    """Run an engine for other programs. They talk to it line by line, over standard input and output."""
    from contextlib import redirect_stdout

    from quintet.engines import make_engine
    from quintet.engines.door import close_engine
    from quintet.engines.players import shown_name
    from quintet.engines.server import Server

    answers = sys.stdout.buffer
    with redirect_stdout(sys.stderr):  # What a plug-in prints must not get between the answers.
        player = make_engine(who, seed)
        if player is None:
            raise Usage("choose an engine, not human")
        try:
            Server(player, f"Quintet {shown_name(who)}").run(sys.stdin.buffer, answers)
        except KeyboardInterrupt:
            pass  # That is how a person stops a server.
        finally:
            close_engine(player)
