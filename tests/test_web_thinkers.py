"""The processes that think: whatever they are asked, they come back."""

import asyncio
import signal
import threading
from pathlib import Path

import pytest

from quintet.games import GAMES
from quintet.notation import write_position
from quintet.options import start
from quintet.web import thinkers, work
from quintet.web.thinkers import Thinkers


def deaf() -> None:
    """Work that never ends, and hears no alarm."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    threading.Event().wait()


def linger(mark: Path) -> str:
    """Work that does not end the first time."""
    if mark.exists():
        return "again"
    mark.touch()
    threading.Event().wait()
    return "first"


def test_work_that_hears_no_alarm_is_ended_and_others_are_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> object:
        think = Thinkers(2, {})
        try:
            other = asyncio.create_task(think.run(60, linger, tmp_path / "mark"))
            while not (tmp_path / "mark").exists():
                await asyncio.sleep(0.01)
            monkeypatch.setattr(thinkers, "STARTING", 0.5)
            stuck = asyncio.create_task(think.run(0.5, deaf))
            with pytest.raises(work.TimeUp):
                await stuck
            monkeypatch.undo()
            assert await other == "again"
            return (await think.choose("greedy", start(GAMES["isolation"])))[0]
        finally:
            think.close()

    assert isinstance(asyncio.run(ask()), int)


def test_a_compiled_search_hears_its_alarm() -> None:
    big = start(GAMES["gridlock"], size="7x7")

    async def ask() -> None:
        think = Thinkers(2, {})
        pool = think.pool
        try:
            with pytest.raises(work.TimeUp):
                await think.run(2.0, work.judge, write_position(big), big.moves[0])
            assert think.pool is pool  # It went on by itself.
        finally:
            think.close()

    asyncio.run(ask())


def test_a_study_never_keeps_the_games_waiting() -> None:
    big = write_position(start(GAMES["gridlock"], size="7x7"))

    async def ask() -> bool:
        think = Thinkers(1, {})
        try:
            study = asyncio.create_task(think.study(30.0, work.judge, big, 1))
            while not think.studying.locked():
                await asyncio.sleep(0)
            move, _ = await think.choose("random", start(GAMES["isolation"]))
            study.cancel()
            return isinstance(move, int) and not study.done()
        finally:
            think.close()

    assert asyncio.run(ask())


def test_many_engines_that_wait_think_less() -> None:
    big = start(GAMES["adjacent-claim"], size="20x20")

    async def ask() -> list[float]:
        think = Thinkers(2, {})
        try:
            answers = await asyncio.gather(*(think.choose("perfect", big) for _ in range(6)))
            assert all(isinstance(move, int) for move, _ in answers) and think.choosing == 0
            return [spent for _, spent in answers]
        finally:
            think.close()

    spent = asyncio.run(ask())
    assert spent[-1] < 0.75 * thinkers.ENGINE_SECONDS
