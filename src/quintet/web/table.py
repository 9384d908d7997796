"""A live table: one match in memory, those who sit and watch there, and every way to change it.

A change is made on a draft. It counts, and is told to everybody, only when the store has it; if another program was
quicker, the table is read again and the change is tried on what it then is.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from quintet.engines import HUMAN
from quintet.match import Match
from quintet.notation import InvalidMove, read_move
from quintet.rules import PASS, IllegalMove, Position
from quintet.store.database import StoreFault
from quintet.store.rows import ALPHABET, now, one_line
from quintet.store.seating import Seat, Sitting, begin_sitting, changing, secret
from quintet.store.writer import Change
from quintet.view import make_view
from quintet.web import clock, messages
from quintet.web.names import player_facts
from quintet.web.refusal import Refused

if TYPE_CHECKING:
    from quintet.web.hall import Hall

TRIES = 8
"""How often a change is tried anew because other programs were quicker."""
PAUSE = 1.0
"""Seconds before a clock or an engine is seen to again after the store has failed."""
NEW_ID = 12
"""Letters of a table's id: a link that nobody guesses."""

Draw = Callable[[Sitting], Change | None]
"""Makes a change on a draft; `None` if there is nothing to do. What is not allowed is `Refused`."""

log = logging.getLogger("quintet.web")
encode = msgspec.json.Encoder().encode


class Guest(Protocol):
    """Somebody at the table who is told what happens."""

    def give(self, text: str, ack: str = "") -> None:
        """Tell without waiting."""


class Table:
    """One match and its guests."""

    def __init__(self, sitting: Sitting, hall: "Hall") -> None:
        """Set up a table for a match as it is stored."""
        self.sitting = sitting
        self.hall = hall
        self.guests: set[Guest] = set()
        self.uses = 0
        """How many hold the table; when nobody does and nothing goes on, it is put away."""
        self.lock = asyncio.Lock()
        self.thinker: asyncio.Task[None] | None = None
        self.flag: asyncio.TimerHandle | None = None
        self.state = self.make_state()
        self.text = encode(self.state).decode()

    # What there is to see.

    def make_state(self) -> messages.State:
        """Where the match stands."""
        sitting, match = self.sitting, self.sitting.match
        outcome = match.outcome
        return messages.State(
            ply=match.ply,
            undone=sitting.undone,
            view=make_view(match),
            clock=clock.face(sitting),
            offer=messages.Offer(*sitting.offer) if sitting.offer else None,  # type: ignore[arg-type]
            over=outcome is not None,
            result=messages.Result(outcome.winner, outcome.reason) if outcome else None,
            thinking=self.engine_to_move() is not None,
        )

    def state_text(self) -> str:
        """The state as JSON, with what the clocks show now."""
        if self.state.clock and self.state.clock.running:
            self.state.clock = clock.face(self.sitting)
            self.text = encode(self.state).decode()
        return self.text

    def table_text(self, held: list[int], kind: str = "") -> str:
        """The table as JSON for somebody who holds these seats; as a message of a kind, or by itself."""
        players = encode(self.players()).decode()
        control = self.sitting.control
        settings = encode(messages.ClockSettings(control.seconds, control.increment) if control else None).decode()
        rematch = encode(self.sitting.rematch).decode()
        head = f'{{"type":"{kind}",' if kind else "{"
        return (
            f'{head}"id":"{self.sitting.id}","seat":{held},"players":{players},"clock":{settings},'
            f'"rematch":{rematch},"state":{self.state_text()}}}'
        )

    def players(self) -> messages.Players:
        """Who sits here."""
        return messages.Players(*(player_facts(self.sitting, player) for player in (1, 2)))

    def held(self, tokens: list[str]) -> list[int]:
        """The seats whose secrets these are."""
        hashes = [secret(token) for token in tokens]
        return [
            number
            for number, seat in sorted(self.sitting.seats.items())
            if seat.token and any(compare_digest(seat.token, one) for one in hashes)
        ]

    # Ways to change it. `held` are the seats of who asks.

    async def move(
        self, held: list[int], ply: int, undone: int, text: str, by: Guest | None = None, ack: str = ""
    ) -> None:
        """Play a move for the player whose seat is held, with the passes that then go without saying."""
        await self.change(lambda draft: self.draw_move(draft, held, ply, undone, text), by, ack)

    async def resign(self, held: list[int], by: Guest | None = None, ack: str = "") -> None:
        """Give up."""

        def draw(draft: Sitting) -> Change:
            player = seated(held, draft)
            refuse_over(draft)
            draft.match.resigned = player
            return self.ended(draft)

        await self.change(draw, by, ack)

    async def undo(
        self,
        held: list[int],
        answer: str,
        ply: int | None = None,
        undone: int | None = None,
        by: Guest | None = None,
        ack: str = "",
    ) -> None:
        """Offer to take back, or answer such an offer; at once where nobody else could mind.

        Where it is said which history that is about and the match has another, nothing changes.
        """

        def draw(draft: Sitting) -> Change | None:
            stale = ply not in (None, draft.match.ply) or undone not in (None, draft.undone)
            return None if stale and held else self.draw_undo(draft, held, answer)

        await self.change(draw, by, ack)

    async def rematch(self, held: list[int], answer: str, by: Guest | None = None, ack: str = "") -> None:
        """Offer to play again, or answer such an offer; at once where nobody else could mind."""
        await self.change(lambda draft: self.draw_rematch(draft, held, answer), by, ack)

    async def join(self, name: str | None, wanted: int | None) -> messages.Joined:
        """Take a free seat; gives its secret."""
        token = secrets.token_urlsafe(24)
        taken: list[int] = []

        def draw(draft: Sitting) -> Change:
            free = [number for number, seat in sorted(draft.seats.items()) if seat.who == HUMAN and not seat.token]
            if not free:
                raise Refused(409, "No seat is free at this table; you may watch.")
            if wanted is not None and wanted not in free:
                raise Refused(409, "That seat is taken.")
            player = wanted or free[0]
            called = one_line(name or "") or None
            draft.seats[player] = Seat(HUMAN, called, secret(token), now())
            names = list(draft.match.names)
            names[player - 1] = called or HUMAN
            draft.match.names = (names[0], names[1])
            taken[:] = [player]
            seat = draft.seats[player]
            row = {
                "of": draft.id,
                "at": player,
                "new_name": seat.name,
                "new_token": seat.token,
                "new_joined": seat.joined,
            }
            return Change(draft.id, draft.revision, changing(draft, draft.updated), seat=row)

        await self.change(draw)
        return messages.Joined(taken[0], token)

    # How they are done.

    async def change(self, draw: Draw, by: Guest | None = None, ack: str = "") -> None:
        """Make a change, store it, and tell everybody."""
        async with self.lock:
            for _ in range(TRIES):
                draft = self.sitting.draft()
                change = draw(draft)
                if change is None:
                    if by:
                        by.give(self.message(ack), ack)
                    return
                draft.updated = change.row["updated"]
                draft.revision = change.revision + 1
                if await self.hall.writer.write(change):
                    if change.follows:
                        self.hall.expect(again(draft))
                    self.adopt(draft, by, ack)
                    return
                await self.reload()
        raise Refused(503, "This table is too busy; try again.")

    def draw_move(self, draft: Sitting, held: list[int], ply: int, undone: int, text: str) -> Change | None:
        """Play a move in answer to a history; one that is there already is no change."""
        match = draft.match
        if not held:
            raise Refused(403, "Only those who sit at the table may move.")
        if undone != draft.undone:
            raise Refused(409, "Moves were taken back meanwhile.")
        if ply > match.ply:
            raise Refused(409, f"Only {match.ply} moves were played so far.")
        position = match.positions[ply]
        if position.player not in held:
            raise Refused(409, f"It is Player {match.position.player}'s turn.")
        try:
            move = read_move(position, text)
            if ply < match.ply:
                if match.moves[ply] == move:
                    return None
                raise Refused(409, "Another move was played there already.")
            refuse_over(draft)
            return self.played(draft, move)
        except (InvalidMove, IllegalMove) as error:
            raise Refused(422, str(error)) from None

    def played(self, draft: Sitting, move: int, spent: float | None = None) -> Change:
        """Play a move of the player to move, unless time is up; engines say how many seconds they thought."""
        match, first = draft.match, draft.match.ply
        left = clock.left_after(draft, spent)
        if left is not None and left <= 0:
            return self.flagged(draft)
        clocks: list[int | None] = [clock.after_move(draft, left)]
        match.play(move)
        while match.position.must_pass:
            match.play(PASS)
            clocks.append(None)
        draft.clocks += tuple(clocks)
        draft.offer = None
        moves = [
            {"match": draft.id, "ply": ply, "move": match.position.label(match.moves[ply]), "clock": draft.clocks[ply]}
            for ply in range(first, match.ply)
        ]
        return Change(draft.id, draft.revision, changing(draft, now()), moves)

    def ended(self, draft: Sitting) -> Change:
        """The match is over without another move."""
        draft.offer = None
        return Change(draft.id, draft.revision, changing(draft, now()))

    def flagged(self, draft: Sitting) -> Change:
        """The player to move has no time left."""
        draft.match.forfeit(draft.match.position.player, "ran out of time")
        return self.ended(draft)

    def draw_undo(self, draft: Sitting, held: list[int], answer: str) -> Change | None:
        """Take back as far as who asked is to move again, or ask for it."""
        player, match = seated(held, draft), draft.match
        refuse_over(draft)
        asking = consent(draft, "undo", held, player, answer)
        if asking is None:
            return Change(draft.id, draft.revision, changing(draft, draft.updated))
        whose = held if len(held) > 1 else [asking]
        if match.last_claim(whose) is None:
            raise Refused(409, "There is nothing to take back.")
        if not shared(draft, held, player) and draft.offer is None:
            draft.offer = ("undo", player)
            return Change(draft.id, draft.revision, changing(draft, draft.updated))
        match.undo(whose)
        draft.undone += 1
        draft.offer = None
        draft.clocks = draft.clocks[: match.ply]
        return Change(draft.id, draft.revision, changing(draft, now()), cut=match.ply)

    def draw_rematch(self, draft: Sitting, held: list[int], answer: str) -> Change | None:
        """Begin the same game again with the other player first, or ask for it."""
        player = seated(held, draft)
        if not draft.match.outcome:
            raise Refused(409, "The game is not over yet.")
        if draft.rematch:
            return None
        asking = consent(draft, "rematch", held, player, answer)
        if asking is not None and (shared(draft, held, player) or draft.offer):
            draft.offer = None
            draft.rematch = new_id()
            return Change(draft.id, draft.revision, changing(draft, draft.updated), follows=begin_sitting(again(draft)))
        if asking is not None:
            draft.offer = ("rematch", player)
        return Change(draft.id, draft.revision, changing(draft, draft.updated))

    # What follows from a change.

    def adopt(self, sitting: Sitting, by: Guest | None = None, ack: str = "") -> None:
        """Take this as the match now: tell everybody, and see to clocks and engines."""
        before, self.sitting = self.sitting, sitting
        self.state = self.make_state()
        self.text = encode(self.state).decode()
        self.attend()
        others = self.message("", before.seats != sitting.seats)
        for guest in tuple(self.guests):
            if guest is by and ack:
                guest.give(self.message(ack), ack)
            else:
                guest.give(others)
        if sitting.rematch and not before.rematch:
            self.tell(f'{{"type":"rematch","id":"{sitting.rematch}"}}')

    def message(self, ack: str = "", seats_changed: bool = False) -> str:
        """The state as a message; to who asked for it with what it is to be known by."""
        players = f'"players":{encode(self.players()).decode()},' if seats_changed else ""
        end = f',"ack":{ack}}}' if ack else "}"
        return f'{{"type":"state",{players}{self.state_text()[1:-1]}{end}'

    def tell(self, text: str) -> None:
        """Tell everybody."""
        for guest in tuple(self.guests):
            guest.give(text)

    async def reload(self) -> None:
        """Read the match anew; another program has changed it."""
        sitting = await self.hall.load(self.sitting.id)
        if sitting.revision != self.sitting.revision:
            self.adopt(sitting)

    async def catch_up(self, revision: int) -> None:
        """Another program says that the match has this revision now."""
        async with self.lock:
            if self.sitting.revision < revision:
                await self.reload()

    def engine_to_move(self) -> str | None:
        """The engine whose turn it is."""
        seat = self.sitting.seats.get(self.sitting.match.position.player)
        return None if seat is None or seat.who == HUMAN or self.sitting.match.outcome else seat.who

    @property
    def busy(self) -> bool:
        """Whether something goes on though nobody may be here."""
        return self.thinker is not None or self.flag is not None

    def attend(self) -> None:
        """Set the clock's flag, and wake the engine whose turn it is."""
        if self.flag:
            self.flag.cancel()
            self.flag = None
        who = self.engine_to_move()
        if who is None and clock.since(self.sitting) is not None:
            left = clock.left_now(self.sitting, self.sitting.match.position.player)
            self.flag = self.hall.loop.call_later(left / 1000, self.hall.start, self.fall)
        if who and not self.thinker and (self.uses or not self.is_show):
            self.thinker = self.hall.start(lambda: self.think(who))

    @property
    def is_show(self) -> bool:
        """Whether only engines play, which they do for those who look."""
        return all(seat.who != HUMAN for seat in self.sitting.seats.values())

    async def fall(self) -> None:
        """The flag falls, if time is really up."""
        self.flag = None

        def draw(draft: Sitting) -> Change | None:
            running = clock.since(draft) is not None and draft.seats[draft.match.position.player].who == HUMAN
            return self.flagged(draft) if running and clock.left_now(draft, draft.match.position.player) <= 0 else None

        await self.insist(self.change(draw))

    async def think(self, who: str) -> None:
        """Let the engine play its move."""
        asked = self.sitting

        async def play() -> None:
            left = clock.left(asked, asked.match.position.player) / 1000 if asked.control else None
            answer, spent = await self.hall.thinkers.choose(who, asked.match.position, left, self.is_show)

            def draw(draft: Sitting) -> Change | None:
                if (draft.match.ply, draft.undone) != (asked.match.ply, asked.undone) or draft.match.outcome:
                    return None
                if isinstance(answer, int):
                    return self.played(draft, answer, spent)
                draft.match.forfeit(draft.match.position.player, answer)
                return self.ended(draft)

            await self.change(draw)

        await self.insist(play())

    async def insist(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what must be done at this table; if the store fails, see to it again in a while."""
        try:
            await work
        except (StoreFault, Refused) as fault:
            log.error("%s: %s", self.sitting.id, fault)
            await asyncio.sleep(PAUSE)
        finally:
            if self.thinker is asyncio.current_task():
                self.thinker = None
        self.attend()
        self.hall.put_away(self)


def seated(held: list[int], draft: Sitting) -> int:
    """The seat somebody acts for: of both, the one to move."""
    if not held:
        raise Refused(403, "Only those who sit at the table may do that.")
    return draft.match.position.player if len(held) > 1 else held[0]


def refuse_over(draft: Sitting) -> None:
    """Nothing more is played when a game is over."""
    if draft.match.outcome:
        raise Refused(409, "The game is over.")


def shared(draft: Sitting, held: list[int], player: int) -> bool:
    """Whether nobody else has a say: an engine sits opposite, or the same person, or nobody yet."""
    other = draft.seats[3 - player]
    return len(held) > 1 or other.who != HUMAN or other.token is None


def consent(draft: Sitting, kind: str, held: list[int], player: int, answer: str) -> int | None:
    """Who asks for something that a player offers or agrees to; `None`, and no offer any more, if it is declined."""
    offered = draft.offer if draft.offer and draft.offer[0] == kind else None
    if answer == "offer":
        if offered and offered[1] == player and not shared(draft, held, player):
            raise Refused(409, "You have offered that already.")
        draft.offer = offered
        return offered[1] if offered else player
    if not offered or (answer == "accept" and offered[1] == player):
        raise Refused(409, "Nothing of that kind was offered to you.")
    if answer == "accept":
        return offered[1]
    draft.offer = None
    return None


def new_id() -> str:
    """An id that nobody guesses."""
    return "".join(secrets.choice(ALPHABET) for _ in range(NEW_ID))


def again(draft: Sitting) -> Sitting:
    """The rematch of a match that is over: the same seats and secrets, the other player first."""
    begun = draft.match.positions[0]
    first = Position(begun.game, begun.board, begun.theirs, begun.mine, begun.other)
    assert draft.rematch
    return Sitting(draft.rematch, Match(first, names=draft.match.names), draft.seats, draft.control, updated=now())
