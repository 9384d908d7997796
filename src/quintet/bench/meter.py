"""What is measured of a server under load: moves, the latency of each, and errors."""

import math
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec


class HostileFigures(msgspec.Struct):
    """What hostile clients achieved. They are not part of the other figures."""

    messages: int = 0
    """Messages that the server's system accepted from flooding sockets."""
    closed: int = 0
    """Flooding sockets that the server closed or refused; each opens another one."""
    half_open_closed: int = 0
    """Half-open connections that the server closed; each opens another one."""


class OutageFigures(msgspec.Struct):
    """What became of players whose servers were killed or drained."""

    signal: str
    ended: int = 0
    """Server processes that were ended; others took their place."""
    lost_sockets: int = 0
    """Sockets that broke."""
    restarted_sockets: int = 0
    """Sockets that a draining server closed in order."""
    max_to_reconnect_ms: float | None = None
    """The longest time from the end of a player's socket until the table was shown again."""
    agreements: int = 0
    max_to_agree_ms: float | None = None
    """The longest time from then until both players of a table were shown the same."""
    lost: int = 0
    """Acknowledged moves that are not stored."""
    doubled: int = 0
    """Stored moves that no player sent at that place."""


class Figures(msgspec.Struct):
    """The results of a load test. Only acknowledged moves count; latency is from sending one to its acknowledgement."""

    seconds: float
    moves: int
    moves_per_second: float
    engine_moves: int
    p50_ms: float | None
    p99_ms: float | None
    max_ms: float | None
    errors: dict[str, int]
    server_mb: float | None = None
    """The peak memory of the server's processes, added up; what they share is counted for each."""
    server_cores: float | None = None
    """Cores that the server's processes kept busy."""
    client_cores: float | None = None
    hostile: HostileFigures | None = None
    outages: OutageFigures | None = None


class Meter:
    """Measures the moves that are sent while it runs."""

    def __init__(self) -> None:
        """Start with nothing, not running."""
        self.running = False
        self.waiting: dict[object, float] = {}
        """The clients that wait for the acknowledgement of a move, and since when."""
        self.latencies: list[float] = []
        """In seconds."""
        self.engine_moves = 0
        self.errors: Counter[str] = Counter()

    def sent(self, client: object) -> None:
        """A client has sent a move."""
        if self.running:
            self.waiting[client] = time.perf_counter()

    def acknowledged(self, client: object) -> None:
        """A client's move was acknowledged."""
        started = self.waiting.pop(client, None)
        if started is not None:
            self.latencies.append(time.perf_counter() - started)

    def engine_moved(self) -> None:
        """An engine has moved."""
        self.engine_moves += self.running

    def failed(self, reason: str, times: int = 1) -> None:
        """Something went wrong."""
        self.errors[reason] += times

    def figures(self, seconds: float) -> Figures:
        """The results after this many seconds; moves without an acknowledgement are errors."""
        if self.waiting:
            self.errors["a move was not acknowledged"] += len(self.waiting)
        latencies = sorted(self.latencies)
        return Figures(
            seconds=round(seconds, 2),
            moves=len(latencies),
            moves_per_second=round(len(latencies) / seconds, 1),
            engine_moves=self.engine_moves,
            p50_ms=percentile(latencies, 0.5),
            p99_ms=percentile(latencies, 0.99),
            max_ms=percentile(latencies, 1),
            errors=dict(self.errors),
        )


def percentile(latencies: Sequence[float], share: float) -> float | None:
    """A percentile of sorted latencies, in milliseconds; `None` if there are none."""
    return round(1000 * latencies[max(0, math.ceil(share * len(latencies)) - 1)], 2) if latencies else None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process and its children have used."""

    memory: int
    """The peak memory of each in bytes, added up."""
    seconds: float
    """CPU time."""


def usage(process: int | None) -> Usage | None:
    """What a process and its descendants have used; `None` if the system has no `/proc` as Linux does."""
    if process is None or not Path(f"/proc/{process}/status").exists():
        return None
    memory, ticks, family = 0, 0, [process]
    for one in family:
        folder = Path(f"/proc/{one}")
        try:
            status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
            memory += 1024 * int(status["VmHWM"].split()[0])
            times = (folder / "stat").read_text().rpartition(")")[2].split()
            ticks += int(times[11]) + int(times[12])
            for task in (folder / "task").iterdir():
                family += map(int, (task / "children").read_text().split())
        except (OSError, KeyError):
            pass  # It has just ended.
    return Usage(memory, ticks / os.sysconf("SC_CLK_TCK"))
