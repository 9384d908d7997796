"""Game records: a text format like PGN, which any editor can open.

    [Game "gridlock"]
    [Size "4x4"]
    [Player1 "Ada"]
    [Player2 "perfect"]
    [Date "2026-11-15"]
    [Result "*"]

    1. 2 2; 3 3 {comments are in braces}
    2. 1 1

Moves are separated by `;` or line ends; move numbers are for the reader. `Result` is `1-0`, `0-1`, `1/2` or `*`.
`Target` and `Values` describe a Point Capture board, `Position` a game that did not begin on the empty board.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from quintet.board import value_list
from quintet.errors import QuintetError
from quintet.games import UnknownGame, find_game
from quintet.language import tr
from quintet.notation import InvalidMove, InvalidPosition, read_position, read_turn, write_position
from quintet.options import InvalidOptions, start
from quintet.rules import IllegalMove, Outcome, Position, play_all

RESULTS = {1: "1-0", 2: "0-1", None: "1/2"}
UNFINISHED = "*"
LARGEST_RECORD = 1_000_000
_RESERVED = ("Game", "Size", "Target", "Values", "Position", "Result")

_TAG = re.compile(r'\[(\w{1,40}) "((?:[^"\\\n]|\\["\\])*)"\]')
_TOKEN = re.compile(r"\{(?P<comment>[^}]*)\}|(?P<end>[;\n])|(?P<text>[^{};\n]+)|(?P<stray>[{}])")


class InvalidRecord(QuintetError, ValueError):
    """Text that is not a game record; the message names the line."""


class Ending(NamedTuple):
    """How a game ended, as records and the store write it."""

    result: str
    termination: str | None
    """The reason; none while the game is not over."""


def ending_of(outcome: Outcome | None) -> Ending:
    """An outcome as records and the store write it."""
    return Ending(RESULTS[outcome.winner], outcome.reason) if outcome else Ending(UNFINISHED, None)


@dataclass(frozen=True, slots=True)
class Record:
    """A game as text: where it began, what was played, how it ended, and comments."""

    start: Position
    moves: tuple[int, ...] = ()
    result: str = UNFINISHED
    tags: dict[str, str] = field(default_factory=dict)
    """Everything else: players, date, how it ended."""
    comments: dict[int, str] = field(default_factory=dict)
    """Remarks by the number of moves played before them."""

    def __post_init__(self) -> None:
        """Refuse what could not be read back, or does not follow from the moves."""
        played = ending_of(play_all(self.start, self.moves).outcome).result
        if played not in (UNFINISHED, self.result):
            raise InvalidRecord(tr("the moves lead to {played}, not {result}", played=played, result=self.result))
        if self.result not in (UNFINISHED, *RESULTS.values()):
            results = ", ".join([*RESULTS.values(), UNFINISHED])
            raise InvalidRecord(tr("the result must be one of {results}", results=results))
        for name, value in self.tags.items():
            if not re.fullmatch(r"\w{1,40}", name) or name in _RESERVED or len(value.splitlines()) > 1 or "\n" in value:
                raise InvalidRecord(tr("a tag must be a word and one line of text: {name}", name=repr(name[:40])))
        for ply, comment in self.comments.items():
            if not 0 <= ply <= len(self.moves) or re.search(r"[{}]", comment) or comment != " ".join(comment.split()):
                raise InvalidRecord(tr("a comment must be one line without braces, after a move of the game"))


def in_line(number: int, reason: object) -> InvalidRecord:
    """What is wrong in a line of a record."""
    return InvalidRecord(tr("line {number}: {reason}", number=number, reason=reason))


def player_names(record: Record) -> tuple[str, str]:
    """The players' names, as far as they are known."""
    return record.tags.get("Player1", "human"), record.tags.get("Player2", "human")


def write_record(record: Record) -> str:
    """The record as text."""
    first = record.start
    tags = {"Game": first.game.name, "Size": first.board.size}
    if first.board.target:
        tags |= {"Target": str(first.board.target), "Values": ",".join(map(str, value_list(first.board)))}
    if first.mine or first.theirs or first.player != 1:
        tags["Position"] = write_position(first)
    tags |= {**record.tags, "Result": record.result}
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()] + [""]

    rounds: list[list[str]] = [[]]
    note = record.comments.get(0)
    if note:
        lines += [f"{{{note}}}"]
    for ply, move in enumerate(record.moves, 1):
        if len(rounds[-1]) == 2:
            rounds.append([])
        note = record.comments.get(ply)
        rounds[-1].append(first.label(move) + (f" {{{note}}}" if note else ""))
    lines += [f"{number}. " + "; ".join(pair) for number, pair in enumerate(rounds, 1) if pair]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def read_record(text: str) -> Record:
    """The record a text holds."""
    if len(text) > LARGEST_RECORD:
        raise in_line(1, tr("a record can have at most {most} characters", most=LARGEST_RECORD))
    lines = text.replace("\r\n", "\n").split("\n")
    tags: dict[str, str] = {}
    where: dict[str, int] = {}
    for at, line in enumerate(lines):
        if not line.strip():
            if tags:
                break
            continue
        if not line.lstrip().startswith("["):
            break
        match = _TAG.fullmatch(line.strip())
        if not match:
            raise in_line(at + 1, tr('a tag is written [Name "text"]'))
        if match[1] in tags:
            raise in_line(at + 1, tr("the tag {name} appears twice", name=match[1]))
        tags[match[1]], where[match[1]] = re.sub(r"\\(.)", r"\1", match[2]), at + 1
    else:
        at = len(lines)  # There are no moves.
    first = _read_start(tags, where)
    moves, comments = _read_body(first, "\n".join(lines[at:]), at + 1)
    result = tags.get("Result", UNFINISHED)
    others = {name: value for name, value in tags.items() if name not in _RESERVED}
    try:
        return Record(first, tuple(moves), result, others, comments)
    except ValueError as error:
        raise in_line(where.get("Result", 1), error) from None


def load_record(path: Path) -> Record:
    """The record in a file; a file that cannot be read raises `InvalidRecord` as well."""
    try:
        with path.open("rb") as file:
            # A character takes four bytes at most.
            data = file.read(4 * LARGEST_RECORD + 1)
        return read_record(data.decode("utf-8-sig"))
    except OSError as error:
        raise InvalidRecord(tr("cannot read {path}: {reason}", path=path, reason=error.strerror)) from None
    except ValueError as error:
        reason = str(error)
        if isinstance(error, UnicodeDecodeError):
            reason = tr("byte {number} is not UTF-8 text", number=error.start + 1)
        raise InvalidRecord(f"{path}: {reason}") from None


def _read_start(tags: dict[str, str], where: dict[str, int]) -> Position:
    """The position the tags describe."""
    if "Game" not in tags:
        raise in_line(1, tr('a record begins with a tag such as [Game "gridlock"]'))
    try:
        game = find_game(tags["Game"])
        empty = start(game, tags.get("Size"), tags.get("Target"), tags.get("Values"))
        if "Position" not in tags:
            return empty
        position = read_position(tags["Position"])
        if (position.game, position.board) != (game, empty.board):
            raise InvalidPosition(tr("the position does not fit this game and board"))
    except UnknownGame as error:
        raise in_line(where["Game"], error) from None
    except InvalidOptions as error:
        raise in_line(where.get(error.option.title(), 1), error) from None
    except InvalidPosition as error:
        raise in_line(where["Position"], error) from None
    return position


def _read_body(position: Position, text: str, line: int) -> tuple[list[int], dict[int, str]]:
    """The moves and the comments between them."""
    moves: list[int] = []
    comments: dict[int, str] = {}
    for token in _TOKEN.finditer(text):
        if token["comment"] is not None:
            note = " ".join(token["comment"].split())
            if "{" in note:
                raise in_line(line, tr("brace inside a comment"))
            if note:
                comments[len(moves)] = " ".join(filter(None, [comments.get(len(moves)), note]))
        elif token["stray"]:
            raise in_line(line, tr("unmatched brace"))
        elif token["text"] and (written := re.sub(r"^\s*\d+\.+(?:\s|$)", "", token["text"]).strip()):
            if written == UNFINISHED or written in RESULTS.values():
                continue
            try:
                played, position = read_turn(position, written)
            except (InvalidMove, IllegalMove) as error:
                raise in_line(line, f"{written[:80]}: {error}") from None
            moves += played
        line += token[0].count("\n")
    return moves, comments
