"""Saves a match while it is played. A store that fails never stops the game."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from quintet.engines import HUMAN
from quintet.match import Match

if TYPE_CHECKING:
    from quintet.store.matches import Store


class Autosave:
    """Saves a match after each change. If the store fails, it warns once and the game continues unsaved."""

    def __init__(
        self,
        match: Match,
        warn: Callable[[str], None],
        id: str | None = None,
        store: "Store | None" = None,
        players: tuple[str, str] = (HUMAN, HUMAN),
    ) -> None:
        """Save a match, under its id if it was saved before. Without a store, one is opened at the first move.

        `players` are who plays a new match, such as `level:3`.
        """
        self.match = match
        self.players = players
        self.warn = warn
        self.id = id
        self.failed = False
        self._store = store
        self._borrowed = store is not None
        self._saved = list(match.moves) if id else []
        self._over = bool(match.outcome)

    def save(self) -> None:
        """Save what was played, undone or decided since the last time; it is on the disk when this returns."""
        if self.failed or (not self.id and not self.match.moves and not self.match.outcome):
            return
        # The database library is loaded only now, so that the first prompt comes quickly.
        from quintet.store.database import StoreFault
        from quintet.store.matches import Store

        try:
            self._store = self._store or Store()
            self._update(self._store)
        except StoreFault as error:
            self.failed = True
            self.warn(str(error))
            self.close()

    def _update(self, store: "Store") -> None:
        """Change the saved match into the one that is played."""
        moves, over = self.match.moves, bool(self.match.outcome)
        if self.id is None:
            self.id = store.begin(self.match, self.players)
        else:
            same = 0
            while same < min(len(self._saved), len(moves)) and self._saved[same] == moves[same]:
                same += 1
            if same < len(self._saved) or (self._over and not over):
                store.truncate(self.id, same)
            for ply in range(same, len(moves)):
                store.append(self.id, ply, moves[ply])
            if over:
                store.finish(self.id, self.match)
        self._saved, self._over = list(moves), over

    def close(self) -> None:
        """Close the store, if it was opened here."""
        if self._store and not self._borrowed:
            self._store.close()
            self._store = None
