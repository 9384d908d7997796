"""How benchmarks print their results, and how those of several runs are put together."""

import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

Row = tuple[str, ...]
SPREAD = ("p50 ms", "p99 ms", "max ms")
"""The headings of `spread`."""
WIDTH = 13
"""Of a column."""
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def print_table(rows: Iterable[Row], width: int = WIDTH) -> list[Row]:
    """Print each row as soon as it is known; the heading is the first. All of them together."""
    printed = []
    for row in rows:
        first, *others = row
        print(f"{first:<22}" + "".join(f"{word:>{width}}" for word in others), flush=True)
        printed.append(row)
    return printed


def print_runs(runs: int, measure: Callable[[], Iterable[Row]], width: int = WIDTH) -> None:
    """Print the table of each of several runs, and in the end the lowest and the highest of every figure."""
    tables = []
    for number in range(1, runs + 1):
        if runs > 1:
            print(f"run {number} of {runs}")
        tables.append(print_table(measure(), width))
    if runs > 1:
        print(f"\nlowest to highest of {runs} runs")
        found = [merge_rows(rows) for rows in zip_longest(*tables, fillvalue=())]
        print_table(found, max(len(word) for row in found for word in row[1:] or row) + 2)


def merge_rows(rows: Sequence[Row]) -> Row:
    """The rows of several runs as one; runs without this row do not count."""
    return tuple(merge(words) for words in zip_longest(*filter(None, rows), fillvalue=""))


def merge(words: Sequence[str]) -> str:
    """What several runs say as one text: where they differ in a number, its lowest and highest value."""
    if len({NUMBER.sub("0", word) for word in words}) > 1:
        return " | ".join(dict.fromkeys(words))
    columns = iter(zip(*(NUMBER.findall(word) for word in words), strict=True))
    return NUMBER.sub(lambda _: span(next(columns)), words[0])


def span(numbers: Sequence[str]) -> str:
    """The lowest and the highest of numbers as they are written; one alone if all are equal."""
    ordered = sorted(numbers, key=lambda number: float(number.replace(",", "")))
    return ordered[0] if ordered[0] == ordered[-1] else f"{ordered[0]} to {ordered[-1]}"


def spread(times: Sequence[float]) -> tuple[str, str, str]:
    """The median, the 99th percentile and the maximum of times in milliseconds."""
    return f"{statistics.median(times):.2f}", f"{statistics.quantiles(times, n=100)[98]:.1f}", f"{max(times):.1f}"
