"""Judges the history of a chaos test: whether the server kept its promises to its clients.

The states of a table form one line: each move adds one to the ply, each undo adds one to the count of undos, and
nothing follows the end. So `(undone, ply, over)` orders all states, and a move or an undo names the state it answers:
at most one place in that line is right for it. A table is therefore linearizable if and only if

- all states that were ever shown or stored fit into one line, each step of which somebody asked for,
- every acknowledged operation is in it at its place, and no refused one is, and
- an operation that began after another was acknowledged comes after it in the line.

Operations without an answer may be in the line or not. What a socket shows may lag behind, since other processes are
told later, but it never goes backwards. All this takes time linear in the length of the history, besides sorting.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from quintet.bench.history import PASS, History, Operation, Outcome, Stored, View, spell

LOST, DOUBLED, UNASKED, CONFLICT = "lost", "doubled", "unasked", "conflict"
STALE, ORDER, CLOCK = "stale", "order", "clock"
"""Kinds of violations that a history can show."""

TIME_UP = "ran out of time"
"""Why a player whose clock has run out has lost."""

OFFERING = ("undo", "rematch")
"""Operations that may change nothing but an offer, which the moves do not show."""

SLACK = 10.0
"""Seconds by which clocks may differ: a state is shown some time after it was made."""

Place = tuple[int, float, int]
"""A place in the line of states: undos, ply, and what comes after the last state."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that was not kept."""

    kind: str
    table: str
    text: str

    def __str__(self) -> str:
        """One line about it."""
        return f"{self.kind}: {self.table}: {self.text}"


def check(history: History) -> list[Violation]:
    """All violations in a history whose stored matches are complete."""
    operations: dict[str, list[Operation]] = defaultdict(list)
    views: dict[str, list[View]] = defaultdict(list)
    for operation in history.operations:
        if operation.table:
            operations[operation.table].append(operation)
    for view in history.views:
        views[view.table].append(view)
    found: list[Violation] = []
    for table in sorted({*operations, *views}):
        stored = history.stored.get(table)
        if stored is None:
            if views[table] or any(one.outcome == Outcome.OK for one in operations[table]):
                found.append(Violation(LOST, table, "the whole match is missing from the store"))
        else:
            judged = TableCheck(stored, operations[table], views[table])
            found += (Violation(kind, table, text) for kind, text in judged.violations())
    rematches = {one.rematch for one in history.stored.values() if one and one.rematch}
    found += (
        Violation(LOST, id, "the rematch is missing from the store") for id in rematches if not history.stored.get(id)
    )
    return found


class TableCheck:
    """The check of one table."""

    def __init__(self, stored: Stored, operations: Sequence[Operation], views: Sequence[View]) -> None:
        """Put everything that was shown or stored into one line."""
        self.stored, self.operations, self.views = stored, operations, views
        self.clashes: list[str] = []
        shown: dict[int, set[tuple[str, ...]]] = defaultdict(set)
        shown[stored.undone].add(stored.moves)
        for view in views:
            shown[view.undone].add(view.moves)
        self.line: dict[int, tuple[str, ...]] = {}
        """For each count of undos, the longest list of moves that was shown or stored."""
        self.base = {0: 0}
        """For each count of undos, how many moves were left by the last undo."""
        for undone, lists in sorted(shown.items()):
            longest: tuple[str, ...] = ()
            for moves in sorted(lists, key=len):
                if moves[: len(longest)] != longest:
                    self.clashes.append(f"after {undone} undos both {spell(longest)} and {spell(moves)} were shown")
                longest = moves
            self.line[undone] = longest
        self.last = max(self.line)

    def violations(self) -> list[tuple[str, str]]:
        """The kind of each violation, and what happened."""
        found = [(CONFLICT, text) for text in self.clashes]
        found += self.check_store()
        for undone in range(self.last):
            found += self.check_undo(undone)
        found += [*self.check_moves(), *self.check_end(), *self.check_clocks(), *self.check_order()]
        found += self.check_sockets()
        # What was not asked for is a change too, and is reported already.
        unasked = sum(kind == UNASKED for kind, _ in found)
        return [*found, *self.check_once(unasked)]

    def asked(self, kind: str, **fields: object) -> list[Operation]:
        """The operations of a kind with these fields."""
        return [
            one
            for one in self.operations
            if one.kind == kind and all(getattr(one, name) == value for name, value in fields.items())
        ]

    def check_store(self) -> Iterator[tuple[str, str]]:
        """What was shown is in the store."""
        stored, shown = self.stored, self.line[self.last]
        if stored.undone < self.last:
            yield LOST, f"{self.last} undos were shown, {stored.undone} are stored"
        elif stored.moves != shown:
            yield LOST, f"{spell(shown)} was shown, {spell(stored.moves)} is stored"
        for one in self.asked("join", outcome=Outcome.OK):
            if stored.tokens.get(one.seat) != one.what:
                yield LOST, f"seat {one.seat} was given to a player whose token is not stored"

    def check_undo(self, undone: int) -> Iterator[tuple[str, str]]:
        """Moves were taken back as both players wanted it, and nothing that came later was taken back with them."""
        before, after = self.line.get(undone), self.line.get(undone + 1)
        self.base[undone + 1] = len(after or ())
        if before is None or after is None:
            yield UNASKED, f"undo {undone + 1} refers to a state that nobody saw"
            return
        # An offer accepts the other player's offer, if there is one.
        wanted = [one for one in self.asked("undo", undone=undone) if one.what != "decline"]
        agreed = [one for one in wanted if one.outcome != Outcome.REFUSED]
        if not agreed:
            refused = f", after it was refused ({wanted[0].reason})" if wanted else ""
            yield UNASKED, f"undo {undone + 1} happened though nobody agreed to it{refused}"
            return
        exact = [one for one in agreed if one.ply == len(before)]
        if not exact:
            yield LOST, f"undo {undone + 1} was agreed to after {agreed[0].ply} moves and removed {spell(before)}"
            return
        left = {last_claim(before, 3 - one.seat) for one in exact}
        self.base[undone + 1] = max(left)
        if not any(after[:ply] == before[:ply] for ply in left):
            yield LOST, f"undo {undone + 1} made {spell(after)} of {spell(before)}"

    def check_moves(self) -> Iterator[tuple[str, str]]:
        """Every move in the line was asked for there, and every acknowledged one is in it."""
        seen = self.first_seen()
        moves: dict[tuple[int, int, str], list[Operation]] = defaultdict(list)
        for one in self.asked("move"):
            moves[one.undone, one.ply, f"{one.seat}:{one.what}"].append(one)
        for undone, line in self.line.items():
            for ply in range(self.base.get(undone, 0), len(line)):
                where = f"move {ply + 1}, {line[ply]},"
                if line[ply].endswith(f":{PASS}"):
                    continue
                asked = moves[undone, ply, line[ply]]
                before = [one for one in asked if one.invoked <= seen.get((undone, ply), inf)]
                if not asked:
                    twice = any(f"{one.seat}:{one.what}" == line[ply] for one in self.asked("move"))
                    yield (DOUBLED, f"{where} was asked for elsewhere") if twice else (UNASKED, f"{where} is nobody's")
                elif not before:
                    yield ORDER, f"{where} was shown before it was asked for"
                elif all(one.outcome == Outcome.REFUSED for one in before):
                    yield UNASKED, f"{where} was refused ({before[0].reason}) and was made"
        for one in self.asked("move", outcome=Outcome.OK):
            line, move = self.line.get(one.undone, ()), f"{one.seat}:{one.what}"
            if one.seen and TIME_UP in one.seen.ended:
                continue  # The answer was that the move came too late.
            if line[one.ply : one.ply + 1] != (move,):
                yield LOST, f"move {one.ply + 1}, {move}, was acknowledged; the match is {spell(line)}"
            elif one.seen and (one.seen.undone, len(one.seen.moves)) < (one.undone, one.ply + 1):
                yield STALE, f"move {one.ply + 1}, {move}, was acknowledged with {spell(one.seen.moves)}"

    def first_seen(self) -> dict[tuple[int, int], float]:
        """When each move was first shown, by the undos and moves before it."""
        seen: dict[tuple[int, int], float] = {}
        for view in self.views:
            at = view.undone, len(view.moves) - 1
            seen[at] = min(view.time, seen.get(at, inf))
        for undone, line in self.line.items():
            for ply in reversed(range(len(line) - 1)):
                seen[undone, ply] = min(seen.get((undone, ply), inf), seen.get((undone, ply + 1), inf))
        return seen

    def check_end(self) -> Iterator[tuple[str, str]]:
        """A game that was over stays so, for a reason that somebody gave or the rules give."""
        ends = {(view.undone, view.moves, view.ended) for view in self.views if view.over}
        stored = self.stored
        if stored.over:
            ends.add((stored.undone, stored.moves, stored.ended))
        if len(ends) > 1:
            yield CONFLICT, f"the game ended in several ways: {'; '.join(sorted(end for _, _, end in ends))}"
        if ends and not stored.over:
            yield LOST, f"the game was over ({next(iter(ends))[2]}), and is not in the store"
        for undone, moves, ended in ends:
            if (undone, len(moves)) < (self.last, len(self.line[self.last])):
                yield CONFLICT, f"the game went on after it was over ({ended})"
            if TIME_UP in ended:
                yield CLOCK, f"{ended}, with nearly all of the time left"
            for seat in (1, 2):
                asked = self.asked("resign", seat=seat)
                if ended == f"Player {seat} resigned" and not any(one.outcome != Outcome.REFUSED for one in asked):
                    yield UNASKED, f"{ended} without asking for it"
        for one in self.asked("resign", outcome=Outcome.OK):
            if stored.ended != f"Player {one.seat} resigned":
                yield LOST, f"Player {one.seat} resigned, and the store says: {stored.ended or 'not over'}"

    def check_clocks(self) -> Iterator[tuple[str, str]]:
        """No clock shows more time than there was, or less than can be left."""
        if self.stored.seconds:
            begun = min((view.time for view in self.views), default=0.0)
            for view in self.views:
                used = [self.stored.seconds - left / 1000 for left in view.left]
                if used and not -SLACK < min(used) <= max(used) < view.time - begun + SLACK:
                    yield CLOCK, f"{view.time - begun:.0f} s after the start {max(used, key=abs):.0f} s were used"
                    return

    def place(self, one: Operation) -> Place | None:
        """Where an operation is in the line, as far as that is known."""
        if one.outcome == Outcome.REFUSED:
            return None
        if one.kind == "move":
            made = self.line.get(one.undone, ())[one.ply : one.ply + 1] == (f"{one.seat}:{one.what}",)
            return (one.undone, one.ply, 0) if made else None
        if one.outcome != Outcome.OK:
            return None
        if one.kind == "undo" and one.seen:
            if one.what == "offer" and one.seen.offer == f"undo:{one.seat}":
                return one.undone, one.ply - 0.5, 0
            exact = len(self.line.get(one.undone, ())) == one.ply
            return (one.undone, inf, 0) if one.what == "accept" and exact and one.seen.undone > one.undone else None
        if one.kind in ("resign", "rematch"):
            return self.last, inf, 1 if one.kind == "resign" else 2
        return None

    def check_order(self) -> Iterator[tuple[str, str]]:
        """What began after an operation was acknowledged comes after it in the line."""
        placed = [(one, place) for one in self.operations if (place := self.place(one))]
        done = sorted((one.returned, place) for one, place in placed if one.returned is not None)
        times = [time for time, _ in done]
        newest: list[Place] = []
        for _, place in done:
            newest.append(max(place, newest[-1]) if newest else place)
        made: set[Place] = set()
        for one, place in sorted(placed, key=lambda pair: pair[0].invoked):
            earlier, repeated = bisect_left(times, one.invoked), place in made
            made.add(place)  # Asking again for what was made is right at any time: it changes nothing.
            if earlier and not repeated and place < newest[earlier - 1]:
                yield ORDER, f"{one} began after something later in the match was acknowledged"

    def check_sockets(self) -> Iterator[tuple[str, str]]:
        """No socket shows an older state after a newer one."""
        newest: dict[int, View] = {}
        for view in self.views:
            before = newest.get(view.socket)
            if before and view.age < before.age:
                yield STALE, f"socket {view.socket} showed {spell(view.moves)} after {spell(before.moves)}"
            newest[view.socket] = view

    def check_once(self, unasked: int) -> Iterator[tuple[str, str]]:
        """Nothing counts twice: there is one rematch, one player in a seat, one change for each operation."""
        rematches = {view.rematch for view in self.views if view.rematch} | ({self.stored.rematch} - {""})
        if len(rematches) > 1:
            yield DOUBLED, f"there are several rematches: {', '.join(sorted(rematches))}"
        if rematches - {self.stored.rematch}:
            yield LOST, f"a rematch was shown that is not stored: {', '.join(sorted(rematches))}"
        for seat in (1, 2):
            if len(self.asked("join", outcome=Outcome.OK, seat=seat)) > 1:
                yield DOUBLED, f"seat {seat} was given to two players"
        changes = [one for one in self.operations if one.kind != "create" and one.outcome != Outcome.REFUSED]
        certain = [one for one in changes if one.outcome == Outcome.OK and one.kind in ("join", "move", "resign")]
        if self.stored.revision < len({(one.kind, one.undone, one.ply, one.seat) for one in certain}):
            yield LOST, f"{len(certain)} changes were acknowledged, {self.stored.revision} are stored"
        flagged = TIME_UP in self.stored.ended  # A clock's change is nobody's.
        # An offer that is repeated may be made again, if it was declined in between.
        asked = sum(one.sent if one.kind in OFFERING else 1 for one in changes)
        if (more := self.stored.revision - asked - flagged - unasked) > 0:
            refused = [one for one in self.operations if one.outcome == Outcome.REFUSED and one.kind in OFFERING]
            why = "; refused: " + ", ".join(f"{one} ({one.reason})" for one in refused) if refused else ""
            kind = DOUBLED if more > len(refused) else UNASKED
            yield kind, f"{self.stored.revision} changes are stored, {more} more than were asked for{why}"


def last_claim(moves: tuple[str, ...], player: int) -> int:
    """The ply of a player's last move that was not a pass; 0 if there is none."""
    claims = (ply for ply in reversed(range(len(moves))) if moves[ply].startswith(f"{player}:"))
    return next((ply for ply in claims if not moves[ply].endswith(f":{PASS}")), 0)
