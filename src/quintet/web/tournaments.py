"""The tournaments of one server process that somebody looks at.

A tournament advances while somebody looks at it: results are read from its matches, the next round is paired, and
engines play each other. Everything it does follows from what is stored, and is stored before anybody is told; so it
does not matter which process does it, or how often.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from hmac import compare_digest

import msgspec

from quintet.engines import HUMAN
from quintet.language import later, tr
from quintet.match import Match
from quintet.notation import write_position
from quintet.store.cleanup import is_old, mark_visited, open_tournament
from quintet.store.database import RejectedData, StoreFault, UnknownOutcome
from quintet.store.online_matches import OnlineMatch, hash_token
from quintet.store.rows import ONLINE_ID, UnknownMatch, derived_ids, now, random_ids
from quintet.store.schema import TOURNAMENTS
from quintet.store.tournaments import (
    Control,
    Format,
    Stage,
    Tournament,
    find_endings,
    find_revision,
    load_tournament,
    write_tournament,
)
from quintet.web import metrics
from quintet.web.api_error import ApiError
from quintet.web.faults import report
from quintet.web.lobby import Lobby
from quintet.web.proposals import propose_forfeit
from quintet.web.table import TRIES, UNKNOWN
from quintet.web.tournament_changes import safe_name
from quintet.web.tournament_messages import LONGEST_TITLE, CreatedTournament, NewTournament, describe
from quintet.web.tournament_rounds import loser_of, open_pairings, pair_next, record_endings, starts_in

PAUSE, LONG_PAUSE = 0.5, 2.0
"""Seconds between two looks at a tournament while it is played, and otherwise."""
WATCHED = 15.0
"""Seconds after the last request for a tournament in which it advances."""
READING = 2
"""Tournaments that read from the store at the same time, so that visitors of tables need not wait for them."""
LEFT, RULED = later("left the tournament"), later("the organiser's ruling")
"""Why a player forfeits a game of a tournament."""

Proposal = Callable[[Tournament], bool | Sequence[OnlineMatch] | None]
"""Changes a draft; gives whether it did, or the matches to create. Raises an `ApiError` if it is not allowed."""


class LiveTournament:
    """A tournament that somebody looks at."""

    def __init__(self, tournament: Tournament, tournaments: "Tournaments") -> None:
        """Begin with what is stored."""
        self.tournament = tournament
        self.lobby = tournaments.lobby
        self.reading = tournaments.reading
        self.lock = asyncio.Lock()
        self.seen = time.monotonic()
        self.hosted: set[str] = set()
        """Games with an engine whose tables are open here, so that the engine plays."""
        self.clocked = 0
        """The round whose clocks have timers here."""

    @property
    def is_watched(self) -> bool:
        """Whether somebody has asked for it a moment ago."""
        return time.monotonic() - self.seen < WATCHED

    def answer(self) -> bytes:
        """The tournament as everybody sees it, as JSON."""
        return msgspec.json.encode(describe(self.tournament))

    async def run(self) -> None:
        """Advance the tournament as long as it is watched; one that was deleted is not watched any more."""
        answering = True
        while self.is_watched:
            try:
                async with self.reading:
                    await self.advance()
                answering = True
            except UnknownMatch:
                return
            except (StoreFault, ApiError) as fault:
                if answering and isinstance(fault, StoreFault):  # Whoever raised an `ApiError` has reported the fault.
                    report(fault)
                answering = False
            await asyncio.sleep(PAUSE if self.tournament.stage == Stage.RUNNING else LONG_PAUSE)

    async def advance(self) -> None:
        """Take over what has changed in the store, and do what follows from it."""
        async with self.lock:
            if await self.lobby.read(find_revision, self.lobby.store, self.tournament.id) != self.tournament.revision:
                await self.reload()
        delete_after = self.lobby.delete_after
        if delete_after and is_old(self.tournament, delete_after):
            await self.lobby.read(mark_visited, self.lobby.store, [self.tournament.id], TOURNAMENTS)
            self.tournament.visited = now()
        if self.tournament.stage != Stage.RUNNING:
            return
        await self.end_games()
        await self.read_results()
        due = starts_in(self.tournament)
        if due is not None and due <= 0:
            await self.change(pair_if_due)
        self.start_clocks()
        self.host_engines()

    async def read_results(self) -> None:
        """Write down the results of games that have ended."""
        ids = [game.match for game in open_pairings(self.tournament) if game.match]
        endings = await self.lobby.read(find_endings, self.lobby.store, ids) if ids else {}
        await self.change(lambda draft: record_endings(draft, endings))

    async def end_games(self) -> None:
        """End the games of those who left, and those that the organiser has ruled on."""
        for game in open_pairings(self.tournament):
            loser = loser_of(self.tournament, game)
            if game.match is not None and loser is not None:
                await self.end_game(game.match, 1 if loser == game.one else 2, RULED if game.ruled_against else LEFT)

    async def end_game(self, match: str, player: int, reason: str) -> None:
        """End a game: a player loses. If its match was deleted, the result is written down without it."""
        try:
            async with self.lobby.table(match) as table:
                await table.change(lambda draft: propose_forfeit(draft, player, reason))
        except UnknownMatch:
            pass

    def host_engines(self) -> None:
        """Open the tables where an engine plays."""
        engines = {entry.number for entry in self.tournament.entries if entry.who != HUMAN}
        for game in open_pairings(self.tournament):
            if game.match and game.match not in self.hosted and engines & {game.one, game.two}:
                self.hosted.add(game.match)
                self.lobby.start(self.host(game.match))

    async def host(self, id: str) -> None:
        """Keep a table open while its game is played and the tournament is watched."""
        try:
            async with self.lobby.table(id) as table:
                while self.is_watched and not table.online.match.outcome:
                    await asyncio.sleep(PAUSE)
        except UnknownMatch:
            pass
        finally:
            self.hosted.discard(id)

    async def reload(self) -> None:
        """Load the tournament again, because another program has changed it."""
        found = await self.lobby.read(load_tournament, self.lobby.store, self.tournament.id)
        if found.revision > self.tournament.revision:
            self.tournament = found

    async def change(self, propose: Proposal) -> None:
        """Make a change, and store it."""
        async with self.lock:
            for _ in range(TRIES):
                draft = self.tournament.draft()
                proposed = propose(draft)
                if proposed is None or proposed is False:
                    return
                matches = () if proposed is True else proposed
                draft.updated = now()
                try:
                    written = await self.lobby.read(write_tournament, self.lobby.store, draft, matches)
                except UnknownOutcome as fault:
                    report(fault)
                    raise ApiError(503, tr(UNKNOWN)) from None
                if written:
                    self.tournament = draft
                    return
                metrics.STALE.inc()
                await self.reload()
        raise ApiError(503, tr("This tournament is too busy; try again."))

    def start_clocks(self) -> None:
        """Set the timers of a new round's matches, here too: their clocks run whether anybody comes or not."""
        if not self.tournament.control or self.clocked == len(self.tournament.played):
            return
        self.clocked = len(self.tournament.played)
        for game in open_pairings(self.tournament):
            if game.match and game.match not in self.lobby.timers and game.match not in self.lobby.tables:
                self.lobby.set_timer(game.match, self.tournament.control.seconds)

    def check_organiser(self, token: str) -> None:
        """Refuse whoever is not the organiser."""
        if not token:
            raise ApiError(401, tr("Send the organiser's token: Authorization: Bearer TOKEN."))
        if not compare_digest(hash_token(token), self.tournament.organiser_hash):
            raise ApiError(403, tr("Only the organiser of this tournament can do that."))


class Tournaments:
    """The tournaments that somebody looks at in this process."""

    def __init__(self, lobby: Lobby) -> None:
        """Use the store and the tables of a lobby."""
        self.lobby = lobby
        self.live: dict[str, LiveTournament] = {}
        self.reading = asyncio.Semaphore(READING)

    async def find(self, id: str) -> LiveTournament:
        """A tournament, which advances from now on."""
        if id not in self.live:
            lobby = self.lobby
            found = await lobby.read(open_tournament, lobby.store, id, lobby.delete_after)
            if id not in self.live:
                live = self.live[id] = LiveTournament(found, self)
                lobby.start(self.watch(live))
        live = self.live[id]
        live.seen = time.monotonic()
        return live

    async def watch(self, live: LiveTournament) -> None:
        """Advance a tournament until nobody looks at it."""
        try:
            await live.run()
        finally:
            del self.live[live.tournament.id]

    async def create(self, match: Match, request: NewTournament) -> CreatedTournament:
        """Create a tournament; the same key gives the same one."""
        token, clock = request.key or secrets.token_urlsafe(24), request.clock
        key = f"tournament {request.key}"
        id = next(derived_ids(key, ONLINE_ID) if request.key else random_ids(ONLINE_ID))
        tournament = Tournament(
            id=id,
            name=safe_name(request.name, LONGEST_TITLE),
            start=write_position(match.position),
            format=Format(request.format),
            rounds=request.rounds,
            control=Control(clock.seconds, clock.increment) if clock else None,
            pause=request.pause,
            organiser_hash=hash_token(token),
            created=now(),
            updated=now(),
        )
        try:
            await self.lobby.read(write_tournament, self.lobby.store, tournament)
        except UnknownOutcome as fault:
            report(fault)
            raise ApiError(503, tr(UNKNOWN)) from None
        except RejectedData:
            if not request.key:
                raise
            stored = await self.lobby.read(load_tournament, self.lobby.store, id)
            if stored.organiser_hash != tournament.organiser_hash or stored.start != tournament.start:
                raise ApiError(409, tr("This key was used for another tournament.")) from None
        return CreatedTournament(id, token, f"/tournament/{id}")


def pair_if_due(draft: Tournament) -> Sequence[OnlineMatch] | None:
    """Begin the next round, if it is still time for it."""
    due = starts_in(draft)
    return pair_next(draft) if due is not None and due <= 0 else None
