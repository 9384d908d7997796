"""A match with its players at the table, people and engines, and who keeps it."""

from collections.abc import Sequence

from quintet.engines import Engine
from quintet.match import Match
from quintet.rules import PASS
from quintet.store.keeper import Keeper


class Session:
    """One match and who plays it."""

    def __init__(self, match: Match, engines: Sequence[Engine | None], keeper: Keeper | None = None) -> None:
        """Seat the players; `None` is somebody who is asked. Without a keeper the match is not kept."""
        self.match = match
        self.engines = engines
        self.keeper = keeper

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
        self.pass_on()
        self.keep()

    def pass_on(self) -> None:
        """Pass for whoever must."""
        while self.match.position.must_pass and not self.match.outcome:
            self.match.play(PASS)

    def take_back(self) -> int | None:
        """Take back the last claim of a person, with all that followed it; gives it, or `None` if there is none.

        Where none has made one yet, or only engines play, an engine's last claim is taken back, for it to choose anew.
        """
        return self.match.undo(self.people) or self.match.undo()

    def forfeit(self, reason: str) -> None:
        """The player to move cannot go on, and loses."""
        self.match.forfeit(self.match.position.player, reason)
        self.keep()

    def keep(self) -> None:
        """Keep the match as it is now."""
        if self.keeper:
            self.keeper.keep()

    def close(self) -> None:
        """Send the engines home."""
        for engine in self.engines:
            if engine:
                engine.close()
