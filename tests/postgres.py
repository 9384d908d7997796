"""A PostgreSQL for tests, which are skipped where it cannot run."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from quintet.bench import postgres_process
from quintet.bench.postgres_process import why_not

__all__ = ["running_postgres", "why_not"]


@contextmanager
def running_postgres(*options: str) -> Iterator[str]:
    """The URL of a new, empty database for as long as it runs."""
    if reason := why_not():
        pytest.skip(reason)
    with postgres_process.running_postgres(*options) as postgres:
        yield postgres.url
