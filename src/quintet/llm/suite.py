"""Suites: fixed games and positions under a name and a version, so that numbers stay comparable.

A suite is a file of the package and never changes; another choice is another version.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from quintet.errors import QuintetError
from quintet.llm.case import Case

VERSIONS = {"quick": 1, "full": 1}
"""The suites, and the version that a name without one means."""


class UnknownSuite(QuintetError, ValueError):
    """A name that is no suite's."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Games and positions to judge an agent by."""

    name: str
    version: int
    games: tuple[Case, ...]
    positions: tuple[Case, ...]


def load_suite(name: str) -> Suite:
    """The suite of a name such as `quick` or `quick-1`."""
    base, _, version = name.partition("-")
    number = version or str(VERSIONS.get(base, ""))
    path = files("quintet.llm") / "suites" / f"{base}-{number}.json"
    if base not in VERSIONS or not number.isdecimal() or not path.is_file():
        raise UnknownSuite(f"there is no suite {name[:40]!r}: the suites are {', '.join(VERSIONS)}")
    facts = json.loads(path.read_text(encoding="utf-8"))
    return Suite(base, int(number), read_cases(facts["games"]), read_cases(facts["positions"]))


def read_cases(facts: Sequence[dict[str, object]]) -> tuple[Case, ...]:
    """Cases from JSON."""
    return tuple(Case(**fact) for fact in facts)  # type: ignore[arg-type]
