"""The service without a server: the page's requests and messages, answered in the browser by the same functions.

The page saves everything that lasts. It sends each request with the saved matches that it names, and saves what the
answer says has changed; so nothing is lost when it ends this interpreter in the middle of work. The functions here are
what the page's worker calls: text in, text out.
"""

import random

import msgspec

from quintet.engines.players import stored_player
from quintet.errors import QuintetError
from quintet.language import ENGLISH, LANGUAGES, in_language, later, use_language
from quintet.notation import write_position
from quintet.site.routes import File, Request, open_table, route
from quintet.site.saved_match import LocalClient, LocalTable, Stored, finish
from quintet.solve.oracle import shared
from quintet.web import clock, messages, proposals, socket_messages, work
from quintet.web.any_table import answer
from quintet.web.api_error import ApiError


class Answer(msgspec.Struct, omit_defaults=True):
    """What the page is answered."""

    status: int
    body: msgspec.Raw
    type: str = ""
    """The type of a file, such as a picture, whose body is text in base 64."""
    changes: list[Stored] = []
    """What is to be saved first."""


class Heard(msgspec.Struct):
    """What a table tells the page, and what is to be saved first."""

    messages: list[msgspec.Raw]
    changes: list[Stored]


def start(code: str = ENGLISH) -> None:
    """Prepare the interpreter: it has less memory than a server, and may have started from the snapshot of another.

    It speaks the language of the page.
    """
    use_language(code if code in LANGUAGES else ENGLISH)
    random.seed()
    shared.memory, shared.boards = work.MEMORY, work.BOARDS


def respond(text: str) -> str:
    """The `Answer` to a `Request`."""
    request = msgspec.json.decode(text, type=Request)
    try:
        found, changes = route(request)
        content = found.data if isinstance(found, File) else found
        # JSON has bytes as text in base 64.
        body = found if isinstance(found, bytes) else msgspec.json.encode(content)
        reply = Answer(200, msgspec.Raw(body), found.type if isinstance(found, File) else "", changes)
    except QuintetError as error:
        status = error.http_status if isinstance(error, ApiError) else 422
        reply = Answer(status, msgspec.Raw(msgspec.json.encode(messages.Problem(str(error)))))
    return msgspec.json.encode(reply).decode()


def hear(id: str, saved: str | None, tokens: list[str], text: str) -> str:
    """What a table answers to a message of the page, as `Heard`: the same as over a WebSocket."""
    table = open_table(id, {} if saved is None else {id: saved})
    client = LocalClient(table, table.seats_of(tokens))
    message_id: socket_messages.MessageId = msgspec.UNSET
    try:
        message = socket_messages.read(text)
        message_id = socket_messages.id_of(message)
        finish(lambda: answer(client, message))
    except ApiError as error:
        client.refuse(error, message_id)
    return as_heard(client)


def play_engine(id: str, saved: str) -> str:
    """Let the engine whose turn it is move, or end the game of a person without time left, as `Heard`."""
    table = LocalTable(id, saved)
    client = LocalClient(table, [])
    who, asked = table.engine_to_move(), table.online
    if who is None:
        finish(lambda: table.change(proposals.propose_flag))
        return as_heard(client)
    position = asked.match.position
    left = clock.left_at_start(asked, position.player) / 1000 if asked.control else None
    seconds = work.ENGINE_SECONDS if left is None else min(work.ENGINE_SECONDS, left * work.CLOCK_SHARE)
    player = stored_player(who)
    chosen: tuple[int | str, float] = later("it is not an engine of this page"), 0.0
    if player and not player.is_human:
        chosen = in_language(ENGLISH, work.choose, who, write_position(position), seconds)
    finish(lambda: table.change(lambda draft: proposals.propose_engine_move(draft, asked, *chosen)))
    return as_heard(client)


def as_heard(client: LocalClient) -> str:
    """What a client was told, for the page."""
    return msgspec.json.encode(Heard(client.heard, client.table.changes)).decode()
