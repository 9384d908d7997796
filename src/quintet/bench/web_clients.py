"""The players and spectators of a load test of Quintet's server.

Players pick random legal moves from the states that the server sends. When a game is over they ask for a rematch, and
everybody follows to the new table.
"""

import random

import msgspec

from quintet.bench.load_test import Client, LoadTest

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

    @property
    def path(self) -> str:
        """The path of the table's socket."""
        return f"/api/matches/{self.table}/live"

    def on_connect(self) -> None:
        """Say hello to the table."""
        self.send(msgspec.json.encode({"type": "hello", "tokens": self.tokens, "match": self.table}))

    def on_message(self, text: bytes) -> None:
        """Watch."""
        if text.startswith(b'{"type":"rematch"'):
            self.follow(decode(text).id)

    def follow(self, table: str) -> None:
        """Go to another table."""
        self.table = table
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

    def on_message(self, text: bytes) -> None:
        """Play."""
        message: Message = decode(text)
        match message:
            case StateMessage():
                if message.ack == self.number:
                    self.test.meter.acknowledged(self)
                elif self.alone and message.view.player == self.seat:
                    self.test.meter.engine_moved()
                self.respond(message)
            case TableMessage():
                if self.seat not in message.seat:
                    self.test.meter.failed("a seat was lost")
                self.offered_rematch = False
                if message.rematch:
                    self.follow(message.rematch)
                else:
                    self.respond(message.state)
            case RematchMessage():
                self.follow(message.id)
            case ErrorMessage():
                self.test.meter.failed(message.error)

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
                self.test.loop.call_later(wait, self.move, state.ply, state.undone, move)
            else:
                self.move(state.ply, state.undone, move)

    def move(self, ply: int, undone: int, move: str) -> None:
        """Send a move."""
        if not self.test.stopping:
            self.number, self.last_move = self.number + 1, (ply, move)
            self.test.meter.sent(self)
            self.send(
                b'{"type":"move","ply":%d,"undone":%d,"move":"%b","id":%d}' % (ply, undone, move.encode(), self.number)
            )
