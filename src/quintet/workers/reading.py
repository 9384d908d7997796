"""`--workers` as text: a number of processes, or a Ray cluster."""

import os

from quintet.errors import InvalidArgument
from quintet.workers.interface import Workers

MOST = 1024
"""The most processes on one machine."""


def read_workers(text: str | int | Workers | None = None) -> Workers:
    """The workers that a text names: `1` is this process, `8` are processes, `ray` and `ray://HOST:PORT` a cluster.

    Without a text: one process per core.
    """
    if isinstance(text, Workers):
        return text
    if text is None:
        number = os.cpu_count() or 1
    elif str(text) == "ray" or str(text).startswith("ray://"):
        from quintet.workers.ray_cluster import Cluster

        return Cluster(str(text))
    else:
        number = read_number(str(text))
    if number == 1:
        from quintet.workers.here import Here

        return Here()
    from quintet.workers.processes import Processes

    return Processes(number)


def read_number(text: str) -> int:
    """A number of processes."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST):
        raise InvalidArgument(f"workers must be a number from 1 to {MOST}, ray, or ray://HOST:PORT, not {text[:40]!r}")
    return int(text)
