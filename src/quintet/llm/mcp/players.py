"""The players of a match that an assistant manages."""

from quintet.engines import Engine
from quintet.engines.kinds import HUMAN, KINDS, list_kinds
from quintet.engines.players import HUMAN_PLAYER, stored_player
from quintet.errors import QuintetError

PERSON, ASSISTANT = "person", "assistant"
ENGINES = [kind for kind in KINDS.values() if kind.players]
WHO = f"{PERSON}, {ASSISTANT}, or an engine: {list_kinds(ENGINES)}"


class InvalidRequest(QuintetError):
    """A request that cannot be carried out; one line says why, and what to do."""


def check_seat(who: str) -> str:
    """A player who may take part."""
    if who in (PERSON, ASSISTANT, HUMAN) or engine_of(who):
        return who
    raise InvalidRequest(f"{who[:40]!r} cannot play here: choose {WHO}.")


def engine_of(name: str) -> Engine | None:
    """The built-in engine of a name; `None` for a person or an assistant, whose moves come by `play_move`.

    Never another kind of player: an assistant must not be tricked into running other people's code.
    """
    return (stored_player(name) or HUMAN_PLAYER).make()


def check_company(names: tuple[str, str]) -> tuple[str, str]:
    """Two players who can play together: both allowed here, and at least one not an engine."""
    for number, name in enumerate(names, 1):
        if stored_player(name) is None:
            raise InvalidRequest(
                f"Player {number}, {name[:40]!r}, cannot play here: resume_match can replace it with {WHO}."
            )
    if engine_of(names[0]) and engine_of(names[1]):
        raise InvalidRequest(f"Two engines cannot play each other here: choose {PERSON} or {ASSISTANT} for one player.")
    return names
