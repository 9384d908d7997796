"""Suites: fixed games and positions under a name and a version, so that numbers stay comparable.

A suite is a file of the package and never changes; another choice is another version. `write_suite` wrote them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from quintet.games import GAMES
from quintet.llm.case import Case, games, positions
from quintet.options import start

VERSIONS = {"quick": 1, "full": 1}
"""The suites, and the version that a name without one means."""
CONTENTS = {"quick": (("level:4", "perfect"), 4, 4), "full": (("random", "level:5", "perfect"), 10, 20)}
"""The opponents, the games against each and the positions of each difficulty, on every board."""
SEED = 2026


class UnknownSuite(ValueError):
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


def write_suite(name: str) -> str:
    """A new suite on the rule books' boards, as its file holds it."""
    opponents, number, of_each = CONTENTS[name]
    boards = [start(game) for game in GAMES.values()]
    facts = {
        "games": [case.facts() for case in games(boards, opponents, number, "both", SEED)],
        "positions": [case.facts() for case in positions(boards, of_each, SEED)],
    }
    lines = [f'"{kind}": [\n' + ",\n".join(json.dumps(fact) for fact in cases) + "\n]" for kind, cases in facts.items()]
    return "{" + ",\n".join(lines) + "}\n"
