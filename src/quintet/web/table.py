"""A live table: one online match in memory, its subscribers, its clock and its engines.

A change is made on a draft. It counts, and is sent to the subscribers, only once it is stored; if another program was
faster, the match is loaded again and the change is tried on that.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, structs

from quintet.engines import HUMAN
from quintet.store.database import StoreFault, UnknownOutcome
from quintet.store.online_matches import Change, OnlineMatch, hash_token
from quintet.store.writer import stored_revisions
from quintet.view import make_view
from quintet.web import clock, messages, metrics, proposals, socket_messages
from quintet.web.api_error import ApiError
from quintet.web.faults import report
from quintet.web.messages import Answer
from quintet.web.players import player_info, titles_of
from quintet.web.socket_messages import MessageId, write_message

if TYPE_CHECKING:
    from quintet.web.lobby import Lobby

TRIES = 8
"""How often a change is tried again because other programs were faster."""
PAUSE = 1.0
"""Seconds before an engine is started again after the store has failed."""
UNKNOWN = "The database stopped responding; your change may or may not have been saved."

Proposal = Callable[[OnlineMatch], Change | None]
"""Changes a draft; `None` if there is nothing to change. Raises an `ApiError` if it is not allowed."""


class Subscriber(Protocol):
    """Receives the messages of a table."""

    def notify(self, text: str, ack: MessageId = UNSET) -> None:
        """Send a message without waiting; `ack` is the id of the message that it answers."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The subscriber whose message asked for a change, and the id of that message."""

    to: Subscriber
    ack: MessageId


class Table:
    """One online match and its subscribers."""

    def __init__(self, online: OnlineMatch, lobby: "Lobby") -> None:
        """Open a table for a stored match."""
        self.online = online
        self.lobby = lobby
        self.subscribers: set[Subscriber] = set()
        self.uses = 0
        """How many use the table; when nobody does and no engine is thinking, it is closed."""
        self.lock = asyncio.Lock()
        self.engine_task: asyncio.Task[None] | None = None
        self.state = self.make_state()

    # What clients see.

    def make_state(self) -> messages.EncodedState:
        """The state of the match."""
        online, match = self.online, self.online.match
        outcome = match.outcome
        return messages.EncodedState(
            ply=match.ply,
            undone=online.undone,
            view=socket_messages.encode_view(make_view(match, titles=titles_of(online))),
            clock=clock.read_clocks(online),
            offer=online.offer,
            over=outcome is not None,
            result=messages.Result(*outcome) if outcome else None,
            thinking=self.engine_to_move() is not None,
        )

    def read_state(self) -> messages.EncodedState:
        """The state with what the clocks show now."""
        if self.state.clock and self.state.clock.running:
            self.state.clock = clock.read_clocks(self.online)
        return self.state

    def describe(self, seats: Sequence[int]) -> messages.EncodedTable:
        """The table as a visitor with these seats sees it."""
        control = self.online.control
        settings = messages.ClockSettings(control.seconds, control.increment) if control else None
        return messages.EncodedTable(
            self.online.id,
            list(seats),
            self.players(),
            settings,
            self.online.rematch,
            self.online.tournament,
            self.read_state(),
        )

    def table_message(self, seats: Sequence[int]) -> str:
        """The table as a message to a visitor with these seats."""
        return write_message(socket_messages.TableMessage(*structs.astuple(self.describe(seats))))

    def state_message(self, ack: MessageId = UNSET, joined: bool = False) -> str:
        """The state as a message that may answer another; with the players if one has joined."""
        players = self.players() if joined else UNSET
        state = structs.astuple(self.read_state())
        return write_message(socket_messages.StateMessage(*state, players=players, ack=ack))

    def players(self) -> messages.Players:
        """Who has the seats."""
        return messages.Players(player_info(self.online, 1), player_info(self.online, 2))

    def seats_of(self, tokens: Sequence[str]) -> list[int]:
        """The seats that these tokens belong to."""
        hashes = [hash_token(token) for token in tokens]
        return [
            number
            for number, seat in sorted(self.online.seats.items())
            if seat.token_hash and any(compare_digest(seat.token_hash, one) for one in hashes)
        ]

    async def find_seats(self, tokens: Sequence[str]) -> list[int]:
        """The seats that these tokens belong to, even if one was taken a moment ago at another process."""
        if any(tokens) and not self.seats_of(tokens) and any(not seat.joined for seat in self.online.seats.values()):
            await self.refresh()
        return self.seats_of(tokens)

    # What clients can do. `seats` are those of the sender.

    async def move(self, seats: Sequence[int], ply: int, undone: int, text: str, reply: Reply | None = None) -> None:
        """Play a move, with the forced passes after it."""
        await self.catch_up_with(ply, undone)
        await self.change(lambda draft: proposals.propose_move(draft, seats, ply, undone, text), reply)

    async def resign(self, seats: Sequence[int], reply: Reply | None = None) -> None:
        """Resign the game."""
        await self.change(lambda draft: proposals.propose_resignation(draft, seats), reply)

    async def undo(
        self, seats: Sequence[int], answer: Answer, ply: int | None, undone: int | None, reply: Reply | None = None
    ) -> None:
        """Offer to take back a move, or answer such an offer; it is done at once if nobody else has to agree."""
        await self.catch_up_with(ply or 0, undone or 0)
        await self.change(lambda draft: proposals.propose_undo(draft, seats, answer, ply, undone), reply)

    async def rematch(self, seats: Sequence[int], answer: Answer, reply: Reply | None = None) -> None:
        """Offer a rematch, or answer such an offer; it starts at once if nobody else has to agree."""
        await self.change(lambda draft: proposals.propose_rematch(draft, seats, answer), reply)

    async def join(self, name: str | None, wanted: int | None, key: str | None = None) -> messages.TakenSeat:
        """Take a free seat; gives its token, which is the client's key if it has one."""
        token = key or secrets.token_urlsafe(24)
        change = await self.change(lambda draft: proposals.propose_join(draft, token, name, wanted))
        seat = change.seat_taken if change else wanted
        return messages.TakenSeat(seat or self.seats_of([token])[0], token)

    # How changes are stored and announced.

    async def change(self, propose: Proposal, reply: Reply | None = None) -> Change | None:
        """Make a change, store it, and notify the subscribers; gives it, or `None` if nothing was to be changed."""
        async with self.lock:
            for _ in range(TRIES):
                draft = self.online.draft()
                change = propose(draft)
                if change is None:
                    if reply:
                        reply.to.notify(self.state_message(reply.ack), reply.ack)
                    return None
                try:
                    written = await self.lobby.writer.write(change)
                except UnknownOutcome as fault:
                    self.lobby.reload_all()
                    report(fault)
                    raise ApiError(503, UNKNOWN) from None
                if written:
                    if change.rematch:
                        self.lobby.remember_rematch(change.rematch)
                    self.adopt(draft, reply)
                    return change
                metrics.STALE.inc()
                await self.reload()
        raise ApiError(503, "This table is too busy; try again.")

    def adopt(self, online: OnlineMatch, reply: Reply | None = None) -> None:
        """Make this the match: notify the subscribers, and start its clock and its engine."""
        before, self.online = self.online, online
        self.state = self.make_state()
        self.start_clock_and_engine()
        shared = self.state_message(joined=before.seats != online.seats)
        for subscriber in tuple(self.subscribers):
            if reply and subscriber is reply.to and reply.ack is not UNSET:
                subscriber.notify(self.state_message(reply.ack), reply.ack)
            else:
                subscriber.notify(shared)
        if online.rematch and not before.rematch:
            self.notify_all(write_message(socket_messages.RematchMessage(online.rematch)))

    def notify_all(self, text: str) -> None:
        """Send a message to all subscribers."""
        for subscriber in tuple(self.subscribers):
            subscriber.notify(text)

    async def reload(self) -> None:
        """Load the match again, because another program has changed it."""
        online = await self.lobby.load(self.online.id)
        if online.revision != self.online.revision:
            self.adopt(online)

    async def catch_up(self, revision: int) -> None:
        """Load the match again unless it has at least this revision."""
        async with self.lock:
            if self.online.revision < revision:
                await self.reload()

    async def catch_up_with(self, ply: int, undone: int) -> None:
        """Load the match again if a client has seen more of it, at another process."""
        if (undone, ply) > (self.online.undone, self.online.match.ply):
            await self.refresh()

    async def refresh(self) -> None:
        """Load the match again if the stored one is newer."""
        id = self.online.id
        revisions = await self.lobby.read(stored_revisions, self.lobby.store, [id])
        await self.catch_up(revisions.get(id, 0))

    # Clocks and engines.

    def engine_to_move(self) -> str | None:
        """The engine whose turn it is."""
        seat = self.online.seats.get(self.online.match.position.player)
        return None if seat is None or seat.who == HUMAN or self.online.match.outcome else seat.who

    @property
    def only_engines(self) -> bool:
        """Whether only engines play, which they do while somebody watches."""
        return all(seat.who != HUMAN for seat in self.online.seats.values())

    def start_clock_and_engine(self) -> None:
        """Set the timer of the running clock, and start the engine whose turn it is."""
        who = self.engine_to_move()
        if who is None and clock.running_since(self.online) is not None:
            left = clock.left_now(self.online, self.online.match.position.player)
            self.lobby.set_timer(self.online.id, left / 1000)
        else:
            self.lobby.cancel_timer(self.online.id)
        if who and not self.engine_task and (self.uses or not self.only_engines):
            self.engine_task = self.lobby.start(self.retry(lambda: self.play_engine(who)))

    async def play_engine(self, who: str) -> None:
        """Let an engine choose a move, and play it."""
        asked = self.online
        left = clock.left_at_start(asked, asked.match.position.player) / 1000 if asked.control else None
        answer, seconds = await self.lobby.workers.choose(who, asked.match.position, left, self.only_engines)
        await self.change(lambda draft: proposals.propose_engine_move(draft, asked, answer, seconds))

    async def retry(self, work: Callable[[], Awaitable[object]]) -> None:
        """Run the work of an engine; if the store fails, start it again after a pause."""
        try:
            await work()
        except ApiError:  # Whoever raised it has counted and logged the fault.
            await asyncio.sleep(PAUSE)
        except StoreFault as fault:
            report(fault)
            await asyncio.sleep(PAUSE)
        finally:
            if self.engine_task is asyncio.current_task():
                self.engine_task = None
        self.start_clock_and_engine()
        self.lobby.close_unused(self)
