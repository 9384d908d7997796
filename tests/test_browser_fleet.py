"""The arrangement of compose.yaml with real processes: PostgreSQL, two servers, and the proxy with its Caddyfile."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from browsing import Visit, Visitor, claim, moves_shown, needs_server
from postgres import running_postgres
from serving import WAIT, Server, own_address, wait_until

pytestmark = needs_server
ROOT = Path(__file__).parent.parent
DRAIN = "1.5"
"""Seconds: the proxy asks every second whether a server is ready."""
TIMES = """
window.times = { tables: [], moves: {}, alarms: [] };
window.WebSocket = class extends WebSocket {
    set onmessage(listener) {
        super.onmessage = (event) => {
            if (event.data.startsWith('{"type":"table"')) window.times.tables.push(Date.now());
            listener(event);
        };
    }
};
new MutationObserver(() => {
    window.times.moves[document.querySelectorAll(".moves li button").length] ??= Date.now();
    const alarm = document.querySelector(".reconnecting")?.textContent;
    if (alarm) window.times.alarms.push(alarm);
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
"""Notes when a page was sent its table, when it first showed N moves, and what it said about the connection."""

ANSWER = """async () => {
    const asked = Date.now();
    await (await fetch("/api/health")).text();
    return (Date.now() - asked) / 1000;
}"""
"""How long the page waits for an answer."""


class Proxy(Server):
    """The proxy in front of some servers."""

    def __init__(self, folder: Path, *servers: Server) -> None:
        with socket.create_server((own_address(), 0)) as free:
            self.host = "{}:{}".format(*free.getsockname())
        address = {"QUINTET_SITE": f"http://{self.host}", "QUINTET_SERVERS": " ".join(one.host for one in servers)}
        places = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(ROOT / "Caddyfile")]
        self.log = (folder / "log").open("wb")
        self.process = subprocess.Popen(command, env={**os.environ, **address, **places}, stderr=self.log)
        self.http = httpx.Client(base_url=f"http://{self.host}", timeout=WAIT)

    def is_ready(self) -> bool:
        """Whether a server answers through the proxy."""
        try:
            return self.http.get("/api/ready").status_code == 200
        except httpx.ConnectError:
            return False

    def close(self) -> None:
        self.http.close()
        self.process.terminate()
        self.process.wait()
        self.log.close()


@contextmanager
def running_fleet(folder: Path) -> Iterator[tuple[Proxy, Server, Server]]:
    """The proxy, and the two servers behind it."""
    with running_postgres("-c", "fsync=off") as database, ExitStack() as stack:
        options = "--trusted-proxy", "127.0.0.1", "--drain", DRAIN
        servers = [Server(database, "--host", own_address(), *options) for _ in range(2)]
        for server in servers:
            server.options += ("--port", server.host.partition(":")[2])
            stack.callback(server.kill)
        proxy = Proxy(folder, *servers)
        stack.callback(proxy.close)
        wait_until(proxy.is_ready)
        yield proxy, servers[0], servers[1]


def seconds_to_agree(visitors: list[Visitor], moves: int) -> float:
    """Seconds from when the last of the pages was sent its table again until all showed N moves."""
    for visitor in visitors:
        expect(moves_shown(visitor.page)).to_have_count(moves)
    times = [visitor.page.evaluate("window.times") for visitor in visitors]
    return float(max(one["moves"][str(moves)] for one in times) - max(one["tables"][-1] for one in times)) / 1000


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed (Debian: apt install caddy)")
def test_two_browsers_play_on_while_servers_drain_and_die(visit: Visit, tmp_path: Path) -> None:
    with running_fleet(tmp_path) as (proxy, first, second):
        id, *tokens = proxy.friends("gridlock", size="3x3")
        visitors = [visit(proxy), visit(proxy)]
        for visitor, token, seat in zip(visitors, tokens, "12", strict=True):
            visitor.add_script(TIMES)
            visitor.forgiven = ("WebSocket connection to",)  # The browser itself tells of a broken connection.
            visitor.hold({"id": id, "tokens": {seat: token}})
            visitor.go(f"/match/{id}")
        ada, bea = visitors
        claim(ada.page, "1 1")
        seconds_to_agree(visitors, 1)
        first.child.process.terminate()
        assert first.child.process.wait(WAIT) < 0
        claim(bea.page, "3 3")
        seconds_to_agree(visitors, 2)
        assert [visitor.page.evaluate("window.times.alarms") for visitor in visitors] == [[], []]
        first.stop()
        first.start()
        wait_until(lambda: first.http.get("/api/ready").status_code == 200)
        usual = max(visitor.page.evaluate(ANSWER) for visitor in visitors)  # Seconds; more on a busy machine.
        second.kill()
        claim(ada.page, "1 3")
        assert seconds_to_agree(visitors, 3) < 1 + 10 * usual
