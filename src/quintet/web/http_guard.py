"""uvicorn's HTTP, guarded against requests that are too large, too slow or without end.

What a client may take is checked before it is allocated, and before the application hears of it.
"""

import asyncio
from typing import cast

import httptools
import msgspec
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from quintet.web import limits
from quintet.web.connections import NEVER, Connections
from quintet.web.headers import HEADERS
from quintet.web.messages import Problem
from quintet.web.metrics import REFUSED, SLOW
from quintet.web.websocket_guard import GuardedWebSocket


class Refused(Exception):
    """A request that is refused while it is read."""

    def __init__(self, status: int, error: str) -> None:
        """Refuse with a status and a line that says why."""
        super().__init__(error)
        self.status, self.error = status, error


class GuardedHttp(HttpToolsProtocol):
    """HTTP with limits on size and time."""

    guard: Connections
    deadline = NEVER
    address = ""
    counted = False
    """Whether it counts as one of the address's connections."""
    unparsed = 0
    """Bytes received since the last whole request."""
    head = 0
    """Bytes of the first line and the headers so far."""
    in_body = False
    problem: Refused | None = None
    answering: RequestResponseCycle | None = None
    """The request that is being answered; others may wait behind it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection, if there are not too many."""
        super().connection_made(cast(asyncio.Transport, transport))
        self.address = self.client[0] if self.client else ""
        self.counted = self.guard.admit(self, self.address)
        if self.counted:
            self.set_deadline(limits.HEAD_SECONDS)
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self.guard.closing.pop(self, None)
        self.uncount()
        self.drop_requests()
        super().connection_lost(exc)

    def uncount(self) -> None:
        """Do not count it any longer."""
        if self.counted:
            self.counted = False
            self.guard.stop_requesting(self, self.address)

    @property
    def idle(self) -> bool:
        """Whether no whole request has come that is not answered yet."""
        return self.in_body or self.cycle is None or self.cycle.response_complete

    def set_deadline(self, seconds: float) -> None:
        """From now on, something has to happen within some seconds."""
        self.deadline = self.loop.time() + seconds

    def data_received(self, data: bytes) -> None:
        """Parse what has come, within the limits."""
        self._unset_keepalive_if_required()
        self.unparsed += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            elif self.cycle:
                self.cycle.keep_alive = False  # Another protocol than we speak: answered in ours, once.
            return
        except httptools.HttpParserError:
            self.refuse(self.problem or Refused(400, "The request is not valid HTTP."))
            return
        if not self.in_body and self.unparsed > limits.HEAD_BYTES:
            self.refuse(Refused(431, f"The headers can have at most {limits.HEAD_BYTES} bytes."))
        elif self.unparsed > limits.HEAD_BYTES + 2 * limits.LARGEST_BODY:
            self.refuse(Refused(413, f"The body of a request can have at most {limits.LARGEST_BODY} bytes."))
        elif self.deadline == NEVER and (self.cycle is None or self.cycle.response_complete):
            self.set_deadline(limits.HEAD_SECONDS)  # It has sent something, but no request.

    def handle_websocket_upgrade(self) -> None:
        """Let the other protocol continue, unless a request before is still being answered."""
        if self.answering and not self.answering.response_complete:
            self.refuse(Refused(400, "A WebSocket needs a connection of its own."))
            return
        self.uncount()
        self.guard.closing.pop(self, None)
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.head = 0
        self.set_deadline(limits.HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """A part of the first line."""
        self.grow(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or one that follows the body."""
        self.grow(len(name) + len(value))
        if len(self.headers) >= limits.HEAD_FIELDS:
            self.fail(431, f"A request can have at most {limits.HEAD_FIELDS} headers.")
        super().on_header(name, value)

    def grow(self, size: int) -> None:
        """Count the bytes of the headers."""
        self.head += size
        if self.head > limits.HEAD_BYTES:
            self.fail(431, f"The headers can have at most {limits.HEAD_BYTES} bytes.")

    def fail(self, status: int, error: str) -> None:
        """Stop the parser, which forgets why."""
        self.problem = Refused(status, error)
        raise self.problem

    def on_headers_complete(self) -> None:
        """The body follows."""
        self.in_body = True
        self.set_deadline(limits.BODY_SECONDS)
        if len(self.pipeline) >= limits.PIPELINE:
            self.fail(429, "Too many requests at once on one connection.")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole."""
        self.in_body, self.unparsed, self.deadline = False, 0, NEVER
        super().on_message_complete()

    def pause_writing(self) -> None:
        """The client must read something before more is sent."""
        super().pause_writing()
        self.set_deadline(limits.READ_SECONDS)

    def resume_writing(self) -> None:
        """It has."""
        super().resume_writing()
        self.deadline = NEVER
        if self.in_body or self.unparsed:
            self.set_deadline(limits.HEAD_SECONDS)

    def expire(self) -> None:
        """End a connection that takes too long."""
        if self.flow.read_paused and not self.flow.write_paused:
            self.set_deadline(limits.HEAD_SECONDS)  # It is we who did not read.
            return
        SLOW.labels("client").inc()
        if self.flow.write_paused:
            self.transport.abort()
        elif self.in_body or self.unparsed:
            self.refuse(Refused(408, "The request took too long."))
        else:
            self.transport.close()

    def refuse(self, problem: Refused) -> None:
        """Answer with an error, unless an answer has begun, and end the connection."""
        if self.transport.is_closing():
            return
        REFUSED.labels(str(problem.status)).inc()
        cycle = self.cycle
        answering = cycle is not None and not cycle.response_complete
        if self.in_body:  # The application knows the request, and may have answered it.
            unanswered = answering and cycle.more_body and not cycle.response_started and not self.pipeline
        else:
            unanswered = not answering
        if unanswered:
            body = msgspec.json.encode(Problem(problem.error))
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n" % len(body)
            security = b"".join(b"%s: %s\r\n" % header for header in HEADERS)
            self.transport.write(STATUS_LINE[problem.status] + head + security + b"\r\n" + body)
        self.drop_requests()
        self.transport.close()

    def drop_requests(self) -> None:
        """Nobody waits for answers any more."""
        self.pipeline.clear()
        for cycle in (self.answering, self.cycle):
            if cycle and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Answer a request."""
        self.answering = cycle
        super()._start_asgi_task(cycle, app)


def guarded_protocols(connections: Connections) -> tuple[type[GuardedHttp], type[GuardedWebSocket]]:
    """The two protocols for the connections of one server process."""

    class Http(GuardedHttp):
        guard = connections

    class WebSocket(GuardedWebSocket):
        guard = connections

    return Http, WebSocket
