"""Guests of a live table whose sockets fail or fall behind, over a real hall and store."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_move
from quintet.options import start
from quintet.store.matches import Store
from quintet.store.seating import Sitting
from quintet.web import live, messages
from quintet.web.hall import Hall
from quintet.web.live import Guest
from quintet.web.thinkers import Thinkers

PATIENCE = 30.0


@asynccontextmanager
async def open_hall(path: Path) -> AsyncIterator[Hall]:
    with Store(f"sqlite:///{path}/quintet.db") as store:
        thinkers = Thinkers(2, {})
        hall = Hall(store, thinkers)
        try:
            yield hall
        finally:
            await hall.close()
            thinkers.close()


async def begin(hall: Hall, size: str | None = None, **wish: Any) -> messages.Begun:
    return await hall.begin(Match(start(GAMES["isolation"], size=size)), messages.NewMatch("isolation", **wish))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.005)


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


def test_a_broken_socket_is_no_matter_of_those_who_play(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_hall(tmp_path) as hall:
            begun = await begin(hall, seats=messages.Seats(two="random"))
            async with hall.table(begun.id) as table:
                guest = Guest(broken, table)
                table.guests.add(guest)
                await table.move([1], 0, 0, "7")
                assert guest.gone and not table.guests
                await until(lambda: table.state.ply == 2)

    asyncio.run(play())


def test_who_was_behind_is_told_the_table_and_what_it_asked_for(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_hall(tmp_path) as hall:
            begun = await begin(hall, take=[1, 2])
            async with hall.table(begun.id) as table:
                pipe = Pipe()
                pipe.open.set()
                guest = Guest(pipe.send, table)
                await live.answer(table, guest, messages.Hello(list(begun.tokens.values())), "")
                assert [said["type"] for said in pipe.taken] == ["table"]
                pipe.open.clear()
                await live.answer(table, guest, messages.Move(0, 0, "7"), '"a"')
                await live.answer(table, guest, messages.Move(1, 0, "4"), '"b"')
                for _ in range(3):
                    await live.answer(table, guest, messages.Ping(), "")
                await live.answer(table, guest, messages.Resign(), "")
                pipe.open.set()
                await until(lambda: guest.catching_up is None)
                told = pipe.taken[1:]
                assert [said["ack"] for said in told if "ack" in said] == ["a", "b"]
                [*_, last] = [said.get("state", said) for said in told]
                assert last["over"] and last["ply"] == 2 and not any(said["type"] == "pong" for said in told)

    asyncio.run(play())


def test_who_never_reads_has_to_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PATIENCE", 0.05)

    async def silence() -> Any:
        await asyncio.Event().wait()

    async def play() -> None:
        async with open_hall(tmp_path) as hall:
            begun = await begin(hall)
            async with hall.table(begun.id) as table:
                guest = Guest(Pipe().send, table)
                table.guests.add(guest)
                table.tell("{}")
                async with asyncio.timeout(PATIENCE):
                    assert await guest.hear(silence) is None
                assert guest.gone and not table.guests

    asyncio.run(play())


def test_news_that_comes_while_a_table_is_set_up_is_not_lost(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_hall(tmp_path / "ours") as hall:
            begun = await begin(hall, take=[1, 2])
            load = hall.load

            async def slow_load(id: str) -> Sitting:
                sitting = await load(id)
                if not other.done():  # Another program is quicker than this one is at reading.
                    hall.store.append(id, 0, read_move(sitting.match.position, "7"))
                    hall.hear([(id, sitting.revision + 1)])
                    other.set_result(None)
                return sitting

            other = hall.loop.create_future()
            hall.load = slow_load  # type: ignore[method-assign]
            async with hall.table(begun.id) as table:
                await until(lambda: table.state.ply == 1)

    (tmp_path / "ours").mkdir()
    asyncio.run(play())


def test_engines_among_themselves_play_for_those_who_look(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_hall(tmp_path) as hall:
            begun = await begin(hall, "100", seats=messages.Seats("random", "random"), take=[])
            async with hall.table(begun.id) as table:
                await until(lambda: table.state.ply >= 2)
            await until(lambda: not hall.tables)
            plies = len((await hall.load(begun.id)).match.moves)
            async with hall.table(begun.id) as table:
                await until(lambda: table.state.over)
            assert plies < table.state.ply

    asyncio.run(play())


def test_an_engine_does_not_pay_for_having_to_wait(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_hall(tmp_path) as hall:
            clock = messages.ClockSettings(1)
            begun = await begin(hall, seats=messages.Seats(two="random"), clock=clock)
            async with hall.table(begun.id) as table, hall.thinkers.free, hall.thinkers.free:
                await table.move([1], 0, 0, "7")
                await until(lambda: json.loads(table.state_text())["clock"]["2"] == 0)
            async with hall.table(begun.id) as table:
                await until(lambda: table.state.ply == 2)
                assert not table.state.over and table.sitting.clocks[1] and table.sitting.clocks[1] > 0

    asyncio.run(play())
