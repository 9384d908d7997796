"""Time limits go by one clock, which counts processor time where it is told to."""

from collections.abc import Iterator
from itertools import count

import pytest

from quintet.arena.tournament import run, schedule
from quintet.engines.deepening import Deepening
from quintet.notation import write_position
from quintet.options import start
from quintet.solve import clock


@pytest.fixture(autouse=True)
def wall_time() -> Iterator[None]:
    yield
    clock.count_processor_time(False)


def test_a_limit_of_processor_time_ignores_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a processor clock that runs a millisecond at every look, and a wall clock that runs an hour."""
    looks, hours = count(), count()
    monkeypatch.setattr("quintet.solve.clock.time.process_time", lambda: next(looks) / 1000)
    monkeypatch.setattr("quintet.solve.clock.time.monotonic", lambda: next(hours) * 3600.0)
    position = start("gridlock", "8x8").play(1 << 27)
    engine = Deepening(seed=1)
    clock.count_processor_time()
    assert position.allows(engine.choose(position, 0.05)) and 40 < next(looks) <= 53 and next(hours) == 0
    clock.count_processor_time(False)
    assert position.allows(engine.choose(position, 0.05)) and engine.depth == 0 and next(hours) > 1


def test_a_tournament_chooses_the_clock_of_its_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[bool] = []
    monkeypatch.setattr("quintet.arena.tournament.count_processor_time", chosen.append)
    duels = schedule([("random", "greedy")], [write_position(start("isolation"))], 2)
    for cpu_time in (True, False):
        assert len(list(run(duels, 1, cpu_time=cpu_time))) == 2
    assert chosen == [True, False]
