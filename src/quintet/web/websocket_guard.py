"""uvicorn's WebSockets, guarded against clients that send more than they are served."""

import asyncio
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame

from quintet.web import limits
from quintet.web.connections import NEVER, Connections
from quintet.web.limits import Bucket
from quintet.web.metrics import REFUSED, SLOW

PIECE = 128
"""Bytes that are parsed at a time: a few messages at most, until others have had their turn."""
LAST_BYTES = 65_536
"""What is still read from a WebSocket that the server has closed."""


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that is parsed piece by piece, each when the application has taken the messages of the one before."""

    guard: Connections
    deadline = NEVER
    last_bytes = 0
    """Bytes that came after the server closed the socket."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """A WebSocket that is about to be opened."""
        super().__init__(config, server_state, app_state, _loop)
        self.empty_frames = Bucket(limits.EMPTY_FRAMES)
        self.unread = bytearray()
        """What has come and is not parsed yet; nothing more is read meanwhile."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Watch the connection."""
        super().connection_made(transport)
        self.deadline = self.loop.time() + limits.HEAD_SECONDS
        self.guard.watch(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self.guard.closing.pop(self, None)
        self.unread.clear()
        super().connection_lost(exc)

    def expire(self) -> None:
        """End a connection whose handshake takes too long."""
        self.deadline = NEVER
        if not self.handshake_complete:
            SLOW.labels("client").inc()
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        if self.close_sent:
            self.last_bytes += len(data)
            if self.last_bytes > LAST_BYTES:
                self.transport.abort()
                return
        self.unread += data
        self.parse()

    def parse(self) -> None:
        """Parse the next message, and leave the rest unread; once the socket is closed, only the end is waited for."""
        while self.unread and (self.queue.empty() or self.close_sent) and not self.transport.is_closing():
            piece = bytes(self.unread[:PIECE])
            del self.unread[:PIECE]
            super().data_received(piece)
        if self.unread and not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    async def receive(self) -> ASGIReceiveEvent:
        """The next message for the application."""
        if not self.queue.empty():
            await asyncio.sleep(0)  # Whoever sends many at once waits for its turn like everybody.
        message = await self.queue.get()
        if self.queue.empty():
            self.parse()
        if self.read_paused and not self.unread and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message of the application, unless the socket has been closed meanwhile."""
        if self.close_sent or self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)

    def handle_cont(self, event: Frame) -> None:
        """A part of a message."""
        if self.has_frames_left():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """A ping."""
        if self.has_frames_left():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A pong, asked for or not."""
        if self.has_frames_left():
            super().handle_pong(event)

    def has_frames_left(self) -> bool:
        """Whether a client may send another frame that is not a whole message; if not, the socket is closed."""
        allowed = self.empty_frames.allow()
        if not allowed and not self.transport.is_closing():
            REFUSED.labels("frames").inc()
            self.fail(1008, "Too many frames.")
        return allowed

    def send_receive_event_to_app(self) -> None:
        """Pass on a message, if it is text as it says."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                REFUSED.labels("text").inc()
                self.fail(1007, "The message is not UTF-8 text.")
                return
        super().send_receive_event_to_app()

    def fail(self, code: int, reason: str) -> None:
        """Close a socket without waiting for its client."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent, self.frames = True, []
        self.unread.clear()
        self.transport.close()
