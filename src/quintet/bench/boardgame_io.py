"""Compares Quintet's server with boardgame.io's, one after the other in one run, on one machine.

    python -m quintet.bench.boardgame_io [--matches 100] [--seconds 10] [--rounds 7]

boardgame.io plays its own example, tic-tac-toe, with its storage in memory; Quintet stores every move durably before
it acknowledges it. Both have the same clients, two to a match, over bare WebSockets, without pauses. `npm` installs
boardgame.io into a temporary folder, or into `--folder`, where a second run finds it.
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

import msgspec

from quintet.bench.load_test import Client, LoadTest
from quintet.bench.meter import Figures
from quintet.bench.server_process import ServerProcess, serve
from quintet.bench.web_load import Plan, measure, prepare
from quintet.games import GAMES

PACKAGE = "boardgame.io@0.50.2"
GAME = b"/tic-tac-toe,"
"""The game's namespace, as socket.io writes it before each message."""
JOINED = b"40" + GAME
"""Joins the namespace; the answer starts the same."""
EVENT = b"42" + GAME
"""The start of an event of the game."""


class Board(msgspec.Struct):
    """The board."""

    cells: list[str | None]


class Context(msgspec.Struct):
    """Whose turn it is, and the result."""

    currentPlayer: str
    gameover: dict[str, str | bool] | None = None


class State(msgspec.Struct):
    """The fields of a state that a client needs."""

    G: Board
    ctx: Context
    number: int = msgspec.field(name="_stateID")


class Synced(msgspec.Struct):
    """The answer to a client that joins."""

    state: State


read_event = msgspec.json.Decoder(list[msgspec.Raw]).decode
read_text = msgspec.json.Decoder(str).decode
read_state = msgspec.json.Decoder(State).decode
read_sync = msgspec.json.Decoder(Synced).decode


class Player(Client):
    """One of the two players of a match; both go on to the next match together."""

    path = "/socket.io/?EIO=4&transport=websocket"
    other: "Player"

    def __init__(self, test: LoadTest, match: str, seat: str) -> None:
        """A client with a seat."""
        super().__init__(test)
        self.match, self.seat = match, seat
        self.ready = False
        """Whether the player has joined the namespace."""
        self.number = -1
        """The number of the state after the last move that was sent."""

    def on_message(self, text: bytes) -> None:
        """Receive a packet."""
        if text.startswith(EVENT):
            kind, match, body, *_ = read_event(text[len(EVENT) :])
            if read_text(match) == self.match and read_text(kind) == "update":
                self.respond(read_state(body))
            elif read_text(match) == self.match and read_text(kind) == "sync":
                self.synced(read_sync(body).state)
        elif text.startswith(JOINED):
            self.ready = True
            if self.other.ready:
                (self if self.seat == "0" else self.other).sync()
        elif text.startswith(b"0"):
            self.send(JOINED)
        elif text == b"2":
            self.send(b"3")
        else:
            self.test.meter.failed(text.decode(errors="replace")[:80])

    def emit(self, *event: object) -> None:
        """Send an event to the game."""
        self.send(EVENT + msgspec.json.encode(event))

    def sync(self) -> None:
        """Join the match; the first to join creates it."""
        self.emit("sync", self.match, self.seat, None, 2)

    def synced(self, state: State) -> None:
        """The match exists. The first player calls the second, so that it is not created twice, and then starts."""
        if self.seat == "0":
            self.other.match = self.match
            self.other.sync()
        else:
            self.other.respond(state)

    def respond(self, state: State) -> None:
        """Do what a state calls for: a move, or the next match."""
        if state.number == self.number:
            self.test.meter.acknowledged(self)
        if self.test.stopping:
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
            self.test.meter.sent(self)
            self.emit("update", {"type": "MAKE_MOVE", "payload": move}, state.number, self.match, self.seat)


def prepare_peer(url: str, matches: int) -> LoadTest:
    """A load test of boardgame.io, whose matches are created by the first who joins."""
    test = LoadTest(url)
    for _ in range(matches):
        name = secrets.token_hex(8)
        pair = Player(test, name, "0"), Player(test, name, "1")
        pair[0].other, pair[1].other = pair[1], pair[0]
        test.clients += pair
    return test


def start_peer(folder: Path) -> ServerProcess:
    """boardgame.io's server, installed into a folder by npm if it is not there."""
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), PACKAGE], check=True)
    environment = [f"NODE_PATH={folder / 'node_modules'}", "NODE_ENV=production"]
    return ServerProcess(["env", *environment, "node", str(Path(__file__).with_name("tic-tac-toe.cjs"))])


def show(name: str, figures: Figures) -> None:
    """Print a row of the table."""
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
    """The results of both servers, measured one after the other in each round."""
    with tempfile.TemporaryDirectory() as scratch:
        ours = serve(f"sqlite:///{scratch}/quintet.db", "--no-limits")
        theirs = start_peer(folder)
        plan = Plan(tuple(GAMES), matches=matches)
        servers: dict[str, tuple[ServerProcess, Callable[[], LoadTest]]] = {
            "Quintet": (ours, lambda: prepare(ours.url, plan)),
            "boardgame.io": (theirs, lambda: prepare_peer(theirs.url, matches)),
        }
        found: dict[str, list[Figures]] = {name: [] for name in servers}
        try:
            for _ in range(rounds):
                for name, (server, make_test) in servers.items():
                    found[name].append(measure(make_test(), seconds, server.process.pid))
                    show(name, found[name][-1])
        finally:
            ours.stop()
            theirs.stop()
    return found


def main() -> None:
    """Run the comparison, and exit with 1 unless Quintet is ahead in most rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100, help="matches at once")
    parser.add_argument("--seconds", type=float, default=10, help="seconds of each measurement")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each server")
    parser.add_argument("--folder", type=Path, help="folder for boardgame.io; by default a temporary one")
    options = parser.parse_args()
    if not shutil.which("npm"):
        parser.error("this needs Node and npm")
    heads = ("moves/s", "p50 ms", "p99 ms", "max ms", "errors", "server", "client", "MB")
    print(f"{options.matches} matches, load {os.getloadavg()[0]:.1f} before")
    print(" " * 16 + "".join(f"{head:>11}" for head in heads))
    with tempfile.TemporaryDirectory() as scratch:
        found = compare(options.folder or Path(scratch), options.matches, options.seconds, options.rounds)
    rates, tails = ratios(*found.values())
    for what, times in (("moves per second", rates), ("p99", tails)):
        low, high = min(times), max(times)
        print(f"{what}: {low:.2f} to {high:.2f} times boardgame.io's, in the median {statistics.median(times):.2f}")
    sys.exit(0 if statistics.median(rates) > 1 > statistics.median(tails) else 1)


def ratios(ours: list[Figures], theirs: list[Figures]) -> tuple[list[float], list[float]]:
    """How many times their moves per second and their p99 ours are, round by round."""
    pairs = list(zip(ours, theirs, strict=True))
    rates = [one.moves_per_second / other.moves_per_second for one, other in pairs]
    return rates, [(one.p99_ms or 0) / (other.p99_ms or 1) for one, other in pairs]


if __name__ == "__main__":
    main()
