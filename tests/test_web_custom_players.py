"""Players that the operator of a server offers: they are listed and play, and visitors can run nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from serving import WAIT, Server, wait_until

BOTS = """
import os
import signal
import sys
import threading

def first(position):
    return position.moves[0]

def waits(position):
    folder = os.path.dirname(__file__)
    while not os.path.exists(folder + "/gate"):
        threading.Event().wait(0.01)
    with open(folder + "/order", "a") as file:
        print(position.game.name, file=file)
    return position.moves[0]

def wrong(position):
    return "nonsense"

def leaves(position):
    sys.exit("goodbye")

def fails(position):
    raise ValueError("no idea")

def interrupts(position):
    raise KeyboardInterrupt

def vanishes(position):
    os._exit(3)

def crashes(position):
    os.kill(os.getpid(), signal.SIGSEGV)

def hangs(position):
    threading.Event().wait()

def fills_memory(position):
    return bytearray(1 << 33)
"""
PLAYERS = (
    "--player",
    "Bot=python:house_bots:first",
    "--player",
    "Fool=python:house_bots:wrong",
    "--player",
    "Waiting=python:house_bots:waits",
)
FAULTS = {
    "leaves": "it failed with SystemExit: 'goodbye'",
    "fails": "it failed with ValueError: 'no idea'",
    "interrupts": "it failed with KeyboardInterrupt",
    "vanishes": "it ended the worker process with status 3",
    "crashes": "it ended the worker process by SIGSEGV",
    "hangs": "it gave no answer within",
    "fills_memory": "it failed with MemoryError",
}
"""What is said of each."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("players")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    (folder / "house_bots.py").write_text(BOTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        server = Server(f"sqlite:///{folder}/quintet.db", "--no-limits", *PLAYERS)
        yield server
        assert all("guest:Fool forfeits: it chose 'nonsense'" in line for line in server.stop().splitlines())


def test_they_are_listed_by_name_only(server: Server) -> None:
    offered = {engine["who"]: engine["title"] for engine in server.http.get("/api/engines").json()}
    assert offered["guest:Bot"] == "Bot" and offered["guest:Fool"] == "Fool"
    assert "house_bots" not in server.http.get("/api/engines").text


def test_one_plays_a_whole_game(server: Server) -> None:
    begun = server.begin("isolation", seats={"1": "human", "2": "guest:Bot"})
    with server.sit(begun["id"], begun["tokens"]["1"]) as me:
        assert me.table["players"]["2"] == {"name": "Bot", "who": "guest:Bot", "joined": True}
        state, legal = me.table["state"], []
        while not state["over"]:
            legal = [cell["label"] for cell in state["view"]["cells"] if cell.get("legal")]
            if state["view"]["player"] == 1:
                me.move(state["ply"], legal[-1])
            state = me.hear("state")
            if state["view"]["history"][-1][0] == 2:
                assert state["view"]["history"][-1] == [2, legal[0]]
        assert state["ply"] > 2 and "forfeits" not in state["result"]["reason"]
    assert "house_bots" not in server.http.get(f"/api/matches/{begun['id']}/record").text


def test_one_without_a_move_loses(server: Server) -> None:
    begun = server.begin("isolation", seats={"1": "guest:Fool", "2": "human"}, take=[2])
    with server.sit(begun["id"], begun["tokens"]["2"]) as me:
        state = me.table["state"]
        while not state["over"]:
            state = me.hear("state")
    assert state["result"]["winner"] == 2 and "nonsense" in state["result"]["reason"]


@pytest.mark.parametrize("who", ["guest:Nobody", "guest:", "python:house_bots:first", "Bot"])
def test_visitors_can_name_no_other_program(server: Server, who: str) -> None:
    answer = server.http.post("/api/matches", json={"game": "isolation", "seats": {"2": who}})
    assert answer.status_code == 422 and "\n" not in answer.json()["error"]


@pytest.mark.parametrize(
    ("player", "words"),
    [
        ("Bot", "--player needs a short name"),
        ("=random", "--player needs a short name"),
        ("Bot=human", "--player needs a short name"),
        ("x" * 31 + "=random", "--player needs a short name"),
        ("Bot=python:no_such_module:move", "cannot load"),
        ("Bot=python:os", "name a module"),
        ("Bot=python:os:sep", "is not a function"),
        ("Bot=champion", "champion"),
    ],
)
def test_a_wrong_player_gets_one_line(player: str, words: str) -> None:
    command = [sys.executable, "-m", "quintet", "serve", "--port", "0"]
    run = subprocess.run([*command, "--player", player], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and run.stdout == "" and run.stderr.count("\n") == 1 and words in run.stderr, run.stderr


def test_who_plays_many_games_against_one_does_not_keep_others_waiting(server: Server, folder: Path) -> None:
    def begin(http: httpx.Client, game: str) -> str:
        seats = {"1": "guest:Waiting", "2": "human"}
        id = str(http.post("/api/matches", json={"game": game, "seats": seats, "take": [2]}).json()["id"])
        http.get(f"/api/matches/{id}")  # Whoever looks at the table starts the engine.
        return id

    transport = httpx.HTTPTransport(local_address="127.0.0.2")
    with httpx.Client(base_url=server.child.url, timeout=WAIT, transport=transport) as other:
        many = [begin(server.http, "isolation") for _ in range(12)]
        mine = begin(other, "gridlock")
        (folder / "gate").touch()
        wait_until(lambda: all(server.table(id)["state"]["ply"] for id in [*many, mine]))
    order = (folder / "order").read_text().split()
    assert len(order) == 13 and order.index("gridlock") < 3


# Whatever a custom player does, it loses its own game, and nothing else happens.


def outcome(server: Server, who: str) -> str:
    """Why a custom player lost a game in which it was to go first."""
    begun = server.begin("isolation", seats={"1": who, "2": "human"}, take=[2])
    with server.sit(begun["id"], begun["tokens"]["2"]) as me:
        state = me.table["state"]
        while not state["over"]:
            assert state["thinking"]
            state = me.hear("state")
    assert state["result"]["winner"] == 2
    return str(state["result"]["reason"])


def test_a_faulty_player_forfeits_and_nothing_else_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house_bots.py").write_text(BOTS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    options = [part for name in FAULTS for part in ("--player", f"{name}=python:house_bots:{name}")]
    server = Server(f"sqlite:///{tmp_path}/quintet.db", "--player", "Bot=python:house_bots:first", *options)
    other = server.begin("isolation", seats={"1": "human", "2": "guest:Bot"})
    with server.sit(other["id"], other["tokens"]["1"]) as me:
        me.move(0, "7")
        assert me.hear("state")["ply"] == 1 and me.hear("state")["ply"] == 2
        for name, reason in FAULTS.items():
            said = outcome(server, f"guest:{name}")
            public, _, printed = reason.partition(":")
            assert f"forfeits: {public}" in said and (not printed or printed not in said), said
        state = server.table(other["id"])["state"]
        me.move(2, [cell["label"] for cell in state["view"]["cells"] if cell.get("legal")][-1])
        assert me.hear("state")["ply"] == 3
        state = me.hear("state")
        assert "forfeits" not in str(state.get("result"))
    log = server.stop()
    assert log.count("\n") == len(FAULTS) and "Traceback" not in log
    for name, reason in FAULTS.items():
        assert f"guest:{name} forfeits: {reason}" in log


def test_a_player_that_is_no_longer_offered_forfeits(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db", "--player", "Bot=greedy")
    begun = server.begin("isolation", seats={"1": "human", "2": "guest:Bot"})
    server.stop()
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    with server.sit(begun["id"], begun["tokens"]["1"]) as me:
        me.move(0, "7")
        assert me.hear("state")["thinking"]
        state = me.hear("state")
        assert state["over"] and "this server no longer offers it" in state["result"]["reason"]
    assert server.stop().count("\n") == 1


# Study.


def test_who_asks_for_much_waits_behind_the_others_and_who_leaves_gives_up_the_place(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    slow = {"game": "adjacent-claim", "size": "20x20"}  # Takes as long as an analysis may.

    def client(address: str) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=address)
        return httpx.Client(base_url=server.child.url, timeout=WAIT, transport=transport)

    def give_up(greedy: httpx.Client) -> int | None:
        """Ask for an analysis and hang up."""
        try:
            return greedy.get("/api/analysis", params=slow, timeout=0.05).status_code
        except httpx.TimeoutException:
            return None

    with client("127.0.0.2") as greedy, client("127.0.0.3") as other:
        assert {give_up(greedy) for _ in range(100)} <= {None, 429}  # More than may ever wait.
        quick = {"game": "isolation", "moves": "7; 4"}
        for one in (other, greedy):
            found = one.get("/api/analysis", params=quick)
            assert found.status_code == 200 and found.elapsed.total_seconds() < 10
    assert server.stop() == ""
