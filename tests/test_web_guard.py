"""What strangers send that is no request: too much, too slowly, without end, or in the name of another site."""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from quintet.cli.serve import allowed_hosts, read_proxies
from quintet.errors import QuintetError
from quintet.web import connections, hosts, limits, runner
from quintet.web.app import Settings
from quintet.web.headers import HEADERS
from quintet.web.hosts import allows_host, network_address, own_names, shared_url
from quintet.web.limits import network_of
from quintet.web.logs import Handler
from quintet.web.match_routes import ACCEPT_OTHERS, NO_NETWORK, ONLY_HERE, OTHER_ADDRESS, invite
from quintet.web.messages import Invitation
from quintet.web.metrics import BUSY
from serving import WAIT, Server

QUICK = 0.2
"""Seconds of a time limit that a test waits for."""
FILES = Path("/proc/self/fd")
"""The files that this process has open."""
NOTHING: Any = None
HEALTH = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@asynccontextmanager
async def serving(path: Path, **settings: Any) -> AsyncIterator[int]:
    """The service in this process; gives its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = runner.Server(Settings(f"sqlite:///{path}/quintet.db", **settings))
    running = asyncio.create_task(server.serve([listener]))
    async with asyncio.timeout(WAIT):
        while not server.started:
            await asyncio.sleep(0.005)
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await running
        listener.close()


async def say(port: int, *parts: bytes, address: str = "127.0.0.1") -> bytes:
    """Send something and read until the server ends the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    answer = b""
    try:
        async with asyncio.timeout(WAIT):
            for part in parts:
                writer.write(part)
                await writer.drain()
            while got := await reader.read(65_536):
                answer += got
    except ConnectionError:
        pass
    finally:
        writer.close()
    return answer


def status(answer: bytes) -> int:
    """The status of the last answer."""
    head, _, body = answer.rpartition(b"HTTP/1.1 ")[2].partition(b"\r\n\r\n")
    assert not body or json.loads(body)
    return int(head.split()[0]) if head else 0


def run(path: Path, story: Callable[[int], Awaitable[None]], **settings: Any) -> None:
    async def tell() -> None:
        async with serving(path, **settings) as port:
            await story(port)
            assert status(await say(port, HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))) == 200

    asyncio.run(tell())


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "READ_SECONDS"):
        monkeypatch.setattr(limits, name, QUICK)
    monkeypatch.setattr(connections, "SWEEP_SECONDS", QUICK / 4)
    monkeypatch.setattr(connections, "CLOSING_SECONDS", QUICK)


UPGRADE = b"GET /api/matches/x/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
POST = b"POST /api/records HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
TOO_MUCH = {
    "headers": ([b"GET / HTTP/1.1\r\n", *[b"x-1: " + b"y" * 1_000 + b"\r\n"] * 17], 431),
    "fields": ([b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 102], 431),
    "one-header": ([b"GET / HTTP/1.1\r\nx: ", b"y" * 16_400], 431),
    "address": ([b"GET /" + b"y" * 20_000], 431),
    "nothing": ([b"\r\n" * 10_000], 431),
    "trailers": ([CHUNKED + b"0\r\n" + b"x: y\r\n" * 102], 431),
    "chunk-extension": ([CHUNKED + b"1;" + b"x" * 160_000], 413),
    "body": ([CHUNKED, *[b"%x\r\n" % 50_000 + b"x" * 50_000 + b"\r\n"] * 4], 413),
    "nonsense": ([b"\x16\x03\x01\x02"], 400),
}


def test_a_request_that_is_too_large_is_refused_while_it_comes(tmp_path: Path) -> None:
    async def story(port: int) -> None:
        for name, (parts, expected) in TOO_MUCH.items():
            answer = await say(port, *parts)
            assert status(answer) in (expected, 0), name  # 0: it was still sending when the server hung up.
            assert not answer or all(b"\r\n%s: %s\r\n" % header in answer for header in HEADERS), name

    run(tmp_path, story)


def test_endless_headers_fill_no_memory(tmp_path: Path) -> None:
    async def story(port: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n")
        sent, part = 0, b"x-1: " + b"y" * 1_000 + b"\r\n"
        try:
            while sent < 1 << 28:
                writer.write(part * 100)
                await writer.drain()
                sent += len(part) * 100
        except ConnectionError:
            pass
        assert sent < 1 << 25
        writer.close()

    run(tmp_path, story)


TOO_SLOW = {
    "silence": ([], 0),
    "headers": ([b"GET / HTTP/1.1\r\nHost: localhost\r\n"], 408),
    "nothing": ([b"\r\n"], 408),
    "body": ([POST + b"Content-Length: 9\r\n\r\nx"], 408),
    "chunks": ([CHUNKED + b"1\r\nx\r\n"], 408),
    "second": ([HEALTH + b"GET / HTTP/1.1\r\n"], 0),
    "body-after-the-answer": ([b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"], 0),
    "handshake": (
        [UPGRADE],
        408,
    ),
    "header-too-long-for-a-websocket": (
        [UPGRADE + b"x: " + b"y" * 9_000 + b"\r\n\r\n"],
        0,
    ),
}


@pytest.mark.usefixtures("hurried")
def test_a_request_that_does_not_end_is_not_waited_for(tmp_path: Path) -> None:
    async def story(port: int) -> None:
        answers = await asyncio.gather(*(say(port, *parts) for parts, _ in TOO_SLOW.values()))
        for (name, (_, expected)), answer in zip(TOO_SLOW.items(), answers, strict=True):
            assert status(answer) == expected if expected else b"408" not in answer, name

    run(tmp_path, story)


@pytest.mark.usefixtures("hurried")
def test_an_answer_that_nobody_reads_is_given_up(tmp_path: Path) -> None:
    async def ask_for_ever(lazy: socket.socket) -> None:
        try:
            while True:
                asked = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
                await asyncio.get_running_loop().sock_sendall(lazy, asked)
        except ConnectionError:
            pass

    async def story(port: int) -> None:
        with socket.socket() as lazy:
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            lazy.setblocking(False)
            await asyncio.get_running_loop().sock_connect(lazy, ("127.0.0.1", port))
            await asyncio.wait_for(ask_for_ever(lazy), WAIT)

    run(tmp_path, story, limited=False)


def test_a_request_that_is_open_when_the_server_stops_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "SHUTDOWN_SECONDS", 0.05)
    written = StringIO()
    handler = Handler(written)
    logging.getLogger().addHandler(handler)

    async def stop() -> bytes:
        async with serving(tmp_path) as port:
            analysis = b"GET /api/analysis?game=gridlock&size=12x12 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            answer = asyncio.create_task(say(port, analysis))
            async with asyncio.timeout(WAIT):
                while not next(iter(BUSY.collect())).samples[0].value:
                    await asyncio.sleep(0.005)
        return await answer

    try:
        head, _, body = asyncio.run(stop()).partition(b"\r\n\r\n")
    finally:
        logging.getLogger().removeHandler(handler)
    assert b" 503 " in head and b"x-content-type-options: nosniff" in head
    assert json.loads(body) == {"error": "The server is stopping."}
    assert written.getvalue() == ""


def test_requests_are_not_queued_without_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story(port: int) -> None:
        answer = await say(port, HEALTH * 2_000)
        assert answer.count(b"HTTP/1.1 200") <= limits.PIPELINE + 1
        for rest in (b"nonsense\r\n\r\n", HEALTH + b"nonsense\r\n\r\n", UPGRADE + b"\r\n"):
            await say(port, HEALTH + rest)  # The connection ends while the first request is answered.

    run(tmp_path, story)
    assert not caplog.records


def test_connections_are_limited_per_address_and_others_are_served(tmp_path: Path) -> None:
    async def hold(port: int, number: int) -> list[asyncio.StreamWriter]:
        """Open connections, each with half a request; gives those that can send the rest and are answered."""
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(number)]
        for _, writer in opened:
            writer.write(HEALTH[:20])
        alive = []
        for reader, writer in opened:
            writer.write(HEALTH[20:])
            with suppress(ConnectionError):
                if await asyncio.wait_for(reader.read(1), WAIT):
                    alive.append(writer)
                    continue
            writer.close()
        return alive

    async def stranger(port: int) -> None:
        held = await hold(port, limits.CONNECTIONS + 50)
        assert len(held) == limits.CONNECTIONS
        assert await say(port, HEALTH) == b""
        closing = HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        assert status(await say(port, closing, address="127.0.0.2")) == 200
        for writer in held:
            writer.close()
        async with asyncio.timeout(WAIT):
            while not await say(port, closing):
                pass

    async def proxy(port: int) -> None:
        held = await hold(port, limits.CONNECTIONS + 50)
        assert len(held) == limits.CONNECTIONS + 50
        for writer in held:
            writer.close()

    run(tmp_path, stranger)
    run(tmp_path, proxy, trusted_proxies=("127.0.0.0/8",))


def test_a_newcomer_takes_the_place_of_the_oldest_idle_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ALL_CONNECTIONS", 10)
    closing = HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")

    async def story(port: int) -> None:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
        for _, writer in held[1:]:
            writer.write(b"GET /")
        busy, oldest = held[0], held[1]
        busy[1].write(b"GET /api/analysis?game=adjacent-claim&size=20x20 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert status(await say(port, closing, address="127.0.0.2")) == 200
        with suppress(ConnectionError):
            assert await asyncio.wait_for(oldest[0].read(), WAIT) == b""
        assert not any(reader.at_eof() for reader, _ in (busy, *held[2:]))
        for _, writer in held:
            writer.close()

    run(tmp_path, story)


def test_files_are_left_for_the_rest_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "file_limit", lambda: 20)

    async def story(port: int) -> None:
        before = len(list(FILES.iterdir()))
        with ExitStack() as stack:
            for _ in range(40):
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                await asyncio.sleep(0)
            async with asyncio.timeout(WAIT):
                while len(list(FILES.iterdir())) > before + 40 + 10:
                    await asyncio.sleep(0.005)
        async with asyncio.timeout(WAIT):
            while not await say(port, HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")):
                pass

    if not FILES.exists():
        pytest.skip("the system does not list open files")
    run(tmp_path, story)


# Sockets.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('web')}/quintet.db")
    yield server
    assert server.stop() == ""


@pytest.mark.parametrize(
    ("kind", "code"),
    [("pings", 1008), ("pongs", 1008), ("parts", 1008), ("not-text", 1007), ("wrong-then-not-text", 1007)],
)
def test_frames_that_are_no_messages_are_limited(kind: str, code: int, server: Server) -> None:
    def frames(socket: Any) -> None:
        match kind:
            case "pings":
                for _ in range(5_000):
                    socket.protocol.send_ping(b"")
            case "pongs":
                for _ in range(5_000):
                    socket.protocol.send_pong(b"")
            case "parts":
                socket.protocol.send_text(b"", fin=False)
                for _ in range(5_000):
                    socket.protocol.send_continuation(b"", fin=False)
            case "not-text":
                socket.protocol.send_text(b"\xff\xfe")
            case _:
                socket.protocol.send_text(b"wrong")  # Answered when the socket is closed already.
                socket.protocol.send_text(b"\xff\xfe")

    async def flood() -> None:
        url = f"ws://{server.host}/api/matches/{server.begin()['id']}/live"
        async with connect(url, ping_interval=None) as socket:
            frames(socket)
            socket.transport.write(b"".join(socket.protocol.data_to_send()))
            await asyncio.wait_for(socket.wait_closed(), WAIT)
            assert socket.close_code in (code, 1006)  # 1006: the server did not wait for the client.

    asyncio.run(flood())


def test_a_flood_of_messages_delays_nobody(server: Server) -> None:
    id = server.begin()["id"]
    url = f"ws://{server.host}/api/matches/{id}/live"
    message = Frame(Opcode.TEXT, b'{"type":"ping"}').serialize(mask=True)

    async def flood() -> None:
        async with connect(url, ping_interval=None) as socket:
            socket.transport.write(message * 20_000)
            with suppress(ConnectionClosed):
                async for said in socket:
                    assert said in ('{"type":"pong"}', '{"type":"error","error":"Too many messages; slow down."}')

    async def ping(honest: ClientConnection) -> float:
        """Seconds until the answer."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        await honest.send('{"type":"ping"}')
        assert await honest.recv() == '{"type":"pong"}'
        return loop.time() - started

    async def story() -> None:
        async with connect(url, local_addr=("127.0.0.2", 0)) as honest:
            alone = [await ping(honest) for _ in range(10)]  # On a busy machine this too takes its time.
            flooding = [asyncio.create_task(flood()) for _ in range(4)]
            waits: list[float] = []
            while not all(one.done() for one in flooding):
                waits.append(await ping(honest))
                await asyncio.sleep(0.05)
            await asyncio.gather(*flooding)
            assert len(waits) > 10 and sorted(waits)[len(waits) * 9 // 10] < 0.5 + 10 * max(alone)

    asyncio.run(story())


# Other sites and other names.


def test_pages_of_other_sites_can_change_nothing(server: Server) -> None:
    body, path = json.dumps({"game": "isolation"}), "/api/matches"

    def post(**headers: str) -> tuple[int, str]:
        answer = server.http.post(path, content=body, headers={n.replace("_", "-"): v for n, v in headers.items()})
        return answer.status_code, answer.json().get("error", "")

    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        assert post(content_type=kind) == (
            415,
            "Send the body as JSON, with the header Content-Type: application/json.",
        )
    for kind in ("application/json", "Application/JSON; charset=utf-8"):
        assert post(content_type=kind)[0] == 201
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec_fetch_site": "cross-site"}):
        assert post(content_type="application/json", **headers)[0] == 403
        assert server.http.get("/api/games", headers=headers).status_code == 200
    ours = {"origin": f"http://{server.host}", "sec_fetch_site": "same-origin"}
    assert post(content_type="application/json", **ours)[0] == 201
    record = server.http.post(
        "/api/records", content='[Game "isolation"]\n\n7', headers={"Origin": "http://evil.example"}
    )
    assert record.status_code == 403


def test_the_server_answers_to_its_own_names_only(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db", "--allow", "games.example")
    statuses = {
        name: server.http.get("/api/games", headers={"Host": name}).status_code
        for name in (
            "games.example",
            "GAMES.example:8000",
            "192.168.1.7:8000",
            "evil.example",
            "games.example.evil.org",
        )
    }
    assert list(statuses.values()) == [200, 200, 200, 421, 421]
    error = server.http.get("/api/games", headers={"Host": "evil.example"}).json()["error"]
    assert "'evil.example'" in error and "--allow" in error
    log = server.stop()
    assert log.count("\n") == 1 and "evil.example" in log and "--allow" in log


def test_names_addresses_and_networks() -> None:
    for host in ("localhost", "localhost:8000", "127.0.0.1", "[::1]:8000", "[fe80::1]", socket.gethostname(), ""):
        assert allows_host(host, ()), host
    for host in ("example.org", "localhost.evil.example", "127.0.0.1.evil.example", "[evil]", "x]"):
        assert not allows_host(host, ("quintet.example",)), host
    assert allows_host("Quintet.Example.:80", ("quintet.example",))
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::4") != network_of("2001:db8:1:2::4")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") == "10.0.0.1"
    assert network_of("x" * 5_000) == "x" * 64
    assert allowed_hosts("::1", ["Games.example"]) == ["[::1]", "games.example"]
    for wrong in ("http://games.example", "games.example:80", "*", ""):
        with pytest.raises(QuintetError, match="host name"):
            allowed_hosts("127.0.0.1", [wrong])
    with pytest.raises(QuintetError, match="--trusted-proxy"):
        read_proxies(["nginx"])
    assert allowed_hosts("::1", ["Bücher.example"])[1] == "xn--bcher-kva.example"
    with pytest.raises(QuintetError, match="host name"):
        allowed_hosts("127.0.0.1", ["ü" * 70])


def test_this_machine_answers_to_its_short_name_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Rook.example.org")
    own_names.cache_clear()
    for host in ("rook", "rook:8000", "rook.local", "rook.example.org"):
        assert allows_host(host, ()), host
    own_names.cache_clear()


@pytest.mark.parametrize("text", ["10.0.0.5/8", "::ffff:10.0.0.5/104", "::ffff:10.1.2.3"])
def test_a_trusted_proxy_is_trusted_however_its_address_is_written(text: str) -> None:
    proxies = read_proxies([text])
    allowed = runner.Server(Settings(trusted_proxies=proxies)).config.forwarded_allow_ips
    uvicorns, ours = ProxyHeadersMiddleware(NOTHING, allowed or ""), connections.Connections(trusted=proxies)
    for address in ("10.1.2.3", "::ffff:10.1.2.3"):
        assert address in uvicorns.trusted_hosts and ours.trusts(address)
    for address in ("11.1.2.3", "::ffff:11.1.2.3", "::1", ""):
        assert address not in uvicorns.trusted_hosts and not ours.trusts(address)


def test_who_comes_through_a_trusted_proxy_is_counted_apart(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db", "--trusted-proxy", "127.0.0.1")

    def create(client: str) -> int:
        return server.http.post("/api/matches", json={}, headers={"X-Forwarded-For": client}).status_code

    while create("2001:db8::1") != 429:
        pass
    assert create("2001:db8::2") == 429  # The same network.
    assert create("2001:db8:1::1") == 422
    assert server.stop() == ""


def invitation(url: str, listening_on: str, server: tuple[str, int | None] | None, *headers: str) -> Invitation:
    """What a visitor who opened the page at `url` is told to send to others."""
    scheme, _, host = url.partition("://")
    app = SimpleNamespace(state=SimpleNamespace(listening_on=listening_on))
    named = [(b"host", host.encode()), *((name.encode(), b"192.0.2.7") for name in headers)]
    scope = {"type": "http", "scheme": scheme, "path": "/", "headers": named, "server": server, "app": app}
    return invite(Request(scope), "1")


def test_an_invitation_names_this_machine_only_where_visitors_connect_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert network_address() != "127.0.0.1"
    monkeypatch.setattr(hosts, "network_address", lambda: "192.168.1.7")
    inside, everywhere = ("172.30.85.3", 8000), "0.0.0.0"
    direct = invitation("http://localhost:8000", everywhere, inside)
    assert direct == Invitation("http://192.168.1.7:8000/match/1")
    assert invitation("http://localhost", everywhere, ("127.0.0.1", 80)).url == "http://192.168.1.7:80/match/1"
    assert invitation("https://quintet.example", everywhere, inside) == Invitation("https://quintet.example/match/1")
    for url, server, *headers in (
        ("https://localhost", inside, "x-forwarded-for"),
        ("https://localhost:8000", inside, "forwarded"),
        ("http://localhost:9000", inside),
        ("http://localhost", None),
        ("http://localhost", ("/run/quintet.sock", None)),
    ):
        assert invitation(url, everywhere, server, *headers) == Invitation(f"{url}/match/1", OTHER_ADDRESS)
    assert shared_url("http://localhost:99999/match/1", everywhere, 8000) is None
    here = invitation("http://[::1]:8000", "::1", ("::1", 8000))
    assert here == Invitation("http://[::1]:8000/match/1", ONLY_HERE.format(command=ACCEPT_OTHERS), ACCEPT_OTHERS)
    monkeypatch.setattr(hosts, "network_address", lambda: None)
    assert invitation("http://localhost:8000", everywhere, inside).note == NO_NETWORK
