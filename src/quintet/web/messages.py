"""The bodies of requests and responses, each defined once; those of sockets are in `socket_messages`.

They are validated as they are read, and the OpenAPI description is generated from them.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from quintet.notation import LONGEST_POSITION
from quintet.options import LONGEST_SIZE, MAX_TARGET
from quintet.store.online import Offer
from quintet.view import View

LONGEST_NAME = 40
LONGEST_TOKEN = 100
LARGEST_MESSAGE = 4_096
"""Characters of a WebSocket message."""
LONGEST_LIST = 4_000
"""Characters of a list of moves or values: enough for the largest board, and for a URL."""

Name = Annotated[str, Meta(max_length=LONGEST_NAME, description="A player's name.")]
Token = Annotated[str, Meta(min_length=1, max_length=LONGEST_TOKEN, description="The token of a seat.")]
Key = Annotated[
    str,
    Meta(
        min_length=16,
        max_length=64,
        pattern="^[A-Za-z0-9_-]+$",
        description="Random text of your own: sending the request again with the same key does not repeat it, but "
        "returns the same answer. It becomes the token of the seats you take, so keep it secret.",
    ),
]
Size = Annotated[
    str,
    Meta(
        max_length=LONGEST_SIZE,
        description="Rows x columns, such as 5x5, or the length of a line; 5x5-C3-D4 without C3 and D4.",
    ),
]
PositionText = Annotated[str, Meta(max_length=LONGEST_POSITION, description='A position such as "gridlock X../..O X".')]
Moves = Annotated[str, Meta(max_length=LONGEST_LIST, description='Moves such as "C3; C4; C2".')]
MoveText = Annotated[str, Meta(min_length=1, max_length=20, description="A move as the rule book writes it.")]
Player = Annotated[int, Meta(ge=1, le=2, description="1 plays X, 2 plays O.")]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Answer = Literal["offer", "accept", "decline"]


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """What a client sends: unknown fields are refused."""


# Requests.


class ClockSettings(Strict):
    """How much time each player has."""

    seconds: Annotated[int, Meta(ge=1, le=86_400, description="For the whole game.")]
    increment: Annotated[int, Meta(ge=0, le=3_600, description="Added with each move.")] = 0


class Seats(Strict):
    """Who plays: `human`, or an engine such as `level:3`."""

    one: Annotated[str, Meta(max_length=40)] = msgspec.field(name="1", default="human")
    two: Annotated[str, Meta(max_length=40)] = msgspec.field(name="2", default="human")


class NewMatch(Strict):
    """A match to create."""

    game: Annotated[str, Meta(max_length=40)]
    size: Size | None = None
    target: Annotated[int, Meta(ge=1, le=MAX_TARGET)] | None = None
    values: Annotated[str, Meta(max_length=LONGEST_LIST)] | None = None
    shuffle: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    first: Player = 1
    position: PositionText | None = None
    moves: Moves = ""
    seats: Seats = msgspec.field(default_factory=Seats)
    take: Annotated[list[Player], Meta(max_length=2, description="The seats that you take.")] = msgspec.field(
        default_factory=lambda: [1]
    )
    name: Name | None = None
    clock: ClockSettings | None = None
    key: Key | None = None


class Guess(Strict):
    """An answer to a puzzle."""

    position: PositionText
    move: MoveText


class JoinRequest(Strict):
    """Your name, and the seat you want."""

    name: Name | None = None
    seat: Player | None = None
    key: Key | None = None


class MoveRequest(Strict):
    """A move, with the history it follows: how many moves were played, and how many times moves were undone."""

    ply: Count
    undone: Count
    move: MoveText


class Empty(Strict):
    """An empty object."""


class OfferRequest(Strict):
    """An offer, or the answer to one."""

    answer: Answer


class UndoRequest(OfferRequest):
    """An offer to undo a move, or the answer to one; optionally with the history it refers to."""

    ply: Count | None = None
    undone: Count | None = None


# Responses.


class Problem(msgspec.Struct):
    """What is wrong, in one line."""

    error: str


class ClockFace(msgspec.Struct):
    """The milliseconds left to each player, and whose clock is running."""

    one: int = msgspec.field(name="1")
    two: int = msgspec.field(name="2")
    running: int | None


class Result(msgspec.Struct):
    """How a match ended."""

    winner: int | None
    reason: str
    kind: str
    """What decided it: `most`, `level`, `stuck`, `reached`, `resigned` or `forfeit`."""


class StateFields(msgspec.Struct):
    """The current state of a match, without its board."""

    ply: int
    undone: int
    clock: ClockFace | None
    offer: Offer | None
    over: bool
    result: Result | None
    thinking: bool


class State(StateFields):
    """The current state of a match."""

    view: View


class EncodedState(StateFields):
    """The same with its view encoded, which is done once for everybody."""

    view: msgspec.Raw


class PlayerInfo(msgspec.Struct, omit_defaults=True):
    """Who has a seat."""

    name: str
    who: str
    joined: bool
    level: int | None = None
    """The number of a level; left out for all other players, like the picture."""
    picture: str | None = None
    """The address of a level's picture."""


class Players(msgspec.Struct):
    """Who has the seats."""

    one: PlayerInfo = msgspec.field(name="1")
    two: PlayerInfo = msgspec.field(name="2")


class TableFields(msgspec.Struct):
    """A table as one visitor sees it, without the state of its match."""

    id: str
    seat: list[int]
    players: Players
    clock: ClockSettings | None
    rematch: str | None
    tournament: str | None
    """The tournament that the match belongs to."""


class Table(TableFields):
    """A table as one visitor sees it."""

    state: State


class EncodedTable(TableFields):
    """The same with an encoded state."""

    state: EncodedState


class CreatedMatch(msgspec.Struct):
    """A match that was created, with the tokens of the seats you took."""

    id: str
    tokens: dict[str, str]
    url: str


class Invitation(msgspec.Struct):
    """The link to a match, for those who are to join it."""

    url: str
    note: str = ""
    """Why others cannot open it, and what to do; empty if they can."""
    command: str = ""
    """The command that the note ends with."""


class TakenSeat(msgspec.Struct):
    """The seat you took, and its token."""

    seat: int
    token: str


class ImportedMatch(msgspec.Struct):
    """A match that was imported."""

    id: str


class MatchSummary(msgspec.Struct):
    """A match in a list."""

    id: str
    game: str
    title: str
    size: str
    names: tuple[str, str]
    plies: int
    result: str
    updated: str
    who: tuple[str, str]
    """Who plays: `human`, or an engine such as `level:3`."""
