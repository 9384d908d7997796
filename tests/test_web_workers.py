"""The worker processes: whatever they are asked, the pool recovers."""

import asyncio
import signal
import threading
from pathlib import Path

import pytest

from quintet.games import GAMES
from quintet.notation import write_position
from quintet.options import start
from quintet.web import work, workers
from quintet.web.workers import WorkerPool


def deaf() -> None:
    """Work that never ends and ignores its alarm."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    threading.Event().wait()


def linger(mark: Path) -> str:
    """Work that does not end the first time."""
    if mark.exists():
        return "again"
    mark.touch()
    threading.Event().wait()
    return "first"


def test_work_that_ignores_its_alarm_is_killed_and_the_rest_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> object:
        pool = WorkerPool(2, {})
        try:
            other = asyncio.create_task(pool.run(60, linger, tmp_path / "mark"))
            while not (tmp_path / "mark").exists():
                await asyncio.sleep(0.01)
            monkeypatch.setattr(workers, "STARTUP", 0.5)
            stuck = asyncio.create_task(pool.run(0.5, deaf))
            with pytest.raises(work.TimeUp):
                await stuck
            monkeypatch.undo()
            assert await other == "again"
            return (await pool.choose("greedy", start(GAMES["isolation"])))[0]
        finally:
            pool.close()

    assert isinstance(asyncio.run(ask()), int)


def test_a_compiled_search_reacts_to_its_alarm() -> None:
    big = start(GAMES["gridlock"], size="7x7")

    async def ask() -> None:
        pool = WorkerPool(2, {})
        processes = pool.pool
        try:
            with pytest.raises(work.TimeUp):
                await pool.run(2.0, work.judge, write_position(big), big.moves[0])
            assert pool.pool is processes  # The same process continues.
        finally:
            pool.close()

    asyncio.run(ask())


def test_analysis_never_keeps_the_games_waiting() -> None:
    big = write_position(start(GAMES["gridlock"], size="7x7"))

    async def ask() -> bool:
        pool = WorkerPool(1, {})
        try:
            study = asyncio.create_task(pool.study(30.0, work.judge, big, 1))
            while not pool.studying.locked():
                await asyncio.sleep(0)
            move, _ = await pool.choose("random", start(GAMES["isolation"]))
            study.cancel()
            return isinstance(move, int) and not study.done()
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
