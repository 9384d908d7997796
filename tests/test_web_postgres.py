"""Several server processes on one PostgreSQL: what is done at one is seen at the others."""

import asyncio
import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

import psycopg
import pytest

from cups import Cup
from postgres import Proxy, running_postgres
from quintet.bench.server_process import ServerProcess
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.store.matches import Store
from quintet.store.online_matches import OnlineMatch, Seat
from quintet.store.rows import now
from quintet.store.writer_thread import PATIENCE
from quintet.web import lobby as lobby_module
from quintet.web.lobby import Lobby
from quintet.web.notifications import listening
from quintet.web.socket_messages import Hello
from quintet.web.sockets import Connection, answer
from quintet.web.workers import WorkerPool
from serving import WAIT, Server, wait_until

TABLES = 24
SKEW = 3600
SKEWED = (
    f"import time; real = time.time; time.time = lambda: real() + {SKEW}; from quintet.__main__ import main; main()"
)


class SkewedServer(Server):
    """A server on a host whose clock is wrong."""

    def start(self) -> None:
        options = ["serve", "--port", "0", "--workers", "1", "--database", self.database, *self.options]
        self.connect(ServerProcess([sys.executable, "-c", SKEWED, *options]))


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with running_postgres("-c", "fsync=off") as url:
        yield url


@pytest.fixture(scope="module")
def servers(database: str) -> Iterator[tuple[Server, Server]]:
    servers = Server(database, "--no-limits"), Server(database, "--no-limits")
    yield servers
    said = [line for server in servers for line in server.stop().splitlines()]
    assert all(line.endswith("is locked by another program") for line in said), said


@pytest.fixture(scope="module")
def proxied(database: str) -> Iterator[tuple[Proxy, Server]]:
    """A server whose database is to fail."""
    proxy = Proxy(database)
    server = Server(proxy.url, "--no-limits")
    yield proxy, server
    server.stop()
    proxy.close()


def test_live_updates_cross_between_processes(servers: tuple[Server, Server]) -> None:
    here, there = servers
    begun = here.begin("isolation", name="Ada")
    with here.sit(begun["id"], begun["tokens"]["1"]) as ada, there.sit(begun["id"]) as watcher:
        joined = there.http.post(f"/api/matches/{begun['id']}/join", json={"name": "Bea"}).json()
        assert ada.hear("state")["players"]["2"]["joined"] and watcher.hear("state")["players"]["2"]["name"] == "Bea"
        with there.sit(begun["id"], joined["token"]) as bea:
            ada.move(0, "7")
            assert ada.hear("state") == bea.hear("state") == watcher.hear("state")
            bea.move(1, "4")
            assert bea.hear("state") == ada.hear("state") == watcher.hear("state")
            ada.say(type="undo", answer="offer")
            assert ada.hear("state")["offer"] == bea.hear("state")["offer"] == {"kind": "undo", "by": 1}
            bea.say(type="undo", answer="accept")
            assert [seat.hear("state")["undone"] for seat in (ada, bea)] == [1, 1]
            bea.say(type="resign")
            assert ada.hear("state")["over"] and bea.hear("state")["over"]
            bea.say(type="rematch", answer="offer")
            ada.hear("state")
            ada.say(type="rematch", answer="accept")
            assert ada.hear_until("rematch") == bea.hear_until("rematch")


def test_who_comes_from_another_process_sees_nothing_older(database: str) -> None:
    """What a client has seen elsewhere is shown here too, even if the notification of it has not come yet."""

    async def play() -> None:
        with Store(database) as store:
            here, there = (
                Lobby(store, WorkerPool(1, {})),
                Lobby(store, WorkerPool(1, {})),
            )  # Neither hears of the other.
            seats = {1: Seat("human"), 2: Seat("human")}
            online = OnlineMatch("elsewhere", Match(start(GAMES["isolation"])), seats, updated=now())
            await here.writer.write(online)
            shown: list[str] = []

            async def send(message: Any) -> None:
                shown.append(message["text"])

            async with here.table(online.id) as mine, there.table(online.id) as theirs:
                await mine.move([1, 2], 0, 0, "7")
                assert theirs.online.match.ply == 0
                await answer(Connection(send, theirs), Hello([], ply=1, undone=0))
            assert json.loads(shown[0])["state"]["ply"] == 1
            await here.close()
            await there.close()

    asyncio.run(play())


def test_of_two_processes_one_moves(servers: tuple[Server, Server]) -> None:
    here, there = servers
    for number in range(20):
        id, one, _ = here.friends("isolation")
        with here.sit(id, one) as first, there.sit(id, one) as second:
            first.move(0, "7")
            second.move(0, "4")
            heard = [seat.hear_until("state", ply=1)["view"]["history"] for seat in (first, second)]
            assert heard[0] == heard[1] in ([[1, "7"]], [[1, "4"]]), number


def test_an_engine_and_a_clock_act_once(servers: tuple[Server, Server]) -> None:
    here, there = servers
    begun = here.begin("isolation", seats={"1": "human", "2": "random"})
    token = begun["tokens"]["1"]
    with here.sit(begun["id"], token) as first, there.sit(begun["id"], token) as second:
        first.move(0, "7")
        assert first.hear_until("state", ply=2) == second.hear_until("state", ply=2)
    id, one, _ = here.friends("isolation", clock={"seconds": 1, "increment": 0})
    with here.sit(id, one) as first, there.sit(id, one) as second:
        first.move(0, "7")
        ends = [seat.hear_until("state", over=True) for seat in (first, second)]
        ran_out = {"winner": 1, "reason": "Player 2 forfeits: ran out of time", "kind": "forfeit"}
        assert ends[0]["result"] == ends[1]["result"] == ran_out
    with Store(here.database) as store, store.transaction() as connection:
        assert connection.exec_driver_sql(f"SELECT revision FROM matches WHERE id = '{id}'").scalar() == 3


def test_one_command_runs_several_processes(database: str) -> None:
    server = Server(database, "--no-limits", "--processes", "2")
    id, one, two = server.friends("isolation")
    seats = [server.sit(id, one) for _ in range(6)]
    with server.sit(id, two):
        seats[0].move(0, "7")
        states = [seat.hear("state") for seat in seats]
        assert all(state == states[0] for state in states)
    for seat in seats:
        seat.socket.close()
    assert server.stop() == ""


def test_the_store_of_the_terminal_works_there_too(database: str) -> None:
    with Store(database) as store, Store(database) as other:
        match = Match(start(GAMES["isolation"]), names=("Ada", "B\0ea"))
        id = store.begin(match)
        for ply in range(3):
            match.play(match.position.moves[0])
            store.append(id, ply, match.moves[-1])
        other.truncate(id, 2)
        assert store.load(id).moves == match.moves[:2] and id in [entry.id for entry in store.entries()]


def test_a_dead_connection_leaves_no_table_behind(servers: tuple[Server, Server], database: str) -> None:
    here, _ = servers
    there = Server(f"{database}&application_name=there", "--no-limits")
    tables = [here.friends("isolation") for _ in range(TABLES)]
    watchers = [there.sit(id) for id, _, _ in tables]
    with psycopg.connect(database, autocommit=True) as operator:
        # Those of the pool; the one that listens is left.
        chosen = "application_name = 'there' AND query NOT IN ('LISTEN quintet', 'SELECT 1')"
        ended = operator.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {chosen}").fetchall()
        assert ended
        for id, one, _ in tables:
            assert here.post(id, "moves", one, ply=0, undone=0, move="7").status_code == 200
    for watcher in watchers:
        assert watcher.hear("state")["ply"] == 1
        watcher.socket.close()
    there.stop()


def test_what_nobody_announced_is_noticed(servers: tuple[Server, Server]) -> None:
    here, _ = servers
    id, one, _ = here.friends("isolation")
    with here.sit(id, one) as ada, Store(here.database) as store:
        store.append(id, 0, store.load(id).position.moves[0])
        assert ada.hear("state")["ply"] == 1


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT):
        while not condition():
            await asyncio.sleep(0.01)


def test_notifications_of_other_programs_are_ignored(database: str) -> None:
    async def listen() -> None:
        with Store(database) as store:
            lobby = Lobby(store, WorkerPool(1, {}))
            lobby.loading["match"] = lobby.start(asyncio.sleep(WAIT))
            with listening(store, lobby), psycopg.connect(database, autocommit=True) as other:
                await until(lobby.compare_now.is_set)
                for payload in ("hello", "a b c", "match x", "", "match 5"):
                    other.execute("SELECT pg_notify('quintet', %s)", [payload])
                await until(lambda: lobby.announced == {"match": 5})
            await lobby.close()

    asyncio.run(listen())


def test_a_silent_database_does_not_keep_a_server_from_stopping(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lobby_module, "CLOSE_SECONDS", 0.05)

    async def stop(proxy: Proxy) -> None:
        with Store(proxy.url) as store:
            lobby = Lobby(store, WorkerPool(1, {}))
            online = OnlineMatch("silent", Match(start(GAMES["isolation"])), {1: Seat("human"), 2: Seat("human")})
            online.updated = now()
            proxy.flowing.clear()
            waiting = asyncio.ensure_future(lobby.read(store.check)), lobby.writer.write(online)
            try:
                await asyncio.wait_for(lobby.close(), WAIT)
                assert not any(one.done() for one in waiting)
            finally:
                proxy.flowing.set()
            await asyncio.gather(*waiting)
            await asyncio.to_thread(lobby.writer.thread.join)

    proxy = Proxy(database)
    asyncio.run(stop(proxy))
    proxy.close()
    assert caplog.messages == ["the database is not responding; stopping without it"]


def test_a_locked_match_delays_no_other(proxied: tuple[Proxy, Server], database: str) -> None:
    _, here = proxied
    locked, one, _ = here.friends("isolation")
    free, other, _ = here.friends("isolation")
    with here.sit(locked, one) as ada, here.sit(free, other) as eve, psycopg.connect(database) as holder:
        holder.execute("SELECT id FROM matches WHERE id = %s FOR UPDATE", [locked])
        ada.move(0, "7", id="late")
        eve.move(0, "7")
        begun = time.monotonic()
        assert eve.hear("state")["ply"] == 1 and time.monotonic() - begun < PATIENCE
        assert here.http.get("/api/health").status_code == 200
        assert ada.hear("error")["error"] == "The database is not responding; nothing was changed."
        ada.move(0, "7", id="in time")
        eve.say(type="resign")
        assert eve.hear("state")["over"]
        holder.rollback()
        assert ada.hear("state")["ack"] == "in time"


def test_locked_tables_are_reported(proxied: tuple[Proxy, Server], database: str) -> None:
    _, here = proxied
    wait_until(lambda: here.http.get("/api/ready").json() == {"status": "ready"})
    id, one, _ = here.friends("isolation")
    with psycopg.connect(database) as holder:
        holder.execute("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE")
        begun = time.monotonic()
        sick = here.http.get("/api/health")
        assert (sick.status_code, sick.json()) == (503, {"error": "The database is not responding."})
        assert here.post(id, "moves", one, ply=0, undone=0, move="7").status_code == 503
        assert time.monotonic() - begun < 15
        holder.rollback()
    wait_until(lambda: here.http.get("/api/health").status_code == 200)
    assert here.post(id, "moves", one, ply=0, undone=0, move="7").status_code == 200


def test_a_silent_database_is_reported(proxied: tuple[Proxy, Server]) -> None:
    proxy, server = proxied
    wait_until(lambda: server.http.get("/api/ready").status_code == 200)
    id, one, _ = server.friends("isolation")
    with server.sit(id, one) as ada:
        proxy.flowing.clear()
        ada.move(0, "7", id=1)
        wait_until(lambda: "have been waiting to be written" in server.http.get("/api/health").json()["error"])
        assert server.http.get("/api/ready").status_code == 503
        proxy.flowing.set()
        assert ada.hear_until("state", ack=1)["ply"] == 1
    wait_until(lambda: server.http.get("/api/ready").status_code == 200)
    assert server.http.get("/api/health").status_code == 200


@pytest.mark.parametrize("lost", ["commit", "answer"])
def test_a_lost_answer_to_a_commit_is_found_out(
    proxied: tuple[Proxy, Server], lost: Literal["commit", "answer"]
) -> None:
    proxy, server = proxied
    id, one, two = server.friends("isolation")
    with server.sit(id, one) as ada, server.sit(id, two) as bea:
        proxy.lose, proxy.losses = lost, 1
        ada.move(0, "7", id=1)
        heard = ada.hear("state")
        assert (heard["ply"], heard["ack"]) == (1, 1) and bea.hear("state")["ply"] == 1
        assert proxy.losses == 0
        bea.move(1, "4", id=2)
        assert bea.hear("state")["ack"] == 2
    with Store(server.database) as store:
        assert [store.load(id).position.label(move) for move in store.load(id).moves] == ["7", "4"]


def test_what_cannot_be_found_out_is_said(proxied: tuple[Proxy, Server]) -> None:
    proxy, server = proxied
    id, one, _ = server.friends("isolation")
    with server.sit(id, one) as ada:
        proxy.lose, proxy.losses, proxy.down = "answer", 1, True
        ada.move(0, "7", id=1)
        said = "The database stopped responding; your change may or may not have been saved."
        assert ada.hear("error") == {"type": "error", "error": said, "id": 1, "retry": True}
        proxy.down = False
        assert ada.hear("state")["ply"] == 1
        ada.move(0, "7", id=2)
        heard = ada.hear("state")
        assert (heard["ply"], heard["ack"]) == (1, 2)


def test_the_time_of_the_database_is_the_time(servers: tuple[Server, Server], database: str) -> None:
    here, _ = servers
    there = SkewedServer(database, "--no-limits")
    id, one, two = here.friends("isolation", clock={"seconds": 600, "increment": 0})
    with here.sit(id, one) as ada, there.sit(id, two) as bea:
        ada.move(0, "7")
        for seat in (ada, bea):
            assert 300_000 < seat.hear("state")["clock"]["2"] <= 600_000
        bea.move(1, "4")
        for seat in (ada, bea):
            state = seat.hear("state")
            assert state["ply"] == 2 and all(300_000 < state["clock"][side] <= 600_000 for side in "12")
    there.stop()


def test_no_process_outlives_the_command(database: str) -> None:
    server = Server(database, "--no-limits", "--processes", "2")
    server.begin("isolation")
    server.kill()
    host, port = server.host.split(":")

    def is_free() -> bool:
        with socket.socket() as listener:
            try:
                listener.bind((host, int(port)))
            except OSError:
                return False
        return True

    wait_until(is_free)


def test_a_tournament_at_two_processes(servers: tuple[Server, Server]) -> None:
    cup = Cup(servers[0], format="swiss", rounds=2)
    cup.join("Ada", "Bea")
    cup.server = servers[1]
    cup.join("Cy", "Dee")
    assert len(cup.organise("start", round=1)["played"]) == 1
    cup.server = servers[0]
    wait_until(lambda: len(cup.open_games()) == 2)
    cup.resign(cup.open_games()[0])
    cup.server = servers[1]
    wait_until(lambda: len(cup.open_games()) == 1)
    cup.play_round(1)
    cup.play_round(2)
    for cup.server in servers:  # Both have watched, and neither has paired a round twice.
        wait_until(lambda: cup.state["stage"] == "over")
        assert [len(one["pairings"]) for one in cup.state["played"]] == [2, 2]


@pytest.mark.parametrize("lose", ["commit", "answer"])
def test_a_round_is_paired_once_whatever_becomes_of_the_commit(
    proxied: tuple[Proxy, Server], lose: Literal["commit", "answer"]
) -> None:
    proxy, server = proxied
    cup = Cup(server)
    cup.join("Ada", "Bea")
    proxy.lose, proxy.losses = lose, 1
    assert cup.ask("start", cup.key, round=1).status_code == 503
    assert proxy.losses == 0
    assert len(cup.organise("start", round=1)["played"]) == 1
    cup.play_round(1)
    wait_until(lambda: cup.state["stage"] == "over")
