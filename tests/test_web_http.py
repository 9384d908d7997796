"""The service over HTTP: every route, what it says no to, and what it keeps to itself."""

import json
import os
import re
import subprocess
import sys
from collections import Counter, OrderedDict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import hypothesis
import msgspec
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.sync.client import connect

from quintet.arena.standings import Rung, ladder_table
from quintet.games import GAMES
from quintet.lesson import describe_lesson
from quintet.match import Match
from quintet.notation import read_position, write_moves
from quintet.options import start
from quintet.record import read_record, write_record
from quintet.store.matches import Store
from quintet.store.rows import ALPHABET
from quintet.study.puzzles import today
from quintet.web import limits
from quintet.web.limits import Rate, RateLimiter
from serving import WAIT, Server

POSITION = "isolation ...X..O...... X"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('web')}/quintet.db", "--no-limits")
    yield server
    assert server.stop() == ""


def get(server: Server, path: str, status: int = 200, **options: Any) -> Any:
    answer = server.http.get(path, params=options)
    assert answer.status_code == status, answer.text
    if status >= 400:
        assert list(answer.json()) == ["error"] and "\n" not in answer.json()["error"]
    return answer.json()


def test_games_rules_and_engines(server: Server) -> None:
    games = get(server, "/api/games")
    assert [game["name"] for game in games] == list(GAMES)
    for game in games:
        assert ("target" in game["options"]) == (game["target"] is not None)
        page = get(server, f"/api/games/{game['name']}/rules")
        assert page["title"] == GAMES[game["name"]].title and "<strong>Goal.</strong>" in page["html"]
        assert get(server, f"/api/games/{game['title']}/rules") == page
        assert game["lesson"] == bool(GAMES[game["name"]].lesson)
        lesson = describe_lesson(GAMES[game["name"]])
        assert get(server, f"/api/lessons/{game['name']}") == json.loads(msgspec.json.encode(lesson))
    whos = [engine["who"] for engine in get(server, "/api/engines")]
    assert "perfect" in whos and "level:10" in whos and not any(who.startswith("exec") for who in whos)
    get(server, "/api/games/chess/rules", 404)
    get(server, "/api/lessons/chess", 404)
    assert get(server, "/api/health") == {"status": "ok"}


def test_positions_and_analysis(server: Server) -> None:
    found = get(server, "/api/position", game="isolation", moves="7; 4")
    assert found["text"] == "isolation ...O..X...... X" and found["legal"] == ["1", "2", "9", "10", "11", "12", "13"]
    assert found["view"]["history"] == [[1, "7"], [2, "4"]]
    analysis = get(server, "/api/analysis", game="isolation", moves="7; 4")
    command = [sys.executable, "-m", "quintet", "analyze", "isolation", "--moves", "7; 4"]
    said = json.loads(subprocess.run([*command, "--json"], capture_output=True, check=True).stdout)
    assert {name: analysis[name] for name in said} == said
    assert analysis["complete"] and analysis["explanation"]
    assert set(analysis["values"]) == {move["move"] for move in said["moves"]}
    assert [label for label, value in analysis["values"].items() if value["best"]] == [
        move["move"] for move in said["moves"] if move["best"]
    ]
    begun = get(server, "/api/position", game="gridlock", position="gridlock X../..O O", moves="1 3")
    assert begun["text"] == "gridlock X.O/..O X" and begun["view"]["start"] == "gridlock X../..O O"
    assert found["view"]["start"] == "" and get(server, "/api/position", game="gridlock", first=2)["view"]["start"]
    effects = get(server, "/api/effects", game="isolation", moves="7; 4")
    assert effects["claims"]["10"] == {"scores": [2, 1], "closed_mover": "500", "closed_opponent": "500"}
    assert effects["refused"]["8"] == {"why": "That square is next to a claimed square.", "by": "40"}
    big = get(server, "/api/analysis", game="adjacent-claim", size="20x20")
    assert not big["complete"] and big["value"]["outcome"] is None
    quick = get(server, "/api/analysis", game="gridlock", size="7x7", quick="true")
    assert quick["values"]["4 4"]["text"] == "W" and "D4 is proved to win." in quick["explanation"]
    assert not quick["complete"] and quick["known"] == "limits"
    over = get(server, "/api/analysis", game="isolation", size="1", moves="1")
    assert over["over"] and over["values"] == {}
    for wrong in (
        {"game": "chess"},
        {"game": "isolation", "size": "900"},
        {"game": "isolation", "moves": "7; 8"},
        {"game": "isolation", "target": 3},
        {"game": "isolation", "first": 3},
        {"game": "point-capture", "values": "1,2"},
        {"game": "point-capture", "target": "many"},
        {"game": "isolation", "position": "gridlock X../..O X"},
        {"game": "gridlock", "position": "gridlock X../..O X", "size": "2x3"},
        {"game": "gridlock", "position": "gridlock X../..O X", "first": 2},
        {"game": "gridlock", "position": "gridlock X../..O"},
        {},
    ):
        get(server, "/api/analysis", 422, **wrong)
        get(server, "/api/position", 422, **wrong)


def test_puzzles(server: Server) -> None:
    daily = get(server, "/api/puzzles/daily", day="2026-11-15")
    now = datetime.fromisoformat(daily.pop("now"))
    again = get(server, "/api/puzzles/daily", day="2026-11-15")
    assert now < datetime.fromisoformat(again.pop("now")) < datetime.now(UTC) and daily == again
    assert daily["view"]["cells"] and daily["number"] == 319 and daily["tries"] == 3
    assert daily["day"] == "2026-11-15" and daily["origin"] == "of 2026-11-15 (UTC)"
    before, found, after = today(), get(server, "/api/puzzles/daily")["day"], today()
    assert before.isoformat() <= found <= after.isoformat()
    made = get(server, "/api/puzzles/isolation", seed=5, rating=3)
    position = read_position(made["position"])
    answers = {
        label: server.http.post("/api/puzzles/judge", json={"position": made["position"], "move": label}).json()
        for label in made["moves"]
    }
    assert made["day"] is None
    assert [answer["right"] for answer in answers.values()].count(True) == 1
    assert len({answer["solution"] for answer in answers.values()}) == 1
    assert all(("solution_line" in answer) != answer["right"] for answer in answers.values())
    assert "answers" not in made and "values" not in made and position.game.name == "isolation"
    assert daily["day"] == "2026-11-15" and made["day"] is None and 1 <= made["rating"] <= made["hardest"]
    captured = {"position": "grid-conquest .../.../... X", "move": "1 1"}
    view = server.http.post("/api/puzzles/judge", json=captured).json()["view"]
    assert [cell["label"] for cell in view["cells"] if cell.get("owner")] == ["0 1", "1 0", "1 1", "1 2", "2 1"]
    for body in (
        {"position": "nonsense", "move": "1"},
        {"position": made["position"], "move": "Z"},
        {"position": POSITION, "move": "4"},
        {"move": "1"},
        {"position": "adjacent-claim " + "/".join(["." * 20] * 20) + " X", "move": "A1"},
        {"position": "gridlock " + "/".join(["." * 7] * 7) + " X", "move": "1 1"},
    ):
        assert server.http.post("/api/puzzles/judge", json=body).status_code == 422
    get(server, "/api/puzzles/chess", 404)
    get(server, "/api/puzzles/daily", 422, day="tomorrow")
    for day in (today() + timedelta(2), date(2025, 12, 31)):
        get(server, "/api/puzzles/daily", 404, day=str(day))
    assert "no puzzle" in get(server, "/api/puzzles/isolation", 404, size="2")["error"]


def test_the_ladder_is_the_one_that_was_measured(server: Server) -> None:
    ladder = get(server, "/api/ladder")
    assert ladder["command"].startswith("quintet arena --ladder") and len(ladder["rows"]) == 9
    page = (Path(__file__).parent.parent / "docs" / "ladder.md").read_text()
    assert "\n".join(ladder_table([Rung(**row) for row in ladder["rows"]])) in page and ladder["command"] in page


def test_progress_is_counted_from_what_is_sent(server: Server) -> None:
    text = '[Game "isolation"]\n[Size "5"]\n[Result "1-0"]\n\n1. 3; 1\n2. 5\n'
    over = server.http.post("/api/records", content=text, headers={"Content-Type": "text/plain"}).json()["id"]
    played = get(server, f"/api/matches/{over}/progress", player=1)
    assert played["game"] == "isolation" and played["judged"] >= played["best"]
    report = server.http.post("/api/progress", json={"games": [played, played]}).json()
    assert report["played"] == 2 and report["judged"] == 2 * played["judged"]
    assert server.http.post("/api/progress", json={}).json()["accuracy"] is None
    wrong: list[dict[str, Any]] = [{"games": [{}]}, {"games": [played] * 201}, {"puzzles": [{"game": "gridlock"}]}]
    for body in (*wrong, {"more": 1}):
        answer = server.http.post("/api/progress", json=body)
        assert answer.status_code == 422 and "\n" not in answer.json()["error"]
    begun = server.begin("gridlock")["id"]
    assert get(server, f"/api/matches/{begun}/progress", 409, player=1)["error"] == "The game is not over yet."
    get(server, f"/api/matches/{over}/progress", 422, player=3)
    get(server, "/api/matches/nothing/progress", 404, player=1)


def test_records_in_and_out(server: Server) -> None:
    text = '[Game "isolation"]\n[Player1 "Ada"]\n[Result "*"]\n\n1. 7 {so}; 4\n'
    headers = {"Content-Type": "text/plain"}
    answer = server.http.post("/api/records", content=text, headers=headers)
    assert answer.status_code == 201
    assert server.http.post("/api/records", content=text, headers=headers).json() == answer.json()
    id = answer.json()["id"]
    record = server.http.get(f"/api/matches/{id}/record")
    assert record.headers["content-type"].startswith("text/plain") and read_record(record.text) == read_record(text)
    table = server.table(id)
    assert table["seat"] == [] and table["players"]["1"] == {"name": "Ada", "who": "human", "joined": True}
    assert server.http.post(f"/api/matches/{id}/join", json={}).status_code == 409
    get(server, f"/api/matches/{id}/review", 409)
    for wrong in (
        "",
        "7; 4",
        '[Game "chess"]\n\n',
        '[Game "isolation"]\n\n1. 7; 8\n',
        "\xff",
        '[Game "isolation"]\n[A "\0"]\n\n7',
    ):
        wrong_answer = server.http.post("/api/records", content=wrong.encode("latin-1"))
        assert wrong_answer.status_code == 422 and wrong_answer.json()["error"], wrong
    assert server.http.post("/api/records", content=b"x" * 70_000).status_code == 413

    def parts() -> Iterator[bytes]:
        yield from [b"x" * 10_000] * 7

    assert server.http.post("/api/records", content=parts()).status_code == 413


def test_a_review_is_what_the_command_says(server: Server, tmp_path: Any) -> None:
    begun = server.begin("isolation", take=[1, 2], moves="7; 4; 10; 1")
    id, token = begun["id"], begun["tokens"]["1"]
    get(server, f"/api/matches/{id}/review", 409)
    assert server.post(id, "moves", token, ply=4, undone=0, move="13").json()["over"]
    review = get(server, f"/api/matches/{id}/review")
    path = tmp_path / "game.txt"
    path.write_text(server.http.get(f"/api/matches/{id}/record").text)
    command = [sys.executable, "-m", "quintet", "review", str(path), "--json"]
    said = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert json.loads(re.sub(r"#(?=\d)", "", json.dumps({name: review[name] for name in said}))) == said


def test_lists_and_codes(server: Server) -> None:
    ids = [server.begin("gridlock", size="3x3", name="Ada")["id"] for _ in range(2)]
    entries = get(server, "/api/matches", ids=",".join([*ids, "nobody"]))
    assert {entry["id"] for entry in entries} == set(ids)
    assert (
        entries[0]["title"] == "Gridlock" and entries[0]["names"] == ["Ada", "Player 2"] and entries[0]["result"] == "*"
    )
    get(server, "/api/matches", 422)
    get(server, "/api/matches", 422, ids=",".join(f"a{n}" for n in range(51)))
    picture = server.http.get(f"/api/matches/{ids[0]}/qr")
    assert picture.headers["content-type"] == "image/svg+xml" and b"<svg" in picture.content
    for path in ("", "/qr", "/record", "/review"):
        get(server, f"/api/matches/nobody{path}", 404)
    get(server, "/api/nothing", 404)
    assert server.http.put("/api/games").json() == {"error": "Method Not Allowed"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "chess"},
        {"game": "gridlock", "extra": 1},
        {"game": "gridlock", "seats": {"1": "exec:touch /tmp/x"}},
        {"game": "gridlock", "seats": {"1": "python:os:getcwd"}},
        {"game": "gridlock", "seats": {"1": "policy:os:getcwd"}},
        {"game": "gridlock", "seats": {"1": "model:mockllm/model"}},
        {"game": "gridlock", "seats": {"1": "guest:nobody"}},
        {"game": "gridlock", "seats": {"1": "mcts:999999"}},
        {"game": "gridlock", "seats": {"3": "human"}},
        {"game": "gridlock", "seats": {"1": "perfect"}, "take": [1]},
        {"game": "gridlock", "take": [3]},
        {"game": "gridlock", "name": "x" * 41},
        {"game": "gridlock", "clock": {"seconds": 0}},
        {"game": "gridlock", "clock": {"seconds": 60, "increment": -1}},
        {"game": "gridlock", "moves": "9 9"},
        {"game": "gridlock", "size": "0x0"},
        {"game": "gridlock", "first": "1"},
        [],
        None,
    ],
    ids=str,
)
def test_a_match_that_cannot_be_is_refused_in_one_line(server: Server, body: Any) -> None:
    answer = server.http.post("/api/matches", json=body)
    assert answer.status_code == 422 and "\n" not in answer.json()["error"]


def test_a_match_of_the_terminal_is_not_on_the_web(server: Server) -> None:
    with Store(server.database) as store:
        match = Match(start(GAMES["isolation"]), names=("Ada", "perfect"))
        id = store.begin(match, ("human", "exec:./bot --key SECRET"))
        match.play(match.position.moves[0])
        match.resign()
        imported = store.add(match.record())
    for private in (id, imported):
        for path in ("", "/record", "/review", "/qr"):
            get(server, f"/api/matches/{private}{path}", 404)
        assert server.http.post(f"/api/matches/{private}/join", json={}).status_code == 404
        assert get(server, "/api/matches", ids=private) == []
        with connect(f"ws://{server.host}/api/matches/{private}/live") as socket:
            assert "Match not found" in str(socket.recv(timeout=WAIT))
    online = server.http.post("/api/records", content=write_record(match.record())).json()["id"]
    assert online != imported and get(server, f"/api/matches/{online}/review")
    assert get(server, f"/api/matches/{online}")["players"]["2"] == {"name": "perfect", "who": "human", "joined": True}
    assert len(ALPHABET) ** min(len(online), len(server.begin()["id"])) > 2**64


@pytest.mark.parametrize("name", ["guest:Deep Blue", "exec:rm", "human", "perfect"])
def test_only_the_seat_of_an_engine_has_its_title(server: Server, name: str) -> None:
    begun = server.begin("isolation", name=name, seats={"1": "human", "2": "level:3"}, take=[1])
    table = server.table(begun["id"])
    assert table["players"]["1"]["name"] == name and table["state"]["view"]["status"] == f"{name}'s turn."
    assert get(server, "/api/matches", ids=begun["id"])[0]["names"] == [name, "Cleo"]
    resigned = server.post(begun["id"], "resign", begun["tokens"]["1"]).json()
    assert resigned["view"]["event"] == f"{name} resigned."


def test_a_visitor_called_perfect_is_still_a_person(server: Server) -> None:
    begun = server.begin("isolation", name="perfect")
    server.http.post(f"/api/matches/{begun['id']}/join", json={"name": "level:3"})
    players = server.table(begun["id"])["players"]
    assert [players[seat] for seat in "12"] == [
        {"name": name, "who": "human", "joined": True} for name in ("perfect", "level:3")
    ]
    assert server.table(begun["id"])["state"]["view"]["status"] == "perfect's turn."
    assert get(server, "/api/matches", ids=begun["id"])[0]["names"] == ["perfect", "level:3"]
    command = [sys.executable, "-m", "quintet", "resume", begun["id"]]
    run = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "QUINTET_DATABASE": server.database}
    )
    assert run.returncode == 1 and "is played on the web" in run.stderr
    assert server.table(begun["id"])["state"]["ply"] == 0


def test_a_request_with_a_key_can_be_sent_again(server: Server) -> None:
    one, two = "1" * 22, "2" * 22
    body = {"game": "isolation", "name": "Ada", "key": one}
    begun = server.begin(**body)
    assert server.begin(**body) == begun and begun["tokens"] == {"1": one} and one not in begun["id"]
    assert server.begin(**{**body, "key": two})["id"] != begun["id"]
    path = f"/api/matches/{begun['id']}/join"
    joins = [server.http.post(path, json={"name": "Bea", "key": two}).json() for _ in range(2)]
    assert joins == [{"seat": 2, "token": two}] * 2
    assert server.begin(**body) == begun
    refused = server.http.post(path, json={"name": "Bea", "key": "3" * 22})
    assert refused.status_code == 409 and "taken" in refused.json()["error"]
    assert [server.table(begun["id"], key)["seat"] for key in (one, two)] == [[1], [2]]
    assert server.http.post(path, json={"key": "short"}).status_code == 422
    others: list[dict[str, Any]] = [
        {"game": "gridlock"},
        {"size": "6"},
        {"moves": "4"},
        {"clock": {"seconds": 60}},
        {"take": [1, 2]},
        {"take": []},
        {"seats": {"1": "human", "2": "random"}},
    ]
    for other in others:
        again = server.http.post("/api/matches", json={**body, **other})
        assert again.status_code == 409 and again.json()["error"] == "This key was used for another match.", other
    assert server.post(begun["id"], "moves", one, ply=0, undone=0, move="7").status_code == 200
    assert server.begin(**body) == begun


def test_a_key_for_both_seats_and_for_none(server: Server) -> None:
    both: dict[str, Any] = {"game": "isolation", "take": [1, 2], "key": "b" * 22}
    assert server.begin(**both) == server.begin(**both) and set(server.begin(**both)["tokens"]) == {"1", "2"}
    none: dict[str, Any] = {"game": "isolation", "take": [], "seats": {"1": "random", "2": "random"}, "key": "n" * 22}
    assert server.begin(**none) == server.begin(**none) and server.begin(**none)["tokens"] == {}
    free = server.begin("isolation", take=[])["id"]
    joined = [
        server.http.post(f"/api/matches/{free}/join", json={"seat": seat, "key": "f" * 22}).json() for seat in (1, 2, 1)
    ]
    assert [one["seat"] for one in joined] == [1, 2, 1] and server.table(free, "f" * 22)["seat"] == [1, 2]


def test_every_answer_carries_the_guards(server: Server) -> None:
    for path in ("/", "/api/games", "/docs", "/openapi.json", "/api/nothing", "/static/nothing.js", "/match/x"):
        headers = server.http.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    page = server.http.get("/docs").text
    assert "<script" not in page and "style=" not in page and "http" not in page.replace("/openapi.json", "")
    paths = server.http.get("/openapi.json").json()["paths"]
    assert all(f" {path}</code>" in page for path in paths)
    assert "Documentation" not in server.http.get("/").text, "nobody has said where it is"
    assert server.http.get("/static/..%2fapp.py").status_code == 404
    assert server.http.get("/favicon.ico").text == server.http.get("/static/icon.svg").text
    script = server.http.get("/static/js/board.js")
    assert "//" not in script.text.partition("export class")[0] and "javascript" in script.headers["content-type"]
    same = server.http.get("/static/js/board.js", headers={"if-none-match": script.headers["etag"]})
    assert same.status_code == 304 and not same.content


def test_what_can_be_got_can_be_asked_about(server: Server) -> None:
    for path in ("/", "/api/games", "/docs", "/static/icon.svg", "/favicon.ico", "/api/nothing"):
        head, whole = server.http.head(path), server.http.get(path)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["content-length"] == whole.headers["content-length"]
    assert server.http.head("/api/records").status_code == 405


def test_limits_hold_and_say_so(tmp_path: Any) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    # However slow the machine is, it answers more than the one request per second that is allowed.
    answers = [server.http.post("/api/matches", json={}) for _ in range(200)]
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) == {422, 429} and statuses.index(429) >= 60
    assert answers[statuses.index(429)].json() == {"error": "Too many requests; wait a moment."}
    assert server.http.get("/api/health").status_code == 200
    assert server.stop() == ""


def test_a_rematch_is_a_new_match(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    begun = server.begin("isolation", size="1", take=[1, 2])
    id, token, made, refusal = begun["id"], begun["tokens"]["1"], 0, ""
    with server.sit(id, token) as seat:
        while not refusal and made < 200:
            seat.move(0, "1")
            seat.hear_until("state", over=True)
            seat.say(type="rematch", answer="offer")
            while True:
                answer = seat.hear()
                if answer["type"] == "rematch":
                    id, made = answer["id"], made + 1
                    seat.say(type="hello", tokens=[token], match=id)
                    seat.hear_until("table", id=id)
                    break
                if answer["type"] == "error":
                    refusal = answer["error"]
                    break
    assert refusal == "Too many new matches; wait a moment."
    assert made >= 59, "a burst of 60, the match before it included, and then one per second"
    statuses = [server.post(id, "rematch", token, answer="offer").status_code for _ in range(10)]
    statuses += [server.http.post("/api/matches", json={}).status_code for _ in range(10)]
    assert statuses.count(429) >= 10, "all ways to a new match share one limit"
    assert server.stop() == ""


def test_a_rate_limit_is_a_burst_and_then_so_many_per_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now[0]))
    limiter = RateLimiter(Rate(2, 5))
    assert [limiter.allow("a") for _ in range(7)] == [True] * 5 + [False] * 2
    assert limiter.allow("b")
    now[0] += 1
    assert [limiter.allow("a") for _ in range(3)] == [True, True, False]
    monkeypatch.setattr(limits, "REMEMBERED", 1)
    now[0] += 2.4
    assert limiter.allow("c") and "b" not in limiter.buckets and "a" in limiter.buckets


def test_a_rate_limit_for_very_many_addresses_takes_little_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    now, looks = [0.0], Counter[str]()
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(limits, "REMEMBERED", 10)
    monkeypatch.setattr(limits, "MAX_REMEMBERED", 20)

    class Buckets(OrderedDict[str, limits.Bucket]):
        def items(self) -> Any:
            looks["sweeps"] += 1
            return super().items()

    limiter = RateLimiter(Rate(1, 100))
    limiter.buckets = Buckets()
    for number in range(1_000):
        now[0] += 0.002
        limiter.allow("often")
        assert limiter.allow(str(number))
    assert looks["sweeps"] <= 2 and len(limiter.buckets) <= 20 and limiter.buckets["often"].left < 1


# Everything the description allows, and much it does not.

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
GETS = ("/api/matches/{id}", "/api/matches/{id}/record", "/api/matches/{id}/qr", "/api/matches/{id}/review")
EXAMPLES = 12
"""Requests of each kind to each route."""
LONGEST_QUERY = 12_000
"""Longer addresses are refused by the HTTP parser itself, before any route is found."""


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: mode.value)
def test_whatever_is_asked_the_answer_is_as_described(server: Server, mode: schemathesis.GenerationMode) -> None:
    asked = server.http.get("/openapi.json").json()
    begun, over = server.begin("isolation", take=[1, 2]), server.begin("isolation", size="1", moves="1", take=[1])
    for routes in asked["paths"].values():
        for route in routes.values():
            for parameter in route.get("parameters", []):
                if (parameter["in"], parameter["name"]) == ("path", "id"):
                    parameter["schema"] = {"enum": [begun["id"], over["id"], "nobody"]}  # Matches that there are, too.
    description = schemathesis.openapi.from_dict(asked)
    description.config.update(base_url=f"http://{server.host}")
    headers = {"Authorization": f"Bearer {begun['tokens']['1']}"}
    found: Counter[str] = Counter()
    operations = [result.ok() for result in description.get_all_operations() if isinstance(result, Ok)]
    assert len(operations) > 15
    for operation in operations:

        @hypothesis.settings(max_examples=EXAMPLES, suppress_health_check=list(hypothesis.HealthCheck))
        @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
        def check(case: Any) -> None:
            hypothesis.assume(len(urlencode(case.query or {}, doseq=True)) <= LONGEST_QUERY)
            answer = case.call_and_validate(checks=CHECKS, headers=headers, timeout=WAIT)
            found[case.operation.path] += answer.status_code < 300

        try:
            check()
        except hypothesis.errors.Unsatisfiable:
            assert mode == schemathesis.GenerationMode.NEGATIVE  # Nothing can be wrong about a route without options.
    if mode == schemathesis.GenerationMode.POSITIVE:
        assert all(found[path] for path in GETS)


def test_a_request_with_a_long_game_counts_more_than_once(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    match = Match(start(GAMES["adjacent-claim"], size="20x20"))
    while not match.outcome:
        match.play(match.position.moves[0])
    long = {"game": "adjacent-claim", "size": "20x20", "moves": write_moves(match.positions[0], match.moves)}
    statuses = [server.http.get("/api/position", params=long).status_code for _ in range(30)]
    assert statuses[0] == 200 and statuses.count(200) < 15 and set(statuses) == {200, 429}
    assert server.stop() == ""
