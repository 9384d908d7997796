"""Players that the operator of a server offers: they are listed and play, and visitors can run nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from serving import Server

BOTS = """
def first(position):
    return position.moves[0]

def wrong(position):
    return "nonsense"
"""
PLAYERS = ("--player", "Bot=python:house_bots:first", "--player", "Fool=python:house_bots:wrong")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("players")
    (folder / "house_bots.py").write_text(BOTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        server = Server(f"sqlite:///{folder}/quintet.db", "--no-limits", *PLAYERS)
        yield server
        assert server.stop() == ""


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
