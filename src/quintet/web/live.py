"""The socket of a table: one guest who hears of every change, and may ask for some."""

import asyncio
import logging
import re
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send

from quintet.store import StoreFault, UnknownMatch
from quintet.web import messages
from quintet.web.hall import Hall
from quintet.web.limits import LARGEST_MESSAGE, MESSAGES, Buckets
from quintet.web.refusal import Refused
from quintet.web.table import Table

PATH = re.compile(r"/api/matches/([0-9a-z]{1,20})/live")
PATIENCE = 20.0
"""Seconds after which somebody who reads nothing is told nothing more."""
NOT_FOUND = 4404
"""The code a socket is closed with where there is no such match."""

log = logging.getLogger("quintet.web")


class Guest:
    """Somebody at a table, behind a socket. Who falls behind is told the newest only: every state is complete."""

    def __init__(self, send: Send, table: Table) -> None:
        """Come in."""
        self.send = send
        self.table = table
        self.held: list[int] = []
        self.newest: str | None = None
        self.catching_up: asyncio.Task[None] | None = None

    def give(self, text: str) -> None:
        """Tell something without waiting."""
        if self.catching_up:
            self.newest = text
            return
        sending: Any = self.send({"type": "websocket.send", "text": text})
        try:
            sending.send(None)  # One step of the coroutine: it ends at once unless the socket's buffer is full.
        except StopIteration:
            return
        except OSError:
            return  # The socket is gone, and its own loop will notice.
        sending.close()
        self.newest = text
        self.catching_up = asyncio.create_task(self.catch_up())

    async def catch_up(self) -> None:
        """Wait until the socket takes something again, and tell the newest."""
        try:
            async with asyncio.timeout(PATIENCE):
                while self.newest is not None:
                    text, self.newest = self.newest, None
                    await self.send({"type": "websocket.send", "text": text})
            self.catching_up = None
        except (OSError, TimeoutError):
            self.table.guests.discard(self)


class Live:
    """Serves the sockets of all tables."""

    def __init__(self, hall: Callable[[], Hall], limited: bool = True) -> None:
        """Over the hall, once it is open."""
        self.hall = hall
        self.limited = limited

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One socket from its beginning to its end."""
        await receive()
        found = PATH.fullmatch(scope["path"])
        await send({"type": "websocket.accept"})
        try:
            if not found:
                raise UnknownMatch("there is no such table")
            bucket = Buckets(MESSAGES)
            at, hello = found[1], None
            while at:
                async with self.hall().table(at) as table:
                    hello = await self.attend(table, receive, send, bucket, hello)
                at = hello.match if hello else None
        except StoreFault as fault:
            await say_error(send, str(fault), "")
            await send({"type": "websocket.close", "code": NOT_FOUND if isinstance(fault, UnknownMatch) else 1011})
        except OSError:
            pass  # The client has gone.

    async def attend(
        self, table: Table, receive: Receive, send: Send, bucket: Buckets, hello: messages.Hello | None
    ) -> messages.Hello | None:
        """Serve a guest until it leaves; gives what it says to the table that it goes to, if it goes to one."""
        guest = Guest(send, table)
        try:
            if hello:
                await answer(table, guest, hello, "")
            while (message := await receive())["type"] == "websocket.receive":
                data = message.get("text") or message.get("bytes") or ""
                if self.limited and not bucket.take(""):
                    await say_error(send, "Too many messages; slow down.", "")
                    continue
                ack = ""
                try:
                    said = read(data)
                    if isinstance(said, messages.Hello) and said.match not in (None, table.sitting.id):
                        return said
                    ack = bytes(getattr(said, "id", None) or b"").decode()
                    await answer(table, guest, said, ack)
                except Refused as refusal:
                    await say_error(send, str(refusal), ack)
                except StoreFault as fault:
                    log.error("%s", fault)
                    await say_error(send, "The store does not answer; the move was not made.", ack)
            return None
        finally:
            table.guests.discard(guest)
            if guest.catching_up:
                guest.catching_up.cancel()


def read(data: str | bytes) -> Any:
    """A message, checked."""
    if len(data) > LARGEST_MESSAGE:
        raise Refused(413, f"A message has at most {LARGEST_MESSAGE} characters.")
    try:
        return messages.read_said(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(422, f"That is no message: {error}") from None


async def answer(table: Table, guest: Guest, said: Any, ack: str) -> None:
    """Do what a guest asks for."""
    match said:
        case messages.Move(ply=ply, undone=undone, move=move):
            await table.move(guest.held, ply, undone, move, guest, ack)
        case messages.Hello(tokens=tokens):
            guest.held = table.held(tokens)
            table.guests.add(guest)
            guest.give(table.table_text(guest.held, "table"))
        case messages.Ping():
            guest.give('{"type":"pong"}')
        case messages.Resign():
            await table.resign(guest.held, guest, ack)
        case messages.Undo(answer=wish):
            await table.undo(guest.held, wish, guest, ack)
        case messages.Rematch(answer=wish):
            await table.rematch(guest.held, wish, guest, ack)


async def say_error(send: Send, error: str, ack: str) -> None:
    """Tell the sender of a message what is wrong with it."""
    text = msgspec.json.encode(error).decode()
    end = f',"id":{ack}}}' if ack else "}"
    await send({"type": "websocket.send", "text": f'{{"type":"error","error":{text}{end}'})
