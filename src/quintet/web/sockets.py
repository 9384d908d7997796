"""The WebSockets of the live tables: one connection receives every change, and may ask for some."""

import asyncio
import logging
import re
import time
from collections.abc import Callable

import msgspec
from msgspec import UNSET
from starlette.types import Message, Receive, Scope, Send

from quintet.language import chosen_language, language, later, tr
from quintet.store.database import DamagedMatch, StoreFault
from quintet.store.rows import UnknownMatch
from quintet.web import socket_messages as messages
from quintet.web.any_table import answer as answer
from quintet.web.api_error import ApiError
from quintet.web.faults import count_error, count_refusal, explain, report
from quintet.web.limits import (
    HELLO_SECONDS,
    MESSAGES,
    NEW_MATCHES,
    SOCKET_MESSAGES,
    WARNINGS,
    Bucket,
    RateLimiter,
    client_address,
)
from quintet.web.lobby import Lobby
from quintet.web.metrics import LIMITED, SLOW
from quintet.web.socket_messages import MessageId
from quintet.web.table import Table

PATH = re.compile(r"/api/matches/([0-9a-z]{1,20})/live")
SEND_TIMEOUT = 20.0
"""Seconds after which a client that reads nothing is disconnected."""
NOT_FOUND = 4404
"""The close code if there is no such match."""
UNAVAILABLE = 503
"""The status of an error that is not the client's."""
FLOOD_PAUSE = 1.0
"""Seconds in which nothing is read from a socket that sends too much."""
FORGIVEN = 10.0
"""Seconds after which that is forgotten."""
RESTART = 1012
"""The close code of a server that is about to stop: the client should connect again, and will reach another process."""

log = logging.getLogger("quintet.web")


class Connection:
    """A subscriber of a table behind a socket. One that falls behind is sent the table as it is then, which is enough.

    ASGI gives each socket a function to send with and a function to receive with.
    """

    def __init__(self, send: Send, table: Table) -> None:
        """Connect to a table, not yet subscribed."""
        self.send = send
        self.table = table
        self.language = chosen_language()
        self.seats: list[int] = []
        self.closed = False
        self.leaving = False
        """Whether nothing more is to be received, because the server is about to stop."""
        self.receiving: asyncio.Timeout | None = None
        self.behind = False
        self.acks: list[msgspec.Raw] = []
        """The ids of messages that were answered while this client was behind."""
        self.catching_up: asyncio.Task[None] | None = None

    @property
    def is_behind(self) -> bool:
        """Whether it is about to receive the newest state anyway."""
        return self.catching_up is not None

    def notify(self, text: str, ack: MessageId = UNSET) -> None:
        """Send a message without waiting; `ack` is the id of the message that it answers."""
        if self.catching_up:
            self.fall_behind(ack)
            return
        sending = self.send({"type": "websocket.send", "text": text}).__await__()
        try:
            next(sending)  # One step of the coroutine: it ends at once unless the socket's buffer is full.
        except StopIteration:
            return
        except Exception as error:  # A broken socket must not disturb the other players.
            self.close(error)
            return
        sending.close()
        SLOW.labels("send").inc()
        self.fall_behind(ack)
        self.catching_up = asyncio.create_task(self.catch_up())

    def fall_behind(self, ack: MessageId) -> None:
        """Remember that the client has missed a message."""
        self.behind = True
        if not isinstance(ack, msgspec.UnsetType):
            self.acks.append(ack)

    async def catch_up(self) -> None:
        """Send the table as soon as the socket accepts messages, and again if it has changed meanwhile."""
        try:
            with language(self.language):
                while self.behind:
                    self.behind, acks, self.acks = False, self.acks, []
                    await self.send_in_time(self.table.table_message(self.seats))
                    for ack in acks:
                        await self.send_in_time(self.table.state_message(ack))
            self.catching_up = None
        except Exception as error:
            self.close(error)

    async def send_in_time(self, text: str) -> None:
        """Send a message, and wait until the socket has accepted it, up to a limit."""
        async with asyncio.timeout(SEND_TIMEOUT):
            await self.send({"type": "websocket.send", "text": text})

    def close(self, reason: Exception) -> None:
        """Give up a socket that accepts nothing any more."""
        if self.closed:
            return
        log.debug("a connection to %s was closed: %s", self.table.online.id, reason)
        self.closed = True
        self.table.subscribers.discard(self)
        if self.receiving:
            self.receiving.reschedule(0)

    def leave(self) -> None:
        """Receive nothing more; what was received is still answered."""
        self.leaving = True
        if self.receiving:
            self.receiving.reschedule(0)

    async def next_message(self, receive: Receive, seconds: float | None = None) -> Message | None:
        """The next message within some seconds; `None` when there will be no more."""
        if self.closed or self.leaving:
            return None
        try:
            async with asyncio.timeout(seconds) as self.receiving:
                message = await receive()
        except TimeoutError:
            return None
        finally:
            self.receiving = None
        return message if message["type"] == "websocket.receive" else None


class Flooding(Exception):
    """A socket that keeps sending too much."""


class Sender:
    """The client of a socket: where it is, and how much it has sent."""

    def __init__(self, address: str) -> None:
        """A client that has sent nothing yet."""
        self.address = address
        self.bucket = Bucket(SOCKET_MESSAGES)
        self.greeted = False
        self.warnings, self.warned = 0, 0.0

    def warn(self) -> None:
        """It has sent too much. `Flooding` if that has happened too often."""
        now = time.monotonic()
        self.warnings = self.warnings + 1 if now - self.warned < FORGIVEN else 1
        self.warned = now
        if self.warnings > WARNINGS:
            raise Flooding


class SocketServer:
    """Serves the sockets of all tables."""

    def __init__(self, lobby: Callable[[], Lobby], limited: bool = True) -> None:
        """Serve the tables of the lobby, once it is open."""
        self.lobby = lobby
        self.limited = limited
        self.limiter = RateLimiter(MESSAGES, "messages")
        self.new_matches = RateLimiter(NEW_MATCHES, "new matches")
        """Shared with the requests that create matches: a rematch is a new match too."""
        self.connections: set[Connection] = set()
        self.leaving = False

    def drain(self) -> None:
        """Ask every client to connect again, once what it has asked for is answered."""
        self.leaving = True
        for connection in self.connections:
            connection.leave()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket until it closes."""
        await receive()
        found = PATH.fullmatch(scope["path"])
        await send({"type": "websocket.accept"})
        try:
            if not found:
                raise UnknownMatch("there is no such table")
            id, hello, sender = found[1], None, Sender(client_address(scope))
            while id:
                async with self.lobby().table(id) as table:
                    hello = await self.serve(table, receive, send, sender, hello)
                id = hello.match if hello else None
            if self.leaving:
                await send({"type": "websocket.close", "code": RESTART, "reason": "The server is restarting."})
        except UnknownMatch:
            count_refusal(404)
            await send_error(send, tr("Match not found."))
            await send({"type": "websocket.close", "code": NOT_FOUND})
        except StoreFault as fault:
            report(fault)
            await send_error(send, explain(fault))
            await send({"type": "websocket.close", "code": 1011})
        except Flooding:
            LIMITED.labels("sockets closed").inc()
            await send_error(send, tr("Too many messages; slow down."))
            await send({"type": "websocket.close", "code": 1008, "reason": "Too many messages."})
        except OSError:
            pass  # The client has disconnected.

    async def wait_for_turn(self, sender: Sender) -> None:
        """Wait until another message of a client may be served; nothing more is read from its socket meanwhile."""
        while self.limited and not (sender.bucket.allow() and self.limiter.allow(sender.address)):
            sender.warn()
            await asyncio.sleep(FLOOD_PAUSE)

    async def serve(
        self, table: Table, receive: Receive, send: Send, sender: Sender, hello: messages.Hello | None
    ) -> messages.Hello | None:
        """Serve a connection at a table until it ends; gives its hello to another table, if it goes to one."""
        connection = Connection(send, table)
        connection.leaving = self.leaving
        self.connections.add(connection)
        try:
            if hello:
                await answer(connection, hello)
            while received := await connection.next_message(receive, None if sender.greeted else HELLO_SECONDS):
                sender.greeted = True
                await self.wait_for_turn(sender)
                id: MessageId = UNSET
                try:
                    message = messages.read(received.get("text") or received.get("bytes") or "")
                    if isinstance(message, messages.Hello) and message.match not in (None, table.online.id):
                        return message
                    id = messages.id_of(message)
                    if (
                        isinstance(message, messages.Rematch)
                        and self.limited
                        and not self.new_matches.allow(sender.address)
                    ):
                        raise ApiError(429, tr("Too many new matches; wait a moment."))
                    await answer(connection, message)
                except ApiError as error:
                    count_error(error)
                    await send_error(send, str(error), id, retry=error.http_status == UNAVAILABLE)
                except StoreFault as fault:
                    if isinstance(message, messages.Hello):
                        raise  # Without the table it has to connect again.
                    report(fault)
                    text = explain(fault, later("The database is not responding; nothing was changed."))
                    await send_error(send, text, id, retry=not isinstance(fault, DamagedMatch))
            return None
        finally:
            table.subscribers.discard(connection)
            self.connections.discard(connection)
            if connection.catching_up:
                connection.catching_up.cancel()


async def send_error(send: Send, error: str, id: MessageId = UNSET, retry: bool = False) -> None:
    """Tell a client what is wrong with its message, and whether the same one may be accepted later."""
    message = messages.ErrorMessage(error, id, retry or UNSET)
    async with asyncio.timeout(SEND_TIMEOUT):
        await send({"type": "websocket.send", "text": messages.write_message(message)})
