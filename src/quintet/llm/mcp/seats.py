"""Who may sit at a match that an assistant looks after."""

from quintet.engines import HUMAN, Engine
from quintet.engines.kinds import KINDS, list_kinds
from quintet.engines.players import HUMAN_PLAYER, Player, stored_player

PERSON, ASSISTANT = "person", "assistant"
ENGINES = [kind for kind in KINDS.values() if kind.players]
WHO = f"{PERSON}, {ASSISTANT}, or an engine: {list_kinds(ENGINES)}"


class Refusal(Exception):
    """What is asked cannot be done; one line says why, and what can."""


def check_seat(who: str) -> str:
    """A player who may sit down."""
    if who in (PERSON, ASSISTANT, HUMAN) or not player_of(who).is_human:
        return who
    raise Refusal(f"{who[:40]!r} does not play here: choose {WHO}.")


def engine_of(name: str) -> Engine | None:
    """The engine of ours that plays under a name; `None` for anybody else, whose moves are told.

    Never another kind of player: an assistant must not be talked into running anybody's code.
    """
    return player_of(name).make()


def player_of(name: str) -> Player:
    """The player of ours under a name; a person for anybody else."""
    return stored_player(name) or HUMAN_PLAYER


def check_company(names: tuple[str, str]) -> tuple[str, str]:
    """Two players who can play together: both known here, and one of them somebody to ask."""
    for number, name in enumerate(names, 1):
        if stored_player(name) is None:
            raise Refusal(f"Player {number}, {name[:40]!r}, does not play here: resume_match seats {WHO}.")
    if not any(player_of(name).is_human for name in names):
        raise Refusal(f"Somebody must be asked for moves: seat {PERSON} or {ASSISTANT} as one of the players.")
    return names
