"""What the clients of a chaos test asked for, were told and saw, and what the store has: facts for the checker."""

from enum import StrEnum
from pathlib import Path

import msgspec

PASS = "pass"
"""What a forced pass is called; nobody asks for it."""


class Outcome(StrEnum):
    """What a client knows about its operation."""

    OK = "ok"
    """It was acknowledged: it must have happened."""
    REFUSED = "refused"
    """It was refused: it must not have happened."""
    UNKNOWN = "unknown"
    """No answer came, or one that promises nothing: it may have happened, at any time after it was sent."""


class View(msgspec.Struct, frozen=True, gc=False, tag="view"):
    """A state of a table as one socket showed it."""

    time: float
    socket: int
    """The number of the socket; a client that connects again has another."""
    server: int
    table: str
    undone: int
    moves: tuple[str, ...]
    """Such as `1:C3`: the player and the cell, or `1:pass`."""
    over: bool = False
    ended: str = ""
    """Why it is over."""
    offer: str = ""
    """Such as `undo:1`: what is offered, and by which player."""
    rematch: str = ""
    """The id of the rematch, where it was shown."""
    left: tuple[int, ...] = ()
    """The milliseconds left to each player, where there are clocks."""

    @property
    def age(self) -> tuple[int, int, bool]:
        """What grows with every change of the board: a smaller one is older."""
        return self.undone, len(self.moves), self.over


class Operation(msgspec.Struct, tag="operation"):
    """Something that a client asked for. A client sends it again, as the page does, if no answer comes."""

    kind: str
    """`create`, `join`, `move`, `undo`, `resign` or `rematch`."""
    table: str
    seat: int
    invoked: float
    undone: int = 0
    ply: int = 0
    """The history that a move or an undo answers: how many undos and moves came before it."""
    what: str = ""
    """The cell of a move, the answer of an undo or a rematch (`offer`, `accept`, `decline`), or a join's token hash."""
    sent: int = 0
    """How many times it was sent."""
    returned: float | None = None
    outcome: Outcome = Outcome.UNKNOWN
    reason: str = ""
    """Why it was refused, or why its outcome is unknown."""
    seen: View | None = None
    """The state that acknowledged it."""

    def __str__(self) -> str:
        """A line about it."""
        asked = f"{self.kind} {self.what}".rstrip()
        return f"{asked} of Player {self.seat} after {self.ply} moves and {self.undone} undos"

    def acknowledge(self, time: float, seen: View | None = None) -> None:
        """It was done."""
        self.returned, self.outcome, self.seen, self.reason = time, Outcome.OK, seen, ""

    def refuse(self, time: float, reason: str) -> None:
        """It was refused; if it was sent before without an answer, that one may have happened."""
        self.reason = reason
        if self.sent <= 1:
            self.returned, self.outcome = time, Outcome.REFUSED


class Stored(msgspec.Struct, frozen=True, tag="stored"):
    """A match as the store has it."""

    table: str
    undone: int
    moves: tuple[str, ...]
    revision: int
    """How many changes were stored."""
    over: bool = False
    ended: str = ""
    offer: str = ""
    rematch: str = ""
    tokens: dict[int, str] = {}
    """The hash of the token of each seat that is taken."""
    seconds: int = 0
    """The time of each player, where there are clocks."""


class Broken(msgspec.Struct, tag="fault"):
    """A fault, from when it was caused until it was repaired."""

    fault: str
    time: float
    repaired: float | None = None


class History:
    """Everything that happened in one test."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.operations: list[Operation] = []
        self.views: list[View] = []
        self.stored: dict[str, Stored | None] = {}
        self.faults: list[Broken] = []
        self._moves: dict[tuple[str, ...], tuple[str, ...]] = {}

    def invoke(self, operation: Operation) -> Operation:
        """A client is about to ask for something."""
        self.operations.append(operation)
        return operation

    def see(self, view: View) -> View:
        """A client has seen a state."""
        self.views.append(view)
        return view

    def shared(self, moves: tuple[str, ...]) -> tuple[str, ...]:
        """The same moves, in memory only once however often they are seen."""
        return self._moves.setdefault(moves, moves)

    def tables(self) -> set[str]:
        """The ids of all tables that clients know of."""
        return {view.table for view in self.views} | {one.table for one in self.operations if one.table}

    def write(self, file: Path) -> None:
        """Write everything to a file, one JSON object per line."""
        rows: list[Broken | Operation | View | Stored] = [*self.faults, *self.operations, *self.views]
        rows += [one for one in self.stored.values() if one]
        file.write_bytes(msgspec.json.Encoder().encode_lines(rows))


def spell(moves: tuple[str, ...]) -> str:
    """The end of a list of moves, as text."""
    shown = " ".join(move.replace(" ", ",") for move in moves[-4:])
    return f"[{len(moves)} moves: {'... ' if len(moves) > 4 else ''}{shown}]"
