"""Who may sit at a match that an assistant looks after."""

from quintet.engines import HUMAN, Engine, kept_player, make_engine
from quintet.engines.kinds import KINDS, list_kinds

PERSON, ASSISTANT = "person", "assistant"
ENGINES = [kind for kind in KINDS.values() if kind.players]
WHO = f"{PERSON}, {ASSISTANT}, or an engine: {list_kinds(ENGINES)}"


class Refusal(Exception):
    """What is asked cannot be done; one line says why, and what can."""


def check_seat(who: str) -> str:
    """A player who may sit down."""
    if who in (PERSON, ASSISTANT, HUMAN) or engine_of(who):
        return who
    raise Refusal(f"{who[:40]!r} does not play here: choose {WHO}.")


def engine_of(name: str) -> Engine | None:
    """The engine of ours that plays under a name; `None` for anybody else, whose moves are told.

    Never another kind of player: an assistant must not be talked into running anybody's code.
    """
    return make_engine(kept_player(name) or HUMAN)


def check_company(names: tuple[str, str]) -> tuple[str, str]:
    """Two players who can play together: both known here, and one of them somebody to ask."""
    for number, name in enumerate(names, 1):
        if kept_player(name) is None:
            raise Refusal(f"Player {number}, {name[:40]!r}, does not play here: resume_match seats {WHO}.")
    if engine_of(names[0]) and engine_of(names[1]):
        raise Refusal(f"Somebody must be asked for moves: seat {PERSON} or {ASSISTANT} as one of the players.")
    return names
