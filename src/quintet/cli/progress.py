"""Progress of long work: one line on the terminal, updated in place and removed at the end."""

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from quintet.solve.solver import Solver
    from quintet.solve.watch import Watch
    from quintet.workers import Workers


@contextmanager
def status_line(pace: float = 0, patience: float = 0) -> "Iterator[Callable[[Callable[[], str]], None]]":
    """A function that shows a text, at most every `pace` seconds and not before `patience` seconds have passed."""
    from shutil import get_terminal_size
    from time import monotonic

    due, shown = monotonic() + patience, False

    def show(text: "Callable[[], str]") -> None:
        nonlocal due, shown
        now = monotonic()
        if now >= due and sys.stderr.isatty():
            due, shown = now + pace, True
            print(f"\r\x1b[K{text()[: get_terminal_size().columns - 1]}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def search_progress() -> "Iterator[Watch]":
    """Show the progress of a search."""
    from time import monotonic

    begun = monotonic()

    def text(solver: "Solver") -> str:
        rate = solver.nodes / (monotonic() - begun)
        known = f"value {solver.known()}, table {solver.fill:.0%} full"
        return f"{solver.nodes:,} positions, {rate:,.0f} per second, {known}"

    with status_line(pace=0.2, patience=0.5) as show:
        yield lambda solver: show(lambda: text(solver))


@contextmanager
def progress_bar(workers: "Workers | None" = None) -> "Iterator[Callable[[int, int], None]]":
    """A progress bar, with the number of workers if there are any to count."""
    from time import monotonic

    begun, before = monotonic(), None

    def text(done: int, whole: int, before: int) -> str:
        rate = (done - before) / max(monotonic() - begun, 1e-6)
        bar = "#" * (30 * done // whole)
        pace = f"{count_workers(workers)}{rate:,.0f} per second, {(whole - done) / rate:,.0f} s left"
        return f"[{bar:<30}] {done:,} of {whole:,}, {pace}"

    with status_line(pace=0.1) as show:

        def tell(done: int, whole: int) -> None:
            nonlocal before
            before = known = done - 1 if before is None else before
            show(lambda: text(done, whole, known))

        yield tell


def count_workers(workers: "Workers | None") -> str:
    """`2 workers, ` at the beginning of a pace."""
    return f"{workers.size} worker{'s' * (workers.size != 1)}, " if workers else ""


@contextmanager
def stage_progress() -> "Iterator[Callable[[str, float], None]]":
    """Show the stage of the work, and how much of it is done."""
    with status_line() as show:
        yield lambda stage, share: show(lambda: f"{stage} {share:4.0%}")
