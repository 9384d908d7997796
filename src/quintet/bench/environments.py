"""Random legal play in steps per second: ours beside other libraries that are installed, in one run.

`quintet bench play` prints it; `python -m quintet.bench.environments` needs only Python and what it measures.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from quintet.bench import tables
from quintet.bench.random_play import CONTENDERS, PEER_GAME, Contender, Run
from quintet.games import GAMES

KEYS = [contender.key for contender in CONTENDERS]
PEERS = [contender for contender in CONTENDERS if not contender.ours]
ARRAY_BATCH = 4096
"""Games at once in NumPy and Numba, which are no faster with more."""


class Row(NamedTuple):
    """A measurement."""

    key: str
    label: str
    game: str
    batch: int
    """Games at once."""
    rate: float
    """Steps per second: the best of many short runs."""
    missing: str = ""
    """The package that is not installed, if nothing was measured."""


def default_batch() -> int:
    """Games at once in JAX: many more on a GPU."""
    if not find_spec("jax"):
        return ARRAY_BATCH
    import jax

    return 1 << (22 if jax.default_backend() == "gpu" else 14)


def missing_package(contender: Contender) -> str:
    """A package that an environment needs and that is not installed."""
    return next((name for name in contender.needs if not find_spec(name)), "")


def rate(run: Run, seconds: float) -> float:
    """Steps per second: the best of all short runs in this time. The first one, which compiles, is not counted."""
    run()
    best, deadline = 0.0, time.perf_counter() + seconds
    while True:
        before = time.perf_counter()
        steps = run()
        after = time.perf_counter()
        best = max(best, steps / (after - before))
        if after >= deadline:
            return best


def measure(
    games: Sequence[str] = (), seconds: float = 1.0, batch: int | None = None, only: Sequence[str] = ()
) -> Iterator[Row]:
    """Every environment in turn, other libraries first, each for a number of seconds on each game."""
    jax_batch = batch or default_batch()
    for contender in CONTENDERS:
        if only and contender.key not in only:
            continue
        missing = missing_package(contender)
        count = 1 if not contender.batched else jax_batch if "jax" in contender.needs else min(jax_batch, ARRAY_BATCH)
        arguments = (count,) if contender.batched else ()
        for name in (games or GAMES) if contender.ours else (PEER_GAME,):
            if missing:
                yield Row(contender.key, contender.label, name, count, 0.0, missing)
                continue
            chosen = (GAMES[name],) if contender.ours else ()
            speed = rate(contender.prepare(*chosen, *arguments), seconds)
            yield Row(contender.key, contender.label, name, count, speed)


def cells(row: Row, peers: dict[str, Row]) -> tables.Row:
    """A row of the table: the rate, and how many times faster than each peer it is."""
    if row.missing:
        return (row.label, row.game, f"{row.batch:,}", f"needs {row.missing}", *("" for _ in PEERS))
    ratios = [
        f"{row.rate / peers[peer.key].rate:,.1f}" if peer.key in peers and peers[peer.key].rate else ""
        for peer in PEERS
    ]
    return (row.label, row.game, f"{row.batch:,}", f"{row.rate / 1e6:,.2f} M", *ratios)


HEADING = ("random play", "game", "at once", "steps per second", *(f"/ {peer.label.split()[0]}" for peer in PEERS))


def table(rows: Iterable[Row]) -> Iterator[tables.Row]:
    """The rows as they come, under a heading; peers come first, so that the others can be compared."""
    known: dict[str, Row] = {}
    yield HEADING
    for row in rows:
        known[row.key] = row
        yield cells(row, known)


def print_runs(runs: int, measured: Callable[[], Iterable[Row]]) -> None:
    """Print the tables of several runs, and the range of every figure."""
    tables.print_runs(runs, lambda: table(measured()), 17)


def main() -> None:
    """Measure and print, without the rest of Quintet."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m quintet.bench.environments")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES), metavar="GAME")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--batch", type=int, help="number of games at once in JAX and Pgx")
    parser.add_argument("--only", nargs="+", choices=KEYS, default=[], metavar="KEY", help=", ".join(KEYS))
    parser.add_argument("--runs", type=int, default=1, help="measure several times; print the range of every figure")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    def rows() -> Iterator[Row]:
        return measure(options.games, options.seconds, options.batch, options.only)

    if options.json:
        for _ in range(options.runs):
            for row in rows():
                print(json.dumps(row._asdict()), flush=True)
    else:
        print_runs(options.runs, rows)


if __name__ == "__main__":
    main()
