"""What a position is worth, what each move is worth, and the best line from here."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import inf
from operator import xor
from typing import NamedTuple

from quintet.board import column_label, popcount, row_label
from quintet.language import later, tr, tr_count
from quintet.rules import Position
from quintet.solve.clock import now
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.solver import Solver, alike
from quintet.solve.value import Value
from quintet.solve.watch import Watch
from quintet.study.estimates import Estimate, estimate_moves

LONGEST_LINE = 400
ESTIMATE_SHARE, ESTIMATE_SECONDS = 0.25, 2.0
"""The share of the time that is left for an estimate, and the most seconds for it."""

PARTS_SECONDS = 1.0
"""The most seconds for the Grundy numbers of parts that are shown by themselves."""


class Part(NamedTuple):
    """A connected part of the open cells, in a game that is the sum of such parts."""

    cells: int
    nimber: int | None
    """Its Grundy number, where the game has them and it is known."""


@dataclass(frozen=True)
class Analysis:
    """Values for the player to move; their limits, where time ran out."""

    position: Position
    value: Value
    moves: dict[int, Value]
    """Every legal move in board order."""
    line: tuple[int, ...]
    """One best line to the end."""
    parts: tuple[Part, ...] = ()
    """The parts of the open cells that do not affect each other; none in games without such parts."""
    estimate: Estimate | None = None
    """What the moves look like, where their outcomes are not all proved."""

    @property
    def nimber(self) -> int | None:
        """The Grundy number of the position, where the game has one and it is known."""
        return total([part.nimber for part in self.parts])

    @cached_property
    def looks_best(self) -> list[int]:
        """The moves that look best of those that are not decided."""
        found = self.estimate.moves if self.estimate else {}
        seen = {move: found[move] for move in self.open_moves if move in found}
        return [move for move, looks in seen.items() if looks == max(seen.values())]

    @cached_property
    def open_moves(self) -> list[int]:
        """The moves whose outcome is not proved."""
        return [move for move, value in self.moves.items() if value.outcome is None]

    def estimate_of(self, move: int) -> tuple[str, str]:
        """What a move looks like if that is not proved, for a cell and in words; empty if nothing is estimated.

        Where the numbers say little, only the moves that look best are marked.
        """
        value = self.moves[move]
        if self.estimate is None or value.exact or (value.outcome and not value.territory):
            return "", ""
        if self.shows_numbers:
            return self.estimate.text(move, value), self.estimate.words(move, value)
        stands_out = move in self.looks_best and len(self.looks_best) < len(self.open_moves)
        return ("~", tr("looks best")) if stands_out else ("", "")

    @cached_property
    def shows_numbers(self) -> bool:
        """Whether the estimates reach far enough and tell moves apart."""
        made = self.estimate
        if made is None or not made.has_numbers:
            return False
        return len({made.text(move, self.moves[move]) for move in self.open_moves}) > 1

    def cell_text(self, move: int) -> str:
        """What a cell shows of a move: what is proved, else an estimate, which is marked, else `?`."""
        value = self.moves[move]
        return brief(value) if value.outcome else self.estimate_of(move)[0] or brief(value)

    @property
    def complete(self) -> bool:
        """Whether every value is known."""
        return (
            self.value.exact
            and all(value.exact for value in self.moves.values())
            and bool(self.line) == bool(self.moves)
        )

    def is_best(self, move: int) -> bool:
        """Whether no move is better."""
        return self.moves[move].exact and self.moves[move].low >= max(value.high for value in self.moves.values())


def analyze(
    position: Position, oracle: Oracle | None = None, seconds: float | None = None, watch: Watch | None = None
) -> Analysis:
    """Grade every move exactly, as far as time allows."""
    if not isinstance(position, Position):
        raise TypeError("analyze takes a position, such as start('gridlock')")
    oracle, limit = oracle or oracle_of(position), inf if seconds is None else seconds
    search = AnalysisSearch(position, oracle.solver)
    rest = min(ESTIMATE_SECONDS, limit * ESTIMATE_SHARE) if limit < inf else 0
    until = now() + limit - rest
    try:
        stopped = limit > 0 and not oracle.run(search.run, limit - rest, watch)
        if stopped and now() >= until and search.undecided:
            search.estimate = estimate_moves(position, rest)
    except KeyboardInterrupt:
        pass  # What was found out so far is shown.
    return search.analysis()


def find_parts(position: Position) -> tuple[Part, ...]:
    """The parts of the open cells that do not affect each other, with Grundy numbers as far as they are soon known."""
    oracle = oracle_of(position)
    search = AnalysisSearch(position, oracle.solver)
    oracle.run(search.count, PARTS_SECONDS)
    return search.parts


def total(nimbers: Sequence[int | None]) -> int | None:
    """The Grundy number of a sum; unknown if one of its parts is, or without parts."""
    known = [number for number in nimbers if number is not None]
    return reduce(xor, known) if known and len(known) == len(nimbers) else None


class AnalysisSearch:
    """An analysis under way: what is known so far, which is right whenever the search is stopped."""

    def __init__(self, position: Position, solver: Solver) -> None:
        """Begin with what is known without a search."""
        self.position = position
        self.moves = solver.outlook(position)
        self.value = solver.foresee(position, self.moves)
        self.nimbers = {part: solver.known_nimber(part) for part in solver.parts(position)}
        self.estimate: Estimate | None = None
        self.line: list[int] = []

    @property
    def undecided(self) -> bool:
        """Whether there is a choice between moves whose outcomes are not all known."""
        return len(self.moves) > 1 and any(value.outcome is None for value in self.limited().values())

    def limited(self) -> dict[int, Value]:
        """What is known of the moves so far. None is worth more than the position."""
        return {move: known._replace(high=min(known.high, self.value.high)) for move, known in self.moves.items()}

    def run(self, solver: Solver) -> None:
        """Find out the rest: who wins, the value, the best moves (asked for most), all moves, and the best line."""
        self.decide(solver)
        try:
            solver.number(self.position, known=self.value)
        finally:
            self.value = solver.known()
        self.moves |= dict.fromkeys(solver.best(self.position, self.value.low), self.value)
        solver.grade(self.position, self.moves)
        self.line = best_line(solver, self.position)

    def count(self, solver: Solver) -> None:
        """Find the Grundy numbers of the parts, in a game that has them."""
        for part in sorted(self.nimbers, key=popcount):
            if self.nimbers[part] is None:
                self.nimbers[part] = solver.nimber(part)

    def decide(self, solver: Solver) -> None:
        """Find out who wins by Grundy numbers, which is soon known."""
        self.count(solver)
        number = total(list(self.nimbers.values()))
        if number is None:
            return
        self.value = decided(self.value, number != 0)
        like = alike(self.position)
        wins = {move: solver.grundy(self.position.play(move)) == 0 for move in dict.fromkeys(like.values())}
        self.moves = {move: decided(value, wins[like[move]]) for move, value in self.moves.items()}

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the open cells, with their Grundy numbers as far as they are known."""
        return tuple(Part(cells, nimber) for cells, nimber in self.nimbers.items())

    def analysis(self) -> Analysis:
        """What is known so far."""
        return Analysis(self.position, self.value, self.limited(), tuple(self.line), self.parts, self.estimate)


def decided(value: Value, won: bool) -> Value:
    """A value in a race, now that it is known whether it is won."""
    return value._replace(low=max(1, value.low)) if won else value._replace(high=min(-1, value.high))


def best_line(solver: Solver, position: Position) -> list[int]:
    """Best moves from a position to the end, always the first on the board."""
    line: list[int] = []
    number = solver.number(position)
    while position.moves and len(line) < LONGEST_LINE:
        move = solver.first_best(position, number)
        line.append(move)
        position, number = position.play(move), solver.later(number)
    return line


def headline(position: Position, value: Value) -> str:
    """A value in a sentence."""
    if position.outcome:
        winner = position.outcome.winner
        return tr("Player {player} has won.", player=winner) if winner else tr("The game is a draw.")
    player, other = position.player, position.other
    if value.outcome is None:
        if not value.territory:
            return tr("It is not known yet who wins.")
        limits = {"low": f"{value.low:+d}", "high": f"{value.high:+d}", "player": player}
        if value.low < 0 < value.high:
            text = later("It is not known yet who wins; the margin is between {low} and {high} for Player {player}.")
            return tr(text, **limits)
        text = later(
            "With best play Player {safe} does not lose; the margin is between {low} and {high} for Player {player}."
        )
        return tr(text, safe=player if value.low >= 0 else other, **limits)
    if value.outcome == "draw":
        return tr("With best play the game is a draw.")
    winner = player if value.outcome == "win" else other
    if not value.exact:
        if value.territory:
            return tr("With best play Player {player} wins; by how much is not known yet.", player=winner)
        return tr("With best play Player {player} wins; how soon is not known yet.", player=winner)
    if position.game.territory:
        return tr("With best play Player {player} wins by {margin}.", player=winner, margin=abs(value.low))
    return tr_count(
        "With best play Player {player} wins in {count} move.",
        "With best play Player {player} wins in {count} moves.",
        value.plies or 0,
        player=winner,
    )


def count_moves(number: int) -> str:
    """A number of moves, both players' counted."""
    return tr_count("{count} move", "{count} moves", number)


def brief(value: Value) -> str:
    """A value in as few letters as fit in a cell: `+3`, `W5`, `L12`; `W` or `L` where no more is known, or `?`."""
    if not value.exact:
        return str(value.outcome)[0].upper() if value.outcome else "?"
    return f"{value.low:+d}" if value.territory else f"{str(value.outcome)[0].upper()}{value.plies}"


def value_map(analysis: Analysis, corner: str | None = None) -> str:
    """The board with the value of each claim: a margin, or W and L with the moves to the end; `~` marks an estimate.

    Cells are named as the rule book does, or as `corner`, the name of the top-left cell, says.
    """
    position, values = analysis.position, analysis.moves
    board, corner = position.board, corner or position.game.corner
    first, second = position.claims

    def text(cell: int) -> str:
        if cell not in values:
            return "X" if cell & first else "O" if cell & second else "." if cell & board.full else ""
        return analysis.cell_text(cell)

    rows = [[text(1 << row * board.cols + col) for col in range(board.cols)] for row in range(board.rows)]
    header = ["", *(column_label(corner, col) for col in range(board.cols))]
    lines = [header, *([row_label(corner, i), *row] for i, row in enumerate(rows))]
    width = max(len(word) for line in lines for word in line) + 1
    margin = max(len(line[0]) for line in lines)
    return "\n".join(
        f"{line[0]:>{margin}}" + "".join(f"{word:>{width}}" for word in line[1:]).rstrip() for line in lines
    )
