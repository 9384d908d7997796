"""The table before a screen: people who play there and engines; kept move by move where there is a store."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quintet.engines import HUMAN, Engine, UnknownPlayer, make_engine
from quintet.engines.kinds import LEVELS, OFFERED
from quintet.match import Match
from quintet.session import Session
from quintet.solve.value import Value
from quintet.store.keeper import Keeper
from quintet.view import View, make_view

if TYPE_CHECKING:
    from quintet.store.matches import Store

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


class AppSession(Session):
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
        super().__init__(match, engines, Keeper(match, self.complain, id or None, store) if store else None)
        self.fault = fault
        """Why the match is not kept."""
        self.pass_on()

    def view(self, values: Mapping[int, Value] | None = None) -> View:
        """What there is to see."""
        return make_view(self.match, values, self.people[0] if len(self.people) == 1 else None)

    def undo(self) -> bool:
        """Take back to the last choice a person had, or that somebody gave up; whether there was anything."""
        if self.match.reopen():
            if self.engine:  # One that has failed: it would only fail again.
                self.match.undo(self.people)
        elif self.take_back() is None:
            return False
        self.keep()
        return True

    def resign(self) -> None:
        """The player to move gives up."""
        self.match.resign()
        self.keep()

    def complain(self, reason: str) -> None:
        """Remember why the match is not kept; the game goes on."""
        self.fault = f"This game is not kept: {reason}"
