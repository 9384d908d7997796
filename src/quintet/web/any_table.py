"""What every live table does, wherever its match is stored: what clients see of it, and what they can ask for.

A change is made on a draft. It counts, and is sent to the subscribers, only once it is stored; how, a subclass says.
"""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Protocol

from msgspec import UNSET, structs

from quintet.engines import HUMAN
from quintet.language import chosen_language, language
from quintet.store.online import Change, OnlineMatch, hash_token
from quintet.view import make_view
from quintet.web import clock, messages, proposals, socket_messages
from quintet.web.messages import Answer
from quintet.web.players import player_info, titles_of
from quintet.web.socket_messages import MessageId, write_message

Proposal = Callable[[OnlineMatch], Change | None]
"""Changes a draft; `None` if there is nothing to change. Raises an `ApiError` if it is not allowed."""


class Subscriber(Protocol):
    """Receives the messages of a table."""

    language: str
    """The language that it reads."""

    def notify(self, text: str, ack: MessageId = UNSET) -> None:
        """Send a message without waiting; `ack` is the id of the message that it answers."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The subscriber whose message asked for a change, and the id of that message."""

    to: Subscriber
    ack: MessageId


class AnyTable(ABC):
    """One online match and its subscribers."""

    def __init__(self, online: OnlineMatch) -> None:
        """A table for a stored match."""
        self.online = online
        self.subscribers: set[Subscriber] = set()
        self.states: dict[str, messages.EncodedState] = {}
        """The state of the match in each language that somebody has read it in."""

    @abstractmethod
    async def change(self, propose: Proposal, reply: Reply | None = None) -> Change | None:
        """Make a change, store it, and notify the subscribers; gives it, or `None` if nothing was to be changed."""

    @abstractmethod
    async def catch_up_with(self, ply: int, undone: int) -> None:
        """A client has seen this much of the match, which may be more than is known here."""

    async def find_seats(self, tokens: Sequence[str]) -> list[int]:
        """The seats that these tokens belong to."""
        return self.seats_of(tokens)

    @abstractmethod
    def start_clock_and_engine(self) -> None:
        """The match is another one now: its clock may run, and an engine may be to move."""

    # What clients see.

    def make_state(self) -> messages.EncodedState:
        """The state of the match in the chosen language."""
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
        """The state in the chosen language, with what the clocks show now."""
        code = chosen_language()
        state = self.states.get(code)
        if state is None:
            state = self.states[code] = self.make_state()
        elif state.clock and state.clock.running:
            state.clock = clock.read_clocks(self.online)
        return state

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

    # What happens once a change is stored.

    def adopt(self, online: OnlineMatch, reply: Reply | None = None) -> None:
        """Make this the match: notify the subscribers, and start its clock and its engine."""
        before, self.online = self.online, online
        self.states.clear()
        self.start_clock_and_engine()
        shared: dict[str, str] = {}
        for subscriber in tuple(self.subscribers):
            with language(subscriber.language):
                if reply and subscriber is reply.to and reply.ack is not UNSET:
                    subscriber.notify(self.state_message(reply.ack), reply.ack)
                    continue
                if subscriber.language not in shared:
                    shared[subscriber.language] = self.state_message(joined=before.seats != online.seats)
                subscriber.notify(shared[subscriber.language])
        if online.rematch and not before.rematch:
            self.notify_all(write_message(socket_messages.RematchMessage(online.rematch)))

    def notify_all(self, text: str) -> None:
        """Send a message to all subscribers."""
        for subscriber in tuple(self.subscribers):
            subscriber.notify(text)

    def engine_to_move(self) -> str | None:
        """The engine whose turn it is."""
        seat = self.online.seats.get(self.online.match.position.player)
        return None if seat is None or seat.who == HUMAN or self.online.match.outcome else seat.who

    @property
    def only_engines(self) -> bool:
        """Whether only engines play, which they do while somebody watches."""
        return all(seat.who != HUMAN for seat in self.online.seats.values())


class Client(Subscriber, Protocol):
    """Who sends messages to a table."""

    seats: list[int]

    @property
    def table(self) -> AnyTable:
        """The table it is at."""

    @property
    def is_behind(self) -> bool:
        """Whether it is about to receive the newest state anyway."""


async def answer(client: Client, message: socket_messages.ClientMessage) -> None:
    """Do what a client asks for."""
    table, seats = client.table, client.seats
    reply = Reply(client, message.id) if isinstance(message, socket_messages.Command) else None
    match message:
        case socket_messages.Move(ply=ply, undone=undone, move=move):
            await table.move(seats, ply, undone, move, reply)
        case socket_messages.Hello(tokens=tokens, ply=ply, undone=undone):
            await table.catch_up_with(ply, undone)
            client.seats = await table.find_seats(tokens)
            table.subscribers.add(client)
            client.notify(table.table_message(client.seats))
        case socket_messages.Ping():
            if not client.is_behind:
                client.notify(write_message(socket_messages.Pong()))
        case socket_messages.Resign():
            await table.resign(seats, reply)
        case socket_messages.Undo(answer=kind, ply=ply, undone=undone):
            await table.undo(seats, kind, ply, undone, reply)
        case socket_messages.Rematch(answer=kind):
            await table.rematch(seats, kind, reply)
