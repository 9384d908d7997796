"""The players and spectators of a load test of Quintet's server.

Players pick random legal moves from the states that the server sends. When a game is over they ask for a rematch, and
everybody follows to the new table.
"""

import asyncio
import random
import time

import msgspec

from quintet.bench.load_test import Client, LoadTest
from quintet.bench.outages import Seated

# Only the fields that a client needs: the less it decodes, the more of the machine is left to the server.


class Cell(msgspec.Struct):
    """A cell, and whether it may be claimed."""

    label: str
    legal: bool = False


class Board(msgspec.Struct):
    """The board, and whose turn it is."""

    player: int | None
    cells: list[Cell]


class Offer(msgspec.Struct):
    """The player who made an offer."""

    by: int


class State(msgspec.Struct):
    """The state of a match."""

    ply: int
    undone: int
    view: Board
    over: bool
    offer: Offer | None


class StateMessage(State, tag="state"):
    """The state after a change."""

    ack: int | None = None


class TableMessage(msgspec.Struct, tag="table"):
    """The table as it is sent first."""

    seat: list[int]
    state: State
    rematch: str | None


class RematchMessage(msgspec.Struct, tag="rematch"):
    """The id of the rematch."""

    id: str


class ErrorMessage(msgspec.Struct, tag="error"):
    """An error."""

    error: str


Message = TableMessage | StateMessage | RematchMessage | ErrorMessage
decode = msgspec.json.Decoder(Message).decode


class Spectator(Client):
    """A client that watches, and follows to the rematch."""

    def __init__(self, test: LoadTest, table: str, tokens: tuple[str, ...] = ()) -> None:
        """A client for a table."""
        super().__init__(test)
        self.table, self.tokens = table, tokens
        self.seen = (0, 0)
        """The moves and undos that were shown last at this table."""

    @property
    def path(self) -> str:
        """The path of the table's socket."""
        return f"/api/matches/{self.table}/live"

    def on_connect(self) -> None:
        """Say hello to the table."""
        hello = {
            "type": "hello",
            "tokens": self.tokens,
            "match": self.table,
            "ply": self.seen[0],
            "undone": self.seen[1],
        }
        self.send(msgspec.json.encode(hello))

    def on_message(self, text: bytes) -> None:
        """Watch."""
        if text.startswith(b'{"type":"rematch"'):
            self.follow(decode(text).id)
        elif self.test.outages and text.startswith(b'{"type":"table"') and (rematch := decode(text).rematch):
            self.follow(rematch)  # It began while this client had no socket.

    def follow(self, table: str) -> None:
        """Go to another table."""
        self.table, self.seen = table, (0, 0)
        self.on_connect()


class Player(Spectator):
    """A client that plays."""

    def __init__(self, test: LoadTest, table: str, token: str, seat: int, pace: float, alone: bool = False) -> None:
        """A client with a seat, perhaps alone against an engine."""
        super().__init__(test, table, (token,))
        self.seat, self.alone = seat, alone
        # An engine answers at once, so its opponent takes the time of both.
        self.pace = pace * 2 if alone else pace
        self.offered_rematch = False
        self.number = 0
        """The number of the last move that was sent."""
        self.last_move = (0, "")
        """Its ply and the move."""
        self.unconfirmed: tuple[str, int, bytes] | None = None
        """The last move until it is confirmed: its table, its ply and the message."""
        self.next_move: asyncio.TimerHandle | None = None
        self.opponent: Seated | None = None
        self.shown: tuple[str, int, int] | None = None
        self.lost_at: float | None = None
        self.back_at: float | None = None

    def on_message(self, text: bytes) -> None:
        """Play."""
        message: Message = decode(text)
        match message:
            case StateMessage():
                self.show(message)
                if message.ack == self.number:
                    self.confirm()
                elif self.alone and message.view.player == self.seat:
                    self.test.meter.engine_moved()
                self.respond(message)
            case TableMessage():
                if self.seat not in message.seat:
                    self.test.meter.failed("a seat was lost")
                self.offered_rematch = False
                self.show(message.state)
                resent = self.resend(message.state)
                if message.rematch:
                    self.follow(message.rematch)
                elif not resent:
                    self.respond(message.state)
            case RematchMessage():
                self.follow(message.id)
            case ErrorMessage():
                self.test.meter.failed(message.error)

    def show(self, state: State) -> None:
        """The socket shows a state of the table."""
        self.seen = state.ply, state.undone
        if self.test.outages:
            self.test.outages.show(self, (self.table, state.undone, state.ply))

    def confirm(self) -> None:
        """The last move was acknowledged, or is part of what is shown."""
        self.unconfirmed = None
        self.test.meter.acknowledged(self)
        if self.test.outages:
            self.test.outages.acknowledged.add((self.table, *self.last_move))

    def resend(self, state: State) -> bool:
        """After a reconnection, send a move again that was not confirmed, as the page does; whether that was done."""
        if not self.unconfirmed:
            return False
        table, ply, message = self.unconfirmed
        if table == self.table and ply == state.ply:
            self.send(message)
            return True
        self.confirm()
        return False

    def on_disconnect(self, reason: str) -> None:
        """The connection broke; what was to be sent later is chosen again."""
        if self.next_move:
            self.next_move.cancel()
        self.shown, self.lost_at = None, self.lost_at or time.perf_counter()
        super().on_disconnect(reason)

    def respond(self, state: State) -> None:
        """Do what a state calls for: a move, or a rematch."""
        if self.test.stopping:
            return
        if state.over:
            if state.offer is None and self.seat == 1 and not self.offered_rematch:
                self.offered_rematch = True
                self.send(b'{"type":"rematch","answer":"offer"}')
            elif state.offer and state.offer.by != self.seat:
                self.send(b'{"type":"rematch","answer":"accept"}')
        elif state.view.player == self.seat:
            move = random.choice([cell.label for cell in state.view.cells if cell.legal])
            if self.pace:
                wait = self.pace * random.uniform(0.5, 1.5)
                self.next_move = self.test.loop.call_later(wait, self.move, state.ply, state.undone, move)
            else:
                self.move(state.ply, state.undone, move)

    def move(self, ply: int, undone: int, move: str) -> None:
        """Send a move."""
        if not self.test.stopping:
            self.number, self.last_move = self.number + 1, (ply, move)
            self.test.meter.sent(self)
            if self.test.outages:
                self.test.outages.sent.add((self.table, ply, move))
            text = (ply, undone, move.encode(), self.number)
            message = b'{"type":"move","ply":%d,"undone":%d,"move":"%b","id":%d}' % text
            self.unconfirmed = self.table, ply, message
            self.send(message)
