"""A WebSocket client as cheap as Python can make it: thousands of them share a machine with the server they load.

It sends and receives text only. Anything else from the server closes the connection with a reason.
"""

import asyncio
import base64
import hashlib
import os
from collections.abc import Callable
from typing import cast

from quintet.errors import QuintetError

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""What a server adds to the client's key to show that it speaks WebSocket (RFC 6455)."""
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
"""The first byte of an unfragmented frame of each kind."""
MASKED = 0x80
NO_MASK = bytes(4)
"""Clients must mask what they send; a mask of zeros changes nothing."""


class WebSocketFault(QuintetError, ConnectionError):
    """A WebSocket that could not be opened."""

    status = 1


class WebSocket(asyncio.Protocol):
    """One socket. It calls `on_message` with each text, and `on_disconnect` once, with the reason, if it breaks."""

    transport: asyncio.Transport | None = None
    """None before it is connected."""

    def __init__(self, path: str, on_message: Callable[[bytes], None], on_disconnect: Callable[[str], None]) -> None:
        """A socket for a path, not yet connected."""
        self.path, self.on_message, self.on_disconnect = path, on_message, on_disconnect
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.key = base64.b64encode(os.urandom(16))
        self.rest = b""
        self.closed = False

    async def open(self, host: str, port: int, address: str | None = None) -> None:
        """Connect, perhaps from one of this machine's addresses; a `WebSocketFault` if that fails."""
        self.host = f"{host}:{port}"
        local = (address, 0) if address else None
        try:
            await asyncio.get_running_loop().create_connection(lambda: self, host, port, local_addr=local)
        except OSError as error:
            raise WebSocketFault(f"cannot connect to {self.host}: {error}") from None
        await self.opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's transport is not declared as one.
        if self.closed:
            self.transport.abort()
            return
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {self.key.decode()}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take the complete frames, and keep the rest."""
        if self.rest:
            data = self.rest + data
        at, end = 0, len(data)
        if not self.opened.done():
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self.rest = data
                return
            if not self._accepted(data[:at]):
                self._fail(data.partition(b"\r\n")[0].decode(errors="replace"))
                return
            self.opened.set_result(None)
        while end - at >= 2 and not self.closed:
            size, head = data[at + 1], 2
            if size > 125:  # The size follows, in two bytes or in eight.
                head = 4 if size == 126 else 10
                if end - at < head:
                    break
                size = int.from_bytes(data[at + 2 : at + head])
            stop = at + head + size
            if stop > end:
                break
            self._take(data[at], data[at + head : stop])
            at = stop
        self.rest = data[at:]

    def send(self, text: bytes) -> None:
        """Send a text, unless the socket is closed."""
        if not self.closed:
            self._frame(TEXT, text)

    def close(self) -> None:
        """Close the socket, without a call of `on_disconnect`."""
        if not self.closed and self.transport:
            self._frame(CLOSE, (1000).to_bytes(2))
            self.transport.close()
        self.closed = True

    def abort(self, part: bytes = b"") -> None:
        """Break the connection as a network does, perhaps in the middle of a message; `on_disconnect` is not called."""
        if not self.closed and self.transport:
            if part:
                self.transport.write(bytes((TEXT, MASKED | (len(part) + 1))) + NO_MASK + part)
            self.transport.abort()
        self.closed = True

    def connection_lost(self, error: Exception | None) -> None:
        """The connection has ended."""
        self._fail(str(error or "the connection ended"))

    def _accepted(self, head: bytes) -> bool:
        """Whether the server accepted this client's request."""
        proof = base64.b64encode(hashlib.sha1(self.key + GUID).digest())
        return head.startswith(b"HTTP/1.1 101") and proof in head

    def _take(self, kind: int, text: bytes) -> None:
        """Take one frame."""
        if kind == TEXT:
            self.on_message(text)
        elif kind == PING:
            self._frame(PONG, text)
        elif kind == CLOSE:
            self._fail(f"closed by the server: {int.from_bytes(text[:2])} {text[2:].decode(errors='replace')}")
        elif kind != PONG:
            self._fail(f"a frame of unknown kind {kind:#x}")

    def _frame(self, kind: int, text: bytes) -> None:
        """Send one frame."""
        size = len(text)
        if size < 126:
            head = bytes((kind, MASKED | size))
        elif size < 1 << 16:
            head = bytes((kind, MASKED | 126)) + size.to_bytes(2)
        else:
            head = bytes((kind, MASKED | 127)) + size.to_bytes(8)
        assert self.transport
        self.transport.write(head + NO_MASK + text)

    def _fail(self, reason: str) -> None:
        """Give up the connection."""
        if self.closed:
            return
        self.closed = True
        if self.transport:
            self.transport.abort()
        if self.opened.done():
            self.on_disconnect(reason)
        else:
            self.opened.set_exception(WebSocketFault(reason))
