"""Players that choose by themselves, behind one small interface. Each is seeded: the same seed gives the same game.

`players` reads descriptions such as `level:3`, by the catalogue in `kinds`; `door` asks an engine for its move.
"""

from typing import Protocol

from quintet.engines.kinds import HUMAN as HUMAN
from quintet.engines.kinds import UnknownPlayer as UnknownPlayer
from quintet.engines.players import Player as Player
from quintet.engines.players import read_player as read_player
from quintet.errors import QuintetError
from quintet.rules import Position


class Engine(Protocol):
    """A player that chooses by itself."""

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """A legal move in a position that is not over, within a number of seconds if one is given."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


class EngineFault(QuintetError):
    """An engine that gives no legal move; the text says why. It loses the game."""

    status = 1


def make_engine(who: str | Player, seed: int | None = None) -> Engine | None:
    """The engine that a description such as `level:3` names; `None` for `human`."""
    return (read_player(who) if isinstance(who, str) else who).make(seed)
