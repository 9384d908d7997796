"""What is measured of a server under load: moves, how long each took to come back, and whatever went wrong."""

import math
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec


class Figures(msgspec.Struct):
    """What came of a trial; a move is one that was acknowledged, and times are those from sending it until then."""

    seconds: float
    moves: int
    moves_per_second: float
    engine_moves: int
    p50_ms: float | None
    p99_ms: float | None
    max_ms: float | None
    errors: dict[str, int]
    server_mb: float | None = None
    """The most memory its processes ever had, added up; what they share is counted for each."""
    server_cores: float | None = None
    """Processors kept busy by its processes."""
    client_cores: float | None = None


class Meter:
    """The moves sent while it runs, and what became of them."""

    def __init__(self) -> None:
        """Begin with nothing, not running."""
        self.running = False
        self.waiting: dict[object, float] = {}
        """Who waits for the answer to a move that counts, and since when."""
        self.times: list[float] = []
        """Seconds that answers took."""
        self.engine_moves = 0
        self.errors: Counter[str] = Counter()

    def sent(self, who: object) -> None:
        """Somebody has sent a move."""
        if self.running:
            self.waiting[who] = time.perf_counter()

    def came(self, who: object) -> None:
        """The answer to somebody's move is here."""
        begun = self.waiting.pop(who, None)
        if begun is not None:
            self.times.append(time.perf_counter() - begun)

    def answered(self) -> None:
        """An engine has moved."""
        self.engine_moves += self.running

    def failed(self, why: str) -> None:
        """Something went wrong."""
        self.errors[why] += 1

    def read(self, seconds: float) -> Figures:
        """What it shows after so long; whoever still waits has waited in vain."""
        if self.waiting:
            self.errors["a move was not answered"] += len(self.waiting)
        times = sorted(self.times)
        return Figures(
            seconds=round(seconds, 2),
            moves=len(times),
            moves_per_second=round(len(times) / seconds, 1),
            engine_moves=self.engine_moves,
            p50_ms=percentile(times, 0.5),
            p99_ms=percentile(times, 0.99),
            max_ms=percentile(times, 1),
            errors=dict(self.errors),
        )


def percentile(times: Sequence[float], share: float) -> float | None:
    """The milliseconds within which that share of sorted times was done; `None` if there are none."""
    return round(1000 * times[max(0, math.ceil(share * len(times)) - 1)], 2) if times else None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process and those that it began have used."""

    memory: int
    """Bytes, the most that each ever had, added up."""
    seconds: float
    """Time of processors."""


def usage(process: int | None) -> Usage | None:
    """What a process and its offspring have used; `None` where the system does not say it as Linux does."""
    if process is None or not Path(f"/proc/{process}/status").exists():
        return None
    memory, ticks, family = 0, 0, [process]
    for one in family:
        folder = Path(f"/proc/{one}")
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        memory += 1024 * int(status["VmHWM"].split()[0])
        times = (folder / "stat").read_text().rpartition(")")[2].split()
        ticks += int(times[11]) + int(times[12])
        for task in (folder / "task").iterdir():
            family += map(int, (task / "children").read_text().split())
    return Usage(memory, ticks / os.sysconf("SC_CLK_TCK"))
