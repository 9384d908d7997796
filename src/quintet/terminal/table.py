"""A match with its players at the table: people at the screen and engines; kept move by move where there is a store."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from quintet.engines import HUMAN, Engine, UnknownPlayer, make_engine
from quintet.match import Match
from quintet.rules import PASS
from quintet.solve.value import Value
from quintet.view import View, make_view

PLAYERS = (HUMAN, *(f"level:{n}" for n in range(1, 11)), "perfect", "greedy", "random", "mcts:200")
"""Who may be asked to the table."""


def player_title(who: str) -> str:
    """A player's name for people."""
    kind, _, number = who.partition(":")
    names = {HUMAN: "Person", "mcts": "Monte Carlo"}
    return f"{names.get(kind, kind.title())} {number}".strip()


def is_available(who: str) -> bool:
    """Whether there is such a player."""
    try:
        engine = make_engine(who)
    except UnknownPlayer:
        return False
    if engine:
        engine.close()
    return True


def part(name: str) -> ModuleType | None:
    """A part of the program that the app can do without."""
    try:
        return import_module(f"quintet.{name}")
    except ModuleNotFoundError:
        return None


class Table:
    """One match, who plays it, and where it is kept."""

    def __init__(
        self,
        match: Match,
        engines: Sequence[Engine | None] = (None, None),
        store: Any = None,
        id: str = "",
        fault: str = "",
    ) -> None:
        """Seat the players; `None` is a person. A match that was kept before has an id."""
        self.match = match
        self.engines = engines
        self.store = store
        self.fault = fault
        """Why the match is not kept."""
        self.id = id
        if not id:
            self.keep(lambda: setattr(self, "id", store.begin(match)))
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
        self.keep(lambda: self.store.append(self.id, self.match.ply - 1, move))
        self.pass_on()
        self.finish()

    def pass_on(self) -> None:
        """Pass for whoever must."""
        while self.match.position.must_pass and not self.match.outcome:
            self.match.play(PASS)
            self.keep(lambda: self.store.append(self.id, self.match.ply - 1, PASS))

    def undo(self) -> bool:
        """Take back to the last choice a person had; whether there was one."""
        if self.match.resigned:
            self.match.resigned = None
        elif self.match.undo() is None:
            return False
        while self.has_person and self.engine and self.match.moves:
            self.match.undo()
        self.keep(lambda: self.store.truncate(self.id, self.match.ply))
        return True

    def resign(self) -> None:
        """The player to move gives up."""
        self.match.resign()
        self.finish()

    def finish(self) -> None:
        """Keep the result."""
        if self.match.outcome:
            self.keep(lambda: self.store.finish(self.id, self.match))

    def keep(self, action: Callable[[], object]) -> None:
        """Write to the store; a store that fails is left alone, and the game goes on."""
        if self.store is None:
            return
        try:
            action()
        except Exception as error:  # A damaged or locked store must not end the game.
            self.fault = f"This game is not kept: {error}"
            self.store = None

    def close(self) -> None:
        """Send the engines home."""
        for engine in self.engines:
            if engine:
                engine.close()
