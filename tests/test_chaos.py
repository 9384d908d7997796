"""The chaos test: faults over both stores, and everything that is promised holds."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quintet.bench.chaos_parts import Disk, StoreKind
from quintet.bench.faults import FULL_DISK, kinds_of, make_schedule
from quintet.bench.postgres_process import why_not
from quintet.bench.proxy import COMMITTED, Proxy


@pytest.mark.parametrize("store", StoreKind)
def test_what_is_promised_holds_whatever_fails(store: StoreKind, tmp_path: Path) -> None:
    if store == StoreKind.postgresql and (reason := why_not()):
        pytest.skip(reason)
    out = tmp_path / "history.jsonl"
    options = ["--database", store, "--servers", "2", "--faults", "5", "--matches", "5", "--seconds-per-fault", "0.5"]
    command = [sys.executable, "-m", "quintet", "bench", "chaos", *options, "--seed", "52", "--json", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    (report,) = json.loads(done.stdout)
    assert (done.returncode, report["violations"]) == (0, {"lost": 0, "doubled": 0}), report["examples"]
    assert sum(report["faults"].values()) == 5 and report["quiet"] == 1
    kinds = [json.loads(line)["type"] for line in out.read_text().splitlines()]
    assert kinds.count("view") == report["views"] > kinds.count("stored") == report["tables"] >= 5
    assert sum(report["operations"]["move"].values()) > 5


@pytest.mark.parametrize("store", StoreKind)
def test_the_same_seed_gives_the_same_schedule_with_every_kind(store: StoreKind) -> None:
    kinds = kinds_of(store, small_disk=True)
    schedule, again, other = (make_schedule(kinds, 3 * len(kinds), 3, seed) for seed in (7, 7, 8))
    assert schedule == again != other
    assert {kind: [fault.kind for fault in schedule].count(kind) for kind in kinds} == dict.fromkeys(kinds, 3)
    assert FULL_DISK not in kinds_of(store, small_disk=False)


def test_a_full_disk_is_full() -> None:
    disk = Disk("2m")
    try:
        if not disk.small:
            pytest.skip("only root can mount a small disk")
        disk.fill()
        with pytest.raises(OSError, match="No space left"):
            (disk.folder / "file").write_bytes(bytes(1))
        disk.free()
        (disk.folder / "other").write_bytes(bytes(1))
    finally:
        disk.close()
    assert not disk.folder.exists()


def test_a_shifted_clock_is_shifted() -> None:
    code = "from quintet.bench.shifted_clock import shift_clock; shift_clock(7200); "
    code += "from quintet.store.rows import now; import time; print(now(), time.time())"
    text, seconds = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    for shifted in (datetime.fromisoformat(text), datetime.fromtimestamp(float(seconds), UTC)):
        assert 7100 < (shifted - datetime.now(UTC)).total_seconds() < 7300


@asynccontextmanager
async def echo_behind_proxy(path: Path) -> AsyncIterator[Proxy]:
    """A proxy before a program that answers what it is told."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1_000):
                writer.write(data)
        writer.close()

    server = await asyncio.start_unix_server(echo, path)
    proxy = Proxy(path)
    await proxy.open()
    try:
        yield proxy
    finally:
        await proxy.close()
        server.close()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})


def test_a_proxy_passes_on_stalls_cuts_and_loses_commits(tmp_path: Path) -> None:
    async def try_all() -> None:
        async with echo_behind_proxy(tmp_path / "socket") as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(COMMITTED)
            assert await reader.readexactly(len(COMMITTED)) == COMMITTED
            proxy.stall()
            writer.write(b"late")
            answer = asyncio.create_task(reader.readexactly(4))
            assert not (await asyncio.wait([answer], timeout=0.1))[0]
            proxy.resume()
            assert await answer == b"late"
            proxy.losing_commits = True
            writer.write(b"1234")
            assert await reader.readexactly(4) == b"1234"
            writer.write(COMMITTED)
            with suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()
            proxy.resume()
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(b"1234")
            assert await reader.readexactly(4) == b"1234"
            proxy.cut()
            with suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()

    asyncio.run(try_all())
