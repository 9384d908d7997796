"""How benchmarks print their results."""

import statistics
from collections.abc import Iterable, Sequence

Row = tuple[str, ...]
SPREAD = ("p50 ms", "p99 ms", "max ms")
"""The headings of `spread`."""


def print_table(rows: Iterable[Row]) -> None:
    """Print each row as soon as it is known; the heading is the first."""
    for first, *others in rows:
        print(f"{first:<22}" + "".join(f"{word:>13}" for word in others), flush=True)


def spread(times: Sequence[float]) -> tuple[str, str, str]:
    """The median, the 99th percentile and the maximum of times in milliseconds."""
    return f"{statistics.median(times):.2f}", f"{statistics.quantiles(times, n=100)[98]:.1f}", f"{max(times):.1f}"
