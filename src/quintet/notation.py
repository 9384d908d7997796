"""Moves and positions as text: read forgivingly, written canonically."""

import re
from collections.abc import Callable

from quintet.board import Board, cell_label, index, is_lettered, screen_corner, split, write_size
from quintet.errors import QuintetError
from quintet.games import UnknownGame, find_game
from quintet.language import tr
from quintet.options import InvalidOptions, start
from quintet.rules import HOLE, PASS, IllegalMove, Position, play_all
from quintet.rules import write_position as write_position  # Written where a position prints itself.

LONGEST_MOVE = 80
LONGEST_POSITION = 8_000

Naming = Callable[[Position, int], str]
"""How moves are named: `Position.label` in records, `sentence_label` in the dialogue, `screen_label` on screens."""

_MOVE = re.compile(
    r"""\s*
    (?:(?:player\s*(?P<player>[12])\s*(?:\(\w{1,2}\))?\s*[:,]? | p(?P<seat>[12])\s*:)\s*)?       # Player1:
    (?:(?:claim|place|select|take|pick)(?:s|ed)?\s*(?:(?:an?\s+)?['"]?[xo]['"]?\s+(?:at|on|in)\s+)?  # place an 'X' at
       (?:at\s+)?(?:cell|square|position)?\s*:?\s*)?
    ['"`(\[{<\#\s]*
    (?:(?P<pass>pass) | (?:(?P<letter>[a-z])[\s,:\-\]\[]*|(?P<number>\d{1,4})[\s,:\-\]\[)(]+)?(?P<col>\d{1,4}))
    ['"`)\]}>.!\s]*""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


class InvalidMove(QuintetError, ValueError):
    """Text that is not a move; the message says how to write one."""


class InvalidPosition(QuintetError, ValueError):
    """Text that is not a position; the message says how to write one."""


def read_move(position: Position, text: str, name: Naming = Position.label) -> int:
    """The move a text names, legal or not: `C3`, `claim c3`, `2 2`, `(2,2)`, `Player1: claim 7`, `pass`.

    A cell has its name in the rule book and its name on screens; they never name different cells. Errors name cells as
    `name` does.
    """
    board, corner = position.board, position.game.corner
    match = _MOVE.fullmatch(text) if len(text) <= LONGEST_MOVE else None
    if not match:
        raise InvalidMove(tr("Name a cell, such as {cell}.", cell=name(position, middle_cell(board))))
    named = match["player"] or match["seat"]
    if named and int(named) != position.player:
        raise InvalidMove(tr("It is Player {player}'s turn.", player=position.player))
    if match["pass"]:
        return PASS
    row, col = match["letter"] or match["number"], match["col"]
    given = "letter" if match["letter"] else "number" if match["number"] else None
    style = next((style for style in (corner, screen_corner(board)) if kind_of(style) == given), None)
    if style is None:
        raise InvalidMove(tr("Name a cell, such as {cell}.", cell=name(position, middle_cell(board))))
    found = find_cell(board, style, row, col)
    if found is None:
        cells = list(split(board.full))
        first, last = name(position, cells[0]), name(position, cells[-1])
        raise InvalidMove(tr("No such cell: the cells go from {first} to {last}.", first=first, last=last))
    if not found & board.full:
        raise InvalidMove(tr("That is not a cell of this board."))
    return found


def kind_of(corner: str) -> str | None:
    """What names a row, by the name of the top-left cell: a letter, a number, or nothing where rows have no names."""
    return "letter" if is_lettered(corner) else "number" if " " in corner else None


def find_cell(board: Board, corner: str, row: str | None, col: str) -> int | None:
    """The place with these coordinates in the style of the top-left cell's, if the board has it."""
    top, left = (corner[0], corner[1:]) if is_lettered(corner) else corner.rpartition(" ")[::2]
    x = int(col) - int(left)
    if row is None:
        return 1 << x if 0 <= x < board.area else None
    y = ord(row.upper()) - ord(top) if row.isalpha() else int(row) - int(top)
    return 1 << y * board.cols + x if 0 <= y < board.rows and 0 <= x < board.cols else None


def middle_cell(board: Board) -> int:
    """The cell nearest to the middle, for examples."""
    middle = board.rows // 2, board.cols // 2

    def steps(cell: int) -> int:
        return sum(abs(a - b) for a, b in zip(divmod(index(cell), board.cols), middle, strict=True))

    return min(split(board.full), key=steps)


def read_moves(position: Position, text: str) -> list[int]:
    """The moves of a list such as `C3; C4; C2`, played from a position. A forced pass may be left out."""
    moves: list[int] = []
    texts = text.split(";")
    if not texts[-1].strip():
        texts.pop()
    for number, item in enumerate(texts, 1):
        try:
            played, position = read_turn(position, item)
        except (InvalidMove, IllegalMove) as error:
            text = item.strip()[:LONGEST_MOVE]
            raise type(error)(tr("move {number} ({text}): {error}", number=number, text=text, error=error)) from None
        moves += played
    return moves


def read_turn(position: Position, text: str, name: Naming = Position.label) -> tuple[list[int], Position]:
    """The move a text names, after a forced pass that it may leave out, and the position it leads to.

    Errors name cells as `name` does.
    """
    passes = [PASS] if position.must_pass and "pass" not in text.lower() else []
    position = play_all(position, passes)
    move = read_move(position, text, name)
    return [*passes, move], position.play(move)


def write_moves(position: Position, moves: list[int]) -> str:
    """A list of moves as `read_moves` reads it."""
    return "; ".join(position.label(move) for move in moves)


def sentence_label(position: Position, move: int) -> str:
    """A move inside a sentence of the dialogue: `C3`, `7`, but `(2,2)`."""
    label = position.label(move)
    return "({},{})".format(*label.split()) if " " in label else label


def screen_label(position: Position, move: int) -> str:
    """A move in a sentence on screens: `C3` for all games, `pass`, and `#7` on a line, which is not just any number."""
    corner = screen_corner(position.board)
    label = cell_label(position.board, corner, move) if move else tr("pass")
    return f"#{label}" if label.isdigit() else label


def list_moves(position: Position, among: int = -1) -> str:
    """What may be played, of some cells if they are given, for a person: `B2, C1`, or `1-5,9-13` for numbers."""
    cells = list(split(position.legal & among))
    if not cells:
        return "pass" if position.must_pass else "none"
    if not position.label(cells[0]).isdigit():
        return ", ".join(sentence_label(position, cell) for cell in cells)
    runs: list[list[int]] = []
    for number in (int(position.label(cell)) for cell in cells):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(f"{low}-{high}" if low < high else str(low) for low, high in runs)


def read_position(text: str) -> Position:
    """The position that `write_position` wrote; target and values may be left out where they are the rule book's.

    A hole is written as `-`.
    """
    words = text.split() if len(text) <= LONGEST_POSITION else []
    if len(words) < 3:
        raise InvalidPosition(tr("write a position as: GAME ROWS TURN, such as 'gridlock X./.O X'"))
    name, rows, turn, *extras = words
    grid = rows.split("/")
    marks = "".join(grid)
    if set(marks) - {".", "X", "O", HOLE} or len({len(row) for row in grid}) > 1:
        raise InvalidPosition(tr("write the rows with '.', 'X' and 'O', all of the same length, separated by '/'"))
    if turn not in ("X", "O"):
        raise InvalidPosition(tr("the turn must be X or O"))
    options = dict(extra.split("=", 1) for extra in extras if "=" in extra)
    if len(options) != len(extras) or set(options) - {"target", "values"}:
        raise InvalidPosition(tr("after the turn only target=N and values=N,N,... may follow"))
    try:
        game = find_game(name)
        size = write_size(len(grid), len(grid[0]), (i for i, mark in enumerate(marks) if mark == HOLE))
        empty = start(game, size, options.get("target"), options.get("values"))
    except (UnknownGame, InvalidOptions) as error:
        raise InvalidPosition(str(error)) from None
    first, second = (sum(1 << i for i, mark in enumerate(marks) if mark == player) for player in ("X", "O"))
    position = (
        Position(game, empty.board, first, second) if turn == "X" else Position(game, empty.board, second, first, 2)
    )
    if game.target and (
        max(position.scores) > empty.board.target or position.scores[position.player - 1] == empty.board.target
    ):
        raise InvalidPosition(tr("no score may be above the target, and the player to move must be below it"))
    return position
