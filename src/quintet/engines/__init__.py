"""Players that choose by themselves, behind one small interface. Each is seeded and can be repeated.

A description names a player: `random`, `greedy`, `level:1` to `level:10`, `mcts` or `mcts:N`, `perfect`,
`exec:COMMAND`, `python:MODULE:FUNCTION`, and `human` for a person. Packages add kinds of their own through entry points
of the group `quintet.players`: the name is the kind, the object is called with what follows the colon and a seed.
"""

from typing import Protocol

from quintet.rules import Position

HUMAN = "human"
PLAYERS = "quintet.players"
"""The entry points that add kinds of players."""
WHO = "human, random, greedy, level:1 to level:10, mcts[:N], perfect, exec:COMMAND or python:MODULE:FUNCTION"


class Engine(Protocol):
    """A player that chooses by itself."""

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """A legal move of a position that is not over, within so many seconds where they are given."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


class EngineFault(Exception):
    """An engine that gives no legal move; the text says why. It loses the game."""


class UnknownPlayer(ValueError):
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
        from quintet.engines.mcts import MOST_PLAYOUTS, PLAYOUTS, Mcts

        if not colon:
            return Mcts(PLAYOUTS, seed)
        if is_number(detail) and 1 <= int(detail) <= MOST_PLAYOUTS:
            return Mcts(int(detail), seed)
        raise UnknownPlayer(f"mcts takes a number of play-outs from 1 to {MOST_PLAYOUTS}, such as mcts:200")
    if kind == "level":
        from quintet.engines.level import CHANCES, Level

        if is_number(detail) and 1 <= int(detail) <= len(CHANCES):
            return Level(int(detail), seed)
        raise UnknownPlayer(f"levels go from level:1 to level:{len(CHANCES)}")
    if kind == "exec" and detail.strip():
        from quintet.engines.external import External

        engine: Engine = External(detail)
        return engine
    if kind == "python":
        from quintet.engines.function import Function, load_function

        return Function(load_function(detail, "python"))
    if colon:
        from importlib.metadata import entry_points

        for entry in entry_points(group=PLAYERS, name=kind):
            made: Engine = entry.load()(detail, seed)
            return made
    raise UnknownPlayer(f"there is no player {who[:40]!r}: choose {WHO}")


def is_outside(who: str) -> bool:
    """Whether a description runs what is not ours. One that came with somebody's record must not be followed."""
    from importlib.metadata import entry_points

    kind, colon, _ = who.partition(":")
    return bool(colon) and (kind in ("exec", "python") or bool(entry_points(group=PLAYERS, name=kind)))


def is_number(text: str) -> bool:
    """Whether it is a number of a few plain digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 9
