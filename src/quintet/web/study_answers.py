"""What the routes of study answer, and what their options mean, whatever asks: the server, or a page without one."""

from functools import cache
from importlib.resources import files

import msgspec

from quintet.arena.standings import Rung
from quintet.errors import QuintetError
from quintet.games import GAMES, UnknownGame, find_game
from quintet.language import in_language, tr
from quintet.lesson import NoLesson, describe_lesson
from quintet.match import Match, open_match
from quintet.notation import (
    InvalidMove,
    InvalidPosition,
    read_move,
    read_position,
    screen_label,
    write_moves,
    write_position,
)
from quintet.options import start
from quintet.rules import Game, Position
from quintet.view import View, make_view
from quintet.web import messages
from quintet.web.api_error import ApiError

ANALYSIS_SECONDS, QUICK_SECONDS = 4.0, 0.1
PUZZLE_SECONDS = 10.0
DECIDED_SECONDS = 2.0
REVIEW_SECONDS = 15.0
MAX_LISTED = 50
"""The most matches that a list may have."""
LARGEST_PUZZLE = 36
"""The most cells a board may have for puzzles."""


class GameInfo(msgspec.Struct):
    """A game in a list."""

    name: str
    title: str
    summary: str
    size: str
    rows: int
    cols: int
    target: int | None
    territory: bool
    corner: str
    options: list[str]
    lesson: bool
    """Whether it has a lesson."""


class PositionInfo(msgspec.Struct):
    """A position to show."""

    view: View
    legal: list[str]
    text: str


class Decided(msgspec.Struct):
    """Whether a game ends the same whatever is played from here."""

    decided: bool


class Ladder(msgspec.Struct):
    """How strong the levels are, as measured."""

    command: str
    rows: list[Rung]


def make_match(
    game: str,
    size: str | None = None,
    target: int | None = None,
    values: str | None = None,
    shuffle: int | None = None,
    first: int = 1,
    moves: str = "",
    position: str | None = None,
) -> Match:
    """The match that options describe; options that are not valid are refused."""
    try:
        opener = None if first == 1 else first
        return open_match(game, size, target, values, shuffle, opener, moves, position or None)
    except QuintetError as error:
        raise ApiError(422, str(error)) from None


def list_games() -> list[GameInfo]:
    """All games."""
    return [
        GameInfo(
            game.name,
            tr(game.title),
            tr(game.summary),
            start(game).board.size,
            game.rows,
            game.cols,
            game.target or None,
            game.territory,
            game.corner,
            ["size", "first", *(("target", "values", "shuffle") if game.target else ())],
            bool(game.lesson),
        )
        for game in GAMES.values()
    ]


def known_game(name: str) -> Game:
    """The game that an address names."""
    try:
        return find_game(name)
    except UnknownGame as error:
        raise ApiError(404, str(error)) from None


@cache
def lesson_json(name: str, code: str) -> bytes:
    """A game's lesson, made once for each language."""
    try:
        return msgspec.json.encode(in_language(code, describe_lesson, GAMES[name]))
    except NoLesson as error:
        raise ApiError(404, str(error)) from None


def describe_position(match: Match) -> PositionInfo:
    """A position: its board, its legal moves and its text form."""
    now = match.position
    return PositionInfo(make_view(match), [now.label(move) for move in now.moves], write_position(now))


def analysis_arguments(match: Match, quick: bool) -> tuple[str, str, float, bool]:
    """What `work.analyze` is called with."""
    first = match.positions[0]
    return write_position(first), write_moves(first, match.moves), QUICK_SECONDS if quick else ANALYSIS_SECONDS, quick


def draw_arguments(match: Match) -> tuple[str, str, int | None]:
    """A match as a worker takes it: its first position, its moves, and who resigned or forfeited it."""
    first = match.positions[0]
    return write_position(first), write_moves(first, match.moves), match.resigned or (match.fault or [None])[0]


def read_guess(guess: messages.Guess) -> int:
    """The move that answers a puzzle, if it is legal."""
    try:
        found = read_position(guess.position)
        move = read_move(found, guess.move, screen_label)
    except (InvalidPosition, InvalidMove) as error:
        raise ApiError(422, str(error)) from None
    if move not in found.moves:
        raise ApiError(422, found.refusal(move))
    check_puzzle_board(found)
    return move


def check_puzzle_board(position: Position) -> None:
    """Refuse big boards, which would keep a worker process busy for too long."""
    if position.board.cells > LARGEST_PUZZLE:
        raise ApiError(422, tr("Puzzles are limited to boards of up to {most} cells.", most=LARGEST_PUZZLE))


@cache
def measured_ladder() -> Ladder:
    """The ladder that comes with the program, as `quintet arena --ladder --json` measured it."""
    return msgspec.json.decode(files("quintet").joinpath("data", "ladder.json").read_bytes(), type=Ladder)


def as_html(markdown: str) -> str:
    """Markdown as HTML; HTML inside it is escaped."""
    from markdown_it import MarkdownIt

    html: str = MarkdownIt("commonmark", {"html": False}).render(markdown)
    return html
