"""A tournament over HTTP, with its organiser and its players."""

import secrets
from typing import Any

import httpx

from serving import Server, wait_until


class Cup:
    """A tournament on a tiny board, with its organiser and its players."""

    def __init__(self, server: Server, **options: Any) -> None:
        self.server = server
        self.key = secrets.token_urlsafe(24)
        self.options = {"game": "gridlock", "size": "1x2", "pause": 0, "key": self.key, **options}
        self.id = str(self.post("", self.options).json()["id"])
        self.tokens: dict[str, str] = {}

    def post(self, path: str, body: object = None, token: str | None = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.server.http.post(f"/api/tournaments{path}", json=body or {}, headers=headers)

    def ask(self, what: str, token: str | None = None, **body: object) -> httpx.Response:
        return self.post(f"/{self.id}/{what}", body, token)

    def organise(self, what: str, **body: object) -> dict[str, Any]:
        answer = self.ask(what, self.key, **body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def join(self, *names: str) -> None:
        for name in names:
            key = secrets.token_urlsafe(24)
            answer = self.ask("entries", name=name, key=key)
            assert answer.status_code == 200, answer.text
            assert self.ask("entries", name=name, key=key).json() == answer.json()  # As often as it is sent.
            self.tokens[name] = answer.json()["token"]

    @property
    def state(self) -> dict[str, Any]:
        answer = self.server.http.get(f"/api/tournaments/{self.id}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def number(self, name: str) -> int:
        return int(next(entry["number"] for entry in self.state["entries"] if entry["name"] == name))

    def name(self, number: int) -> str:
        return str(next(entry["name"] for entry in self.state["entries"] if entry["number"] == number))

    def open_games(self) -> list[dict[str, Any]]:
        played = self.state["played"]
        return [game for game in played[-1]["pairings"] if not game["result"]] if played else []

    def resign(self, game: dict[str, Any], seat: str = "two") -> None:
        """Let one of a game's players resign."""
        answer = self.server.post(game["match"], "resign", self.tokens[self.name(game[seat])])
        assert answer.status_code == 200, answer.text

    def play_round(self, number: int) -> None:
        """Play a round: whoever goes first wins."""
        wait_until(lambda: len(self.state["played"]) == number)
        for game in self.open_games():
            self.resign(game)
        wait_until(lambda: self.state["played"][number - 1]["ended"])
