import json
import subprocess
import sys
from pathlib import Path

import pytest

from quintet.bench.meter import Meter, percentile
from quintet.bench.postgres_process import why_not
from serving import Server


def bench_serve(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "quintet", "bench", "serve", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_clients_play_and_watch_and_are_measured() -> None:
    done = bench_serve("--matches", "6", "--engines", "2", "--sockets", "20", "--seconds", "1", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["errors"] == {}
    assert found["moves"] > 6 and found["engine_moves"] > 0
    assert 0 < found["p50_ms"] <= found["p99_ms"] <= found["max_ms"]
    assert found["moves_per_second"] == pytest.approx(found["moves"] / found["seconds"], rel=0.02)
    if sys.platform == "linux":
        assert found["server_mb"] > 20 and found["server_cores"] > 0


def test_the_pace_is_kept() -> None:
    done = bench_serve("gridlock", "--size", "5x5", "--matches", "4", "--pace", "0.2", "--seconds", "2", "--json")
    found = json.loads(done.stdout)
    assert found["errors"] == {}
    assert 4 * 2 / 0.2 * 0.4 < found["moves"] < 4 * 2 / 0.2 * 1.4


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address only")
def test_hostile_clients_are_measured_apart() -> None:
    hostile = ("--flooding", "3", "--half-open", "5")
    done = bench_serve("--matches", "40", "--pace", "1", "--sockets", "100", "--seconds", "2", *hostile, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["errors"] == {} and found["moves"] > 20
    assert found["hostile"]["messages"] > 1_000 and found["flooding"] == 3 and found["half_open"] == 5


@pytest.mark.skipif(sys.platform != "linux", reason="server processes are found in /proc")
@pytest.mark.parametrize("how", ["kill", "drain"])
def test_nothing_is_lost_when_server_processes_end(how: str) -> None:
    if reason := why_not():
        pytest.skip(reason)
    # Long enough for each of the first three to end: all players may be connected to one of them.
    options = ("--processes", "3", f"--{how}-every", "1.2", "--seconds", "4.2", "--matches", "10", "--pace", "0.05")
    done = bench_serve(*options, "--sockets", "25", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    found = report["outages"]
    assert (found["ended"], found["lost"], found["doubled"]) == (3, 0, 0)
    assert found["agreements"] > 0 and found["max_to_agree_ms"] < 1_000 + 10 * report["p50_ms"]
    broken, restarted = found["lost_sockets"], found["restarted_sockets"]
    assert restarted == 0 < broken if how == "kill" else broken == 0 < restarted


def test_what_cannot_be_done_is_said_in_a_line() -> None:
    for options, status, said in (
        (["--url", "http://127.0.0.1:1"], 1, "no server answers"),
        (["--size", "5x5"], 2, "--size needs a game"),
        (["chess"], 2, "chess"),
        (["--flooding", "1"], 2, "need a --pace"),
        (["--kill-every", "1"], 2, "need --processes"),
        (["--kill-every", "1", "--drain-every", "1", "--processes", "2"], 2, "choose"),
        (["--url", "http://127.0.0.1:1", "--processes", "2"], 2, "choose one"),
        (["--database", "sqlite:////nowhere/at/all.db"], 1, "the server does not start"),
        (["--engines", "1", "--engine", "stockfish"], 1, "the server refused a request"),
    ):
        done = bench_serve("--seconds", "0.1", *options)
        assert done.returncode == status and said in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1 and not done.stdout


def test_a_socket_goes_on_to_the_rematch(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/tables.db")
    id, one, two = server.friends("isolation")
    with server.sit(id, one) as ada, server.sit(id, two) as bea:
        ada.say(type="resign")
        ada.hear("state")
        bea.hear("state")
        ada.say(type="rematch", answer="offer")
        bea.hear("state")
        bea.say(type="rematch", answer="accept")
        again = bea.hear_until("rematch")["id"]
        assert ada.hear_until("rematch")["id"] == again
        bea.say(type="hello", tokens=[two], match=again)
        table = bea.hear("table")
        assert (table["id"], table["seat"], table["state"]["view"]["player"]) == (again, [2], 2)
        bea.move(0, "7")
        assert bea.hear("state")["view"]["history"] == [[2, "7"]]
        ada.say(type="ping")
        assert ada.hear("pong")  # A client that stays at the old table is told nothing of the new one.
        ada.say(type="hello", tokens=[two], match=again)
        assert ada.hear("table")["state"]["view"]["history"] == [[2, "7"]]
        bea.say(type="hello", tokens=[two], match="nowhere")
        assert "Match not found" in bea.hear("error")["error"]
    assert server.stop() == ""


def test_a_meter_counts_what_was_sent_while_it_ran() -> None:
    meter = Meter()
    meter.sent("early")
    meter.running = True
    meter.sent("late")
    meter.sent("lost")
    meter.running = False
    for who in ("early", "late"):
        meter.acknowledged(who)
    figures = meter.figures(2)
    assert figures.moves == 1 and figures.moves_per_second == 0.5
    assert figures.errors == {"a move was not acknowledged": 1}


def test_percentiles() -> None:
    times = [number / 1000 for number in range(1, 201)]
    assert [percentile(times, share) for share in (0.5, 0.99, 1)] == [100, 198, 200]
    assert percentile([], 0.5) is None
