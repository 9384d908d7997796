"""What the tools answer, as data. `text` says the same in words, for a person."""

from typing_extensions import TypedDict  # Python 3.11 has none that Pydantic reads; SQLAlchemy brings it.


class Answer(TypedDict):
    """Any answer."""

    text: str


class GameEntry(TypedDict):
    """A game."""

    name: str
    title: str
    size: str
    summary: str


class Games(Answer):
    """The games."""

    games: list[GameEntry]


class MatchState(Answer):
    """A match as it stands."""

    match: str
    game: str
    size: str
    players: list[str]
    to_move: int | None
    """The number of the player to move; nothing if the match is over."""
    board: str
    score: list[int]
    moves: list[str]
    legal_moves: list[str]
    over: bool
    winner: int | None


class LegalMoves(Answer):
    """What may be played."""

    moves: list[str]


class Hint(Answer):
    """A move to play; nothing if it is a forced pass."""

    move: str | None


class MoveValue(TypedDict):
    """What a move is worth for the player to move."""

    move: str
    result: str | None
    """win, draw or loss with best play; nothing while it is not known."""
    margin: int | None
    plies: int | None
    """The moves to the end, in games without a margin."""


class Analysis(Answer):
    """What every move is worth."""

    complete: bool
    moves: list[MoveValue]


class Review(Answer):
    """A graded match."""

    complete: bool
    accuracy: list[float | None]
    """Of each player, the share of graded moves that were best."""
    regret: list[float | None]
    """Of each player, the mean over these moves of the points given away."""


class MatchEntry(TypedDict):
    """A saved match."""

    match: str
    game: str
    size: str
    players: list[str]
    moves: int
    result: str


class Matches(Answer):
    """Saved matches."""

    matches: list[MatchEntry]


class PuzzleState(Answer):
    """A puzzle."""

    puzzle: str
    game: str
    size: str
    rating: int
    goal: str
    board: str
    legal_moves: list[str]


class Verdict(Answer):
    """Whether an answer to a puzzle is right."""

    right: bool
    move: str
