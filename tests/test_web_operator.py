"""What the operator sees: the page and the metrics by token, and a log of one line for each fault, without secrets."""

import json
import logging
import re
import socket
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.sync.client import connect

from postgres import running_postgres
from quintet.bench.server_process import ServerProcess
from quintet.cli.common import Usage
from quintet.cli.serve import check_operator_token
from quintet.store.matches import Store
from quintet.store.online import hash_token
from quintet.store.rows import ONLINE_ID, random_ids
from quintet.web.app import Settings
from quintet.web.logs import REPEATS, WINDOW, Form, Formatter, Handler
from quintet.web.operator import GUESSES, MAX_TABLES, SHORT_ID, p99
from serving import WAIT, Server, wait_until

TOKEN = "only-the-operator-knows-this"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
ROUTES = ("/operator", "/api/operator", "/metrics")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("operator")
    server = Server(f"sqlite:///{folder}/quintet.db", "--no-limits", "--operator-token", TOKEN)
    yield server
    assert server.stop() == ""


def read_metrics(server: ServerProcess) -> dict[tuple[str, str], float]:
    """What Prometheus reads: values by name and the metric's own label."""
    answer = httpx.get(f"{server.url}/metrics", headers=HEADERS, timeout=WAIT)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain; version=")
    samples = [one for family in text_string_to_metric_families(answer.text) for one in family.samples]
    pids = {one.labels.pop("process") for one in samples}
    assert pids == {str(server.process.pid)}
    return {(one.name, "".join(one.labels.values())): one.value for one in samples}


def test_without_a_token_there_is_no_operators_page(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    assert [server.http.get(path, headers=HEADERS).status_code for path in ROUTES] == [404] * 3
    assert server.stop() == ""


@pytest.mark.parametrize("token", ["", "fifteen-letters", "with a space in it", "sixteen-letters-é"])
def test_a_token_that_can_be_guessed_or_not_be_sent_is_refused(token: str) -> None:
    with pytest.raises(Usage, match="at least 16 ASCII characters"):
        check_operator_token(token)


def test_only_the_token_opens_the_report_and_the_metrics(server: Server) -> None:
    assert server.http.get("/operator").status_code == 200  # The page asks for the token and has nothing to hide.
    for path in ("/api/operator", "/metrics"):
        for headers in ({}, {"Authorization": TOKEN}, {"Authorization": f"Basic {TOKEN}"}):
            refused = server.http.get(path, headers=headers)
            assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"
        assert server.http.get(f"{path}?token={TOKEN}").status_code == 401
        assert server.http.get(path, headers=HEADERS).status_code == 200
        assert server.http.get(path, headers={"Authorization": f"bearer {TOKEN}"}).status_code == 200


def test_an_address_that_guesses_is_not_listened_to(server: Server) -> None:
    """Even with `--no-limits`, and even if the last guess is right."""
    stranger = {"X-Forwarded-For": "203.0.113.7"}
    before = read_metrics(server.child)
    wrong = {**stranger, "Authorization": "Bearer wrong"}
    answers = [server.http.get("/api/operator", headers=wrong).status_code for _ in range(round(GUESSES.burst) + 5)]
    assert answers == [401] * round(GUESSES.burst) + [429] * 5
    assert server.http.get("/metrics", headers={**stranger, **HEADERS}).status_code == 429
    after = read_metrics(server.child)  # From here the operator is let in.
    name = "operator token"
    assert after["quintet_refused_total", name] - before.get(("quintet_refused_total", name), 0) == GUESSES.burst
    assert after["quintet_limited_total", name] - before.get(("quintet_limited_total", name), 0) == 6


def test_the_report_tells_what_goes_on_and_nobodys_name(server: Server) -> None:
    id, one, two = server.friends("isolation", name="Ada Lovelace", clock={"seconds": 300, "increment": 0})
    engine = server.begin("gridlock", seats={"1": "human", "2": "level:3"}, name="Ada Lovelace")
    with server.sit(id, one) as ada, server.sit(id, two), server.sit(id), server.sit(engine["id"]):
        ada.move(0, "7")
        ada.hear_until("state", ply=1)
        answer = server.http.get("/api/operator", headers=HEADERS)
        report = answer.json()
        values = read_metrics(server.child)
    tables = {table["id"]: table for table in report["tables"]}
    assert tables[id[:SHORT_ID]] == {
        "id": id[:SHORT_ID],
        "game": "Isolation",
        "moves": 1,
        "players": ["person", "person"],
        "watchers": 3,
        "clock": True,
    }
    assert tables[engine["id"][:SHORT_ID]]["players"] == ["person", "level:3"]
    assert report["process"] == server.child.process.pid and report["processes"] == 1
    assert report["sockets"] == values["quintet_sockets", ""] == 4
    assert report["open_tables"] == values["quintet_tables", ""] == 2
    assert report["workers"]["total"] == 2 and report["workers"]["waiting"] == {"engine": 0, "study": 0}
    store = report["store"]
    assert store["kind"] == "sqlite" and store["problem"] == "" and store["oldest"] == 0
    assert values["quintet_write_seconds_count", ""] >= 4 and store["p99"] > 0 and store["writes_per_second"] > 0
    assert {counter["name"] for counter in report["counters"]} == {"refused", "limited", "stale", "slow", "faults"}
    for secret in ("Lovelace", "Bea", id, engine["id"], one, two, hash_token(one), TOKEN):
        assert secret not in answer.text


def test_a_long_list_of_tables_is_cut(server: Server) -> None:
    seats = [server.sit(server.begin("isolation")["id"]) for _ in range(MAX_TABLES + 2)]
    try:
        report = server.http.get("/api/operator", headers=HEADERS).json()
        assert report["open_tables"] >= MAX_TABLES + 2 and len(report["tables"]) == MAX_TABLES
    finally:
        for seat in seats:
            seat.socket.close()


def test_the_p99_is_the_bucket_that_holds_it() -> None:
    def values(*counts: int) -> dict[tuple[str, str], float]:
        bounds = ("0.001", "0.005", "60.0", "+Inf")
        return {("quintet_write_seconds_bucket", bound): n for bound, n in zip(bounds, counts, strict=True)}

    assert p99(values(5, 9, 9, 9), values(5, 9, 9, 9)) is None
    assert p99(values(0, 0, 0, 0), values(99, 100, 100, 100)) == 0.001
    assert p99(values(0, 0, 0, 0), values(98, 100, 100, 100)) == 0.005
    assert p99(values(90, 100, 100, 100), values(90, 100, 101, 102)) == 60


def test_the_engines_are_not_given_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/proc/self/environ").exists():
        pytest.skip("this system does not show the environment of a process")
    monkeypatch.setenv("QUINTET_OPERATOR_TOKEN", TOKEN)
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    server.http.get("/api/analysis?game=isolation&size=3")
    assert server.http.get("/metrics", headers=HEADERS).status_code == 200
    pid = server.child.process.pid
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    assert children and all(TOKEN.encode() not in Path(f"/proc/{child}/environ").read_bytes() for child in children)
    assert server.stop() == ""


# The log.

FAULTY = """
import asyncio, runpy, threading
import quintet.web.players as players
def offered_engines(_):
    def fail():
        raise OSError("in a thread")
    threading.Thread(target=fail).start()
    async def fail_later():
        raise ValueError("two\\nlines\\x1b]52;c;aGk=\\x07")
    asyncio.create_task(fail_later())
    raise KeyError("planted")
players.offered_engines = offered_engines
runpy.run_module("quintet", run_name="__main__")
"""
"""`quintet serve` with three faults that nobody foresaw in one of its routes."""


def faulty_log(folder: Path, *options: str) -> tuple[httpx.Response, str]:
    """The answer of that route, and the log."""
    command = [sys.executable, "-c", FAULTY, "serve", "--port", "0", "--database", f"sqlite:///{folder}/quintet.db"]
    child = ServerProcess([*command, "--operator-token", TOKEN, *options])
    try:
        answer = httpx.get(f"{child.url}/api/engines", timeout=WAIT)
        wait_until(lambda: read_metrics(child).get(("quintet_faults_total", "unforeseen"), 0) >= 3)
    finally:
        said = child.stop()
    return answer, said


def test_a_fault_that_nobody_foresaw_is_one_line(tmp_path: Path) -> None:
    answer, said = faulty_log(tmp_path)
    assert answer.status_code == 500 and "planted" not in answer.text and "\n" not in answer.json()["error"]
    lines = sorted(line.partition(" ")[2] for line in said.splitlines())
    assert len(lines) == 3 and "Traceback" not in said and "\x1b" not in said
    assert re.fullmatch(
        r"error unforeseen: .*KeyError: 'planted' \(quintet/web/study_routes.py:\d+ in engines\)", lines[0]
    )
    assert re.fullmatch(r"error unforeseen: Task .*ValueError: two lines.*in fail_later\)", lines[1])
    assert re.fullmatch(r"error unforeseen: .*OSError: in a thread .*in fail\)", lines[2])


def test_the_log_as_json_with_tracebacks(tmp_path: Path) -> None:
    _, said = faulty_log(tmp_path, "--log", "json", "--log-level", "debug")
    first, *lines, last = [json.loads(line) for line in said.splitlines()]
    assert first["event"] == "started" and first["workers"] >= 2 and last["event"] == "stopping"
    assert len(lines) == 3
    for line in lines:
        assert set(line) == {"time", "level", "event", "message", "process", "traceback"}
        assert datetime.fromisoformat(line["time"]).utcoffset() == timedelta(0)
        assert line["level"] == "error" and line["event"] == "unforeseen"
        assert line["traceback"].startswith("Traceback (most recent call last)")


def test_what_is_not_http_is_counted_and_not_logged(server: Server) -> None:
    before = read_metrics(server.child)
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", int(server.host.rpartition(":")[2]))) as stranger:
            stranger.sendall(b"nonsense\r\n\r\n")
            while stranger.recv(1_000):
                pass
    key = "quintet_refused_total", "400"
    assert read_metrics(server.child)[key] - before.get(key, 0) == 5


def test_a_damaged_match_is_said_and_logged_once_and_refusals_are_counted(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/quintet.db"
    server = Server(database, "--no-limits", "--operator-token", TOKEN, "--log", "json")
    id = server.begin("isolation")["id"]
    with Store(database) as store, store.transaction(writing=True) as connection:
        connection.exec_driver_sql(f"update matches set start = 'nonsense' where id = '{id}'")
    damaged = "This match is damaged in the database."
    for path in ("", "/record", "/review"):
        answer = server.http.get(f"/api/matches/{id}{path}")
        assert (answer.status_code, answer.json()) == (503, {"error": damaged})
    with connect(f"ws://{server.host}/api/matches/{id}/live") as damaged_socket:
        assert json.loads(damaged_socket.recv(timeout=WAIT))["error"] == damaged
    with server.sit(server.begin("isolation")["id"]) as watcher:
        watcher.move(0, "7")
        watcher.hear("error")
    server.http.post("/api/matches", json={"game": 5})
    server.http.get("/api/matches")
    server.http.get("/api/nothing")
    server.http.get("/api/matches/nobody")
    values = read_metrics(server.child)
    assert [values["quintet_refused_total", status] for status in ("403", "404", "422")] == [1, 2, 2]
    assert values["quintet_faults_total", "database"] == 1
    [line] = map(json.loads, server.stop().splitlines())
    assert line["event"] == "damaged_match" and f"match {id[:4]}..." in line["message"]


def test_a_fault_that_repeats_itself_does_not_fill_the_log() -> None:
    stream = StringIO()
    handler = Handler(stream)
    handler.setFormatter(Formatter())

    def repeat(times: int, at: float) -> None:
        facts = {"name": "quintet.web", "levelname": "ERROR", "created": at}
        for _ in range(times):
            record = logging.makeLogRecord({**facts, "msg": "the store is down"})
            handler.handle(record)
        handler.handle(logging.makeLogRecord({**facts, "msg": "another fault"}))

    repeat(REPEATS + 7, 1_000_000)
    repeat(1, 1_000_000 + WINDOW)
    repeat(REPEATS + 2, 1_000_000 + 2 * WINDOW)
    handler.close()
    lines = [line.partition(" ")[2] for line in stream.getvalue().splitlines()]
    down, other = "error quintet.web: the store is down", "error quintet.web: another fault"
    assert lines == [
        *([down] * REPEATS),
        other,
        "warning left_out: 7 repeated lines omitted",
        down,
        other,
        *([down] * REPEATS),
        other,
        "warning left_out: 2 repeated lines omitted",
    ]


def test_facts_and_foreseen_faults_are_logged_as_they_are(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("quintet.web")
    log.error("%s is\nlocked", "the store", extra={"event": "store_fault", "tries": 3, "why": {"a": 1}})
    log.error("startup\nTraceback (most recent call last):\n  File x\nOSError: disk\n")
    first, second = caplog.records
    line = json.loads(Formatter(Form.JSON).format(first))
    assert line["event"] == "store_fault" and line["message"] == "the store is locked"
    assert line["tries"] == 3 and line["why"] == "{'a': 1}"
    assert Formatter().format(first).endswith(" error store_fault: the store is locked")
    assert Formatter().format(second).endswith(" error quintet.web: OSError: disk")


# Secrets.


def test_no_secret_is_in_a_line(caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(
        "postgresql://ada:open-sesame@db.example/quintet",
        custom_players={"guest:Bot": "exec:./bot --key sk-very-secret"},
        operator_token=TOKEN,
    )
    assert TOKEN not in repr(settings)
    secrets = ("open-sesame", "sk-very-secret", TOKEN, "seat-token")
    log = logging.getLogger("quintet.web")
    log.error("no connection to postgresql://ada:open-sesame@db.example/quintet: password=open-sesame")
    log.error("Bot: cannot start ./bot --key sk-very-secret", extra={"command": ["./bot", "--key", "sk-very-secret"]})
    log.error("refused: Authorization: Bearer seat-token", extra={"token": TOKEN})
    try:
        raise OSError(f"'{TOKEN}' and open-sesame")
    except OSError:
        log.exception("failed")
    for form in Form:
        for record in caplog.records:
            line = Formatter(form, settings.secrets, tracebacks=True).format(record)
            assert not any(secret in line for secret in secrets) and "***" in line


def test_arguments_are_hidden_as_whole_words(caplog: pytest.LogCaptureFixture) -> None:
    players = {
        "guest:A": "exec:./bot --token=SECRETKEY99 hard engine 'two words'",
        "guest:B": "exec:./bot 'oops KEYKEY1",
    }
    formatter = Formatter(Form.JSON, Settings(custom_players=players).secrets)
    said = "the shards of engines: bad key SECRETKEY99, --token=SECRETKEY99, two words, KEYKEY1"
    logging.getLogger("quintet.web").error(said, extra={"event": "engine"})
    line = json.loads(formatter.format(caplog.records[-1]))
    assert line["event"] == "engine" and line["level"] == "error"
    assert line["message"] == "the shards of engines: bad key ***, ***, ***, ***"


@pytest.mark.parametrize("form", Form)
def test_no_whole_id_is_in_a_line(form: Form, caplog: pytest.LogCaptureFixture) -> None:
    id = next(random_ids(ONLINE_ID))
    logging.getLogger("quintet.web").error("match %s is damaged", id, extra={"path": f"/api/matches/{id}/record"})
    line = Formatter(form).format(caplog.records[0])
    assert id not in line and f"match {id[:4]}... is damaged" in line
    assert Formatter().hide("postgresql+psycopg incomprehensible") == "postgresql+psycopg incomprehensible"


def test_a_log_of_a_bad_day_has_no_secrets(tmp_path: Path) -> None:
    """Everything is said, a program with a key in its command line fails, and the database goes away."""
    bot = tmp_path / "bot.py"
    bot.write_text("print('hello 1 Bot', flush=True)\nimport sys\nsys.stdin.readline()\nsys.exit(sys.argv[1])")
    player = f"Bot=exec:{sys.executable} {bot} sk-very-secret"
    with running_postgres("-c", "fsync=off") as url, Store(url) as admin:
        with admin.transaction(writing=True) as connection:
            connection.exec_driver_sql("CREATE ROLE ada LOGIN SUPERUSER")
        options = ["--operator-token", TOKEN, "--log-level", "debug", "--log", "json"]
        options += ["--player", player, "--processes", "2"]
        server = Server(url.replace("postgres@", "ada:open-sesame@", 1), *options)
        begun = server.begin("isolation", seats={"1": "human", "2": "guest:Bot"})
        token = begun["tokens"]["1"]
        with server.sit(begun["id"], token) as me:
            me.move(0, "7")
            me.hear_until("state", over=True)
        server.http.get("/api/operator", headers={"Authorization": f"Bearer {TOKEN}x"})
        with admin.transaction(writing=True) as connection:
            connection.exec_driver_sql("ALTER ROLE ada NOLOGIN")
        with admin.transaction() as connection:
            connection.exec_driver_sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ada'")
        report = server.http.get("/api/operator", headers=HEADERS).json()
        said = server.stop()
    assert report["processes"] == 2 and report["process"] != server.child.process.pid
    assert report["store"]["problem"] and "open-sesame" not in report["store"]["problem"]
    lines = [json.loads(line) for line in said.splitlines()]
    assert all("\n" not in line["message"] for line in lines)
    assert {"started", "stopping"} < {line["event"] for line in lines}
    assert [secret for secret in ("open-sesame", "sk-very-secret", TOKEN, token) if secret in said] == []
