"""The service without a server: the same answers by the same functions, nothing that a browser lacks; and the build."""

import io
import json
import random
import re
import subprocess
import sys
import zipfile
from base64 import b64decode
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from boards import every_game
from browsing import service as service
from commands import quintet
from quintet.games import GAMES
from quintet.language import LANGUAGES
from quintet.match import Match
from quintet.options import start
from quintet.record import write_record
from quintet.rules import Game
from quintet.site import build, pyodide, routes
from quintet.site import service as local
from quintet.site.pyodide import NoPyodide, Pyodide
from quintet.store import timekeeper
from serving import Server

KEY = "a-key-of-the-browser"
TOKENS = [KEY]


def make_wheel() -> bytes:
    """A wheel that stands for the one of msgspec."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as wheel:
        wheel.writestr("msgspec/__init__.py", "")
        wheel.writestr("msgspec/__init__.pyi", "")
    return packed.getvalue()


PYODIDE = Pyodide("1.2.3", {"pyodide.mjs": b"export {};"}, make_wheel())


def ask(path: str, **request: Any) -> Any:
    """What the local service answers."""
    return json.loads(local.respond(json.dumps({"path": path, **request})))


class Browser:
    """What a page does: it saves what changes, and sends the saved matches with each request."""

    def __init__(self) -> None:
        self.saved: dict[str, str] = {}

    def ask(self, path: str, body: object = None, status: int = 200, **request: Any) -> Any:
        text = body if body is None or isinstance(body, str) else json.dumps(body)
        answer = ask(path, body=text, saved=self.saved, **request)
        assert answer["status"] == status, answer
        self.save(answer.get("changes", []))
        return answer["body"]

    def save(self, changes: list[dict[str, Any]]) -> None:
        self.saved |= {change["id"]: change["text"] for change in changes}

    def begin(self, id: str, **body: Any) -> None:
        self.ask("/api/matches", {"game": "gridlock", "size": "3x3", "key": KEY, **body}, id=id)

    def send(self, id: str, /, **message: Any) -> list[dict[str, Any]]:
        heard = json.loads(local.hear(id, self.saved.get(id), TOKENS, json.dumps(message)))
        self.save(heard["changes"])
        return list(heard["messages"])

    def engine(self, id: str) -> list[dict[str, Any]]:
        heard = json.loads(local.play_engine(id, self.saved[id]))
        self.save(heard["changes"])
        return list(heard["messages"])


@pytest.fixture
def browser_store() -> Browser:
    return Browser()


def test_the_service_needs_nothing_that_a_browser_lacks() -> None:
    code = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in "fastapi starlette sqlalchemy prometheus_client numpy multiprocessing".split():
            raise ImportError(name)
sys.meta_path.insert(0, Absent())
from quintet.site import service
service.start()
print(service.respond('{"path": "/api/analysis?game=isolation&size=3x3"}')[:12])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ('{"status":20', "")


def test_an_interpreter_from_a_snapshot_has_random_numbers_of_its_own() -> None:
    def first_number() -> float:
        random.seed(1)  # What a snapshot brings along.
        local.start()
        return random.random()

    assert first_number() != first_number()


@every_game
def test_the_answers_are_those_of_the_server(service: Server, game: Game) -> None:
    """A server and a site that say different things would be two programs."""
    move = start(game, "3x3").label(start(game, "3x3").moves[0])
    paths = [
        "/api/games",
        "/api/engines",
        "/api/ladder",
        f"/api/lessons/{game.name}",
        f"/api/position?game={game.name}&size=3x3&moves={move}",
        f"/api/effects?game={game.name}&size=3x3&first=2",
        f"/api/analysis?game={game.name}&size=3x3&moves={move}",
        f"/api/analysis?game={game.name}&size=3x3&quick=true",
        f"/api/decided?game={game.name}&size=2x2",
        f"/api/puzzles/{game.name}?seed=3&rating=2",
        "/api/puzzles/daily?day=2026-11-15",
        "/api/position?game=chess",
        f"/api/position?game={game.name}&size=100x100",
        "/api/puzzles/chess",
        f"/api/puzzles/{game.name}?size=9x9",
    ]
    for path in paths:
        told = service.http.get(path)
        found = ask(path)
        answers = [{**body, "now": ""} if "now" in body else body for body in (found["body"], told.json())]
        assert (found["status"], answers[0]) == (told.status_code, answers[1]), path


def test_a_game_is_played_saved_and_continued(browser_store: Browser) -> None:
    page = browser_store
    page.begin("abc", seats={"1": "human", "2": "level:3"})
    table = page.ask("/api/matches/abc", token=KEY)
    assert table["seat"] == [1] and table["players"]["2"]["name"] == "Cleo" and not table["state"]["thinking"]
    [hello] = page.send("abc", type="hello", tokens=TOKENS)
    assert hello["type"] == "table" and hello["seat"] == [1]
    [refused] = page.send("abc", type="move", ply=0, undone=0, move="9 9", id="x")
    assert refused["type"] == "error" and refused["id"] == "x"
    assert page.send("abc", type="moove")[0]["error"].startswith("Invalid message")
    [state] = page.send("abc", type="move", ply=0, undone=0, move="2 2", id="y")
    assert (state["ply"], state["ack"], state["thinking"]) == (1, "y", True)
    [state] = page.send("abc", type="move", ply=0, undone=0, move="2 2", id="z")
    assert (state["ply"], state["ack"]) == (1, "z"), "the same move again changes nothing"
    [state] = page.engine("abc")
    assert (state["ply"], state["thinking"]) == (2, False)
    assert page.engine("abc") == [], "nobody is to be asked, and no clock runs"
    [state] = page.send("abc", type="undo", answer="offer", ply=2, undone=0)
    assert (state["ply"], state["undone"]) == (0, 1)
    page.ask("/api/matches/abc/review", status=409)
    [state] = page.send("abc", type="resign")
    assert state["over"]
    assert '[Result "0-1"]' in page.ask("/api/matches/abc/record")
    assert page.ask("/api/matches/abc/review")["result"]["winner"] == 2
    assert b64decode(page.ask("/api/matches/abc/picture.png")).startswith(b"\x89PNG")
    page.ask("/api/matches/abc/replay.gif", status=422)
    replayed = page.ask("/api/replay.gif?game=gridlock&size=3x3&moves=2+2&theme=dark")
    assert b64decode(replayed).startswith(b"GIF")
    played = page.ask("/api/matches/abc/progress?player=1")
    assert page.ask("/api/progress", {"games": [played], "puzzles": []})
    state, rematch = page.send("abc", type="rematch", answer="offer")
    assert rematch["type"] == "rematch"
    assert page.ask(f"/api/matches/{rematch['id']}", token=KEY)["state"]["thinking"], "the engine goes first"
    assert [one["id"] for one in page.ask(f"/api/matches?ids=abc,{rematch['id']},gone")] == [rematch["id"], "abc"]
    page.begin("abc")
    assert page.ask("/api/matches/abc")["state"]["over"], "the same request again changes nothing"


def test_time_that_runs_out_ends_a_game(browser_store: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    page = browser_store
    page.begin("abc", take=[1, 2], clock={"seconds": 60})
    page.send("abc", type="move", ply=0, undone=0, move="2 2")
    assert page.engine("abc") == []
    begun = timekeeper.seconds()
    monkeypatch.setattr(timekeeper, "seconds", lambda: begun + 61)
    [state] = page.engine("abc")
    assert state["result"]["reason"] == "Player 2 forfeits: ran out of time"


def test_records_come_in_and_go_out_with_all_that_is_in_them(browser_store: Browser) -> None:
    page = browser_store
    first = start("gridlock", "3x3")
    record = Match(first, first.moves[:1]).record()
    text = write_record(record).replace("[Date", '[Event "A feast"]\n[Date').rstrip() + " {good}\n"
    imported = page.ask("/api/records", text)
    assert page.ask("/api/records", text) == imported
    out = page.ask(f"/api/matches/{imported['id']}/record")
    assert '[Event "A feast"]' in out and "{good}" in out
    page.ask("/api/records", "nonsense", status=422)


def test_what_cannot_be_done_is_one_line(browser_store: Browser) -> None:
    page = browser_store
    assert ask("/api/tournaments") == {"status": 501, "body": {"error": "This needs a server."}}
    assert page.ask("/api/matches/gone", status=404) == {"error": "Match not found."}
    for path in ("/api/games/chess/rules", "/api/lessons/chess"):
        assert "no game called" in page.ask(path, status=404)["error"]
    assert page.ask("/api/matches", {"game": "gridlock", "seats": {"2": "exec:ls"}}, status=422)
    assert page.ask("/api/matches", {"game": "gridlock", "unknown": 1}, status=422)
    assert page.ask("/api/position?game=gridlock&target=many", status=422)
    many = ",".join(map(str, range(51)))
    page.saved = dict.fromkeys(many.split(","), "{}")
    page.ask(f"/api/matches?ids={many}", status=422)
    assert "damaged" in page.ask("/api/matches/1", status=500)["error"]


def test_an_answer_may_be_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "ROUTES", (routes.Route("GET", "/api/x", lambda _: routes.File(b"PNG", "image/png")),))
    assert ask("/api/x?y=z") == {"status": 200, "body": "UE5H", "type": "image/png"}


# The build.


def test_the_page_works_in_any_folder_and_asks_nobody_else(tmp_path: Path) -> None:
    files = build.write_site(tmp_path / "site", PYODIDE, "https://quintet.example/", "../")
    index = files["index.html"].decode()
    assert '<a href="../" data-tr>Documentation</a></p>' in index
    assert not re.search(r'(?:href|src)="(?:/|https?:)', index)
    assert "Content-Security-Policy" in index and "'unsafe-eval'" not in index and "unsafe-inline" not in index
    assert '"server": "https://quintet.example"' in index
    named = re.findall(r'(?:href|src)="([^"#?]+)"', index)
    assert set(named) - {"./", "../"} <= files.keys() and len(named) > 20
    listed = json.loads(files[build.LIST])
    assert {path: (tmp_path / "site" / path).is_file() for path in listed} == dict.fromkeys(listed, True)
    manifest = json.loads(files["manifest.webmanifest"])
    assert {icon["src"] for icon in manifest["icons"]} <= files.keys()
    version = next(iter(files)).partition("/")[0]
    with zipfile.ZipFile(io.BytesIO(files[f"{version}/quintet.zip"])) as packed:
        names = set(packed.namelist())
    assert {
        "quintet/site/service.py",
        "quintet/data/ladder.json",
        "quintet/languages/de.mo",
        "msgspec/__init__.py",
    } <= names
    assert not [name for name in names if "/cli/" in name or "/page/" in name or name.endswith(".pyi")]
    for code, game in product(LANGUAGES, GAMES):
        assert f"{version}/answers/{code}/{game}.json" in files


def test_a_version_is_named_after_all_that_is_in_it_and_replaces_the_last(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    first = build.write_site(folder, PYODIDE)
    assert build.write_site(folder, PYODIDE) == first
    assert "Documentation" not in first["index.html"].decode(), "nobody has said where it is"
    second = build.write_site(folder, PYODIDE, "https://quintet.example")
    assert not {path for path in first if path.startswith("v-")} & second.keys()
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == second.keys()


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(build.NotASite, match="choose another folder"):
        build.write_site(tmp_path, PYODIDE)
    (tmp_path / build.LIST).write_text('{"../../etc/hosts": "", "/etc/hosts": "", "mine.txt": ""}')
    assert build.old_files(tmp_path) == {"mine.txt"}


def test_a_copy_of_pyodide_that_is_not_whole_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoPyodide, match="is not the unpacked npm package"):
        pyodide.load_pyodide(tmp_path)
    for name in (*pyodide.PARTS, pyodide.LOCK, "package.json"):
        (tmp_path / name).write_text('{"version": "9", "packages": {"numpy": {}}}')
    with pytest.raises(NoPyodide, match="has no wheel of msgspec"):
        pyodide.load_pyodide(tmp_path)
    (tmp_path / "msgspec-1-cp314-wasm32.whl").write_bytes(b"wheel")
    loaded = pyodide.load_pyodide(tmp_path)
    assert (loaded.version, loaded.wheel) == ("9", b"wheel")
    assert json.loads(loaded.files[pyodide.LOCK])["packages"] == {}
    with pytest.raises(NoPyodide, match="is not the file that was expected"):
        pyodide.fetch(["touch", "package.tgz"], "package.tgz", pyodide.PACKAGE_HASH)
    for command in (["no-such-npm"], ["ls", "no-such-file"], ["true"]):
        with pytest.raises(NoPyodide, match=f"cannot download package.tgz with {command[0]}"):
            pyodide.fetch(command, "package.tgz", "")


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    done = quintet("site", str(tmp_path / "out"), "--pyodide", str(tmp_path))
    assert done.returncode == 1 and "is not the unpacked npm package" in done.stderr
    done = quintet("site", str(tmp_path / "out"), "--server", "quintet.example")
    assert done.returncode == 2 and "--server must be the URL" in done.stderr
