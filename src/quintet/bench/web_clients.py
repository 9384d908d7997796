"""Those who sit and watch at the tables of a server under load.

Players pick random moves of those that the server's states offer. When a game is over they ask for a rematch, and
everybody follows them to the new table.
"""

import random

import msgspec

from quintet.bench.web_crowd import Client, Crowd

# What a client must know of what the server says: the less it reads, the more of the machine is left to the server.


class Cell(msgspec.Struct):
    """A cell, and whether it may be claimed."""

    label: str
    legal: bool = False


class Board(msgspec.Struct):
    """The board, and whose turn it is."""

    player: int | None
    cells: list[Cell]


class Offer(msgspec.Struct):
    """Something that a player asks of the other."""

    by: int


class Standing(msgspec.Struct):
    """Where a match stands."""

    ply: int
    undone: int
    view: Board
    over: bool
    offer: Offer | None


class State(Standing, tag="state"):
    """The same, as it is told after every change."""

    ack: int | None = None


class Table(msgspec.Struct, tag="table"):
    """The same, as it is told to who comes."""

    seat: list[int]
    state: Standing
    rematch: str | None


class Rematch(msgspec.Struct, tag="rematch"):
    """The game is played again at another table."""

    id: str


class Error(msgspec.Struct, tag="error"):
    """What the server did not like."""

    error: str


read_said = msgspec.json.Decoder(Table | State | Rematch | Error).decode


class Spectator(Client):
    """Somebody who watches, and goes along to the next table."""

    def __init__(self, crowd: Crowd, table: str, tokens: tuple[str, ...] = ()) -> None:
        """Somebody who is to come to a table."""
        super().__init__(crowd)
        self.table, self.tokens = table, tokens

    @property
    def path(self) -> str:
        """The socket of the table."""
        return f"/api/matches/{self.table}/live"

    def greet(self) -> None:
        """Say who comes, and to which table."""
        self.say(msgspec.json.encode({"type": "hello", "tokens": self.tokens, "match": self.table}))

    def heard(self, text: bytes) -> None:
        """Watch."""
        if text.startswith(b'{"type":"rematch"'):
            self.follow(read_said(text).id)

    def follow(self, table: str) -> None:
        """Go to another table."""
        self.table = table
        self.greet()


class Player(Spectator):
    """Somebody who plays."""

    def __init__(self, crowd: Crowd, table: str, token: str, seat: int, pace: float, alone: bool = False) -> None:
        """Somebody who is to sit down, perhaps alone against an engine."""
        super().__init__(crowd, table, (token,))
        self.seat, self.alone = seat, alone
        # An engine answers at once: who plays one takes the time of both.
        self.pace = pace * 2 if alone else pace
        self.asked = False
        """Whether a rematch was offered."""
        self.number = 0
        """Of the move that was sent last."""
        self.sent = (0, "")
        """The move that was sent last, and its ply."""

    def heard(self, text: bytes) -> None:
        """Play."""
        said = read_said(text)
        if isinstance(said, State):
            if said.ack == self.number:
                self.crowd.meter.came(self)
            elif self.alone and said.view.player == self.seat:
                self.crowd.meter.answered()
            self.look(said)
        elif isinstance(said, Table):
            if self.seat not in said.seat:
                self.crowd.meter.failed("a seat was lost")
            self.asked = False
            if said.rematch:
                self.follow(said.rematch)
            else:
                self.look(said.state)
        elif isinstance(said, Rematch):
            self.follow(said.id)
        else:
            self.crowd.meter.failed(said.error)

    def look(self, state: Standing) -> None:
        """See what there is to do."""
        if self.crowd.resting:
            return
        if state.over:
            if state.offer is None and self.seat == 1 and not self.asked:
                self.asked = True
                self.say(b'{"type":"rematch","answer":"offer"}')
            elif state.offer and state.offer.by != self.seat:
                self.say(b'{"type":"rematch","answer":"accept"}')
        elif state.view.player == self.seat:
            move = random.choice([cell.label for cell in state.view.cells if cell.legal])
            if self.pace:
                wait = self.pace * random.uniform(0.5, 1.5)
                self.crowd.loop.call_later(wait, self.move, state.ply, state.undone, move)
            else:
                self.move(state.ply, state.undone, move)

    def move(self, ply: int, undone: int, move: str) -> None:
        """Send a move."""
        if not self.crowd.resting:
            self.number, self.sent = self.number + 1, (ply, move)
            self.crowd.meter.sent(self)
            self.say(
                b'{"type":"move","ply":%d,"undone":%d,"move":"%b","id":%d}' % (ply, undone, move.encode(), self.number)
            )
