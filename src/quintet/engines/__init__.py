"""Players that choose by themselves, behind one small interface. Each is seeded and can be repeated.

A description names a player; `kinds` lists how. Packages add kinds of their own through entry points of the group
`quintet.players`: the name is the kind, the object is called with what follows the colon and a seed.
"""

from typing import TYPE_CHECKING, Protocol

from quintet.engines.kinds import CHANCES, KINDS, LEVELS, PLAYOUTS, list_kinds
from quintet.engines.kinds import HUMAN as HUMAN
from quintet.errors import QuintetError
from quintet.rules import Position

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

PLAYERS = "quintet.players"
"""The entry points that add kinds of players."""


class Engine(Protocol):
    """A player that chooses by itself."""

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """A legal move of a position that is not over, within so many seconds where they are given."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


class EngineFault(QuintetError):
    """An engine that gives no legal move; the text says why. It loses the game."""


class UnknownPlayer(QuintetError, ValueError):
    """A description that names no player."""


def make_engine(who: str, seed: int | None = None) -> Engine | None:
    """The engine a description such as `level:3` names; `None` for `human`."""
    kind, colon, detail = who.partition(":")
    if who == HUMAN:
        return None
    if who == "random":
        from quintet.engines.chance import Chance

        return Chance(seed)
    if who == "greedy":
        from quintet.engines.greedy import Greedy

        return Greedy(seed)
    if who == "perfect":
        from quintet.engines.perfect import Perfect

        return Perfect(seed)
    if kind == "mcts":
        from quintet.engines.mcts import MOST_PLAYOUTS, Mcts

        if not colon:
            return Mcts(PLAYOUTS, seed)
        if is_number(detail) and 1 <= int(detail) <= MOST_PLAYOUTS:
            return Mcts(int(detail), seed)
        raise UnknownPlayer(f"mcts takes a number of play-outs from 1 to {MOST_PLAYOUTS}, such as mcts:{PLAYOUTS}")
    if kind == "level":
        from quintet.engines.level import Level

        if is_number(detail) and 1 <= int(detail) <= len(CHANCES):
            return Level(int(detail), seed)
        raise UnknownPlayer(f"levels go from {LEVELS[0]} to {LEVELS[-1]}")
    if kind == "exec" and detail.strip():
        from quintet.engines.external import External

        engine: Engine = External(detail)
        return engine
    if kind == "python":
        from quintet.engines.function import Function, load_function

        return Function(load_function(detail, "python"))
    if is_outside(who):  # Nobody adds to a kind of ours, whose name is followed wherever it is read.
        for entry in guests(kind):
            return make_guest(entry, detail, seed)
    raise UnknownPlayer(f"there is no player {who[:40]!r}: choose {list_kinds()}")


def guests(kind: str) -> "EntryPoints":
    """The entry points that add a kind of players."""
    from importlib.metadata import entry_points

    return entry_points(group=PLAYERS, name=kind)


def make_guest(entry: "EntryPoint", detail: str, seed: int | None) -> Engine:
    """A player of a kind that an entry point adds."""
    try:
        made: Engine = entry.load()(detail, seed)
    except UnknownPlayer:
        raise
    except Exception as error:  # Somebody else's package may fail in any way.
        kind = KINDS.get(entry.name)
        if kind and isinstance(error, ModuleNotFoundError):
            raise UnknownPlayer(f"{kind.written} needs the extra: pip install 'quintet[{kind.extra}]'") from None
        package = entry.dist.name if entry.dist else entry.value
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise UnknownPlayer(f"the player {entry.name} of the package {package} cannot be used: {reason}") from None
    return made


def is_outside(who: str) -> bool:
    """Whether a description runs what is not ours."""
    kind, colon, _ = who.partition(":")
    return bool(colon) and (KINDS[kind].outside if kind in KINDS else bool(guests(kind)))


def kept_player(name: str) -> str | None:
    """Who plays on under a name that was kept: the engine of ours that it describes, else a person.

    `None` if it describes somebody else's code: the name may have come with somebody else's record, and opening a match
    must not start a program.
    """
    if is_outside(name):
        return None
    try:
        make_engine(name)
    except UnknownPlayer:
        return HUMAN
    return name


def is_number(text: str) -> bool:
    """Whether it is a number of a few plain digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 9
