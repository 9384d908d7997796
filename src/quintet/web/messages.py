"""What the web table and its clients say to each other: every message and body, stated once.

They are checked strictly as they are read, and the OpenAPI page is made from them.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from quintet.notation import LONGEST_POSITION
from quintet.options import MAX_TARGET
from quintet.view import View

LONGEST_NAME = 40
LONGEST_TOKEN = 100
LONGEST_LIST = 4_000
"""Characters of a list of moves or values: enough for the largest board, and for an address."""

Name = Annotated[str, Meta(max_length=LONGEST_NAME, description="How a player is called.")]
Token = Annotated[str, Meta(min_length=1, max_length=LONGEST_TOKEN, description="The secret of a seat.")]
Size = Annotated[str, Meta(max_length=20, description="Rows x columns, such as 5x5, or the length of a line.")]
PositionText = Annotated[str, Meta(max_length=LONGEST_POSITION, description='A position such as "gridlock X../..O X".')]
Moves = Annotated[str, Meta(max_length=LONGEST_LIST, description='Moves such as "C3; C4; C2".')]
MoveText = Annotated[str, Meta(min_length=1, max_length=20, description="A move as the rule book writes it.")]
Player = Annotated[int, Meta(ge=1, le=2, description="1 is the player of X, 2 of O.")]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Answer = Literal["offer", "accept", "decline"]


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """What a client sends: fields that are not known are refused."""


# What a client asks for over HTTP.


class ClockSettings(Strict):
    """How much time each player has."""

    seconds: Annotated[int, Meta(ge=1, le=86_400, description="For the whole game.")]
    increment: Annotated[int, Meta(ge=0, le=3_600, description="Given back with each move.")] = 0


class Seats(Strict):
    """Who plays: `human`, or an engine such as `level:3`."""

    one: Annotated[str, Meta(max_length=40)] = msgspec.field(name="1", default="human")
    two: Annotated[str, Meta(max_length=40)] = msgspec.field(name="2", default="human")


class NewMatch(Strict):
    """A match to begin."""

    game: Annotated[str, Meta(max_length=40)]
    size: Size | None = None
    target: Annotated[int, Meta(ge=1, le=MAX_TARGET)] | None = None
    values: Annotated[str, Meta(max_length=LONGEST_LIST)] | None = None
    shuffle: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    first: Player = 1
    position: PositionText | None = None
    moves: Moves = ""
    seats: Seats = msgspec.field(default_factory=Seats)
    take: Annotated[list[Player], Meta(max_length=2, description="The seats you take yourself.")] = msgspec.field(
        default_factory=lambda: [1]
    )
    name: Name | None = None
    clock: ClockSettings | None = None


class Joining(Strict):
    """Who would like to sit down, and where."""

    name: Name | None = None
    seat: Player | None = None


class Moving(Strict):
    """A move, with the history it answers: so many moves played, so many times taken back."""

    ply: Count
    undone: Count
    move: MoveText


class Nothing(Strict):
    """An empty object."""


class Answering(Strict):
    """An offer, or the answer to one."""

    answer: Answer


class TakingBack(Answering):
    """An offer to take back, or the answer to one, and the history that it is about if its sender likes to say."""

    ply: Count | None = None
    undone: Count | None = None


class Guess(Strict):
    """An answer to a puzzle."""

    position: PositionText
    move: MoveText


# What a client says over a socket.


class Hello(Strict, tag="hello"):
    """The first message: the secrets that its sender holds; none for somebody who watches."""

    tokens: Annotated[list[Token], Meta(max_length=8)]
    match: Annotated[str, Meta(min_length=1, max_length=20, description="Another table to go to.")] | None = None


class Move(Strict, tag="move"):
    """A move."""

    ply: Count
    undone: Count
    move: MoveText
    id: msgspec.Raw | UnsetType = UNSET


class Resign(Strict, tag="resign"):
    """Giving up."""

    id: msgspec.Raw | UnsetType = UNSET


class Undo(Strict, tag="undo"):
    """About taking back; what answers an older history than there is changes nothing."""

    answer: Answer
    ply: Count | None = None
    undone: Count | None = None
    id: msgspec.Raw | UnsetType = UNSET


class Rematch(Strict, tag="rematch"):
    """About playing again."""

    answer: Answer
    id: msgspec.Raw | UnsetType = UNSET


class Ping(Strict, tag="ping"):
    """A question whether anybody is there."""


Said = Hello | Move | Resign | Undo | Rematch | Ping
read_said = msgspec.json.Decoder(Said).decode


# What the table answers.


class Problem(msgspec.Struct):
    """What is wrong, in one clear line."""

    error: str


class ClockFace(msgspec.Struct):
    """Milliseconds left to each player, and whose clock is running."""

    one: int = msgspec.field(name="1")
    two: int = msgspec.field(name="2")
    running: int | None


class Offer(msgspec.Struct):
    """What is offered, and by whom."""

    kind: Literal["undo", "rematch"]
    by: int


class Result(msgspec.Struct):
    """How a match ended."""

    winner: int | None
    reason: str


class State(msgspec.Struct):
    """All there is to know of where a match stands."""

    ply: int
    undone: int
    view: View
    clock: ClockFace | None
    offer: Offer | None
    over: bool
    result: Result | None
    thinking: bool


class PlayerFacts(msgspec.Struct):
    """Who sits at a seat."""

    name: str
    who: str
    joined: bool


class Players(msgspec.Struct):
    """Who sits at the table."""

    one: PlayerFacts = msgspec.field(name="1")
    two: PlayerFacts = msgspec.field(name="2")


class Table(msgspec.Struct):
    """A table as one of its guests sees it."""

    id: str
    seat: list[int]
    players: Players
    clock: ClockSettings | None
    rematch: str | None
    state: State


class Begun(msgspec.Struct):
    """A match that was begun, with the secrets of the seats that were taken."""

    id: str
    tokens: dict[str, str]
    url: str


class Joined(msgspec.Struct):
    """The seat that was taken, and its secret."""

    seat: int
    token: str


class Kept(msgspec.Struct):
    """A match that was brought in."""

    id: str


class Listed(msgspec.Struct):
    """A match in a list."""

    id: str
    game: str
    title: str
    size: str
    names: tuple[str, str]
    plies: int
    result: str
    updated: str
