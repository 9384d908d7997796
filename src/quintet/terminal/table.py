"""A match with its players at the table: people at the screen and engines; kept move by move where there is a store."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quintet.engines import HUMAN, Engine, UnknownPlayer, make_engine
from quintet.engines.kinds import LEVELS, OFFERED
from quintet.keeper import Keeper
from quintet.match import Match
from quintet.rules import PASS
from quintet.solve.value import Value
from quintet.view import View, make_view

if TYPE_CHECKING:
    from quintet.store import Store

PLAYERS = tuple(dict.fromkeys((HUMAN, *LEVELS, *OFFERED)))
"""Who may be asked to the table: a person, the levels, the others."""


def is_available(who: str) -> bool:
    """Whether there is such a player."""
    try:
        engine = make_engine(who)
    except UnknownPlayer:
        return False
    if engine:
        engine.close()
    return True


class Table:
    """One match, who plays it, and where it is kept."""

    def __init__(
        self,
        match: Match,
        engines: Sequence[Engine | None] = (None, None),
        store: "Store | None" = None,
        id: str = "",
        fault: str = "",
    ) -> None:
        """Seat the players; `None` is a person. A match that was kept before has an id."""
        self.match = match
        self.engines = engines
        self.fault = fault
        """Why the match is not kept."""
        self.keeper = Keeper(match, self.complain, id or None, store) if store else None
        self.pass_on()

    @property
    def engine(self) -> Engine | None:
        """The engine whose turn it is."""
        over = self.match.outcome is not None
        return None if over else self.engines[self.match.position.player - 1]

    @property
    def has_person(self) -> bool:
        """Whether a person takes part."""
        return None in self.engines

    def view(self, values: Mapping[int, Value] | None = None) -> View:
        """What there is to see."""
        return make_view(self.match, values)

    def play(self, move: int) -> None:
        """Play a legal move, and the passes that are forced after it."""
        self.match.play(move)
        self.pass_on()
        self.keep()

    def pass_on(self) -> None:
        """Pass for whoever must."""
        while self.match.position.must_pass and not self.match.outcome:
            self.match.play(PASS)

    def undo(self) -> bool:
        """Take back to the last choice a person had; whether there was one."""
        if self.match.resigned or self.match.fault:
            self.match.resigned = self.match.fault = None
        elif self.match.undo() is None:
            return False
        while self.has_person and self.engine and self.match.moves:
            self.match.undo()
        self.keep()
        return True

    def resign(self) -> None:
        """The player to move gives up."""
        self.match.resign()
        self.keep()

    def forfeit(self, reason: str) -> None:
        """The player to move cannot go on, and loses."""
        self.match.forfeit(self.match.position.player, reason)
        self.keep()

    def keep(self) -> None:
        """Keep the match as it is now; a store that fails is left alone, and the game goes on."""
        if self.keeper:
            self.keeper.keep()

    def complain(self, reason: str) -> None:
        """Remember why the match is not kept."""
        self.fault = f"This game is not kept: {reason}"

    def close(self) -> None:
        """Send the engines home."""
        for engine in self.engines:
            if engine:
                engine.close()
