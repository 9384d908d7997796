"""What a load test with servers that are killed or drained finds out: what was lost, and how soon all agree again."""

import asyncio
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from quintet.bench.meter import OutageFigures
from quintet.engines import HUMAN
from quintet.rules import PASS
from quintet.store.matches import Store
from quintet.store.online_matches import load_online_match
from quintet.store.rows import UnknownMatch

FIRST_WAIT, LONGEST_WAIT = 0.4, 15.0
"""Seconds until a client connects again, as the page does it: doubled each time, up to a limit."""
RESTARTING = "closed by the server: 1012"
"""How a server that drains closes a socket."""
SERVER_PROCESS = "spawn_main"
"""In the command line of a server process of several."""

Move = tuple[str, int, str]
"""A table, a ply, and the move."""


class Seated(Protocol):
    """A player in a load test."""

    opponent: "Seated | None"
    shown: tuple[str, int, int] | None
    """The table, undos and moves that its socket showed last; `None` while there is no socket."""
    lost_at: float | None
    """When it lost its socket, until it is shown its table again."""
    back_at: float | None
    """When that was, until its opponent is shown the same."""


class Outages:
    """Ends server processes in turn, writes down all moves, and times how the players find each other again."""

    def __init__(self, number: signal.Signals, every: float) -> None:
        """End a process with a signal every few seconds."""
        self.every, self.signal = every, number
        self.orderly = number == signal.SIGTERM
        """Whether servers are drained: then no client should notice anything but a request to connect again."""
        self.figures = OutageFigures(number.name)
        self.players: list[Seated] = []
        self.sent: set[Move] = set()
        self.acknowledged: set[Move] = set()
        self.to_reconnect: list[float] = []
        self.to_agree: list[float] = []

    async def run(self, command: int) -> None:
        """End the oldest process of a command that runs several, again and again."""
        while True:
            await asyncio.sleep(self.every)
            os.kill(min(server_processes(command)), self.signal)
            self.figures.ended += 1

    def lost(self, reason: str) -> bool:
        """A client's socket has ended; whether the server had asked the client to connect again."""
        restarting = reason.startswith(RESTARTING)
        self.figures.restarted_sockets += restarting
        self.figures.lost_sockets += not restarting
        return restarting

    def show(self, player: Seated, shown: tuple[str, int, int]) -> None:
        """A player is shown a table with this many undos and moves."""
        now = time.perf_counter()
        player.shown = shown
        if player.lost_at:
            self.to_reconnect.append(now - player.lost_at)
            player.lost_at, player.back_at = None, now
        other = player.opponent
        if other and other.shown == shown and (player.back_at or other.back_at):
            self.to_agree.append(now - max(player.back_at or 0.0, other.back_at or 0.0))
            player.back_at = other.back_at = None

    @property
    def disagreeing(self) -> int:
        """The tables whose two players are not shown the same."""
        pairs = ((player, player.opponent) for player in self.players)
        return sum(other is not None and player.shown != other.shown for player, other in pairs) // 2

    def finish(self, database: str) -> OutageFigures:
        """The figures, once nobody moves any more."""
        figures = self.figures
        figures.max_to_reconnect_ms = longest(self.to_reconnect)
        figures.agreements, figures.max_to_agree_ms = len(self.to_agree), longest(self.to_agree)
        stored = read_moves(database, {table for table, _, _ in self.sent})
        figures.lost, figures.doubled = len(self.acknowledged - stored), len(stored - self.sent)
        return figures


def longest(times: list[float]) -> float | None:
    """The longest of some times, in milliseconds."""
    return round(1000 * max(times), 1) if times else None


def server_processes(command: int) -> list[int]:
    """The server processes of `quintet serve --processes`."""
    children = map(int, Path(f"/proc/{command}/task/{command}/children").read_text().split())
    return [child for child in children if SERVER_PROCESS in command_line(child)]


def command_line(process: int) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def read_moves(database: str, tables: Iterable[str]) -> set[Move]:
    """The stored moves of people at some tables, without forced passes. Each match is replayed by the rules."""
    found: set[Move] = set()
    with Store(database) as store:
        for table in tables:
            try:
                online = load_online_match(store, table)
            except UnknownMatch:
                continue
            for ply, (position, move) in enumerate(zip(online.match.positions, online.match.moves, strict=False)):
                if move != PASS and online.seats[position.player].who == HUMAN:
                    found.add((table, ply, position.label(move)))
    return found
