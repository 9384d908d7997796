"""A live table of the server: one online match in memory, its subscribers, its clock and its engines.

If another program was faster to change the match, it is loaded again and the change is tried on that.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from quintet.language import later, tr
from quintet.store.database import StoreFault, UnknownOutcome
from quintet.store.online import Change, OnlineMatch
from quintet.store.writer import stored_revisions
from quintet.web import clock, metrics, proposals
from quintet.web.any_table import AnyTable, Reply
from quintet.web.any_table import Proposal as Proposal
from quintet.web.api_error import ApiError
from quintet.web.faults import report

if TYPE_CHECKING:
    from quintet.web.lobby import Lobby

TRIES = 8
"""How often a change is tried again because other programs were faster."""
PAUSE = 1.0
"""Seconds before an engine is started again after the store has failed."""
UNKNOWN = later("The database stopped responding; your change may or may not have been saved.")


class Table(AnyTable):
    """One online match and its subscribers."""

    def __init__(self, online: OnlineMatch, lobby: "Lobby") -> None:
        """Open a table for a stored match."""
        super().__init__(online)
        self.lobby = lobby
        self.uses = 0
        """How many use the table; when nobody does and no engine is thinking, it is closed."""
        self.lock = asyncio.Lock()
        self.engine_task: asyncio.Task[None] | None = None

    async def find_seats(self, tokens: Sequence[str]) -> list[int]:
        """The seats that these tokens belong to, even if one was taken a moment ago at another process."""
        if any(tokens) and not self.seats_of(tokens) and any(not seat.joined for seat in self.online.seats.values()):
            await self.refresh()
        return self.seats_of(tokens)

    # How changes are stored and announced.

    async def change(self, propose: Proposal, reply: Reply | None = None) -> Change | None:
        """Make a change, store it, and notify the subscribers; gives it, or `None` if nothing was to be changed."""
        async with self.lock:
            for _ in range(TRIES):
                draft = self.online.draft()
                change = propose(draft)
                if change is None:
                    if reply:
                        reply.to.notify(self.state_message(reply.ack), reply.ack)
                    return None
                try:
                    written = await self.lobby.writer.write(change)
                except UnknownOutcome as fault:
                    self.lobby.reload_all()
                    report(fault)
                    raise ApiError(503, tr(UNKNOWN)) from None
                if written:
                    if change.rematch:
                        self.lobby.remember_rematch(change.rematch)
                    self.adopt(draft, reply)
                    return change
                metrics.STALE.inc()
                await self.reload()
        raise ApiError(503, tr("This table is too busy; try again."))

    async def reload(self) -> None:
        """Load the match again, because another program has changed it."""
        online = await self.lobby.load(self.online.id)
        if online.revision != self.online.revision:
            self.adopt(online)

    async def catch_up(self, revision: int) -> None:
        """Load the match again unless it has at least this revision."""
        async with self.lock:
            if self.online.revision < revision:
                await self.reload()

    async def catch_up_with(self, ply: int, undone: int) -> None:
        """Load the match again if a client has seen more of it, at another process."""
        if (undone, ply) > (self.online.undone, self.online.match.ply):
            await self.refresh()

    async def refresh(self) -> None:
        """Load the match again if the stored one is newer."""
        id = self.online.id
        revisions = await self.lobby.read(stored_revisions, self.lobby.store, [id])
        await self.catch_up(revisions.get(id, 0))

    # Clocks and engines.

    def start_clock_and_engine(self) -> None:
        """Set the timer of the running clock, and start the engine whose turn it is."""
        who = self.engine_to_move()
        if who is None and clock.running_since(self.online) is not None:
            left = clock.left_now(self.online, self.online.match.position.player)
            self.lobby.set_timer(self.online.id, left / 1000)
        else:
            self.lobby.cancel_timer(self.online.id)
        if who and not self.engine_task and (self.uses or not self.only_engines):
            self.engine_task = self.lobby.start(self.retry(lambda: self.play_engine(who)))

    async def play_engine(self, who: str) -> None:
        """Let an engine choose a move, and play it."""
        asked = self.online
        left = clock.left_at_start(asked, asked.match.position.player) / 1000 if asked.control else None
        answer, seconds = await self.lobby.workers.choose(who, asked.match.position, left, self.only_engines)
        await self.change(lambda draft: proposals.propose_engine_move(draft, asked, answer, seconds))

    async def retry(self, work: Callable[[], Awaitable[object]]) -> None:
        """Run the work of an engine; if the store fails, start it again after a pause."""
        try:
            await work()
        except ApiError:  # Whoever raised it has counted and logged the fault.
            await asyncio.sleep(PAUSE)
        except StoreFault as fault:
            report(fault)
            await asyncio.sleep(PAUSE)
        finally:
            if self.engine_task is asyncio.current_task():
                self.engine_task = None
        self.start_clock_and_engine()
        self.lobby.close_unused(self)
