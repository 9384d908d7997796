"""A WebSocket as its client has it, as cheap as Python makes one: a load of thousands shares the server's machine.

It speaks text both ways and no more. Whatever a server says beyond that ends the connection with a reason.
"""

import asyncio
import base64
import hashlib
import os
from collections.abc import Callable
from typing import cast

ACCEPTING = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""What RFC 6455 has a server add to the client's key, to show that it understood."""
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
"""The first byte of a whole frame of each kind."""
MASKED = 0x80
NO_MASK = bytes(4)
"""Clients must mask what they send; a mask of zeros leaves it as it is."""


class WireFault(ConnectionError):
    """A connection that could not be opened; the message is one line."""


class Wire(asyncio.Protocol):
    """One socket. It calls `heard` with each text that comes, and `lost` once, with the reason, if it breaks."""

    transport: asyncio.Transport | None = None
    """None before there is a connection."""

    def __init__(self, path: str, heard: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        """Get ready to ask for a path."""
        self.path, self.heard, self.lost = path, heard, lost
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.key = base64.b64encode(os.urandom(16))
        self.rest = b""
        self.over = False

    async def open(self, host: str, port: int) -> None:
        """Connect; an `OSError`, of which `WireFault` is one, if there is nobody to connect with."""
        self.host = f"{host}:{port}"
        await asyncio.get_running_loop().create_connection(lambda: self, host, port)
        await self.opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by name.
        if self.over:
            self.transport.abort()
            return
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {self.key.decode()}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take the whole frames of what has come, and keep the rest."""
        if self.rest:
            data = self.rest + data
        at, end = 0, len(data)
        if not self.opened.done():
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self.rest = data
                return
            if not self._accepted(data[:at]):
                self._break(data.partition(b"\r\n")[0].decode(errors="replace"))
                return
            self.opened.set_result(None)
        while end - at >= 2 and not self.over:
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
        """Send one text, if anybody is there."""
        if not self.over:
            self._frame(TEXT, text)

    def close(self) -> None:
        """Leave, without a word to `lost`."""
        if not self.over and self.transport:
            self._frame(CLOSE, (1000).to_bytes(2))
            self.transport.close()
        self.over = True

    def connection_lost(self, error: Exception | None) -> None:
        """The other side is gone."""
        self._break(str(error or "the connection ended"))

    def _accepted(self, head: bytes) -> bool:
        """Whether the server agreed to speak WebSocket with this very client."""
        proof = base64.b64encode(hashlib.sha1(self.key + ACCEPTING).digest())
        return head.startswith(b"HTTP/1.1 101") and proof in head

    def _take(self, kind: int, text: bytes) -> None:
        """Take one frame."""
        if kind == TEXT:
            self.heard(text)
        elif kind == PING:
            self._frame(PONG, text)
        elif kind == CLOSE:
            self._break(f"closed by the server: {int.from_bytes(text[:2])} {text[2:].decode(errors='replace')}")
        elif kind != PONG:
            self._break(f"a frame that begins with {kind:#x}")

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

    def _break(self, why: str) -> None:
        """The connection is of no use any more."""
        if self.over:
            return
        self.over = True
        if self.transport:
            self.transport.abort()
        if self.opened.done():
            self.lost(why)
        else:
            self.opened.set_exception(WireFault(why))
