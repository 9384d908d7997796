"""The page's requests on a site without a server, answered by the functions that a server uses.

`ROUTES` has a line for each address. What is not there needs a server.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import NamedTuple, NoReturn, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from quintet.effects import effects
from quintet.language import chosen_language, later, tr
from quintet.match import Match, replay
from quintet.notation import write_position
from quintet.record import UNFINISHED, InvalidRecord, ending_of, read_record, write_record
from quintet.site.saved_match import LocalTable, Stored, store
from quintet.store.ids import ONLINE_ID, derived_ids, random_ids
from quintet.store.online import OnlineMatch
from quintet.store.timekeeper import now
from quintet.study.progress import Played, ProgressReport, progress_report
from quintet.study.puzzles import NoPuzzle, check_day, today
from quintet.web import messages, players, work
from quintet.web.api_error import ApiError
from quintet.web.new_matches import created_match, new_match
from quintet.web.players import seat_who, titles_of
from quintet.web.study_answers import (
    MAX_LISTED,
    REVIEW_SECONDS,
    analysis_arguments,
    check_puzzle_board,
    describe_position,
    draw_arguments,
    known_game,
    lesson_json,
    list_games,
    make_match,
    measured_ladder,
    read_guess,
)

NEEDS_SERVER = later("This needs a server.")

Body = TypeVar("Body")


class Request(msgspec.Struct):
    """What the page asks for."""

    path: str
    """The address with its query."""
    body: str | None = None
    """What it posts; without it, it only reads."""
    token: str = ""
    saved: dict[str, str] = {}
    """The saved matches that it names, by their ids."""
    id: str = ""
    """The id for a match that it creates."""


class BoardOptions(msgspec.Struct):
    """The options of an address that leads to a position."""

    game: str = ""
    size: str | None = None
    target: int | None = None
    values: str | None = None
    shuffle: int | None = None
    first: int = 1
    moves: str = ""
    position: str | None = None
    quick: bool = False
    seed: int = 0
    rating: int | None = None
    day: date | None = None
    ids: str = ""
    player: int = 1
    shape: str = ""
    theme: str = "light"

    def match(self) -> Match:
        """The match that they describe."""
        return make_match(
            self.game, self.size, self.target, self.values, self.shuffle, self.first, self.moves, self.position
        )


class Call:
    """A request on its way to its route."""

    def __init__(self, request: Request, words: tuple[str, ...], query: str) -> None:
        """A request, the words in its address, and its query."""
        self.request = request
        self.words = words
        self.query = query
        self.changes: list[Stored] = []

    def options(self) -> BoardOptions:
        """The options in the address, validated."""
        given = {name: value for name, value in parse_qsl(self.query) if value}
        try:
            return msgspec.convert(given, BoardOptions, strict=False)
        except msgspec.ValidationError as error:
            raise ApiError(422, str(error)) from None

    def body(self, kind: type[Body]) -> Body:
        """What was posted, validated."""
        try:
            return msgspec.json.decode(self.request.body or "{}", type=kind)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise ApiError(422, str(error)) from None

    def table(self) -> LocalTable:
        """The table that the address names."""
        return open_table(self.words[0], self.request.saved)


def open_table(id: str, saved: Mapping[str, str]) -> LocalTable:
    """The table of a saved match."""
    if id not in saved:
        raise ApiError(404, tr("Match not found."))
    return LocalTable(id, saved[id])


def create(call: Call) -> messages.CreatedMatch:
    """Create a match; the same request again gives the same match."""
    body = call.body(messages.NewMatch)
    match = make_match(
        body.game, body.size, body.target, body.values, body.shuffle, body.first, body.moves, body.position
    )
    id = call.request.id or next(random_ids(ONLINE_ID))
    online, token = new_match(id, match, body)
    if id not in call.request.saved:
        call.changes.append(store(online, match.record()))
    return created_match(online, token)


def list_matches(call: Call) -> list[messages.MatchSummary]:
    """Saved matches by their ids."""
    wanted = [id for id in dict.fromkeys(call.options().ids.split(",")) if id in call.request.saved]
    if len(wanted) > MAX_LISTED:
        raise ApiError(422, tr("Ask for at most {most} matches at once.", most=MAX_LISTED))
    tables = [open_table(id, call.request.saved).online for id in wanted]
    return [summarize(online) for online in sorted(tables, key=lambda online: online.updated, reverse=True)]


def summarize(online: OnlineMatch) -> messages.MatchSummary:
    """A match in a list."""
    match = online.match
    game, board = match.position.game, match.position.board
    result = ending_of(match.outcome).result
    who = seat_who(online.seats.get(1)), seat_who(online.seats.get(2))
    return messages.MatchSummary(
        online.id, game.name, tr(game.title), board.size, titles_of(online), match.ply, result, online.updated, who
    )


def describe_table(call: Call) -> messages.EncodedTable:
    """A table as the page sees it."""
    table = call.table()
    return table.describe(table.seats_of([call.request.token]))


def import_record(call: Call) -> messages.ImportedMatch:
    """Import a game record. Importing the same record twice gives one match."""
    try:
        found = read_record(call.request.body or "")
    except InvalidRecord as error:
        raise ApiError(422, str(error)) from None
    id = next(derived_ids(write_record(found), ONLINE_ID))
    imported = OnlineMatch(id, replay(found), {}, clocks=(None,) * len(found.moves), updated=now())
    call.changes.append(store(imported, found))
    return messages.ImportedMatch(id)


def finished_record(table: LocalTable) -> str:
    """The record of a match that is over."""
    record = table.current_record()
    if record.result == UNFINISHED:
        raise ApiError(409, tr("The game is not over yet."))
    return write_record(record)


def rate_play(call: Call) -> bytes:
    """How well a player played a finished match."""
    table = call.table()
    return work.rate_play(finished_record(table), call.options().player, table.online.updated, REVIEW_SECONDS)


def progress(call: Call) -> ProgressReport:
    """What some games and puzzles say about who played them."""
    played = call.body(Played)
    return progress_report(played.games, played.puzzles)


def judge(call: Call) -> bytes:
    """Whether a move solves a puzzle."""
    guess = call.body(messages.Guess)
    return work.judge(guess.position, read_guess(guess))


def puzzle(call: Call) -> bytes:
    """The puzzle for a seed."""
    asked = call.options()
    empty = make_match(known_game(call.words[0]).name, asked.size, asked.target, asked.values, asked.shuffle).position
    check_puzzle_board(empty)
    found = work.make_puzzle(write_position(empty), asked.seed, asked.rating)
    if isinstance(found, str):
        raise ApiError(404, found)
    return found


def rules(call: Call) -> NoReturn:
    """The rules of every game are computed when the site is built; nobody knows those of another one."""
    known_game(call.words[0])
    raise ApiError(501, tr(NEEDS_SERVER))


class File(NamedTuple):
    """An answer that is a file, such as a picture."""

    data: bytes
    type: str


def daily(call: Call) -> bytes:
    """The puzzle of the day."""
    day, time = call.options().day or today(), datetime.now(UTC)
    try:
        check_day(day, time.date())
    except NoPuzzle as error:
        raise ApiError(404, str(error)) from None
    return work.daily_puzzle(day, time)


def draw(call: Call, match: Match, shape: str) -> File:
    """A position as a picture, in the shape that is asked for."""
    options = call.options()
    return File(work.draw_png(*draw_arguments(match), options.shape or shape, options.theme == "dark"), "image/png")


def draw_replay(call: Call, match: Match) -> File:
    """Moves as an animation."""
    if not match.moves:
        raise ApiError(422, tr("There is nothing to replay: add moves."))
    return File(work.draw_gif(*draw_arguments(match), call.options().theme == "dark"), "image/gif")


class Route(NamedTuple):
    """An address, and what answers it: bytes are JSON already."""

    method: str
    path: str
    answer: Callable[[Call], object]


ROUTES = (
    Route("GET", "/api/games", lambda _: list_games()),
    Route("GET", "/api/games/([^/]+)/rules", rules),
    Route("GET", "/api/engines", lambda _: players.offered_engines(())),
    Route("GET", "/api/ladder", lambda _: measured_ladder()),
    Route("GET", "/api/lessons/([^/]+)", lambda call: lesson_json(known_game(call.words[0]).name, chosen_language())),
    Route("GET", "/api/position", lambda call: describe_position(call.options().match())),
    Route("GET", "/api/effects", lambda call: effects(call.options().match().position)),
    Route("GET", "/api/analysis", lambda call: work.analyze(*analysis_arguments(*with_quick(call)))),
    Route("GET", "/api/decided", lambda call: work.decide(write_position(call.options().match().position))),
    Route("GET", "/api/puzzles/daily", daily),
    Route("POST", "/api/puzzles/judge", judge),
    Route("GET", "/api/puzzles/([^/]+)", puzzle),
    Route("POST", "/api/matches", create),
    Route("GET", "/api/matches", list_matches),
    Route("GET", "/api/matches/([^/]+)", describe_table),
    Route("GET", "/api/matches/([^/]+)/record", lambda call: write_record(call.table().current_record())),
    Route(
        "GET",
        "/api/matches/([^/]+)/review",
        lambda call: work.review_record(finished_record(call.table()), REVIEW_SECONDS),
    ),
    Route("GET", "/api/matches/([^/]+)/progress", rate_play),
    Route("POST", "/api/progress", progress),
    Route("POST", "/api/records", import_record),
    Route("GET", "/api/picture.png", lambda call: draw(call, call.options().match(), "board")),
    Route("GET", "/api/replay.gif", lambda call: draw_replay(call, call.options().match())),
    Route("GET", "/api/matches/([^/]+)/picture.png", lambda call: draw(call, call.table().online.match, "captioned")),
    Route("GET", "/api/matches/([^/]+)/replay.gif", lambda call: draw_replay(call, call.table().online.match)),
)
"""What the page can ask for without a server."""


def with_quick(call: Call) -> tuple[Match, bool]:
    """The match of an analysis, and whether it is to be quick."""
    options = call.options()
    return options.match(), options.quick


def route(request: Request) -> tuple[object, list[Stored]]:
    """What the route of a request answers, and what it changes."""
    address = urlsplit(request.path)
    method = "GET" if request.body is None else "POST"
    for one in ROUTES:
        found = re.fullmatch(one.path, address.path)
        if found and one.method == method:
            call = Call(request, tuple(unquote(word) for word in found.groups()), address.query)
            return one.answer(call), call.changes
    raise ApiError(501, tr(NEEDS_SERVER))
