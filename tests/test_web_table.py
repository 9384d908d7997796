"""The live table over the real server: moves that count once, seats with tokens, clocks, engines, restarts."""

import json
import random
import socket
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.sync.client import connect
from websockets.typing import Origin
from websockets.uri import parse_uri

from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_move, read_moves
from quintet.options import start
from quintet.store.matches import Store
from serving import WAIT, Seat, Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('web')}/quintet.db", "--no-limits")
    yield server
    assert server.stop() == ""


def play_on(seats: dict[int, Seat], state: dict[str, Any], seed: int = 0) -> dict[str, Any]:
    """Play random legal moves to the end, each heard by both."""
    rng = random.Random(seed)
    while not state["over"]:
        player = state["view"]["player"]
        legal = [cell["label"] for cell in state["view"]["cells"] if cell.get("legal")]
        seats[player].move(state["ply"], rng.choice(legal), state["undone"], id=state["ply"])
        states = [seat.hear("state") for seat in set(seats.values())]
        assert [one.pop("ack", None) for one in states].count(state["ply"]) == 1
        assert all(one == states[0] for one in states)
        state = states[0]
    return state


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_between_two_people_is_what_the_rules_say(server: Server, game: str) -> None:
    id, one, two = server.friends(game, name="Ada")
    with server.sit(id, one) as ada, server.sit(id, two) as bea, server.sit(id) as watcher:
        assert [seat.table["seat"] for seat in (ada, bea, watcher)] == [[1], [2], []]
        assert ada.table["players"]["2"] == {"name": "Bea", "who": "human", "joined": True}
        end = play_on({1: ada, 2: bea}, ada.table["state"])
        while not (seen := watcher.hear("state"))["over"]:
            pass
        assert seen == end
    match = Match(start(GAMES[game]))
    for player, label in end["view"]["history"]:
        assert match.position.player == player
        match.play(read_move(match.position, label))
    assert match.outcome and end["result"] == match.outcome._asdict()
    assert end["ply"] == match.ply
    with Store(server.database) as store:
        assert store.load(id).moves == match.moves
    assert server.table(id)["state"] == {name: it for name, it in end.items() if name != "type"}


def test_a_repeated_move_is_answered_and_not_played_twice(server: Server) -> None:
    id, one, two = server.friends()
    with server.sit(id, one) as ada, server.sit(id, two) as bea:
        for _ in range(3):
            ada.move(0, "2 2", id="again")
        first, *others = [ada.hear("state") for _ in range(3)]
        assert first["ply"] == 1 and all(other == first for other in others) and first["ack"] == "again"
        assert bea.hear("state")["ply"] == 1
        ada.move(0, "1 1", id=5)
        assert ada.hear("error") == {"type": "error", "error": "A different move was already played.", "id": 5}
        ada.move(1, "1 1")
        assert ada.hear("error")["error"] == "It is Player 2's turn."
        bea.move(4, "1 1")
        assert "Moves played so far: 1, not 4" in bea.hear("error")["error"]
        bea.move(1, "2 3")
        assert "next to an opponent" in bea.hear("error")["error"]
        bea.move(1, "9 9")
        assert "No such cell" in bea.hear("error")["error"]
    moves = [server.post(id, "moves", one, ply=0, undone=0, move="2 2") for _ in range(2)]
    assert [answer.status_code for answer in moves] == [200, 200] and moves[0].json()["ply"] == 1


def test_two_tabs_agree_and_one_that_was_away_catches_up(server: Server) -> None:
    id, one, two = server.friends("isolation")
    with server.sit(id, one) as tab, server.sit(id, one) as other, server.sit(id, two) as bea:
        tab.move(0, "7")
        assert tab.hear("state") == other.hear("state") == bea.hear("state")
        other.socket.close()
        bea.move(1, "4")
        assert bea.hear("state")["ply"] == 2
    with server.sit(id, one) as back:
        assert back.table["seat"] == [1] and back.table["state"]["view"]["history"] == [[1, "7"], [2, "4"]]
        back.move(2, "10")
        assert back.hear("state")["ply"] == 3


def test_a_seat_needs_its_token(server: Server, tmp_path: Path) -> None:
    id, one, two = server.friends()
    for token, status in ((two, 409), ("x" * 32, 403), (one + "x", 403)):
        assert server.post(id, "moves", token, ply=0, undone=0, move="2 2").status_code == status
    assert server.http.post(f"/api/matches/{id}/moves", json={"ply": 0, "undone": 0, "move": "2 2"}).status_code == 401
    with server.sit(id) as watcher, server.sit(id, "guess") as guesser:
        for visitor in (watcher, guesser):
            visitor.move(0, "2 2")
            assert "Only the players" in visitor.hear("error")["error"]
            for kind in ("undo", "rematch"):
                visitor.say(type=kind, answer="offer")
                assert "Only the players" in visitor.hear("error")["error"]
            visitor.say(type="resign")
            assert "Only the players" in visitor.hear("error")["error"]
    seen = json.dumps([server.table(id), server.table(id, one), server.table(id, two)])
    assert one not in seen and two not in seen and "token" not in seen
    assert server.table(id)["state"]["ply"] == 0
    path = server.database.removeprefix("sqlite:///")
    connection = sqlite3.connect(path)
    dump = "\n".join(connection.iterdump())
    connection.close()
    assert id in dump and one not in dump and two not in dump


def test_of_many_who_join_at_once_one_gets_the_seat(server: Server) -> None:
    for _ in range(5):
        id = server.begin(name="Ada")["id"]
        address = f"/api/matches/{id}/join"
        with ThreadPoolExecutor(8) as crowd:
            waiting = [crowd.submit(server.http.post, address, json={"name": f"P{number}"}) for number in range(8)]
        joins = [one.result() for one in waiting]
        assert sorted(join.status_code for join in joins) == [200] + [409] * 7
        [lucky] = [number for number, join in enumerate(joins) if join.status_code == 200]
        assert server.table(id)["players"]["2"]["name"] == f"P{lucky}"
        assert server.table(id, joins[lucky].json()["token"])["seat"] == [2]
    taken = server.begin(take=[1, 2])["id"]
    assert (
        "All seats at this table are taken" in server.http.post(f"/api/matches/{taken}/join", json={}).json()["error"]
    )
    free = server.begin(take=[])["id"]
    assert server.http.post(f"/api/matches/{free}/join", json={"seat": 2}).json()["seat"] == 2
    assert server.http.post(f"/api/matches/{free}/join", json={"seat": 2}).status_code == 409
    assert server.http.post(f"/api/matches/{free}/join", json={}).json()["seat"] == 1


def test_everybody_is_told_who_joined(server: Server) -> None:
    begun = server.begin(name="Ada")
    with server.sit(begun["id"], begun["tokens"]["1"]) as ada:
        assert ada.table["players"]["2"]["joined"] is False
        server.http.post(f"/api/matches/{begun['id']}/join", json={"name": "<b>Bea</b>\n"})
        heard = ada.hear("state")
        assert heard["players"]["2"] == {"name": "<b>Bea</b>", "who": "human", "joined": True}
        assert heard["view"]["names"] == ["Ada", "<b>Bea</b>"]


def test_an_undo_needs_the_other_player(server: Server) -> None:
    id, one, two = server.friends("isolation")
    with server.sit(id, one) as ada, server.sit(id, two) as bea:
        ada.say(type="undo", answer="offer")
        assert "no move to undo" in ada.hear("error")["error"]
        for ply, (seat, text) in enumerate([(ada, "7"), (bea, "4"), (ada, "10")]):
            seat.move(ply, text)
            ada.hear("state"), bea.hear("state")
        ada.say(type="undo", answer="accept")
        assert "no longer open" in ada.hear("error")["error"]
        ada.say(type="undo", answer="offer")
        assert ada.hear("state")["offer"] == {"kind": "undo", "by": 1} == bea.hear("state")["offer"]
        ada.say(type="undo", answer="accept")
        assert "no longer open" in ada.hear("error")["error"]
        bea.say(type="undo", answer="decline")
        assert ada.hear("state")["offer"] is None is bea.hear("state")["offer"]
        bea.say(type="undo", answer="offer")
        bea.hear("state"), ada.hear("state")
        ada.say(type="undo", answer="accept", id="yes")
        state = ada.hear("state")
        assert (state["ply"], state["undone"], state["offer"], state["ack"]) == (1, 1, None, "yes")
        assert state["view"]["player"] == 2 and bea.hear("state")["ply"] == 1
        bea.move(1, "4", undone=0)
        assert "undone" in bea.hear("error")["error"]
        bea.move(1, "2", undone=1)
        assert bea.hear("state")["view"]["history"] == [[1, "7"], [2, "2"]]
        bea.say(type="undo", answer="offer")
        bea.hear("state")
    with Store(server.database) as store:
        assert [store.load(id).position.label(move) for move in store.load(id).moves] == ["7", "2"]


def test_a_player_with_both_seats_needs_no_agreement(server: Server) -> None:
    begun = server.begin("isolation", take=[1, 2], name="Ada")
    assert len(set(begun["tokens"].values())) == 1
    with server.sit(begun["id"], begun["tokens"]["1"]) as ada:
        assert ada.table["seat"] == [1, 2]
        for ply, text in enumerate(["7", "4", "10"]):
            ada.move(ply, text)
            ada.hear("state")
        ada.say(type="undo", answer="offer")
        state = ada.hear("state")
        assert state["ply"] == 2 and state["undone"] == 1
        end = play_on({1: ada, 2: ada}, state)
        ada.say(type="undo", answer="offer")
        assert ada.hear("error")["error"] == "The game is over."
        ada.move(end["ply"], "1", undone=1)
        assert "error" in ada.hear("error")
        ada.say(type="rematch", answer="offer")
        assert ada.hear("state")["over"]
        again = ada.hear("rematch")["id"]
    new = server.table(again, begun["tokens"]["1"])
    assert new["seat"] == [1, 2] and new["state"]["view"]["player"] == 2 and new["state"]["ply"] == 0
    assert server.table(begun["id"])["rematch"] == again


def test_the_same_undo_again_takes_back_once(server: Server) -> None:
    begun = server.begin("isolation", take=[1, 2])
    id, token = begun["id"], begun["tokens"]["1"]
    with server.sit(id, token) as ada:
        for ply, text in enumerate(["7", "4", "10"]):
            ada.move(ply, text)
            ada.hear("state")
        for _ in range(2):
            ada.say(type="undo", answer="offer", ply=3, undone=0, id="u")
        states = [ada.hear("state") for _ in range(2)]
        assert [(state["ply"], state["undone"], state["ack"]) for state in states] == [(2, 1, "u")] * 2
        assert server.post(id, "undo", token, answer="offer", ply=3, undone=0).json()["ply"] == 2
        assert server.post(id, "undo", token, answer="offer", ply=2, undone=1).json()["ply"] == 1
    with server.sit(id) as watcher:
        watcher.say(type="undo", answer="offer", ply=9, undone=9)
        assert "Only the players" in watcher.hear("error")["error"]


def test_two_tokens_in_one_browser_need_no_agreement(server: Server) -> None:
    id, one, two = server.friends("isolation")
    with server.sit(id, one, two) as both:
        assert both.table["seat"] == [1, 2]
        both.move(0, "7")
        both.hear("state")
        both.say(type="undo", answer="offer")
        assert (both.hear("state")["ply"], both.table["seat"]) == (0, [1, 2])
        both.say(type="resign")
        both.hear("state")
        both.say(type="rematch", answer="offer")
        both.hear_until("rematch")


def test_a_rematch_when_both_want_it(server: Server) -> None:
    id, one, two = server.friends("isolation", clock={"seconds": 100, "increment": 2})
    with server.sit(id, one) as ada, server.sit(id, two) as bea:
        ada.say(type="rematch", answer="offer")
        assert "not over" in ada.hear("error")["error"]
        bea.say(type="resign")
        assert ada.hear("state")["result"] == {"winner": 1, "reason": "Player 2 resigned", "kind": "resigned"}
        bea.hear("state")
        ada.say(type="rematch", answer="offer")
        assert bea.hear("state")["offer"] == {"kind": "rematch", "by": 1}
        ada.hear("state")
        bea.say(type="rematch", answer="accept")
        again = ada.hear_until("rematch")["id"]
        assert bea.hear_until("rematch")["id"] == again
        assert server.post(id, "rematch", two, answer="offer").status_code == 200
    assert (server.table(again, one)["seat"], server.table(again, two)["seat"]) == ([1], [2])
    assert server.table(again)["clock"] == {"seconds": 100, "increment": 2}
    with server.sit(again, two) as bea:
        bea.move(0, "7")
        assert bea.hear("state")["view"]["history"] == [[2, "7"]]


@pytest.mark.parametrize("who", ["random", "greedy", "level:3", "mcts:50", "perfect"])
def test_engines_answer(server: Server, who: str) -> None:
    begun = server.begin("isolation", seats={"1": who, "2": "human"}, take=[2])
    with server.sit(begun["id"], begun["tokens"]["2"]) as me:
        state = me.table["state"]
        while not state["over"]:
            if state["view"]["player"] == 2:
                assert not state["thinking"]
                legal = [cell["label"] for cell in state["view"]["cells"] if cell.get("legal")]
                me.move(state["ply"], legal[0])
            else:
                assert state["thinking"]
            state = me.hear("state")
        me.say(type="rematch", answer="offer")
        again = me.hear_until("rematch")["id"]
    assert server.table(again, begun["tokens"]["2"])["seat"] == [2]


def test_undo_against_an_engine_gives_the_turn_back(server: Server) -> None:
    begun = server.begin("isolation", seats={"1": "human", "2": "random"})
    with server.sit(begun["id"], begun["tokens"]["1"]) as me:
        me.move(0, "7")
        me.hear_until("state", ply=2)
        me.say(type="undo", answer="offer")
        state = me.hear("state")
        assert (state["ply"], state["undone"], state["view"]["player"]) == (0, 1, 1)


def test_a_clock_runs_out_though_nobody_is_there(server: Server) -> None:
    id, one, two = server.friends("isolation", clock={"seconds": 1, "increment": 0})
    with server.sit(id, one) as ada:
        assert ada.table["state"]["clock"] == {"1": 1000, "2": 1000, "running": None}
        ada.move(0, "7")
        state = ada.hear("state")
        assert state["clock"]["running"] == 2 and 0 < state["clock"]["2"] <= 1000
        end = ada.hear("state")
        reason = "Player 2 forfeits: ran out of time"
        assert end["over"] and end["result"] == {"winner": 1, "reason": reason, "kind": "forfeit"}
    assert server.post(id, "moves", two, ply=1, undone=0, move="4").json() == {"error": "The game is over."}
    away, one, two = server.friends("isolation", clock={"seconds": 1, "increment": 0})
    assert server.post(away, "moves", one, ply=0, undone=0, move="7").status_code == 200
    with server.sit(away) as watcher:
        state = watcher.table["state"]
        if not state["over"]:
            state = watcher.hear("state")
    assert state["result"]["reason"] == "Player 2 forfeits: ran out of time"


def test_clocks_are_counted_by_the_server(server: Server) -> None:
    id, one, two = server.friends("isolation", clock={"seconds": 60, "increment": 59})
    with server.sit(id, one) as ada, server.sit(id, two) as bea:
        ada.move(0, "7")
        assert bea.hear("state")["clock"]["1"] == 119_000
        bea.move(1, "4")
        face = bea.hear("state")["clock"]
        assert 60_000 < face["2"] <= 119_000 and face["running"] == 1
        with Store(server.database) as store, store.transaction() as connection:
            stored = connection.exec_driver_sql(f"SELECT clock FROM moves WHERE match = '{id}' ORDER BY ply").scalars()
            assert list(stored) == [119_000, face["2"]]


def test_a_killed_server_comes_back_in_the_middle_of_games(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db", "--no-limits")
    id, one, two = server.friends("isolation")
    timed, early, late = server.friends("isolation", clock={"seconds": 2, "increment": 0})
    versus = server.begin("isolation", seats={"1": "human", "2": "perfect"})
    with server.sit(id, one) as ada, server.sit(versus["id"], versus["tokens"]["1"]) as me:
        ada.move(0, "7")
        ada.hear("state")
        assert server.post(timed, "moves", early, ply=0, undone=0, move="7").status_code == 200
        me.move(0, "7")
        me.hear("state")  # The move is stored, and the engine begins to think.
        server.kill()
    server.start()
    with server.sit(id, two) as bea:
        assert bea.table["state"]["ply"] == 1
        bea.move(1, "4")
        assert bea.hear("state")["ply"] == 2
    with server.sit(versus["id"], versus["tokens"]["1"]) as me:
        state = me.table["state"]
        assert state["ply"] >= 1
        if state["ply"] == 1:
            assert me.hear("state")["ply"] == 2
    with server.sit(timed, late) as bea:
        state = bea.table["state"]
        if not state["over"]:
            state = bea.hear("state")
        assert state["result"]["reason"] == "Player 2 forfeits: ran out of time"
    assert server.stop() == ""


def test_another_program_at_the_same_match_is_noticed(server: Server) -> None:
    id, one, two = server.friends("isolation")
    with server.sit(id, one) as ada, server.sit(id, two) as bea:
        ada.move(0, "7")
        assert ada.hear("state")["ply"] == bea.hear("state")["ply"] == 1
        with Store(server.database) as store:
            store.append(id, 1, read_moves(store.load(id).position, "4")[0])
        bea.move(1, "2", id="late")
        assert bea.hear("state")["view"]["history"] == [[1, "7"], [2, "4"]]
        assert bea.hear("error")["error"] == "A different move was already played."
        ada.hear("state")
        ada.move(2, "10")
        assert ada.hear("state")["ply"] == 3


def test_what_another_program_plays_is_seen_at_the_table(server: Server) -> None:
    id, _, two = server.friends("isolation")
    with server.sit(id, two) as bea, Store(server.database) as store:
        store.append(id, 0, read_moves(store.load(id).position, "7")[0])
        assert bea.hear("state")["ply"] == 1


def test_a_client_that_has_seen_more_is_believed(server: Server) -> None:
    """It may have seen that at another process, whose notification has not come yet."""
    id, one, _ = server.friends("isolation")
    with server.sit(id, one) as ada, Store(server.database) as store:
        for ply, label in enumerate(["7", "4"]):
            store.append(id, ply, read_moves(store.load(id).position, label)[0])
        ada.move(2, "10", id="ahead")
        assert ada.hear_until("state", ack="ahead")["ply"] == 3
        store.truncate(id, 2)
        ada.move(2, "9", undone=1, id="again")
        assert ada.hear_until("state", ack="again")["view"]["history"] == [[1, "7"], [2, "4"], [1, "9"]]
        store.truncate(id, 2)
        answer = server.post(id, "undo", one, answer="offer", ply=2, undone=2)
        assert answer.json()["offer"] == {"kind": "undo", "by": 1}


def test_a_seat_taken_at_another_process_is_recognized(server: Server) -> None:
    other = Server(server.database, "--no-limits")
    ids = [other.begin("isolation")["id"] for _ in range(2)]
    with server.sit(ids[0]), server.sit(ids[1]):  # Both tables are open here, each with a free seat.
        tokens = [other.http.post(f"/api/matches/{id}/join", json={}).json()["token"] for id in ids]
        with server.sit(ids[0], tokens[0]) as bea:
            assert bea.table["seat"] == [2]
        assert server.post(ids[1], "resign", tokens[1]).status_code == 200
    assert other.stop() == ""


def test_an_invalid_message_is_answered_by_an_error(server: Server) -> None:
    id, one, two = server.friends()
    rng = random.Random(11)
    good: list[dict[str, Any]] = [
        {"type": "move", "ply": 0, "undone": 0, "move": "2 2"},
        {"type": "hello", "tokens": [one]},
        {"type": "undo", "answer": "offer"},
        {"type": "resign"},
    ]
    good += [{**message, "id": 7} for message in good if message["type"] != "hello"]

    def malformed() -> str | bytes:
        kind = rng.randrange(7)
        if kind == 6:
            return b'{"type":"resign","id":"' + rng.choice([b"\xff", b"\xc3(", b"\0", b"\n"]) + b'"}'
        if kind == 0:
            return rng.randbytes(rng.randrange(1, 200))
        if kind == 1:
            return "".join(chr(rng.choice([rng.randrange(32, 127), rng.randrange(0x80, 0xD000)])) for _ in range(40))
        text = json.dumps(rng.choice(good))
        if kind == 2:
            return text[: rng.randrange(1, len(text) - 1)]
        if kind == 3:
            return "[" * rng.randrange(1, 2000) + text
        message = dict(rng.choice(good))
        name = rng.choice(list(message))
        message[name] = rng.choice([None, -1, 10**30, 1.5, "", "x" * 5000, [], {}, [[]], "\0", "💥" * 30, True])
        if kind == 5:
            message["extra"] = rng.random()
        return json.dumps(message)

    def refused(message: str | bytes) -> bool:
        try:
            found = json.loads(message)
        except (ValueError, RecursionError):
            return True
        if isinstance(found, dict):
            found.pop("id", None)  # It may be anything.
        return found not in good and found != {"type": "hello", "tokens": []}

    sent = [message for message in (malformed() for _ in range(2_100)) if refused(message)][:2_000]
    assert len(sent) == 2_000
    with server.sit(id, one) as ada:
        for i in range(0, len(sent), 50):
            for message in sent[i : i + 50]:
                ada.socket.send(message)
            for _ in range(50):
                answer = ada.hear()
                assert answer["type"] == "error" and answer["error"] and "\n" not in answer["error"]
        for wrong in ("", "a\0b", "../x", "x" * 21):
            ada.say(type="hello", tokens=[one], match=wrong)
            assert "match" in ada.hear("error")["error"]
        assert server.table(id)["state"]["ply"] == 0
        ada.move(0, "2 2")
        assert ada.hear("state")["ply"] == 1
    with server.sit(id, two) as bea:
        bea.socket.send("x" * 70_000)
        with pytest.raises(Exception, match="1009"):
            bea.hear()


def test_pages_of_other_sites_cannot_open_a_socket(server: Server) -> None:
    id = server.begin()["id"]
    url = f"ws://{server.host}/api/matches/{id}/live"
    with connect(url, origin=Origin(f"http://{server.host}")):
        pass
    for other in ("http://elsewhere.example", "http://[::1"):
        with pytest.raises(InvalidStatus, match="403"), connect(url, origin=Origin(other)):
            pass


def test_a_socket_to_no_match_is_closed(server: Server) -> None:
    with connect(f"ws://{server.host}/api/matches/nobody/live") as socket:
        assert json.loads(socket.recv(timeout=WAIT))["error"] == "Match not found."
        with pytest.raises(Exception, match="4404"):
            socket.recv(timeout=WAIT)


def test_a_slow_reader_delays_nobody_and_gets_the_newest_state(server: Server) -> None:
    begun = server.begin("adjacent-claim", size="20x20", take=[1, 2])  # More is sent than any system buffers.
    id, token = begun["id"], begun["tokens"]["1"]
    host, _, port = server.host.partition(":")
    with socket.socket() as sleeper, server.sit(id, token) as ada:
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.settimeout(WAIT)
        sleeper.connect((host, int(port)))
        protocol = ClientProtocol(parse_uri(f"ws://{server.host}/api/matches/{id}/live"))
        protocol.send_request(protocol.connect())
        sleeper.sendall(b"".join(protocol.data_to_send()))
        while protocol.state is not State.OPEN:
            protocol.receive_data(sleeper.recv(4096))
            protocol.events_received()
        protocol.send_text(b'{"type":"hello","tokens":[]}')
        sleeper.sendall(b"".join(protocol.data_to_send()))
        end = play_on({1: ada, 2: ada}, ada.table["state"])  # Meanwhile it reads nothing.
        heard: list[dict[str, Any]] = []

        def read(frame: Frame) -> dict[str, Any]:
            said = json.loads(bytes(frame.data))
            return {"type": "state", **said["state"]} if said["type"] == "table" else dict(said)

        while not heard or heard[-1].get("over") is not True:
            protocol.receive_data(sleeper.recv(65_536))
            frames = [one for one in protocol.events_received() if isinstance(one, Frame)]
            heard += [read(frame) for frame in frames if frame.opcode == Opcode.TEXT]
        assert heard[-1] == end and len(heard) < end["ply"]


def test_a_store_that_is_locked_loses_no_move_and_no_turn(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db?timeout=0.1", "--no-limits")
    begun = server.begin("isolation", seats={"1": "human", "2": "random"})
    with server.sit(begun["id"], begun["tokens"]["1"]) as me:
        holder = sqlite3.connect(tmp_path / "quintet.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        me.move(0, "7", id=1)
        assert me.hear("error") == {
            "type": "error",
            "error": "The database is not responding; nothing was changed.",
            "id": 1,
            "retry": True,
        }
        assert server.table(begun["id"])["state"]["ply"] == 0
        holder.execute("COMMIT")
        me.move(0, "7", id=2)
        assert me.hear("state")["ack"] == 2
        assert me.hear("state")["ply"] == 2
        holder.close()
    assert server.stop().count("is locked by another program") == 1


def test_too_many_messages_and_sockets(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    id = server.begin()["id"]
    with server.sit(id) as watcher:
        for _ in range(1_500):
            watcher.say(type="ping")
        heard = [watcher.hear()]
        while heard[-1] == {"type": "pong"}:
            heard.append(watcher.hear())
        assert 100 < len(heard) < 500 and heard[-1] == {"type": "error", "error": "Too many messages; slow down."}
        with pytest.raises(Exception, match="1008"):
            watcher.hear()
    url = f"ws://{server.host}/api/matches/{id}/live"
    with ExitStack() as stack:
        for _ in range(64):
            stack.enter_context(connect(url))
        with pytest.raises(InvalidStatus, match="403"):
            stack.enter_context(connect(url))
    assert server.stop() == ""


def test_reconnecting_counts_towards_the_limit(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    url = f"ws://{server.host}/api/matches/{server.begin()['id']}/live"

    def come_and_go() -> None:
        for _ in range(5_000):  # One after the other, never many at once.
            with connect(url):
                pass

    with pytest.raises(InvalidStatus, match="403"):
        come_and_go()
    assert server.stop() == ""
