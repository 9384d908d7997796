"""What every request and every socket passes first: rate limits, the checks of host and origin, security headers."""

import asyncio
import logging
from collections import Counter
from collections.abc import Collection
from urllib.parse import parse_qs, urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quintet.language import LANGUAGES, chosen_language, language, preferred_language, tr
from quintet.web.api_error import ApiError
from quintet.web.headers import headers_of
from quintet.web.hosts import allows_host, host_name
from quintet.web.limits import (
    ALL_SOCKETS,
    CLIENT,
    LARGEST_BODY,
    MAX_COST,
    REQUEST_BYTES,
    REQUESTS,
    SOCKETS,
    RateLimiter,
    client_address,
)
from quintet.web.messages import Problem
from quintet.web.metrics import LIMITED, REFUSED
from quintet.web.metrics import SOCKETS as OPEN_SOCKETS
from quintet.web.sockets import SocketServer

CREATING = ("/api/matches", "/api/records", "/rematch", "/api/tournaments", "/entries", "/api/baselines")
"""How the paths end where a POST creates a match, a tournament, an entry in one or a baseline."""
READING = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""

log = logging.getLogger("quintet.web")


class Gateway:
    """Passes requests to the application and sockets to the tables."""

    def __init__(
        self, app: ASGIApp, socket_server: SocketServer, limited: bool = True, hosts: Collection[str] = ()
    ) -> None:
        """Guard an application that answers to these host names, besides addresses and this machine's own names."""
        self.app = app
        self.socket_server = socket_server
        self.limited = limited
        self.hosts = hosts
        self.host_refused = False
        self.requests = RateLimiter(REQUESTS, "requests")
        self.new_matches = socket_server.new_matches
        self.sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a socket."""
        CLIENT.set(client_address(scope))
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        with language(requested_language(scope)):
            await (self.respond if scope["type"] == "http" else self.connect)(scope, receive, send)

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that is within the limits."""
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message.get("headers", []), *headers_of(scope["path"])]
                if scope["path"].startswith("/api/"):
                    spoken = (b"content-language", chosen_language().encode())
                    message["headers"] += [spoken, (b"vary", b"accept-language")]
            await send(message)

        try:
            self.check(scope)
            # HEAD works wherever GET does: the server sends the headers only.
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            try:
                await self.app({**scope, "method": method}, receive, send_with_headers)
            except asyncio.CancelledError:
                if started:
                    raise
                raise ApiError(503, tr("The server is stopping.")) from None
        except ApiError as error:
            body = msgspec.json.encode(Problem(str(error)))
            headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
            await send_with_headers({"type": "http.response.start", "status": error.http_status, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    def check(self, scope: Scope) -> None:
        """Refuse a request to another host, from another site, or beyond the limits."""
        self.check_host(scope)
        size = header(scope, b"content-length")
        body = int(size) if size.isdigit() else 0
        if body > LARGEST_BODY:
            REFUSED.labels("size").inc()
            raise ApiError(413, tr("The body of a request can have at most {most} bytes.", most=LARGEST_BODY))
        if scope["method"] not in READING and not same_site(scope):
            REFUSED.labels("origin").inc()
            raise ApiError(403, tr("Pages of other sites cannot change anything here."))
        if not self.limited:
            return
        client = client_address(scope)
        creates = scope["method"] == "POST" and scope["path"].endswith(CREATING)
        cost = 1 + min(MAX_COST, (len(scope["query_string"]) + body) // REQUEST_BYTES)
        if not self.requests.allow(client, cost) or (creates and not self.new_matches.allow(client)):
            raise ApiError(429, tr("Too many requests; wait a moment."))

    def check_host(self, scope: Scope) -> None:
        """Refuse a request to a host name that is not ours: a page of another site may be behind it (DNS rebinding)."""
        host = header(scope, b"host")
        if allows_host(host, self.hosts):
            return
        REFUSED.labels("host").inc()
        name = host_name(host)[:100]
        if not self.host_refused:
            self.host_refused = True
            log.warning(
                "a request to host name %r was refused; allow it with --allow NAME (logged once)",
                name,
                extra={"event": "host_refused", "host": name},
            )
        raise ApiError(
            421,
            tr(
                "This server does not answer to the host name {name}. To allow it, start the server with --allow NAME.",
                name=repr(name),
            ),
        )

    async def connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a socket of our own page, within the limits."""
        client = client_address(scope)
        refused = not allows_host(header(scope, b"host"), self.hosts) or not same_site(scope)
        if refused:
            REFUSED.labels("socket").inc()
        if refused or (self.limited and self.has_too_many(client)):
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # Before it is accepted, this is a 403.
            return
        self.sockets[client] += 1
        try:
            with OPEN_SOCKETS.track_inprogress():
                await self.socket_server(scope, receive, send)
        finally:
            self.sockets[client] -= 1
            if not self.sockets[client]:
                del self.sockets[client]

    def has_too_many(self, client: str) -> bool:
        """Whether another socket is beyond the limits; opening one is a request like others."""
        many = self.sockets[client] >= SOCKETS or self.sockets.total() >= ALL_SOCKETS
        if many:
            LIMITED.labels("sockets").inc()
        return many or not self.requests.allow(client)


def header(scope: Scope, name: bytes) -> str:
    """A header's value; empty if there is none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def requested_language(scope: Scope) -> str:
    """The language that a request or a socket names in its query (`?language=de`), or that its client likes most."""
    query = scope["query_string"]
    named = parse_qs(query.decode("latin-1")).get("language", [""])[-1] if b"language=" in query else ""
    return named if named in LANGUAGES else preferred_language(header(scope, b"accept-language"))


def same_site(scope: Scope) -> bool:
    """Whether a request comes from our own page, or from a program that is not a browser."""
    if header(scope, b"sec-fetch-site") not in ("", "same-origin", "none"):
        return False
    origin = header(scope, b"origin")
    try:
        return not origin or urlsplit(origin).netloc == header(scope, b"host")
    except ValueError:
        return False  # The origin is not a URL.
