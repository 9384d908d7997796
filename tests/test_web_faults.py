"""A server killed in the middle of play, again and again: what it acknowledged is there, and play goes on."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from postgres import running_postgres
from quintet.games import GAMES
from quintet.store import Store
from quintet.store.seating import load_sitting
from quintet.web.child import Child, free_port, serve
from quintet.web.clients import Player
from quintet.web.load import Plan, gather
from quintet.web.meter import Meter

KILLS = 5
MOVES = 150
"""Moves that are acknowledged before the server is killed each time."""
PATIENCE = 60.0


class Ledger(Meter):
    """Writes down every move that was acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self.acknowledged: list[tuple[str, int, str]] = []

    def came(self, who: object) -> None:
        super().came(who)
        assert isinstance(who, Player)
        self.acknowledged.append((who.table, *who.sent))


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/tables.db"
    else:
        with running_postgres() as address:
            yield address


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


def test_what_was_acknowledged_survives_every_kill_and_play_goes_on(url: str, tmp_path: Path) -> None:
    log, port, ledger = tmp_path / "log", free_port(), Ledger()
    children = []

    def start() -> Child:
        children.append(serve(url, log, "--no-limits", "--workers", "2", port=port))
        return children[-1]

    def reached(goal: int) -> bool:
        return len(ledger.acknowledged) >= goal

    async def storm() -> None:
        for kill in range(KILLS + 1):
            await crowd.come()
            await until(partial(reached, len(ledger.acknowledged) + MOVES))
            if kill < KILLS:
                children[-1].kill()
                await until(lambda: all(client.wire and client.wire.over for client in crowd.clients))
                start()
        crowd.resting = True
        crowd.leave()

    plan = Plan(tuple(GAMES), matches=20, engines=5, engine="level:1", sockets=50)
    try:
        crowd = gather(start().url, plan)
        crowd.meter = ledger
        asyncio.run(storm())
        children[-1].stop()
    finally:
        for child in children:
            child.kill()
    unexpected = [error for error in ledger.errors if not error.startswith("a socket was lost")]
    assert not unexpected
    assert len(ledger.acknowledged) >= (KILLS + 1) * MOVES
    assert len({player.table for player in crowd.clients if isinstance(player, Player)}) == plan.matches
    check_store(url, ledger.acknowledged)


def check_store(url: str, acknowledged: list[tuple[str, int, str]]) -> None:
    with Store(url) as store:
        for table in {table for table, _, _ in acknowledged}:
            match = load_sitting(store, table).match  # Plays all moves again by the rules.
            labels = [match.position.label(move) for move in match.moves]
            for _, ply, move in (one for one in acknowledged if one[0] == table):
                assert labels[ply] == move, f"move {ply} of {table}"
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        file.close()
