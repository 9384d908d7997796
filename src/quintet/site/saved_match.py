"""Matches as the browser saves them, and the table of one of them."""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TypeVar

import msgspec
from msgspec import UNSET

from quintet.language import chosen_language, tr
from quintet.match import replay
from quintet.record import Record, read_record, write_record
from quintet.store.online import Change, Offer, OnlineMatch, Seat, TimeControl
from quintet.web import socket_messages
from quintet.web.any_table import AnyTable, Proposal, Reply
from quintet.web.api_error import ApiError
from quintet.web.socket_messages import MessageId

Found = TypeVar("Found")
FIXED_TAGS = ("Player1", "Player2", "Termination")
"""The tags of a record that follow from the match itself."""


class SavedMatch(msgspec.Struct):
    """A match as the browser saves it: its record, and what a record does not have."""

    record: str
    seats: dict[int, Seat] = {}
    control: TimeControl | None = None
    clocks: tuple[int | None, ...] = ()
    updated: str = ""
    revision: int = 0
    undone: int = 0
    offer: Offer | None = None
    rematch: str | None = None


class Stored(msgspec.Struct):
    """A match to save, if the one that is saved still has the revision before it."""

    id: str
    revision: int
    text: str


_read = msgspec.json.Decoder(SavedMatch).decode


class LocalTable(AnyTable):
    """A table in this browser: changes are collected, and the page saves them before it shows them."""

    def __init__(self, id: str, text: str) -> None:
        """The table of a match as it was saved."""
        try:
            saved = _read(text)
            self.record = read_record(saved.record)
            match = replay(self.record)
        except (msgspec.MsgspecError, ValueError) as error:
            raise ApiError(500, tr("This game is damaged in this browser: {reason}", reason=error)) from None
        self.changes: list[Stored] = []
        super().__init__(
            OnlineMatch(
                id,
                match,
                saved.seats,
                saved.control,
                saved.clocks,
                saved.updated,
                saved.revision,
                saved.undone,
                saved.offer,
                saved.rematch,
            )
        )

    def current_record(self) -> Record:
        """The record of the match as it is now, with the date and all else that was in it."""
        made = self.online.match.record()
        others = {name: text for name, text in self.record.tags.items() if name not in FIXED_TAGS}
        return replace(made, tags={**made.tags, **others}, comments=self.record.comments)

    async def change(self, propose: Proposal, reply: Reply | None = None) -> Change | None:
        """Make a change that is to be saved; gives it, or `None` if nothing was to be changed."""
        draft = self.online.draft()
        change = propose(draft)
        if change is None:
            if reply:
                reply.to.notify(self.state_message(reply.ack), reply.ack)
            return None
        if change.rematch:
            self.changes.append(store(change.rematch, change.rematch.match.record()))
        self.adopt(draft, reply)
        self.changes.append(store(draft, self.current_record()))
        return change

    async def catch_up_with(self, ply: int, undone: int) -> None:
        """What was saved last was just loaded."""

    def start_clock_and_engine(self) -> None:
        """The page does that, which sees in the state that a clock runs or an engine is to move."""


class LocalClient:
    """The page at a table: what it is told is collected."""

    is_behind = False

    def __init__(self, table: LocalTable, seats: list[int]) -> None:
        """Come to a table with these seats."""
        self.table = table
        self.language = chosen_language()
        self.seats = seats
        self.heard: list[msgspec.Raw] = []
        table.subscribers.add(self)

    def notify(self, text: str, ack: MessageId = UNSET) -> None:  # noqa: ARG002 - what a subscriber is called with
        """Take a message."""
        self.heard.append(msgspec.Raw(text.encode()))

    def refuse(self, error: ApiError, id: MessageId) -> None:
        """Take the message that a request was refused."""
        self.notify(socket_messages.write_message(socket_messages.ErrorMessage(str(error), id)))


def store(online: OnlineMatch, record: Record) -> Stored:
    """A match as it is saved."""
    saved = SavedMatch(
        write_record(record),
        online.seats,
        online.control,
        online.clocks,
        online.updated,
        online.revision,
        online.undone,
        online.offer,
        online.rematch,
    )
    return Stored(online.id, online.revision, msgspec.json.encode(saved).decode())


def finish(work: Callable[[], Coroutine[None, None, Found]]) -> Found:
    """The result of a coroutine that waits for nothing."""
    try:
        work().send(None)
    except StopIteration as end:
        found: Found = end.value
        return found
    raise AssertionError("it waits")
