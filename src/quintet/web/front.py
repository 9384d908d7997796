"""The front door: what every request and every socket must pass, and the headers that every answer carries."""

from collections import Counter
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quintet.web.limits import ALL_SOCKETS, BEGINNINGS, LARGEST_BODY, REQUESTS, SOCKETS, Buckets, address
from quintet.web.live import Live

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        b"object-src 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
BEGINS = ("/api/matches", "/api/records")


class Front:
    """Lets requests through to the application and sockets to the tables."""

    def __init__(self, app: ASGIApp, live: Live, limited: bool = True) -> None:
        """Stand before an application."""
        self.app = app
        self.live = live
        self.limited = limited
        self.requests = Buckets(REQUESTS)
        self.beginnings = Buckets(BEGINNINGS)
        self.sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let in a request or a socket."""
        if scope["type"] == "http":
            await self.answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.connect(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that is not too much."""

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        refusal = self.refuse(scope)
        if refusal:
            status, text = refusal
            body = b'{"error":"%s"}' % text.encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
            await send_guarded({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        else:
            # What can be got may be asked about: the server sends the head of the answer only.
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            await self.app({**scope, "method": method}, receive, send_guarded)

    def refuse(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is too much, if it is."""
        size = header(scope, b"content-length")
        if size.isdigit() and int(size) > LARGEST_BODY:
            return 413, f"A request has at most {LARGEST_BODY} bytes."
        if not self.limited:
            return None
        client = address(scope)
        begins = scope["method"] == "POST" and scope["path"] in BEGINS
        if not self.requests.take(client) or (begins and not self.beginnings.take(client)):
            return 429, "Too many requests; wait a moment."
        return None

    async def connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead a socket to its table."""
        client = address(scope)
        if not same_origin(scope) or (self.limited and self.crowded(client)):
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # Before it is accepted, this is a 403.
            return
        self.sockets[client] += 1
        try:
            await self.live(scope, receive, send)
        finally:
            self.sockets[client] -= 1
            if not self.sockets[client]:
                del self.sockets[client]

    def crowded(self, client: str) -> bool:
        """Whether a socket more is too much; to open one is a request like others."""
        many = self.sockets[client] >= SOCKETS or self.sockets.total() >= ALL_SOCKETS
        return many or not self.requests.take(client)


def header(scope: Scope, name: bytes) -> str:
    """A header's value; empty if there is none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def same_origin(scope: Scope) -> bool:
    """Whether a page that opens a socket is ours; programs that are no browsers send no origin."""
    origin = header(scope, b"origin")
    try:
        return not origin or urlsplit(origin).netloc == header(scope, b"host")
    except ValueError:
        return False  # That is no address at all.
