"""Connections to a live table that fail or fall behind, over a real lobby and store."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from lobbies import open_lobby, until
from patience import WAIT
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_move
from quintet.options import start
from quintet.store.database import UnknownOutcome
from quintet.store.online import OnlineMatch
from quintet.web import messages, socket_messages, sockets
from quintet.web.api_error import ApiError
from quintet.web.lobby import Lobby
from quintet.web.metrics import read_values
from quintet.web.sockets import Connection


async def create(lobby: Lobby, size: str | None = None, **options: Any) -> messages.CreatedMatch:
    return await lobby.create(Match(start(GAMES["isolation"], size=size)), messages.NewMatch("isolation", **options))


class Pipe:
    """Takes messages while it is open."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.taken: list[dict[str, Any]] = []

    async def send(self, message: Any) -> None:
        await self.open.wait()
        self.taken.append(json.loads(message["text"]))


async def broken(message: Any) -> None:
    raise RuntimeError("Unexpected ASGI message 'websocket.send', after sending 'websocket.close'.")


def test_a_fault_of_unknown_outcome_is_said_and_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: object) -> bool:
        raise UnknownOutcome("the connection was lost")

    async def play() -> None:
        async with open_lobby(tmp_path) as lobby:
            begun = await create(lobby, seats=messages.Seats("random"), take=[2])
            monkeypatch.setattr(lobby.writer, "write", fail)
            with pytest.raises(ApiError, match="your change may or may not have been saved"):
                await create(lobby)
            assert caplog.messages == ["the connection was lost"]
            caplog.clear()
            async with lobby.table(begun.id):
                await until(lambda: bool(caplog.messages))
            assert caplog.messages == ["the connection was lost"]

    asyncio.run(play())


def test_a_broken_socket_does_not_disturb_the_players(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_lobby(tmp_path) as lobby:
            created = await create(lobby, seats=messages.Seats(two="random"))
            async with lobby.table(created.id) as table:
                connection = Connection(broken, table)
                table.subscribers.add(connection)
                await table.move([1], 0, 0, "7")
                assert connection.closed and not table.subscribers
                await until(lambda: table.read_state().ply == 2)

    asyncio.run(play())


def test_a_client_that_was_behind_is_sent_the_table_and_its_acknowledgements(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_lobby(tmp_path) as lobby:
            created = await create(lobby, take=[1, 2])
            async with lobby.table(created.id) as table:
                pipe = Pipe()
                pipe.open.set()
                connection = Connection(pipe.send, table)
                await sockets.answer(connection, socket_messages.Hello(list(created.tokens.values())))
                assert [said["type"] for said in pipe.taken] == ["table"]
                pipe.open.clear()
                slow = "quintet_slow_total", "send"
                before = read_values().get(slow, 0)
                await sockets.answer(connection, socket_messages.Move(0, 0, "7", id=Raw(b'"a"')))
                await sockets.answer(connection, socket_messages.Move(1, 0, "4", id=Raw(b'"b"')))
                assert read_values()[slow] == before + 1
                for _ in range(3):
                    await sockets.answer(connection, socket_messages.Ping())
                await sockets.answer(connection, socket_messages.Resign())
                pipe.open.set()
                await until(lambda: connection.catching_up is None)
                told = pipe.taken[1:]
                assert [said["ack"] for said in told if "ack" in said] == ["a", "b"]
                [*_, last] = [said.get("state", said) for said in told]
                assert last["over"] and last["ply"] == 2 and not any(said["type"] == "pong" for said in told)

    asyncio.run(play())


def test_a_client_that_never_reads_is_disconnected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "SEND_TIMEOUT", 0.05)

    async def silence() -> Any:
        await asyncio.Event().wait()

    async def play() -> None:
        async with open_lobby(tmp_path) as lobby:
            created = await create(lobby)
            async with lobby.table(created.id) as table:
                connection = Connection(Pipe().send, table)
                table.subscribers.add(connection)
                table.notify_all("{}")
                async with asyncio.timeout(WAIT):
                    assert await connection.next_message(silence) is None
                assert connection.closed and not table.subscribers
                assert await Connection(Pipe().send, table).next_message(silence, 0.01) is None  # It says no hello.

    asyncio.run(play())


def test_a_notification_during_loading_is_not_lost(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_lobby(tmp_path / "ours") as lobby:
            created = await create(lobby, take=[1, 2])
            load = lobby.load

            async def slow_load(id: str) -> OnlineMatch:
                online = await load(id)
                if not other.done():  # Another program is faster than this one is at reading.
                    lobby.store.append(id, 0, read_move(online.match.position, "7"))
                    lobby.match_changed(id, online.revision + 1)
                    other.set_result(None)
                return online

            other = lobby.loop.create_future()
            lobby.load = slow_load  # type: ignore[method-assign]
            async with lobby.table(created.id) as table:
                await until(lambda: table.read_state().ply == 1)

    (tmp_path / "ours").mkdir()
    asyncio.run(play())


def test_engines_play_each_other_while_somebody_watches(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_lobby(tmp_path) as lobby:
            created = await create(lobby, "100", seats=messages.Seats("random", "random"), take=[])
            async with lobby.table(created.id) as table:
                await until(lambda: table.read_state().ply >= 2)
            await until(lambda: not lobby.tables)
            plies = len((await lobby.load(created.id)).match.moves)
            async with lobby.table(created.id) as table:
                await until(lambda: table.read_state().over)
            assert plies < table.read_state().ply

    asyncio.run(play())


def test_an_engine_is_not_charged_for_waiting(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_lobby(tmp_path) as lobby:
            clock = messages.ClockSettings(1)
            created = await create(lobby, seats=messages.Seats(two="random"), clock=clock)
            async with lobby.table(created.id) as table, lobby.workers.free, lobby.workers.free:
                await table.move([1], 0, 0, "7")
                await until(lambda: (face := table.read_state().clock) is not None and face.two == 0)
            async with lobby.table(created.id) as table:
                await until(lambda: table.read_state().ply == 2)
                assert not table.read_state().over and table.online.clocks[1] and table.online.clocks[1] > 0

    asyncio.run(play())
