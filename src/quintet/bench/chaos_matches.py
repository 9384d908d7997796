"""What the clients of a chaos test share: the servers, the history that they write, and the matches they create."""

import asyncio
import random
import secrets
import time
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException

import msgspec

from quintet.bench.history import History, Operation, Outcome
from quintet.store.online import hash_token
from quintet.web.messages import ClockSettings, CreatedMatch, JoinRequest, NewMatch, Strict, TakenSeat

HOST = "127.0.0.1"
TIMEOUT = 3.0
"""Seconds without an answer after which a client gives up waiting."""
PAUSE = 0.1
"""Seconds on average between two things that a client does."""
JOINS = 4
"""How often a player asks for a seat, if no answer comes."""
CLOCK = 3600
"""Seconds on the clocks, where there are clocks: nobody can run out of time."""
PROMISE = "nothing was changed"
"""Words of a server that cannot reach its database, and promises that nothing happened."""


class Chaos:
    """What all clients of a test share."""

    def __init__(self, ports: Sequence[int], seed: int) -> None:
        """A test of the servers at these ports."""
        self.ports = list(ports)
        self.rng = random.Random(seed)
        self.history = History()
        self.paused = self.stopping = False
        """Whether clients only watch, and whether they leave."""
        self.busy = 0
        """Operations that are waiting for an answer."""
        self.sockets = 0
        """Sockets that were opened."""

    def any_server(self) -> int:
        """A server to ask."""
        return self.rng.randrange(len(self.ports))

    async def request(
        self, server: int, method: str, path: str, body: Strict | None = None, token: str = ""
    ) -> tuple[int, bytes]:
        """A server's answer to a request; the status is 0 if none came."""

        def ask() -> tuple[int, bytes]:
            connection = HTTPConnection(HOST, self.ports[server], timeout=TIMEOUT)
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
            try:
                connection.request(method, path, msgspec.json.encode(body) if body else None, headers)
                response = connection.getresponse()
                return response.status, response.read()
            except (OSError, HTTPException):
                return 0, b""
            finally:
                connection.close()

        return await asyncio.to_thread(ask)

    def settle(self, operation: Operation, status: int, answer: bytes) -> bool:
        """Write down the answer to a request; whether it leaves no doubt."""
        if 200 <= status < 300:
            operation.acknowledge(time.monotonic())
            return True
        return self.reject(operation, answer.decode(errors="replace")[:200], status in (0, 500, 503))

    def reject(self, operation: Operation, error: str, vague: bool) -> bool:
        """Write down an error; whether it leaves no doubt. A vague one leaves some, unless it makes a promise."""
        if vague and PROMISE not in error:
            operation.reason = error
            return False
        operation.refuse(time.monotonic(), error)
        return True


class Match:
    """A place where one match after the other is played."""

    def __init__(self, chaos: Chaos, game: str, clocks: bool) -> None:
        """Nobody plays yet."""
        self.chaos, self.game, self.clocks = chaos, game, clocks
        self.table = ""
        self.tokens: dict[int, str] = {}
        self.renewing = asyncio.Lock()

    async def renew(self, over: str) -> None:
        """Start another match after the one that is over."""
        async with self.renewing:
            while self.table == over and not self.chaos.paused:
                table, tokens = await self.create()
                if len(tokens) == 2:
                    self.table, self.tokens = table, tokens

    async def create(self) -> tuple[str, dict[int, str]]:
        """A new match: one player creates it, two others try to join. Gives the tokens of those who got a seat."""
        chaos = self.chaos
        body = NewMatch(self.game, clock=ClockSettings(CLOCK) if self.clocks else None)
        asked = chaos.history.invoke(Operation("create", "", 1, time.monotonic(), sent=1))
        status, answer = await chaos.request(chaos.any_server(), "POST", "/api/matches", body)
        chaos.settle(asked, status, answer)
        if asked.outcome != Outcome.OK:
            await asyncio.sleep(PAUSE)
            return "", {}
        created = msgspec.json.decode(answer, type=CreatedMatch)
        asked.table = created.id
        tokens = {1: created.tokens["1"]}
        for taken in await asyncio.gather(self.join(created.id), self.join(created.id)):
            if taken:
                tokens[taken.seat] = taken.token
        return created.id, tokens

    async def join(self, table: str) -> TakenSeat | None:
        """Try to join a match, at any server; the key makes it possible to ask again."""
        chaos, body, answered = self.chaos, JoinRequest(key=secrets.token_hex(16)), False
        asked = chaos.history.invoke(Operation("join", table, 2, time.monotonic()))
        while not answered and asked.sent < JOINS:
            asked.sent += 1
            status, answer = await chaos.request(chaos.any_server(), "POST", f"/api/matches/{table}/join", body)
            answered = chaos.settle(asked, status, answer)
        if asked.outcome != Outcome.OK:
            return None
        taken = msgspec.json.decode(answer, type=TakenSeat)
        asked.what = hash_token(taken.token)
        return taken
