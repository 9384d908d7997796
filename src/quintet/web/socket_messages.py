"""The messages of a table's WebSocket, each defined once and validated as it is read."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from quintet.language import tr
from quintet.view import View
from quintet.web.api_error import ApiError
from quintet.web.messages import (
    LARGEST_MESSAGE,
    Answer,
    Count,
    EncodedState,
    EncodedTable,
    MoveText,
    Players,
    Strict,
    Token,
)

MessageId: TypeAlias = msgspec.Raw | UnsetType
"""What a client wants the answer to its message to carry: any JSON, or nothing."""

# From clients.


class Hello(Strict, tag="hello"):
    """The first message: the sender's tokens, none for a spectator, and what the sender has seen of the match."""

    tokens: Annotated[list[Token], Meta(max_length=8)]
    match: Annotated[str, Meta(pattern=r"^[0-9a-z]{1,20}$", description="Another table to go to.")] | None = None
    ply: Annotated[Count, Meta(description="Moves that the sender has seen at this table.")] = 0
    undone: Annotated[Count, Meta(description="Undos that the sender has seen at this table.")] = 0


class Command(Strict, kw_only=True):
    """A message that is answered, with what the answer is to carry."""

    id: MessageId = UNSET


class Move(Command, tag="move"):
    """Play a move."""

    ply: Count
    undone: Count
    move: MoveText


class Resign(Command, tag="resign"):
    """Resign the game."""


class Undo(Command, tag="undo"):
    """Offer to undo a move, or answer such an offer; one that refers to an older history changes nothing."""

    answer: Answer
    ply: Count | None = None
    undone: Count | None = None


class Rematch(Command, tag="rematch"):
    """Offer a rematch, or answer such an offer."""

    answer: Answer


class Ping(Strict, tag="ping"):
    """Ask whether the connection works."""


ClientMessage = Hello | Move | Resign | Undo | Rematch | Ping
read_message = msgspec.json.Decoder(ClientMessage).decode


# From the server.


class StateMessage(EncodedState, tag="state", kw_only=True):
    """The state after a change; with the players if one has joined, and the id of the message it answers."""

    players: Players | UnsetType = UNSET
    ack: MessageId = UNSET


class TableMessage(EncodedTable, tag="table"):
    """The whole table."""


class RematchMessage(msgspec.Struct, tag="rematch"):
    """The id of the rematch."""

    id: str


class ErrorMessage(msgspec.Struct, tag="error"):
    """What is wrong with a message, its id, and whether the same message may be accepted later."""

    error: str
    id: MessageId = UNSET
    retry: bool | UnsetType = UNSET


class Pong(msgspec.Struct, tag="pong"):
    """The answer to a ping."""


_encode = msgspec.json.Encoder().encode


def write_message(message: StateMessage | TableMessage | RematchMessage | ErrorMessage | Pong) -> str:
    """A message as the text of a WebSocket frame."""
    return _encode(message).decode()


def encode_view(view: View) -> msgspec.Raw:
    """A view as JSON."""
    return msgspec.Raw(_encode(view))


# Reading.


def read(data: str | bytes) -> ClientMessage:
    """A message, validated."""
    if len(data) > LARGEST_MESSAGE:
        raise ApiError(413, tr("A message can have at most {most} characters.", most=LARGEST_MESSAGE))
    try:
        message: ClientMessage = read_message(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ApiError(422, tr("Invalid message: {reason}", reason=error)) from None
    return message


def id_of(message: ClientMessage) -> MessageId:
    """The id of a message, if it has one; it is sent back as it came."""
    id = message.id if isinstance(message, Command) else UNSET
    try:
        if not isinstance(id, UnsetType):
            bytes(id).decode()
    except UnicodeError:
        raise ApiError(422, tr("Invalid message: its id is not UTF-8 text.")) from None
    return id
