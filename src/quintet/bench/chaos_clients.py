"""The clients of a chaos test: players and spectators who never give up, and write down everything they do and see.

They behave as the page does: they connect again, to any server, and send again what was not answered.
"""

import asyncio
import random
import time

import msgspec

from quintet.bench.chaos_matches import HOST, PAUSE, TIMEOUT, Match
from quintet.bench.history import Operation, Outcome, View
from quintet.bench.web_clients import Cell, RematchMessage
from quintet.bench.websocket import WebSocket, WebSocketFault
from quintet.store.online import Offer, OfferKind
from quintet.web.messages import ClockFace, MoveRequest, Result

RESIGN, UNDO, BY_HTTP, TWICE = 0.02, 0.08, 0.1, 0.05
"""How often a player resigns, offers an undo, moves by HTTP at any server, and sends a move twice at once."""
FORGET, REMATCH, DECLINE = 0.3, 0.6, 0.3
"""How often a player does not repeat what was not answered, offers a rematch at the end, and declines an offer."""


class Board(msgspec.Struct):
    """The part of a view that a client needs."""

    player: int | None
    cells: list[Cell]
    history: list[tuple[int, str]]


class State(msgspec.Struct):
    """The state of a match."""

    undone: int
    view: Board
    over: bool
    offer: Offer | None
    result: Result | None
    clock: ClockFace | None


class StateMessage(State, tag="state"):
    """The state after a change."""

    ack: int | None = None


class TableMessage(msgspec.Struct, tag="table"):
    """The table as it is sent first."""

    id: str
    seat: list[int]
    state: State
    rematch: str | None


class ErrorMessage(msgspec.Struct, tag="error"):
    """An error, with the id of the message that it answers."""

    error: str
    id: int | None = None


decode = msgspec.json.Decoder(StateMessage | TableMessage | RematchMessage | ErrorMessage).decode


class ChaosClient:
    """A spectator of a match, or one of its players."""

    def __init__(self, match: Match, server: int, seat: int = 0) -> None:
        """A client, not yet connected; a spectator has no seat."""
        self.match, self.chaos, self.server, self.seat = match, match.chaos, server, seat
        self.rng = random.Random(match.chaos.rng.random())
        self.socket: WebSocket | None = None
        self.number = 0
        """The number of the socket."""
        self.table, self.greeted = "", 0.0
        self.view: View | None = None
        """What the table showed last on this socket."""
        self.state: State | None = None
        self.asked = 0
        """The number of the last operation that was sent."""
        self.waiting: tuple[Operation, asyncio.Future[bool]] | None = None
        """The operation that waits for its answer; the future tells whether one came."""
        self.unanswered: Operation | None = None
        """An operation to send again."""

    async def run(self) -> None:
        """Connect, again and again, and play."""
        while not self.chaos.stopping:
            try:
                async with asyncio.timeout(TIMEOUT):
                    await self.connect()
                while self.connected and not self.chaos.stopping:
                    await self.act()
                    await asyncio.sleep(PAUSE * self.rng.uniform(0.5, 1.5))
            except (WebSocketFault, TimeoutError):
                pass
            self.cut()
            await asyncio.sleep(4 * PAUSE * self.rng.random())
            self.server = self.rng.randrange(len(self.chaos.ports))

    @property
    def connected(self) -> bool:
        """Whether its socket is open."""
        return self.socket is not None and not self.socket.closed

    async def connect(self) -> None:
        """Open a socket and say hello."""
        self.socket = WebSocket(f"/api/matches/{self.match.table}/live", self.receive, self.disconnected)
        await self.socket.open(HOST, self.chaos.ports[self.server])
        self.chaos.sockets += 1
        self.number = self.chaos.sockets
        self.greet()

    def greet(self) -> None:
        """Go to the table where the match is played now."""
        self.table, self.greeted, self.view, self.state = self.match.table, time.monotonic(), None, None
        token = self.match.tokens.get(self.seat)
        self.send({"type": "hello", "tokens": [token] if token else [], "match": self.table})

    def send(self, message: dict[str, object]) -> None:
        """Send a message."""
        assert self.socket
        self.socket.send(msgspec.json.encode(message))

    def cut(self, mid_message: bool = False) -> None:
        """Break the connection, in the middle of a message if that is wanted."""
        if self.socket:
            self.socket.abort(b'{"type":"move","ply":' if mid_message else b"")
        self.disconnected("cut")

    def disconnected(self, _: str) -> None:
        """The connection broke: nobody knows what became of what was sent."""
        self.settle(False)

    def settle(self, answered: bool) -> None:
        """End the waiting for an answer."""
        if self.waiting:
            _, future = self.waiting
            self.waiting = None
            if not future.done():
                future.set_result(answered)

    # What is received.

    def receive(self, text: bytes) -> None:
        """Write down what is shown, and settle the operation that it answers."""
        message = decode(text)
        match message:
            case TableMessage() if message.id == self.table:
                self.see(message.state, message.rematch or "")
                if message.rematch:
                    self.follow(message.rematch)
                if self.seat and self.seat not in message.seat:
                    self.state = None  # This process has not heard of the player yet.
            case StateMessage() if self.view:  # Otherwise it is of the table before.
                view = self.see(message)
                if self.waiting and message.ack == self.asked:
                    self.waiting[0].acknowledge(time.monotonic(), view)
                    self.settle(True)
            case RematchMessage() if self.view:
                view = msgspec.structs.replace(self.view, time=time.monotonic(), rematch=message.id)
                self.view = self.chaos.history.see(view)
                self.follow(message.id)
            case ErrorMessage() if self.waiting and message.id == self.asked:
                vague = message.error.startswith("The database")
                self.settle(self.chaos.reject(self.waiting[0], message.error, vague))

    def see(self, state: State, rematch: str = "") -> View:
        """Write down a state that the socket shows."""
        rematch = rematch or (self.view.rematch if self.view else "")  # It is not repeated with every state.
        self.state, self.view = state, self.picture(state, self.number, self.server, rematch)
        return self.chaos.history.see(self.view)

    def picture(self, state: State, socket: int, server: int, rematch: str = "") -> View:
        """A state of the table as it is written down."""
        moves = self.chaos.history.shared(tuple(f"{player}:{label}" for player, label in state.view.history))
        ended = state.result.reason if state.result else ""
        offer = f"{state.offer.kind}:{state.offer.by}" if state.offer else ""
        where = time.monotonic(), socket, server, self.table
        left = (state.clock.one, state.clock.two) if state.clock else ()
        return View(*where, state.undone, moves, state.over, ended, offer, rematch, left)

    def follow(self, rematch: str) -> None:
        """Everybody goes to the rematch."""
        if self.match.table == self.table:
            self.match.table = rematch

    # What is done.

    async def act(self) -> None:
        """Do something, if there is something to do."""
        if self.match.table != self.table:
            self.unanswered = None
            self.greet()
        elif not self.state:
            if time.monotonic() - self.greeted > TIMEOUT:
                self.cut()
            elif self.view:
                self.greet()
        elif self.seat and not self.chaos.paused:
            operation = self.unanswered or self.choose(self.state)
            self.chaos.busy += 1
            try:
                if operation:
                    await self.perform(operation)
                elif self.state.over and self.seat == 1 and not self.state.offer:
                    await self.match.renew(self.table)
            finally:
                self.chaos.busy -= 1

    def choose(self, state: State) -> Operation | None:
        """What to ask for; nothing if it is for others to act."""
        rng, offer, chance = self.rng, state.offer, self.rng.random()
        theirs = offer is not None and offer.by != self.seat
        if state.over:
            if theirs:
                return self.ask("rematch", "decline" if chance < DECLINE else "accept")
            return self.ask("rematch", "offer") if self.seat == 1 and not offer and chance < REMATCH else None
        if offer and theirs and offer.kind == OfferKind.UNDO:
            return self.ask("undo", "decline" if chance < DECLINE else "accept")
        if state.view.player != self.seat or (offer and chance < 0.5):
            return None
        if chance < RESIGN:
            return self.ask("resign")
        if chance < RESIGN + UNDO and any(player == self.seat for player, _ in state.view.history):
            return self.ask("undo", "offer")
        return self.ask("move", rng.choice([cell.label for cell in state.view.cells if cell.legal]))

    def ask(self, kind: str, what: str = "") -> Operation:
        """An operation that answers the state that is shown."""
        assert self.view
        operation = Operation(
            kind, self.table, self.seat, time.monotonic(), self.view.undone, len(self.view.moves), what
        )
        return self.chaos.history.invoke(operation)

    async def perform(self, operation: Operation) -> None:
        """Send an operation and wait for its answer; without one it may be sent again later."""
        operation.sent += 1
        self.unanswered = None
        if operation.kind == "move" and self.rng.random() < BY_HTTP:
            answered = await self.perform_by_http(operation)
        else:
            answered = await self.perform_here(operation)
        if not answered and self.rng.random() >= FORGET:
            self.unanswered = operation

    async def perform_by_http(self, operation: Operation) -> bool:
        """Send a move as a request to any server; whether an answer came that leaves no doubt."""
        body, token = MoveRequest(operation.ply, operation.undone, operation.what), self.match.tokens[self.seat]
        server, path = self.chaos.any_server(), f"/api/matches/{operation.table}/moves"
        status, answer = await self.chaos.request(server, "POST", path, body, token)
        answered = self.chaos.settle(operation, status, answer)
        if operation.outcome == Outcome.OK:
            state = msgspec.json.decode(answer, type=State)
            once = -len(self.chaos.history.views)  # A response is a socket that shows one state.
            operation.seen = self.chaos.history.see(self.picture(state, once, server))
        return answered

    async def perform_here(self, operation: Operation) -> bool:
        """Send an operation on the socket; whether an answer came that leaves no doubt."""
        self.asked += 1
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.waiting = operation, future
        history = {"ply": operation.ply, "undone": operation.undone}
        details: dict[str, dict[str, object]] = {
            "move": {"move": operation.what, **history},
            "undo": {"answer": operation.what, **history},
            "rematch": {"answer": operation.what},
            "resign": {},
        }
        message = {"type": operation.kind, "id": self.asked, **details[operation.kind]}
        self.send(message)
        if operation.kind == "move" and self.rng.random() < TWICE:
            operation.sent += 1
            self.send(message)
        try:
            async with asyncio.timeout(TIMEOUT):
                return await future
        except TimeoutError:
            self.cut()
            return False
