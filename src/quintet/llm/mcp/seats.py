"""Who may sit at a match that an assistant looks after."""

from quintet.engines import HUMAN, Engine, UnknownPlayer, make_engine

PERSON, ASSISTANT = "person", "assistant"
ENGINES = ("random", "greedy", "level", "mcts", "perfect")
"""The kinds of engines that play here. No others: an assistant must not be talked into running anybody's code."""
WHO = f"{PERSON}, {ASSISTANT}, or an engine: random, greedy, level:1 to level:10, mcts[:N] or perfect"


class Refusal(Exception):
    """What is asked cannot be done; one line says why, and what can."""


def check_seat(who: str) -> str:
    """A player who may sit down."""
    if who in (PERSON, ASSISTANT, HUMAN) or engine_of(who):
        return who
    raise Refusal(f"{who[:40]!r} does not play here: choose {WHO}.")


def engine_of(name: str) -> Engine | None:
    """The engine that plays under a name; `None` for anybody else, whose moves are told."""
    if name.partition(":")[0] not in ENGINES:
        return None
    try:
        return make_engine(name)
    except UnknownPlayer:
        return None


def is_stranger(name: str) -> bool:
    """Whether a name that is kept is that of another kind of player: a program, somebody's function."""
    return ":" in name and not engine_of(name)


def check_company(names: tuple[str, str]) -> tuple[str, str]:
    """Two players who can play together: both known here, and one of them somebody to ask."""
    for number, name in enumerate(names, 1):
        if is_stranger(name):
            raise Refusal(f"Player {number}, {name[:40]!r}, does not play here: resume_match seats {WHO}.")
    if engine_of(names[0]) and engine_of(names[1]):
        raise Refusal(f"Somebody must be asked for moves: seat {PERSON} or {ASSISTANT} as one of the players.")
    return names
