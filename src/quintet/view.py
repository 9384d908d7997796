"""One description of a position for every screen: what to draw, with nothing left to work out."""

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from quintet.board import (
    Board,
    cell_label,
    column_label,
    index,
    is_numbered,
    row_label,
    screen_corner,
    worth_of,
)
from quintet.engines import HUMAN
from quintet.engines.kinds import name_of
from quintet.language import sentences, tr, tr_count
from quintet.match import Match
from quintet.notation import screen_label, write_position
from quintet.rules import PASS, Position
from quintet.safe_text import escape
from quintet.study.analysis import Analysis, Part

CUSTOM_PREFIX = "guest:"
"""Stands before the name of a custom player, one that the operator of a server adds; visitors see only the name."""


class Cell(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What there is to see in one cell; JSON leaves out default values."""

    label: str
    """Its name in the rule book, as moves are written; empty for a hole, where the board has no cell."""
    owner: int = 0
    """1 or 2; 0 while nobody has claimed it."""
    worth: int | None = None
    """Its points, where cells carry any."""
    legal: bool = False
    """Whether the player to move may claim it."""
    fresh: bool = False
    """Whether the last claim gained it."""
    value: str = ""
    """What claiming it is worth under perfect play, such as `+3` or `W5`; `~` marks an estimate. Else empty."""
    outcome: str | None = None
    """The same as `win`, `loss` or `draw`."""
    best: bool = False
    """Whether no move is better."""
    part: int | None = None
    """The number of the part of the open cells that it belongs to, where parts are shown."""


class View(msgspec.Struct, frozen=True):
    """What there is to see of a match."""

    game: str
    title: str
    size: str
    rows: int
    cols: int
    row_labels: tuple[str, ...]
    """What screens call the rows, which with the column's label names a cell: `C` and `3`. Both are empty on a line,
    where cells are counted from 1."""
    column_labels: tuple[str, ...]
    cells: tuple[Cell, ...]
    """Row by row from the top left."""
    last: int | None
    """Which cell was claimed last."""
    history: tuple[tuple[int, str], ...]
    """Who played what, in order."""
    names: tuple[str, str]
    player: int | None
    """Whose turn it is; nobody's when the game is over."""
    scores: tuple[int, int]
    target: int | None
    status: str
    """What happened last and whose turn it is, or the result."""
    event: str
    """What happened last: a move, or why the game is over; empty before the first move."""
    must_pass: bool
    """Whether the player to move can only pass."""
    result: str
    """How the game ended; empty while it is in progress."""
    winner: int | None
    """Nobody in a draw or while the game is in progress."""
    start: str
    """The position that the match started from, as text; empty for the empty board with Player 1 to move."""
    goal: str
    """How to win on this board, in one line."""
    events: tuple[str, str]
    """What happened last, as Player 1 and Player 2 read it: `You resigned.`"""
    scored: bool
    """Whether the scores decide the game."""


class Labels(msgspec.Struct, frozen=True):
    """What is written on a board whatever is played there."""

    cells: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    worth: tuple[int | None, ...]


@lru_cache(maxsize=256)
def labels_of(board: Board, corner: str) -> Labels:
    """The labels of a board, made once: cells as in the rule book, none for holes, rows and columns as on screens."""
    screen, places = screen_corner(board), [1 << i for i in range(board.area)]
    numbered = is_numbered(screen)
    return Labels(
        cells=tuple("" if cell & board.holes else cell_label(board, corner, cell) for cell in places),
        rows=() if numbered else tuple(row_label(screen, row) for row in range(board.rows)),
        columns=() if numbered else tuple(column_label(screen, col) for col in range(board.cols)),
        worth=tuple(map(worth_of(board).get, places)),
    )


def make_view(
    match: Match,
    analysis: Analysis | None = None,
    you: int | None = None,
    titles: tuple[str, str] | None = None,
    parts: Sequence[Part] = (),
) -> View:
    """What there is to see of a match, with what an analysis says of the moves, and with parts of the open cells.

    `you` is the player who looks at it, if that is one of them. `titles` are what sentences call the players; without
    them, a name that describes an engine is its title, which is right only where nobody else chose the names.
    """
    titles = titles or (player_title(match.names[0], 1), player_title(match.names[1], 2))
    position, outcome = match.position, match.outcome
    board = position.board
    labels = labels_of(board, position.game.corner)
    claim = match.last_claim()
    winner = outcome.winner if outcome else None
    result = result_of(match)
    legal = 0 if outcome else position.legal
    return View(
        game=position.game.name,
        title=tr(position.game.title),
        size=board.size,
        rows=board.rows,
        cols=board.cols,
        row_labels=labels.rows,
        column_labels=labels.columns,
        cells=make_cells(position, labels, legal, gained(match, claim), analysis, parts),
        last=None if claim is None else index(match.moves[claim]),
        history=make_history(match, labels),
        names=match.names,
        player=None if outcome else position.player,
        scores=position.scores,
        target=board.target or None,
        status=result or status(match, titles, you),
        event=last_event(match, titles, you),
        must_pass=outcome is None and position.must_pass,
        result=result,
        winner=winner,
        start=beginning(match.positions[0]),
        goal=goal(position),
        events=(last_event(match, titles, 1), last_event(match, titles, 2)),
        scored=position.game.territory or board.target > 0,
    )


def goal(position: Position) -> str:
    """How to win on a board, in one line: the game's summary, with the target of this board."""
    game, board = position.game, position.board
    summary = tr(game.summary)
    return re.sub(rf"(?<!\d){game.target}(?!\d)", str(board.target), summary) if game.target else summary


def beginning(first: Position) -> str:
    """A first position as text, where it is not what everybody expects."""
    return write_position(first) if first.mine | first.theirs or first.player == 2 else ""


def make_history(match: Match, labels: Labels) -> tuple[tuple[int, str], ...]:
    """Who played what; the players take turns."""
    player, names = match.positions[0].player, labels.cells
    return tuple(
        (player if ply % 2 == 0 else 3 - player, names[move.bit_length() - 1] if move else "pass")
        for ply, move in enumerate(match.moves)
    )


def make_cells(
    position: Position, labels: Labels, legal: int, fresh: int, analysis: Analysis | None, parts: Sequence[Part]
) -> tuple[Cell, ...]:
    """The cells of the board as it is now."""
    first, second = position.claims
    cells = []
    cell = 1
    for label, worth in zip(labels.cells, labels.worth, strict=True):
        owner = 1 if cell & first else 2 if cell & second else 0
        part = next((i for i, part in enumerate(parts) if part.cells & cell), None)
        if analysis is None or not cell & legal:
            cells.append(Cell(label, owner, worth, cell & legal != 0, cell & fresh != 0, part=part))
        else:
            text, outcome, best = analysis.cell_text(cell), analysis.moves[cell].outcome, analysis.is_best(cell)
            cells.append(Cell(label, owner, worth, True, cell & fresh != 0, text, outcome, best, part))
        cell <<= 1
    return tuple(cells)


def gained(match: Match, ply: int | None) -> int:
    """The cells that the move at a ply gave its player."""
    return 0 if ply is None else match.positions[ply].gain(match.moves[ply])


def status(match: Match, titles: tuple[str, str], you: int | None = None) -> str:
    """What happened last and whose turn it is."""
    player = match.position.player
    name = titles[player - 1]
    if match.position.must_pass:
        turn = tr("You must pass.") if player == you else tr("{name} must pass.", name=name)
    else:
        turn = tr("Your turn.") if player == you else tr("{name}'s turn.", name=name)
    return sentences(last_move(match, titles, you), turn)


def last_move(match: Match, titles: tuple[str, str], you: int | None = None) -> str:
    """The last move in a sentence; empty before the first."""
    if not match.moves:
        return ""
    before, move = match.positions[-2], match.moves[-1]
    is_yours, name = before.player == you, titles[before.player - 1]
    if move == PASS:
        return tr("You had to pass.") if is_yours else tr("{name} had to pass.", name=name)
    count = gained(match, match.ply - 1).bit_count()
    if count > 1:
        if is_yours:
            return tr_count("You took {count} cell.", "You took {count} cells.", count)
        return tr_count("{name} took {count} cell.", "{name} took {count} cells.", count, name=name)
    cell = screen_label(before, move)
    return tr("You claimed {cell}.", cell=cell) if is_yours else tr("{name} claimed {cell}.", name=name, cell=cell)


def last_event(match: Match, titles: tuple[str, str], you: int | None) -> str:
    """The last move in a sentence, or why the match is over."""
    return ending(match, titles, you) if match.outcome else last_move(match, titles, you)


def ending(match: Match, titles: tuple[str, str], you: int | None = None) -> str:
    """Why a match is over, in a sentence with the names of its players; `you` is the one who reads it."""
    if match.resigned:
        name = titles[match.resigned - 1]
        return tr("You resigned.") if match.resigned == you else tr("{name} resigned.", name=name)
    if match.fault:
        player, reason = match.fault
        why = tr(escape(reason))
        if player == you:
            return tr("You forfeit: {reason}.", reason=why)
        return tr("{name} forfeits: {reason}.", name=titles[player - 1], reason=why)
    position = match.position
    kind = position.outcome.kind if position.outcome else ""
    least, most = sorted(position.scores)
    if kind == "level":
        return tr_count("{count} cell each.", "{count} cells each.", most)
    if kind == "most":
        return tr_count("{count} cell to {least}.", "{count} cells to {least}.", most, least=least)
    if kind == "reached":
        target, name = position.board.target, titles[position.other - 1]
        if position.other == you:
            return tr_count("You have reached {count} point.", "You have reached {count} points.", target)
        return tr_count("{name} has reached {count} point.", "{name} has reached {count} points.", target, name=name)
    name = titles[position.player - 1]
    return tr("You have no legal move.") if position.player == you else tr("{name} has no legal move.", name=name)


def result_of(match: Match) -> str:
    """Who won a match and why, in a sentence; empty while it is in progress."""
    outcome = match.outcome
    if outcome is None:
        return ""
    reason = ending(match, (person_title(None, 1), person_title(None, 2)))
    if not outcome.winner:
        return tr("Draw: {reason}", reason=reason)
    return tr("{name} wins: {reason}", name=person_title(None, outcome.winner), reason=reason)


def player_title(who: str, player: int) -> str:
    """What sentences call an engine, such as `Dora`; a person is `Player 2`."""
    return person_title(None, player) if who == HUMAN else name_of(who).removeprefix(CUSTOM_PREFIX)


def person_title(name: str | None, player: int) -> str:
    """What a person is called on screens. A name is only a name, even if an engine is called the same."""
    return escape(name) if name else tr("Player {number}", number=player)


def position_view(position: Position) -> View:
    """What there is to see of a position by itself."""
    return make_view(Match(position))
