"""Old matches are deleted while servers run, and never under somebody who has one open."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lobbies import open_lobby
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.store.matches import Store
from quintet.store.rows import UnknownMatch, as_text
from quintet.web import cleanup, messages
from quintet.web.lobby import Lobby
from serving import WAIT, Server

DAY = timedelta(1)


async def create(lobby: Lobby) -> str:
    made = await lobby.create(Match(start(GAMES["isolation"])), messages.NewMatch("isolation", take=[1, 2]))
    return made.id


def age(database: Path, days: int = 11) -> None:
    """Let all matches be as old as that."""
    time = as_text(datetime.now(UTC) - days * DAY)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE matches SET updated = ?, visited = ? WHERE visited IS NOT NULL", [time, time])
        connection.execute("UPDATE matches SET updated = ?", [time])


def ids(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        return {id for (id,) in connection.execute("SELECT id FROM matches")}


def test_a_match_that_is_open_in_any_process_stays(database: Path) -> None:
    async def play() -> None:
        async with AsyncExitStack() as stack:
            here, there = [
                await stack.enter_async_context(open_lobby(database.parent, delete_after=10 * DAY)) for _ in range(2)
            ]
            mine, hers, nobodys = [await create(here) for _ in range(3)]
            age(database)
            async with here.table(mine) as table:
                async with there.table(hers):
                    assert await cleanup.delete_once(here, 10 * DAY) == 1 and ids(database) == {mine, hers}
                    with pytest.raises(UnknownMatch):
                        await there.find_table(nobodys)
                age(database)
                assert await cleanup.delete_once(here, 10 * DAY) == 1 and ids(database) == {mine}
                await table.move([1], 0, 0, "7")

    asyncio.run(play())


def test_a_locked_store_is_one_line_and_tried_again(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cleanup, "FIRST_PAUSE", 0)
    monkeypatch.setattr(cleanup, "PAUSE", 0.01)

    async def play() -> None:
        async with open_lobby(database.parent, "?timeout=0.01", 10 * DAY) as lobby, asyncio.timeout(WAIT):
            await create(lobby)
            age(database)
            with closing(sqlite3.connect(database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                lobby.start(cleanup.delete_old_matches(lobby, 10 * DAY))
                while "is locked by another program" not in caplog.text:
                    await asyncio.sleep(0.005)
            while ids(database):
                await asyncio.sleep(0.005)

    asyncio.run(play())
    assert "Traceback" not in caplog.text


def test_the_operator_says_after_how_many_days(database: Path) -> None:
    server = Server(f"sqlite:///{database}", "--delete-after", "10")
    id = server.begin("isolation")["id"]
    age(database)
    server.table(id)
    with Store() as store:
        assert store.entries(online=True)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT visited FROM matches").fetchone()[0] > as_text(datetime.now(UTC) - DAY)
    assert server.stop() == ""
