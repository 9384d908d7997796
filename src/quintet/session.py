"""A match with its players, people and engines, saved after each move."""

from collections.abc import Sequence

from quintet.engines import Engine, EngineFault
from quintet.engines.door import ask_engine, close_engine
from quintet.match import Match
from quintet.rules import PASS
from quintet.store.autosave import Autosave


class Session:
    """One match and who plays it."""

    def __init__(self, match: Match, engines: Sequence[Engine | None], autosave: Autosave | None = None) -> None:
        """Take the players; `None` is somebody who is asked. Without `autosave` the match is not saved."""
        self.match = match
        self.engines = engines
        self.autosave = autosave

    @property
    def engine(self) -> Engine | None:
        """The engine whose turn it is."""
        return None if self.match.outcome else self.engines[self.match.position.player - 1]

    @property
    def people(self) -> list[int]:
        """The players who are asked for their moves."""
        return [player for player, engine in enumerate(self.engines, 1) if engine is None]

    def play(self, move: int) -> None:
        """Play a legal move, and the passes that are forced after it."""
        self.match.play(move)
        self.play_passes()
        self.save()

    def engine_move(self, seconds: float | None = None) -> int | None:
        """The legal move of the engine whose turn it is; `None` if it gives none, which loses it the game."""
        assert self.engine
        try:
            return ask_engine(self.engine, self.match.position, seconds)
        except EngineFault as fault:
            self.forfeit(str(fault))
            return None

    def play_passes(self) -> None:
        """Play the passes that are forced now."""
        while self.match.position.must_pass and not self.match.outcome:
            self.match.play(PASS)

    def take_back(self) -> int | None:
        """Take back the last claim of a person, with all that followed it; gives it, or `None` if there is none.

        If none has made one yet, or only engines play, an engine's last claim is taken back, and it chooses again.
        """
        return self.match.undo(self.people) or self.match.undo()

    def forfeit(self, reason: str) -> None:
        """The player to move cannot continue, and loses."""
        self.match.forfeit(self.match.position.player, reason)
        self.save()

    def save(self) -> None:
        """Save the match as it is now."""
        if self.autosave:
            self.autosave.save()

    def close(self) -> None:
        """Close the engines."""
        for engine in self.engines:
            if engine:
                close_engine(engine)
