"""The socket of a table: one guest who hears of every change, and may ask for some."""

import asyncio
import logging
import re
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.types import Message, Receive, Scope, Send

from quintet.store.database import StoreFault
from quintet.store.rows import UnknownMatch
from quintet.web import messages
from quintet.web.hall import Hall
from quintet.web.limits import LARGEST_MESSAGE, MESSAGES, Buckets, address
from quintet.web.refusal import Refused
from quintet.web.table import Table

PATH = re.compile(r"/api/matches/([0-9a-z]{1,20})/live")
PATIENCE = 20.0
"""Seconds after which somebody who reads nothing has to leave."""
NOT_FOUND = 4404
"""The code a socket is closed with where there is no such match."""

log = logging.getLogger("quintet.web")


class Guest:
    """Somebody at a table, behind a socket. Who falls behind is told the table as it is then: it is all there is."""

    def __init__(self, send: Send, table: Table) -> None:
        """Come in."""
        self.send = send
        self.table = table
        self.held: list[int] = []
        self.gone = False
        self.listening: asyncio.Timeout | None = None
        self.behind = False
        self.acks: list[str] = []
        """What this guest asked for and was done while it was behind."""
        self.catching_up: asyncio.Task[None] | None = None

    def give(self, text: str, ack: str = "") -> None:
        """Tell something without waiting, and that it answers what is known by `ack`."""
        if self.catching_up:
            self.behind = True
            self.acks += [ack] if ack else []
            return
        sending: Any = self.send({"type": "websocket.send", "text": text})
        try:
            sending.send(None)  # One step of the coroutine: it ends at once unless the socket's buffer is full.
        except StopIteration:
            return
        except Exception as error:  # Whatever is wrong with a socket is no matter of those who play.
            self.leave(error)
            return
        sending.close()
        self.behind = True
        self.acks += [ack] if ack else []
        self.catching_up = asyncio.create_task(self.catch_up())

    async def catch_up(self) -> None:
        """Tell how the table is as soon as the socket takes something again, and again if it changed meanwhile."""
        try:
            while self.behind:
                self.behind, acks, self.acks = False, self.acks, []
                await self.tell(self.table.table_text(self.held, "table"))
                for ack in acks:
                    await self.tell(self.table.message(ack))
            self.catching_up = None
        except Exception as error:
            self.leave(error)

    async def tell(self, text: str) -> None:
        """Tell something, and wait for the socket to take it, but not for ever."""
        async with asyncio.timeout(PATIENCE):
            await self.send({"type": "websocket.send", "text": text})

    def leave(self, why: Exception) -> None:
        """Go, because the socket takes nothing any more."""
        if self.gone:
            return
        log.debug("a guest of %s has gone: %s", self.table.sitting.id, why)
        self.gone = True
        self.table.guests.discard(self)
        if self.listening:
            self.listening.reschedule(0)

    async def hear(self, receive: Receive) -> Message | None:
        """The next message; `None` when there will be no more."""
        if self.gone:
            return None
        try:
            async with asyncio.timeout(None) as self.listening:
                message = await receive()
        except TimeoutError:
            return None
        finally:
            self.listening = None
        return message if message["type"] == "websocket.receive" else None


class Live:
    """Serves the sockets of all tables."""

    def __init__(self, hall: Callable[[], Hall], limited: bool = True) -> None:
        """Over the hall, once it is open."""
        self.hall = hall
        self.limited = limited
        self.messages = Buckets(MESSAGES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One socket from its beginning to its end."""
        await receive()
        found = PATH.fullmatch(scope["path"])
        await send({"type": "websocket.accept"})
        try:
            if not found:
                raise UnknownMatch("there is no such table")
            at, hello, client = found[1], None, address(scope)
            while at:
                async with self.hall().table(at) as table:
                    hello = await self.attend(table, receive, send, client, hello)
                at = hello.match if hello else None
        except UnknownMatch:
            await say_error(send, "there is no such match", "")
            await send({"type": "websocket.close", "code": NOT_FOUND})
        except StoreFault as fault:
            log.error("%s", fault)  # It says where the store is, which is nobody else's business.
            await say_error(send, "the store does not answer; try again later", "")
            await send({"type": "websocket.close", "code": 1011})
        except OSError:
            pass  # The client has gone.

    async def attend(
        self, table: Table, receive: Receive, send: Send, client: str, hello: messages.Hello | None
    ) -> messages.Hello | None:
        """Serve a guest until it leaves; gives what it says to the table that it goes to, if it goes to one."""
        guest = Guest(send, table)
        try:
            if hello:
                await answer(table, guest, hello, "")
            while message := await guest.hear(receive):
                data = message.get("text") or message.get("bytes") or ""
                if self.limited and not self.messages.take(client):
                    await say_error(send, "Too many messages; slow down.", "")
                    continue
                ack = ""
                try:
                    said = read(data)
                    if isinstance(said, messages.Hello) and said.match not in (None, table.sitting.id):
                        return said
                    ack = known_by(said)
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


def known_by(said: Any) -> str:
    """What the sender of a message knows it by, as JSON; empty if it does not say."""
    try:
        return bytes(getattr(said, "id", None) or b"").decode()
    except UnicodeError:
        raise Refused(422, "That is no message: its id is not UTF-8 text.") from None


async def answer(table: Table, guest: Guest, said: Any, ack: str) -> None:
    """Do what a guest asks for."""
    match said:
        case messages.Move(ply=ply, undone=undone, move=move):
            await table.move(guest.held, ply, undone, move, guest, ack)
        case messages.Hello(tokens=tokens):
            guest.held = table.held(tokens)
            table.guests.add(guest)
            guest.give(table.table_text(guest.held, "table"))
        case messages.Ping() if not guest.catching_up:  # Who is behind hears something anyway.
            guest.give('{"type":"pong"}')
        case messages.Resign():
            await table.resign(guest.held, guest, ack)
        case messages.Undo(answer=wish, ply=ply, undone=undone):
            await table.undo(guest.held, wish, ply, undone, guest, ack)
        case messages.Rematch(answer=wish):
            await table.rematch(guest.held, wish, guest, ack)


async def say_error(send: Send, error: str, ack: str) -> None:
    """Tell the sender of a message what is wrong with it."""
    text = msgspec.json.encode(error).decode()
    end = f',"id":{ack}}}' if ack else "}"
    async with asyncio.timeout(PATIENCE):
        await send({"type": "websocket.send", "text": f'{{"type":"error","error":{text}{end}'})
