"""What a game is, what a position is, and how one ends."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import index as as_number
from types import CodeType, FunctionType
from typing import NamedTuple, SupportsIndex

from quintet import board as geometry
from quintet.board import Board, cell_label, index, popcount, split, value_list
from quintet.drawing.canvas import Canvas
from quintet.drawing.png import pixels
from quintet.drawing.svg import paint
from quintet.drawing.text import Style, draw
from quintet.errors import InvalidArgument, QuintetError
from quintet.language import tr
from quintet.words import Step, Words

PASS = 0
"""The move of a player who must pass: a claim of nothing."""

PLAYERS = (1, 2)

HOLE = "-"
"""A place without a cell, in the text of a position."""


class IllegalMove(QuintetError, ValueError):
    """A move that can be read but not played here."""


class UnusableRules(QuintetError, TypeError):
    """Rules that cannot run in every gear; the text says why."""


class Outcome(NamedTuple):
    """How a game ended. A draw has no winner."""

    winner: int | None
    reason: str
    kind: str
    """Which sentence of the game's words says it: `stuck`, `reached`, `most`, `level`; or `resigned`, `forfeit`."""

    @property
    def sentence(self) -> str:
        """Who won, and why."""
        return f"Player {self.winner} wins: {self.reason}." if self.winner else f"Draw: {self.reason}."


def forfeit(player: int, reason: str) -> Outcome:
    """The outcome for a player who cannot continue or gives no legal move."""
    return Outcome(3 - player, f"Player {player} forfeits: {reason}", "forfeit")


def gain_cell(board: Board, mine: int, theirs: int, cell: int) -> int:
    """What most claims gain: the cell alone."""
    return cell


def count_cells(board: Board, cells: int) -> int:
    """What most scores count: cells."""
    return popcount(cells)


@dataclass(frozen=True, eq=False, slots=True)
class Game:
    """A rule book: a few functions over sets of cells, and the facts that screens need."""

    name: str
    rows: int
    cols: int
    corner: str
    """The name of the top-left cell, which shows how all are named: `A1`, `0 0`, `1 1` or `1`."""
    legal: Callable[[Board, int, int], int]
    """`legal(board, mine, theirs)`: the cells I may claim; none in a finished game."""
    gain: Callable[[Board, int, int, int], int] = gain_cell
    """`gain(board, mine, theirs, cell)`: the cells that claiming this one gives me."""
    score: Callable[[Board, int], int] = count_cells
    """`score(board, cells)`: what a player's cells count."""
    territory: bool = False
    """Whether the higher score wins in the end. If not, the player who cannot move loses."""
    passes: bool = False
    """Whether a player who can claim nothing passes while the other still can."""
    target: int = 0
    """The score that wins at once, where the game has one; then cells carry values."""
    future: str = "cells"
    """What `legal` and `gain` look at: both players' `cells`, the `claimed` cells, or `values` left and scores."""
    summary: str = ""
    """The rules in a sentence."""
    manual: str = ""
    """The rules page, Markdown."""
    lesson: tuple[Step, ...] = ()
    """What a newcomer learns with a few taps; the first step says where it starts."""
    words: Words = field(default_factory=Words)
    style: Style = field(default_factory=Style)

    @property
    def title(self) -> str:
        """The name as people write it."""
        return self.name.replace("-", " ").title()


def check_rules(game: Game) -> None:
    """Refuse rules that cannot run in every gear: they are plain functions that use `quintet.board` alone."""
    rules = {"legal": game.legal, "gain": game.gain, "score": game.score}
    for name, rule in rules.items():
        which = f"the rule {name} of {game.name}"
        if not isinstance(rule, FunctionType):
            raise UnusableRules(f"{which} is a {type(rule).__name__}: write it as a plain function")
        for free in rule.__code__.co_freevars:
            raise UnusableRules(
                f"{which} uses {free} of a function around it: write it as a function that stands alone"
            )
        found = {used: rule.__globals__[used] for used in names_in(rule.__code__) if used in rule.__globals__}
        for used, value in found.items():
            if used not in vars(geometry) and rules.get(used) is not value:
                raise UnusableRules(f"{which} uses {used}, which is not in quintet.board: rules use nothing else")


def names_in(code: CodeType) -> Iterator[str]:
    """The names that code looks up, also inside its comprehensions."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from names_in(part)


@dataclass(frozen=True, repr=False)
class Position:
    """Two sets of cells seen by the player to move, and who that is."""

    game: Game
    board: Board
    mine: int = 0
    theirs: int = 0
    player: int = 1
    """Who is to move, 1 or 2."""

    def __post_init__(self) -> None:
        """Refuse sets that a board cannot show."""
        if self.mine & self.theirs or (self.mine | self.theirs) & ~self.board.full:
            raise InvalidArgument("the players' cells must lie on the board and not overlap")
        if self.player not in PLAYERS:
            raise InvalidArgument("the player to move is 1 or 2")

    @property
    def other(self) -> int:
        """The player who is not to move."""
        return 3 - self.player

    @property
    def claims(self) -> tuple[int, int]:
        """The cells of Player 1 and those of Player 2."""
        return (self.mine, self.theirs) if self.player == 1 else (self.theirs, self.mine)

    @cached_property
    def legal(self) -> int:
        """The set of cells the player to move may claim."""
        return self.game.legal(self.board, self.mine, self.theirs)

    @cached_property
    def must_pass(self) -> bool:
        """Whether the only move is to pass."""
        return not self.legal and self.game.passes and bool(self.game.legal(self.board, self.theirs, self.mine))

    @property
    def moves(self) -> list[int]:
        """Every legal move in board order; none when the game is over."""
        return [PASS] if self.must_pass else list(split(self.legal))

    @property
    def scores(self) -> tuple[int, int]:
        """What Player 1's cells and Player 2's cells count."""
        first, second = self.claims
        return self.game.score(self.board, first), self.game.score(self.board, second)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended; `None` while it is not over."""
        if self.legal or self.must_pass:
            return None
        first, second = self.scores
        if self.game.territory:
            if first == second:
                return Outcome(None, f"{first} cells each", "level")
            return Outcome(1 if first > second else 2, f"{max(first, second)} cells to {min(first, second)}", "most")
        if self.board.target and self.scores[self.other - 1] == self.board.target:
            return Outcome(self.other, f"Player {self.other} has reached {self.board.target} points", "reached")
        return Outcome(self.other, f"Player {self.player} has no legal move", "stuck")

    def allows(self, move: int) -> bool:
        """Whether a move is legal here."""
        return move & -move == move and bool(move & self.legal) if move else self.must_pass

    def play(self, move: int) -> "Position":
        """The position after a legal move."""
        try:
            if not self.allows(move):
                raise IllegalMove(self.refusal(move))
        except TypeError:
            if isinstance(move, str):
                raise TypeError(f"a move is a number, which read_move(position, {move[:20]!r}) gives") from None
            raise
        return Position(self.game, self.board, self.theirs, self.mine | self.gain(move), self.other)

    def gain(self, move: int) -> int:
        """The cells that a legal move gives its player."""
        return self.game.gain(self.board, self.mine, self.theirs, move) & ~self.mine if move else 0

    def refusal(self, move: int) -> str:
        """Why a move is not allowed here, in the game's words."""
        if self.outcome:
            return tr("The game is over.")
        if self.must_pass:
            return tr("Player {player} can claim nothing and must pass.", player=self.player)
        if move == PASS:
            passes = self.game.passes
            return tr("You may pass only when you can claim nothing.") if passes else tr("This game has no passes.")
        if move & -move != move or move & ~self.board.full:
            return tr("That is not a cell of this board.")
        if move & (self.mine | self.theirs):
            return tr("That cell is already claimed.")
        return tr(self.game.words.refused, target=self.board.target)

    def label(self, move: int) -> str:
        """A move as the rule book writes it."""
        return cell_label(self.board, self.game.corner, move) if move else "pass"

    def action(self, move: int) -> int:
        """The number of a move for learning agents: that of its place, row by row from 0; after the last one a pass."""
        move = as_number(move)
        if move & -move != move or move & ~self.board.full:
            raise IllegalMove("That is not a cell of this board.")
        if move == PASS and not self.game.passes:
            raise IllegalMove("This game has no passes.")
        return index(move) if move else self.board.area

    def move(self, action: SupportsIndex) -> int:
        """The move of such a number, legal or not."""
        number = as_number(action)
        if 0 <= number < self.board.area:
            return 1 << number
        if number == self.board.area and self.game.passes:
            return PASS
        last = self.board.area - (not self.game.passes)
        raise IllegalMove(f"No action {number}: actions are numbers from 0 to {last}.")

    def __deepcopy__(self, memo: object) -> "Position":
        """Itself, as it never changes."""
        return self

    def picture(
        self, last: int = 0, legal: bool = True, styled: bool = True, parts: Mapping[int, str] | None = None
    ) -> str:
        """The board as SVG, with the cells gained by the last move, and dots on the legal cells.

        `parts` are sets of cells to colour, each with a text for its cells.
        """
        title = f"{self.game.title}, Player {self.player} to move"
        if self.outcome:
            title = f"{self.game.title}: {self.outcome.reason}"
        return paint(title, self.board, self.game.corner, *self.claims, self.legal * legal, last, styled, parts)

    def pixels(self, last: int = 0) -> Canvas:
        """The same picture as pixels."""
        return pixels(self.board, self.game.corner, *self.claims, self.legal, last)

    def _repr_svg_(self) -> str:
        """How a notebook shows it."""
        return self.picture()

    def __repr__(self) -> str:
        """The line that `read_position` reads."""
        return f"<{write_position(self)}>"

    def __str__(self) -> str:
        """The board as the rule book draws it."""
        return draw(self.game.style, self.board, self.game.corner, *self.claims)


def write_position(position: Position) -> str:
    """A position as one line: the game, the rows from the top, who is to move, and what is special about the board."""
    board, (first, second) = position.board, position.claims
    sets = {"X": first, "O": second, ".": board.full}
    marks = "".join(next((mark for mark in sets if sets[mark] >> i & 1), HOLE) for i in range(board.area))
    rows = "/".join(marks[i : i + board.cols] for i in range(0, board.area, board.cols))
    words = [position.game.name, rows, "XO"[position.player - 1]]
    if board.target:
        words += [f"target={board.target}", "values=" + ",".join(map(str, value_list(board)))]
    return " ".join(words)


def play_all(position: Position, moves: Sequence[int]) -> Position:
    """The position after several moves."""
    for move in moves:
        position = position.play(move)
    return position
