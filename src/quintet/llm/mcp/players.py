"""The players of a match that an assistant manages."""

from quintet.engines import Engine
from quintet.engines.kinds import HUMAN, KINDS, LEVELS, list_kinds
from quintet.engines.players import HUMAN_PLAYER, shown_name, stored_player
from quintet.errors import QuintetError

PERSON, ASSISTANT = "person", "assistant"
ENGINES = [kind for kind in KINDS.values() if kind.players]
NAMED_PLAYERS = [PERSON, ASSISTANT, "random", "greedy", *LEVELS, "mcts", "perfect"]
"""All players but those with a number of rollouts."""
WHO = f"{PERSON}, {ASSISTANT}, or an engine: {list_kinds(ENGINES)}"


class InvalidRequest(QuintetError):
    """A request that cannot be carried out; one line says why, and what to do."""


def check_seat(who: str) -> str:
    """A player who may take part."""
    if who in (PERSON, ASSISTANT, HUMAN) or engine_of(who):
        return who
    raise InvalidRequest(f"{who[:40]!r} cannot play here: choose {WHO}.")


def player_of(who: str) -> str:
    """How a seat's player is saved: a person and an assistant both are `human`."""
    return HUMAN if who in (PERSON, ASSISTANT) else who


def engine_of(who: str) -> Engine | None:
    """The built-in engine that a description names; `None` for a person or an assistant, who use `play_move`.

    Never another kind of player: an assistant must not be tricked into running other people's code.
    """
    return (stored_player(who) or HUMAN_PLAYER).make()


def check_company(players: tuple[str, str]) -> tuple[str, str]:
    """Two players who can play together: both allowed here, and at least one not an engine."""
    for number, who in enumerate(players, 1):
        if stored_player(who) is None:
            raise InvalidRequest(
                f"Player {number}, {shown_name(who)[:40]!r}, cannot play here: resume_match can replace it with {WHO}."
            )
    if engine_of(players[0]) and engine_of(players[1]):
        raise InvalidRequest(f"Two engines cannot play each other here: choose {PERSON} or {ASSISTANT} for one player.")
    return players
