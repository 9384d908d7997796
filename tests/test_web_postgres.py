"""Several server processes on one PostgreSQL: what is done at one is seen at the others."""

from collections.abc import Iterator

import pytest

from postgres import running_postgres
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.store.matches import Store
from serving import Server


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with running_postgres("-c", "fsync=off") as url:
        yield url


@pytest.fixture(scope="module")
def servers(database: str) -> Iterator[tuple[Server, Server]]:
    servers = Server(database, "--no-limits"), Server(database, "--no-limits")
    yield servers
    assert [server.stop() for server in servers] == ["", ""]


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
        assert ends[0]["result"] == ends[1]["result"] == {"winner": 1, "reason": "Player 2 forfeits: ran out of time"}
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
