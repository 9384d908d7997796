"""Suites: fixed games and positions under a name and a version, so that results stay comparable.

A suite is a file of the package and never changes; another choice of samples is another version.
"""

import re
from dataclasses import dataclass
from importlib.resources import files

import msgspec

from quintet.errors import QuintetError
from quintet.suites.samples import SampleSpec

VERSIONS = {"quick": 2, "full": 2}
"""The suites, and the version that a name without one means."""


class UnknownSuite(QuintetError, ValueError):
    """A suite that does not exist."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Fixed games and positions."""

    name: str
    version: int
    games: tuple[SampleSpec, ...]
    positions: tuple[SampleSpec, ...]

    @property
    def full_name(self) -> str:
        """The name with its version, such as `quick-2`."""
        return f"{self.name}-{self.version}"


class SuiteFile(msgspec.Struct):
    """The contents of a suite's file."""

    games: tuple[SampleSpec, ...]
    positions: tuple[SampleSpec, ...]


def load_suite(name: str) -> Suite:
    """The suite of a name such as `quick` or `quick-2`."""
    base, _, version = name.partition("-")
    number = version or str(VERSIONS.get(base, ""))
    path = files("quintet.suites") / f"{base}-{number}.json"
    if base not in VERSIONS or not re.fullmatch(r"[1-9]\d{0,3}", number) or not path.is_file():
        raise UnknownSuite(f"no suite called {name[:40]!r}: choose {' or '.join(VERSIONS)}")
    file = msgspec.json.decode(path.read_bytes(), type=SuiteFile)
    return Suite(base, int(number), file.games, file.positions)
