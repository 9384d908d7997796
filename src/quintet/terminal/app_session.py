"""A match in the app: its players, and the store that saves it move by move."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quintet.engines import HUMAN, Engine, EngineFault, UnknownPlayer, make_engine, read_player
from quintet.engines.door import ask_engine
from quintet.engines.kinds import LEVELS, OFFERED
from quintet.language import ENGLISH, language, tr
from quintet.match import Match
from quintet.rules import Position
from quintet.session import Session
from quintet.store.autosave import Autosave
from quintet.study.analysis import Analysis, Part
from quintet.view import View, ending, last_move, make_view, person_title, player_title

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
    """The move of an engine, or the fault that loses it the game, which is saved in English."""
    try:
        with language(ENGLISH):
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
        self.players = players
        """Who plays, as they were chosen."""
        self.store = store
        self.fault = fault
        """Why the match is not saved."""
        self.play_passes()

    @property
    def you(self) -> int | None:
        """The player who looks at the screen, if that is one of them."""
        return self.people[0] if len(self.people) == 1 else None

    @property
    def next_level(self) -> tuple[str, str] | None:
        """The players of a game against the next level, once a level is beaten; `None` if there is none."""
        won = self.match.outcome is not None and self.match.outcome.winner == self.you
        opponent = self.players[2 - self.you] if self.you and won else ""
        at = LEVELS.index(opponent) + 1 if opponent in LEVELS else len(LEVELS)
        if at == len(LEVELS):
            return None
        return (HUMAN, LEVELS[at]) if self.you == 1 else (LEVELS[at], HUMAN)

    def result(self) -> str:
        """How the game ended, in the words of the player who looks at the screen; empty while it is not over."""
        outcome = self.match.outcome
        if not outcome:
            return ""
        first, second = self.title(1), self.title(2)
        names = (first, second) if first != second else (person_title(None, 1), person_title(None, 2))
        reason = ending(self.match, names, self.you)
        if outcome.winner is None:
            return tr("Draw: {reason}", reason=reason)
        name = names[outcome.winner - 1]
        if outcome.kind == "most":
            least, most = sorted(self.match.position.scores)
            if outcome.winner == self.you:
                return tr("You win {most} to {least}.", most=most, least=least)
            return tr("{name} wins {most} to {least}.", name=name, most=most, least=least)
        if reason != ending(self.match, names):  # It begins with "You".
            reason = reason[:1].lower() + reason[1:]
        if outcome.winner == self.you:
            return tr("You win: {reason}", reason=reason)
        return tr("{name} wins: {reason}", name=name, reason=reason)

    def view(self, analysis: Analysis | None = None, parts: Sequence[Part] = ()) -> View:
        """What the screen shows."""
        titles = (self.title(1), self.title(2))
        view = make_view(self.match, analysis, self.you, titles, parts)
        # The result is shown by itself: the status says how it came about.
        return replace(view, status=last_move(self.match, titles, self.you)) if view.result else view

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

    def begin(self, players: tuple[str, str], seed: int | None = None) -> "AppSession":
        """A new game from the same position with other players, or the same, saved in the same place."""
        match = Match(self.match.positions[0], names=players)
        engines = [make_engine(who, seed) for who in players]
        return AppSession(match, engines, self.store, fault="" if self.store else self.fault, players=players)

    def complain(self, reason: str) -> None:
        """Remember why the match is not saved; the game continues."""
        self.fault = tr("This game is not saved: {reason}", reason=reason)
