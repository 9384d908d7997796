"""Saving a match while it is played; a store that fails never stops the game."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from quintet.match import Match

if TYPE_CHECKING:
    from quintet.store.matches import Store


class Keeper:
    """Saves a match after each change; if the store fails, reports it once and lets the game continue."""

    def __init__(
        self, match: Match, complain: Callable[[str], None], id: str | None = None, store: "Store | None" = None
    ) -> None:
        """Save a match, under its id if it is in the store already; without a store, the default one is opened."""
        self.match = match
        self.complain = complain
        self.id = id
        self.failed = False
        self._store = store
        self._borrowed = store is not None
        self._kept = list(match.moves) if id else []
        self._over = bool(match.outcome)

    def keep(self) -> None:
        """Save what was played, taken back or decided since the last time; it is on disk when this returns."""
        if self.failed or (not self.id and not self.match.moves and not self.match.outcome):
            return
        # Imported here because the database library is slow to load and a person waits for the first prompt.
        from quintet.store.database import StoreFault
        from quintet.store.matches import Store

        try:
            self._store = self._store or Store()
            self._bring_up(self._store)
        except StoreFault as error:
            self.failed = True
            self.complain(str(error))
            self.close()

    def _bring_up(self, store: "Store") -> None:
        """Change the stored match to what was played."""
        moves, over = self.match.moves, bool(self.match.outcome)
        if self.id is None:
            self.id = store.begin(self.match)
        else:
            same = 0
            while same < min(len(self._kept), len(moves)) and self._kept[same] == moves[same]:
                same += 1
            if same < len(self._kept) or (self._over and not over):
                store.truncate(self.id, same)
            for ply in range(same, len(moves)):
                store.append(self.id, ply, moves[ply])
            if over:
                store.finish(self.id, self.match)
        self._kept, self._over = list(moves), over

    def close(self) -> None:
        """Close the store, if it was opened here."""
        if self._store and not self._borrowed:
            self._store.close()
            self._store = None
