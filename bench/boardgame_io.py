"""Quintet's server beside boardgame.io's, in turn in one run, on one machine.

    python bench/boardgame_io.py [--matches 100] [--seconds 10] [--rounds 3]

boardgame.io plays its own example, tic-tac-toe, with its storage in memory; Quintet stores every move durably before
it acknowledges it. Both are played by the same clients, two to a match, over bare WebSockets, as fast as it goes.
`npm` brings boardgame.io into a scratch folder, or into `--folder`, where a second run finds it.
"""

import argparse
import os
import random
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from quintet.bench.meter import Figures
from quintet.bench.server_process import Child, serve
from quintet.bench.web_crowd import Client, Crowd, trial
from quintet.bench.web_load import Plan, gather
from quintet.games import GAMES

PACKAGE = "boardgame.io@0.50.2"
GAME = b"/tic-tac-toe,"
"""The game's namespace, as socket.io writes it before each message."""
JOINED = b"40" + GAME
"""Asking to be let in, and the beginning of the answer."""
EVENT = b"42" + GAME
"""How an event of the game begins."""


class Board(msgspec.Struct):
    """What is to be seen of the board."""

    cells: list[str | None]


class Context(msgspec.Struct):
    """How the game goes."""

    currentPlayer: str
    gameover: dict[str, Any] | None = None


class State(msgspec.Struct):
    """What a client must know of a state."""

    G: Board
    ctx: Context
    number: int = msgspec.field(name="_stateID")


class Synced(msgspec.Struct):
    """What is told to who comes."""

    state: State


read_event = msgspec.json.Decoder(list[msgspec.Raw]).decode
read_text = msgspec.json.Decoder(str).decode
read_state = msgspec.json.Decoder(State).decode
read_sync = msgspec.json.Decoder(Synced).decode


class Player(Client):
    """One player of a match; the two of them go from match to match together."""

    path = "/socket.io/?EIO=4&transport=websocket"
    other: "Player"

    def __init__(self, crowd: Crowd, match: str, seat: str) -> None:
        """Somebody who is to come."""
        super().__init__(crowd)
        self.match, self.seat = match, seat
        self.ready = False
        """Whether the server has let the player in."""
        self.number = -1
        """Of the state that the move last sent is to make."""

    def heard(self, text: bytes) -> None:
        """Take a packet."""
        if text.startswith(EVENT):
            kind, match, body, *_ = read_event(text[len(EVENT) :])
            if read_text(match) == self.match and read_text(kind) == "update":
                self.look(read_state(body))
            elif read_text(match) == self.match and read_text(kind) == "sync":
                self.synced(read_sync(body).state)
        elif text.startswith(JOINED):
            self.ready = True
            if self.other.ready:
                (self if self.seat == "0" else self.other).sync()
        elif text.startswith(b"0"):
            self.say(JOINED)
        elif text == b"2":
            self.say(b"3")
        else:
            self.crowd.meter.failed(text.decode(errors="replace")[:80])

    def emit(self, *event: object) -> None:
        """Say something to the game."""
        self.say(EVENT + msgspec.json.encode(event))

    def sync(self) -> None:
        """Come to the match; who is first makes it."""
        self.emit("sync", self.match, self.seat, None, 2)

    def synced(self, state: State) -> None:
        """The match is there. The first calls the second, so that it is not made twice, and then begins."""
        if self.seat == "0":
            self.other.match = self.match
            self.other.sync()
        else:
            self.other.look(state)

    def look(self, state: State) -> None:
        """See what there is to do."""
        if state.number == self.number:
            self.crowd.meter.came(self)
        if self.crowd.resting:
            return
        if state.ctx.gameover is not None:
            if self.seat == "0":
                name, _, played = self.match.partition(".")
                self.match = f"{name}.{int(played or 0) + 1}"
                self.sync()
        elif state.ctx.currentPlayer == self.seat:
            free = [cell for cell, owner in enumerate(state.G.cells) if owner is None]
            move = {"type": "clickCell", "args": [random.choice(free)], "playerID": self.seat}
            self.number = state.number + 1
            self.crowd.meter.sent(self)
            self.emit("update", {"type": "MAKE_MOVE", "payload": move}, state.number, self.match, self.seat)


def gather_boards(url: str, matches: int) -> Crowd:
    """A crowd for boardgame.io, whose matches are made by who comes first."""
    crowd = Crowd(url)
    for _ in range(matches):
        name = secrets.token_hex(8)
        pair = Player(crowd, name, "0"), Player(crowd, name, "1")
        pair[0].other, pair[1].other = pair[1], pair[0]
        crowd.clients += pair
    return crowd


def start_boards(folder: Path) -> Child:
    """boardgame.io's server, brought into a folder by npm if it is not there."""
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), PACKAGE], check=True)
    environment = [f"NODE_PATH={folder / 'node_modules'}", "NODE_ENV=production"]
    return Child(["env", *environment, "node", str(Path(__file__).with_name("tic-tac-toe.cjs"))])


def show(name: str, figures: Figures) -> None:
    """A line of the table."""
    words = (
        f"{figures.moves_per_second:,.0f}",
        *(f"{time:.1f}" for time in (figures.p50_ms, figures.p99_ms, figures.max_ms) if time is not None),
        str(sum(figures.errors.values())),
        *(f"{number:.2f}" for number in (figures.server_cores, figures.client_cores) if number is not None),
        f"{figures.server_mb:.0f}" if figures.server_mb else "",
    )
    print(f"{name:<16}" + "".join(f"{word:>11}" for word in words), flush=True)
    for error, times in figures.errors.items():
        print(f"  {times} times: {error}")


def compare(folder: Path, matches: int, seconds: float, rounds: int) -> dict[str, list[Figures]]:
    """What both servers do, one after the other, in each round."""
    with tempfile.TemporaryDirectory() as scratch:
        ours = serve(f"sqlite:///{scratch}/quintet.db", "--no-limits")
        theirs = start_boards(folder)
        plan = Plan(tuple(GAMES), matches=matches)
        crowds: dict[str, tuple[Child, Callable[[], Crowd]]] = {
            "Quintet": (ours, lambda: gather(ours.url, plan)),
            "boardgame.io": (theirs, lambda: gather_boards(theirs.url, matches)),
        }
        found: dict[str, list[Figures]] = {name: [] for name in crowds}
        try:
            for _ in range(rounds):
                for name, (child, crowd) in crowds.items():
                    found[name].append(uvloop.run(trial(crowd(), seconds, child.process.pid)))
                    show(name, found[name][-1])
        finally:
            ours.stop()
            theirs.stop()
    return found


def main() -> None:
    """Run it, and say who is ahead."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100, help="matches at once")
    parser.add_argument("--seconds", type=float, default=10, help="seconds of each trial")
    parser.add_argument("--rounds", type=int, default=3, help="trials of each server")
    parser.add_argument("--folder", type=Path, help="where npm puts boardgame.io; by default a scratch folder")
    options = parser.parse_args()
    if not shutil.which("npm"):
        parser.error("this needs Node and npm")
    heads = ("moves/s", "p50 ms", "p99 ms", "max ms", "errors", "server", "client", "MB")
    print(f"{options.matches} matches, load {os.getloadavg()[0]:.1f} before")
    print(" " * 16 + "".join(f"{head:>11}" for head in heads))
    with tempfile.TemporaryDirectory() as scratch:
        found = compare(options.folder or Path(scratch), options.matches, options.seconds, options.rounds)
    rates = [statistics.median(one.moves_per_second for one in trials) for trials in found.values()]
    tails = [statistics.median(one.p99_ms or 0 for one in trials) for trials in found.values()]
    ahead = rates[0] > rates[1] and tails[0] < tails[1]
    print(f"medians: {rates[0] / rates[1]:.2f} times the moves a second, {tails[0] / tails[1]:.2f} times the p99")
    sys.exit(0 if ahead else 1)


if __name__ == "__main__":
    main()
