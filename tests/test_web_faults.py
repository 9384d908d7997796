"""A server killed in the middle of play, again and again: what it acknowledged is there, and play goes on."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from patience import WAIT
from postgres import running_postgres
from quintet.bench.meter import Meter
from quintet.bench.server_process import ServerProcess, serve
from quintet.bench.web_clients import Player
from quintet.bench.web_load import Plan, prepare
from quintet.games import GAMES
from quintet.store.matches import Store
from quintet.store.online_matches import load_online_match
from serving import own_address

KILLS = 5
MOVES = 150
"""Moves that are acknowledged before the server is killed each time."""


class Ledger(Meter):
    """Writes down every move that was acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self.moves: list[tuple[str, int, str]] = []

    def acknowledged(self, client: object) -> None:
        super().acknowledged(client)
        assert isinstance(client, Player)
        self.moves.append((client.table, *client.last_move))


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/tables.db"
    else:
        with running_postgres() as address:
            yield address


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT):
        while not condition():
            await asyncio.sleep(0.01)


def test_what_was_acknowledged_survives_every_kill_and_play_goes_on(url: str) -> None:
    ledger = Ledger()
    children: list[ServerProcess] = []
    address = own_address()

    def start() -> ServerProcess:
        port = urlsplit(children[0].url).port if children else None  # The players come back to where they were.
        children.append(serve(url, "--no-limits", "--workers", "1", "--host", address, port=port or 0))
        return children[-1]

    def reached(goal: int) -> bool:
        return len(ledger.moves) >= goal

    async def storm() -> None:
        for kill in range(KILLS + 1):
            await test.connect()
            await until(partial(reached, len(ledger.moves) + MOVES))
            if kill < KILLS:
                children[-1].kill()
                await until(lambda: all(client.socket and client.socket.closed for client in test.clients))
                start()
        test.stopping = True
        test.disconnect()

    plan = Plan(tuple(GAMES), matches=20, engines=5, engine="level:1", sockets=50)
    try:
        test = prepare(start().url, plan)
        test.meter = ledger
        asyncio.run(storm())
        children[-1].stop()
    finally:
        for child in children:
            child.kill()
    unexpected = [error for error in ledger.errors if not error.startswith("a socket was lost")]
    assert not unexpected
    assert len(ledger.moves) >= (KILLS + 1) * MOVES
    assert len({player.table for player in test.clients if isinstance(player, Player)}) == plan.matches
    check_store(url, ledger.moves)


def check_store(url: str, acknowledged: list[tuple[str, int, str]]) -> None:
    with Store(url) as store:
        for table in {table for table, _, _ in acknowledged}:
            match = load_online_match(store, table).match  # Plays all moves again by the rules.
            labels = [match.position.label(move) for move in match.moves]
            for _, ply, move in (one for one in acknowledged if one[0] == table):
                assert labels[ply] == move, f"move {ply} of {table}"
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        file.close()
