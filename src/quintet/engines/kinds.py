"""The catalogue of players: every kind once, how it is written, what people call it, and whose code it runs.

It loads nothing else, so that the help of a command can read it.
"""

from collections.abc import Iterable
from typing import NamedTuple

HUMAN = "human"

CHANCES = (0.98, 0.92, 0.85, 0.77, 0.68, 0.57, 0.44, 0.28, 0.1, 0.0)
"""How often each level, from the first, overlooks the best moves where two others tempt."""
LEVELS = [f"level:{number}" for number in range(1, len(CHANCES) + 1)]
PLAYOUTS = 200
"""Games that Monte Carlo plays out if nobody says."""


class Kind(NamedTuple):
    """A kind of player."""

    name: str
    """What stands before the colon, if there is one."""
    written: str
    """How such players are described."""
    title: str
    """What people call it."""
    players: tuple[tuple[str, str], ...] = ()
    """Those that screens offer, each with a sentence about it."""
    outside: bool = False
    """Whether it runs code that is not ours."""
    extra: str = ""
    """What has to be installed for it."""


def about_level(chance: float) -> str:
    """A sentence about a level."""
    if not chance:
        return "Plays as Perfect does."
    often = f"about {chance:.0%} of the time where two others tempt"
    return f"Overlooks the best move {often}; more often where more do, less where fewer do."


KINDS = {
    kind.name: kind
    for kind in (
        Kind(HUMAN, HUMAN, "Person"),
        Kind("random", "random", "Random", (("random", "Plays any legal move."),)),
        Kind("greedy", "greedy", "Greedy", (("greedy", "Takes the most at once."),)),
        Kind(
            "level",
            f"{LEVELS[0]} to {LEVELS[-1]}",
            "Level",
            tuple((who, about_level(chance)) for who, chance in zip(LEVELS, CHANCES, strict=True)),
        ),
        Kind(
            "mcts",
            "mcts[:N]",
            "Monte Carlo",
            ((f"mcts:{PLAYOUTS}", f"Plays {PLAYOUTS} games out before each move."),),
        ),
        Kind(
            "perfect",
            "perfect",
            "Perfect",
            (("perfect", "Plays by exact values and makes no mistake on boards that can be solved."),),
        ),
        Kind("exec", "exec:COMMAND", "Program", outside=True),
        Kind("python", "python:MODULE:FUNCTION", "Function", outside=True),
        Kind("policy", "policy:MODULE:FUNCTION", "Policy", outside=True, extra="envs"),
        Kind("model", "model:PROVIDER/NAME", "Model", outside=True, extra="llm"),
    )
}

OFFERED = dict(player for kind in KINDS.values() for player in kind.players)
"""The engines that screens offer, each with a sentence about it."""


def list_kinds(kinds: Iterable[Kind] = KINDS.values()) -> str:
    """How players of these kinds are described, for a sentence."""
    *others, last = (kind.written for kind in kinds)
    return f"{', '.join(others)} or {last}"


def title_of(who: str) -> str:
    """A player's name for people: `Level 3`. Who is none of the catalogue's has a name already."""
    name, _, detail = who.partition(":")
    return f"{KINDS[name].title} {detail}".strip() if name in KINDS else who
