"""People who play a suite on a server that records a baseline, over its API."""

from collections.abc import Callable
from typing import Any

import httpx

from quintet.notation import read_position
from quintet.rules import Position
from quintet.solve.oracle import oracle_of
from serving import Server

Choice = Callable[[Position], int]


def best(position: Position) -> int:
    """A best move."""
    values = oracle_of(position).grade(position)
    return max(values, key=lambda move: values[move])


def worst(position: Position) -> int:
    """A move that gives away the most."""
    values = oracle_of(position).grade(position)
    return min(values, key=lambda move: values[move])


class Participant:
    """Somebody with a code and a key."""

    def __init__(self, server: Server, code: str, game: str = "gridlock", key: str = "") -> None:
        self.http, self.code, self.game = server.http, code, game
        self.key = key or f"the-key-of-{code}-0123456789"
        self.begin()

    def begin(self) -> None:
        """Begin, or continue."""
        body = {"suite": "quick", "game": self.game, "code": self.code, "key": self.key}
        answer = self.http.post("/api/baselines", json=body)
        assert answer.status_code == 200, answer.text
        self.found: dict[str, Any] = answer.json()

    def send(self, key: str | None = None, **changes: Any) -> httpx.Response:
        """Send a turn."""
        sample = self.found["sample"]
        body = {"number": sample["number"], "turn": sample["turn"], "milliseconds": 1500, **changes}
        headers = {} if key == "" else {"Authorization": f"Bearer {key or self.key}"}
        return self.http.post(f"/api/baselines/{self.found['id']}/turns", json=body, headers=headers)

    def play(self, choose: Choice) -> None:
        """Make a move in the sample that is shown."""
        position = read_position(self.found["sample"]["position"])
        answer = self.send(move=position.label(choose(position)))
        assert answer.status_code == 200, answer.text
        self.found = answer.json()

    def play_all(self, choose: Choice) -> int:
        """Play to the end; gives the number of moves."""
        moves = 0
        while self.found["sample"]:
            self.play(choose)
            moves += 1
        return moves
