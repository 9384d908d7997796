"""A match in the app: its players, and the store that saves it move by move."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quintet.engines import HUMAN, Engine, EngineFault, UnknownPlayer, read_player
from quintet.engines.door import ask_engine
from quintet.engines.kinds import LEVELS, OFFERED
from quintet.match import Match
from quintet.rules import Position
from quintet.session import Session
from quintet.solve.value import Value
from quintet.store.autosave import Autosave
from quintet.view import View, make_view, person_title, player_title

if TYPE_CHECKING:
    from quintet.store.matches import Store

PLAYERS = tuple(dict.fromkeys((HUMAN, *LEVELS, *OFFERED)))
"""The players to choose from: a person, the levels, the other engines."""


def is_available(who: str) -> bool:
    """Whether there is such a player."""
    try:
        read_player(who)
    except UnknownPlayer:
        return False
    return True


def engine_answer(engine: Engine, position: Position) -> int | EngineFault:
    """The move of an engine, or the fault that loses it the game."""
    try:
        return ask_engine(engine, position)
    except EngineFault as fault:
        return fault


class AppSession(Session):
    """A match, its players, and where it is saved."""

    def __init__(
        self,
        match: Match,
        engines: Sequence[Engine | None] = (None, None),
        store: "Store | None" = None,
        id: str = "",
        fault: str = "",
        players: tuple[str, str] = (HUMAN, HUMAN),
    ) -> None:
        """Take the players; `None` is a person. A match that was saved before has an id, a new one its `players`."""
        autosave = Autosave(match, self.complain, id or None, store, players) if store else None
        super().__init__(match, engines, autosave)
        self.fault = fault
        """Why the match is not saved."""
        self.play_passes()

    def view(self, values: Mapping[int, Value] | None = None) -> View:
        """What the screen shows."""
        you = self.people[0] if len(self.people) == 1 else None
        return make_view(self.match, values, you, (self.title(1), self.title(2)))

    def title(self, player: int) -> str:
        """What a player is called. Only an engine is called by its kind."""
        name = self.match.names[player - 1]
        return person_title(name, player) if player in self.people and name != HUMAN else player_title(name, player)

    def undo(self) -> bool:
        """Undo the last move of a person, or a resignation; false if there was nothing to undo."""
        if self.match.reopen():
            if self.engine:  # It forfeited, and would do so again.
                self.match.undo(self.people)
        elif self.take_back() is None:
            return False
        self.save()
        return True

    def resign(self) -> None:
        """The player to move resigns."""
        self.match.resign()
        self.save()

    def complain(self, reason: str) -> None:
        """Remember why the match is not saved; the game continues."""
        self.fault = f"This game is not saved: {reason}"
