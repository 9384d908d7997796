"""The lobby of a server process: what it has in memory, and what it only remembers."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from lobbies import open_lobby, until
from quintet.engines import HUMAN
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.store.database import StoreFault
from quintet.store.online import OnlineMatch, Seat, TimeControl, hash_token
from quintet.store.online_matches import load_online_match
from quintet.store.rows import now
from quintet.web import health, match_routes
from quintet.web import lobby as lobby_module
from quintet.web.api_error import ApiError
from quintet.web.lobby import Lobby
from quintet.web.responses import Json
from serving import WAIT

FORGOTTEN = 200


def running_match(number: int, seconds: int) -> OnlineMatch:
    """A match with a running clock."""
    position = start(GAMES["isolation"])
    match = Match(position, [position.moves[0]])
    seats = {player: Seat(HUMAN, None, hash_token(str(player)), now()) for player in (1, 2)}
    control = TimeControl(seconds, 0)
    return OnlineMatch(f"m{number}", match, seats, control, clocks=(seconds * 1000,), updated=now())


def is_over(lobby: Lobby, number: int) -> bool:
    return load_online_match(lobby.store, f"m{number}").match.outcome is not None


def test_a_forgotten_clock_is_only_remembered_and_runs_out(tmp_path: Path) -> None:
    async def forget() -> None:
        async with open_lobby(tmp_path) as lobby:
            assert await lobby.writer.write(running_match(0, 3))
            async with lobby.table("m0") as table:
                clock = table.read_state().clock
                assert clock and clock.running == 2
            assert not lobby.tables and list(lobby.timers) == ["m0"]
            await until(lambda: is_over(lobby, 0))
            await until(lambda: not lobby.tables and not lobby.timers and not lobby.waking)

    asyncio.run(forget())


def test_a_restart_loads_no_match_before_its_time(tmp_path: Path) -> None:
    async def restart() -> None:
        async with open_lobby(tmp_path) as lobby:
            long, late = range(FORGOTTEN), range(FORGOTTEN, FORGOTTEN + 20)
            matches = [*(running_match(number, 600) for number in long), *(running_match(number, 0) for number in late)]
            assert all(await asyncio.gather(*map(lobby.writer.write, matches)))
        async with open_lobby(tmp_path) as lobby:
            await lobby.resume_clocks()
            assert not lobby.tables and lobby.resumed
            most = 0

            def ended() -> bool:
                nonlocal most
                most = max(most, len(lobby.tables))
                return all(is_over(lobby, number) for number in late)

            await until(ended)
            assert most <= lobby_module.WAKING
            assert len(lobby.timers) == FORGOTTEN
            assert all(timer.when() - lobby.loop.time() > 500 for timer in lobby.timers.values())

    asyncio.run(restart())


def test_a_clock_is_tried_again_while_the_store_is_locked(tmp_path: Path) -> None:
    async def lock() -> None:
        async with open_lobby(tmp_path) as lobby:
            assert await lobby.writer.write(running_match(0, 1))
            # Damaged for a while: it cannot be loaded when its time is up.
            with lobby.store.transaction(writing=True) as connection:
                connection.exec_driver_sql("UPDATE matches SET start = 'x'")
            lobby.set_timer("m0", 0, pause=0.05)
            lobby.set_timer("gone", 0)
            await until(lambda: "m0" in lobby.timers and "gone" not in lobby.timers and not lobby.waking)
            with lobby.store.transaction(writing=True) as connection:
                connection.exec_driver_sql("UPDATE matches SET start = 'isolation ............. X'")
            await until(lambda: is_over(lobby, 0))

    asyncio.run(lock())


def test_a_server_is_ready_when_it_is_up_to_date(tmp_path: Path) -> None:
    async def watch() -> None:
        async with open_lobby(tmp_path) as lobby:
            app = Starlette()
            app.state.lobby = lobby
            request = Request({"type": "http", "app": app})

            async def refused(route: Callable[[Request], Awaitable[Json]], reason: str) -> None:
                with pytest.raises(ApiError, match=reason) as refusal:
                    await route(request)
                assert refusal.value.http_status == 503

            assert (await health.health(request)).body == b'{"status":"ok"}'
            await refused(health.ready, "is starting")
            await lobby.resume_clocks()
            comparing = lobby.start(lobby.compare_tables())
            await until(lambda: lobby.compared)
            comparing.cancel()  # From here on they are compared when we say so.
            assert (await health.ready(request)).body == b'{"status":"ready"}'
            lobby.heard = time.monotonic() - 10
            for route in (health.health, health.ready):
                await refused(route, r"have not been received for 1\d seconds")
            lobby.heard = None
            lobby.writer.failure = StoreFault("the disk is full")
            for route in (health.health, health.ready):
                await refused(route, "Changes cannot be written to the database")
            lobby.writer.failure = None
            lobby.compared = time.monotonic() - 10
            await refused(health.ready, "may be out of date")
            lobby.draining = True
            await refused(health.ready, "is draining")

    asyncio.run(watch())


def test_a_check_does_not_wait_for_visitors(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_lobby(tmp_path) as lobby:
            release = threading.Event()
            reads = [asyncio.create_task(lobby.read(release.wait, WAIT)) for _ in range(lobby_module.READERS)]
            comparing = asyncio.create_task(lobby.compare_tables())
            try:
                await until(lambda: lobby.compared)
                assert (await health.answer(lobby, "ok")).status_code == 200
            finally:
                release.set()
                comparing.cancel()
            assert all(await asyncio.gather(*reads))

    asyncio.run(story())


def test_lists_of_matches_leave_threads_to_other_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(match_routes, "find_summaries", lambda *_: [] if release.wait(WAIT) else None)

    async def story() -> None:
        async with open_lobby(tmp_path) as lobby:
            app = Starlette()
            app.state.lobby = lobby
            request = Request({"type": "http", "app": app, "headers": [], "client": ("10.0.0.1", 1)})
            lists = [asyncio.create_task(match_routes.summaries(request, "a")) for _ in range(10)]
            try:
                await until(lambda: lobby.lists.length == 10 - lobby_module.READERS // 2)
                assert await asyncio.wait_for(lobby.read(lambda: "read"), WAIT) == "read"
            finally:
                release.set()
            assert {answer.status_code for answer in await asyncio.gather(*lists)} == {200}

    asyncio.run(story())
