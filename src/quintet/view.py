"""One description of a position for every screen: what to draw, with nothing left to work out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from quintet.analysis import brief
from quintet.board import cell_label, column_label, index, is_lettered, row_label, split, value_list
from quintet.match import Match
from quintet.notation import sentence_label
from quintet.rules import PASS, Position
from quintet.solve.value import Value


@dataclass(frozen=True, slots=True)
class Cell:
    """What there is to see in one cell."""

    label: str
    owner: int
    """1 or 2; 0 while nobody has claimed it."""
    worth: int | None
    """Its points, where cells carry any."""
    legal: bool
    """Whether the player to move may claim it."""
    fresh: bool
    """Whether the last claim gained it."""
    value: str
    """What claiming it is worth under perfect play, such as `+3` or `W5`; empty while that is unknown."""
    outcome: str | None
    """The same as `win`, `loss` or `draw`."""
    best: bool
    """Whether no move is better."""


@dataclass(frozen=True, slots=True)
class View:
    """What there is to see of a match."""

    game: str
    title: str
    size: str
    rows: int
    cols: int
    row_labels: tuple[str, ...]
    """Empty, like the labels of the columns, where each cell shows its own label."""
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
    """What happened and what is to be done, in a line."""
    result: str
    """How the game ended; empty while it goes on."""
    winner: int | None
    """Nobody in a draw or while the game goes on."""


def make_view(match: Match, values: Mapping[int, Value] | None = None) -> View:
    """What there is to see of a match, with the values of the moves as far as they are known."""
    position, outcome = match.position, match.outcome
    board, corner = position.board, position.game.corner
    numbered = " " not in corner and not is_lettered(corner)
    claim = last_claim(match)
    winner = outcome.winner if outcome else None
    result = "" if not outcome else f"Player {winner} wins: {outcome.reason}." if winner else f"Draw: {outcome.reason}."
    return View(
        game=position.game.name,
        title=position.game.title,
        size=board.size,
        rows=board.rows,
        cols=board.cols,
        row_labels=() if numbered else tuple(row_label(corner, row) for row in range(board.rows)),
        column_labels=() if numbered else tuple(column_label(corner, col) for col in range(board.cols)),
        cells=make_cells(match, values or {}, gained(match, claim)),
        last=None if claim is None else index(match.moves[claim]),
        history=tuple(
            (before.player, before.label(move)) for before, move in zip(match.positions, match.moves, strict=False)
        ),
        names=match.names,
        player=None if outcome else position.player,
        scores=position.scores,
        target=board.target or None,
        status=result or status(match),
        result=result,
        winner=winner,
    )


def make_cells(match: Match, values: Mapping[int, Value], fresh: int) -> tuple[Cell, ...]:
    """The cells of the board as it is now."""
    position = match.position
    legal = 0 if match.outcome else position.legal
    first, second = position.claims
    worth = value_list(position.board)
    highest = max((value.high for value in values.values()), default=0)
    cells = []
    for i, cell in enumerate(split(position.board.full)):
        value = values.get(cell) if cell & legal else None
        cells.append(
            Cell(
                label=cell_label(position.board, position.game.corner, cell),
                owner=1 if cell & first else 2 if cell & second else 0,
                worth=worth[i] if worth else None,
                legal=bool(cell & legal),
                fresh=bool(cell & fresh),
                value=brief(value) if value else "",
                outcome=value.outcome if value else None,
                best=value is not None and value.exact and value.low >= highest,
            )
        )
    return tuple(cells)


def last_claim(match: Match) -> int | None:
    """The ply of the last move that was no pass."""
    return next((ply for ply in reversed(range(match.ply)) if match.moves[ply] != PASS), None)


def gained(match: Match, ply: int | None) -> int:
    """The cells that the move at a ply gave its player."""
    return 0 if ply is None else match.positions[ply + 1].theirs & ~match.positions[ply].mine


def status(match: Match) -> str:
    """What happened last and whose turn it is."""
    position = match.position
    turn = f"Player {position.player} must pass." if position.must_pass else f"Player {position.player} to move."
    if not match.moves:
        return turn
    before, move = match.positions[-2], match.moves[-1]
    if move == PASS:
        return f"Player {before.player} had to pass. {turn}"
    more = gained(match, match.ply - 1).bit_count() - 1
    also = f" and {more} more" if more else ""
    return f"Player {before.player} claimed {sentence_label(before, move)}{also}. {turn}"


def show(position: Position) -> View:
    """What there is to see of a position by itself."""
    return make_view(Match(position))


def facts(view: View) -> dict[str, Any]:
    """A view as JSON carries it."""
    return {
        name: [list(item) if isinstance(item, tuple) else item for item in value] if isinstance(value, tuple) else value
        for name, value in asdict(view).items()
    }
