"""The worker processes: whatever they are asked, the rest of the work is done."""

import asyncio
import gc
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from patience import WAIT
from quintet.games import GAMES
from quintet.notation import write_position
from quintet.options import start
from quintet.web import work, worker_process, workers
from quintet.web.api_error import ApiError
from quintet.web.fair_queue import FairQueue
from quintet.web.limits import CLIENT
from quintet.web.worker_process import WorkerDied
from quintet.web.workers import WorkerPool


def deaf() -> None:
    """Work that never ends and ignores its alarm."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    threading.Event().wait()


def linger(begun: Path, go: Path) -> str:
    """Work that waits for a sign."""
    begun.touch()
    while not go.exists():
        threading.Event().wait(0.01)
    return "done"


def die_twice(mark: Path) -> str:
    """Work that ends its process the first two times."""
    deaths = len(mark.read_text()) if mark.exists() else 0
    if deaths < 2:
        mark.write_text("x" * (deaths + 1))
        os._exit(1)
    return "alive"


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT):
        while not condition():
            await asyncio.sleep(0.005)


def test_work_that_ends_its_process_or_does_not_end_disturbs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "LATE", 0.2)
    begun, go = tmp_path / "begun", tmp_path / "go"

    async def ask() -> None:
        pool = WorkerPool(2, {})
        try:
            other = asyncio.create_task(pool.run(60, linger, begun, go))
            await until(begun.exists)
            with pytest.raises(work.TimeUp):
                await pool.run(0.5, deaf)
            with pytest.raises(WorkerDied, match="with status 7"):
                await pool.run(10, os._exit, 7)
            assert await pool.run(10, die_twice, tmp_path / "mark") == "alive"
            begun.unlink()
            go.touch()
            assert await other == "done" and not begun.exists()  # It was not started again.
            assert isinstance((await pool.choose("greedy", start(GAMES["isolation"])))[0], int)
        finally:
            pool.close()

    asyncio.run(ask())


def test_a_process_that_dies_before_it_has_started_is_no_noise_when_nobody_waits() -> None:
    """The event loop speaks of every error that nobody has looked at."""
    said: list[str] = []

    async def ask() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: said.append(context["message"]))
        process = worker_process.WorkerProcess()
        waiting = asyncio.create_task(process.do(10, int))
        await asyncio.sleep(0)  # It is waiting for the process to start.
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        process.kill()
        await until(process.started.done)
        await asyncio.sleep(0)

    asyncio.run(ask())
    gc.collect()
    assert not said


def test_a_compiled_search_reacts_to_its_alarm_and_to_being_cancelled() -> None:
    big = start(GAMES["gridlock"], size="7x7")

    async def ask() -> None:
        pool = WorkerPool(2, {})
        try:
            with pytest.raises(work.TimeUp):
                await pool.run(2.0, work.judge, write_position(big), big.moves[0])
            [worker] = pool.idle
            study = asyncio.create_task(pool.study("", 60.0, work.judge, write_position(big), big.moves[0]))
            await until(lambda: bool(pool.busy))
            study.cancel()
            await asyncio.wait([study])
            assert pool.idle == [worker] and worker.alive  # The same process continues.
            assert await pool.run(10, os.getpid) == worker.process.pid
        finally:
            pool.close()

    asyncio.run(ask())


def test_analysis_never_keeps_the_games_waiting() -> None:
    big = write_position(start(GAMES["gridlock"], size="7x7"))

    async def ask() -> bool:
        pool = WorkerPool(1, {})
        try:
            study = asyncio.create_task(pool.study("", 30.0, work.judge, big, 1))
            await until(lambda: bool(pool.busy))
            move, _ = await pool.choose("random", start(GAMES["isolation"]))
            waiting = not study.done()
            study.cancel()
            await asyncio.wait([study])
            return isinstance(move, int) and waiting
        finally:
            pool.close()

    assert asyncio.run(ask())


def test_engines_have_less_time_when_many_wait() -> None:
    big = start(GAMES["adjacent-claim"], size="20x20")

    async def ask() -> list[float]:
        pool = WorkerPool(2, {})
        try:
            answers = await asyncio.gather(*(pool.choose("perfect", big) for _ in range(6)))
            assert all(isinstance(move, int) for move, _ in answers) and pool.choosing == 0
            return [spent for _, spent in answers]
        finally:
            pool.close()

    spent = asyncio.run(ask())
    assert spent[-1] < 0.75 * workers.ENGINE_SECONDS


@pytest.mark.parametrize("who", ["exec:touch {}", "python:os:abort", "exec", "nobody", "human"])
def test_a_player_that_only_the_database_names_is_not_started(who: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    async def ask() -> None:
        pool = WorkerPool(2, {})
        try:
            answer = await pool.choose(who.format(mark), start(GAMES["gridlock"]))
            assert answer == ("it is not an engine of this server", 0)
        finally:
            pool.close()

    asyncio.run(ask())
    assert not mark.exists()


def test_a_custom_player_has_all_its_time_and_addresses_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ENGINE_SECONDS", 0.2)
    big, done = start(GAMES["adjacent-claim"], size="20x20"), list[str]()

    async def ask() -> None:
        pool = WorkerPool(2, {"guest:Bot": "perfect"})

        async def play(address: str) -> None:
            CLIENT.set(address)
            move, spent = await pool.choose("guest:Bot", big)
            assert isinstance(move, int) and spent > 0.15
            done.append(address)

        try:
            await asyncio.gather(*(play(address) for address in "aaaab"))
        finally:
            pool.close()

    asyncio.run(ask())
    assert done == ["a", "a", "b", "a", "a"]


def test_addresses_take_turns_and_one_alone_cannot_fill_the_queue() -> None:
    async def story() -> list[str]:
        queue, done = FairQueue(1, most=6, most_per_address=3), list[str]()
        gate = asyncio.Event()

        async def visit(address: str, name: str) -> None:
            async with queue.place(address):
                await gate.wait()
                done.append(name)

        visits = [asyncio.create_task(visit("a", f"a{number}")) for number in range(4)]
        await until(lambda: queue.length == 3)
        with pytest.raises(ApiError, match="3 of your requests are waiting") as refused:
            await visit("a", "a4")
        assert refused.value.http_status == 429
        visits += [asyncio.create_task(visit(address, address)) for address in "bcd"]
        await until(lambda: queue.length == 6)
        visits.append(asyncio.create_task(visit("e", "e")))  # It takes the place of the last of those of "a".
        with pytest.raises(ApiError, match="busy") as refused:
            await visits[3]
        assert refused.value.http_status == 503 and queue.length == 6
        visits.append(asyncio.create_task(visit("f", "f")))
        with pytest.raises(ApiError, match="busy"):
            await visits[2]
        with pytest.raises(ApiError, match="busy"):
            await visit("g", "g")  # Every address has one.
        visits[4].cancel()  # Whoever goes away leaves its place in the queue.
        await until(lambda: queue.length == 5)
        gate.set()
        await asyncio.gather(*visits, return_exceptions=True)
        assert queue.free == 1 and not queue.waiting
        return done

    assert asyncio.run(story()) == ["a0", "a1", "c", "d", "e", "f"]


def test_a_place_that_is_given_to_somebody_who_goes_away_is_passed_on() -> None:
    async def story() -> None:
        queue = FairQueue(1, 9, 9)

        async def visit() -> None:
            async with queue.place(""):
                pass

        async with queue.place(""):
            waiting = asyncio.create_task(visit())
            await until(lambda: queue.length == 1)
        waiting.cancel()  # It has been given the place, and does not know yet.
        await asyncio.wait([waiting])
        assert waiting.cancelled() and queue.free == 1

    asyncio.run(story())
