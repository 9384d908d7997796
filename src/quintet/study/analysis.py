"""What a position is worth, what each move is worth, and the best line from here."""

import time
from dataclasses import dataclass
from typing import Any

from quintet.board import column_label, row_label
from quintet.match import Match
from quintet.options import describe
from quintet.rules import Position
from quintet.solve.solver import MEMORY, Solver
from quintet.solve.value import Value
from quintet.solve.watch import Watch, watched

LONGEST_LINE = 400


@dataclass(frozen=True, slots=True)
class Analysis:
    """Values for the player to move; limits, where time ran out."""

    position: Position
    value: Value
    moves: dict[int, Value]
    """Every legal move in board order."""
    line: tuple[int, ...]
    """One best line to the end."""

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
    position: Position,
    solver: Solver | None = None,
    seconds: float | None = None,
    watch: Watch | None = None,
    memory: int = MEMORY,
) -> Analysis:
    """Grade every move exactly, as far as time allows."""
    if not isinstance(position, Position):
        raise TypeError("analyze takes a position, such as start('gridlock')")
    solver = solver or Solver(position.game, position.board, memory=memory)
    until = None if seconds is None else time.monotonic() + seconds
    moves = {move: solver.limits_after(position, move) for move in position.moves}
    value = Value(*solver.limits(position), position.game.territory)
    line: list[int] = []
    try:
        done = watched(solver, lambda: solver.number(position), until, watch)
        value = solver.known()
        done = done and watched(solver, lambda: grade(solver, position, value, moves), until, watch)
        if done:
            watched(solver, lambda: line.extend(best_line(solver, position, value.low)), until, watch)
    except KeyboardInterrupt:
        value = value if value.exact else solver.known()
    # No move is worth more than the position.
    capped = {move: known._replace(high=min(known.high, value.high)) for move, known in moves.items()}
    return Analysis(position, value, capped, tuple(line))


def grade(solver: Solver, position: Position, value: Value, moves: dict[int, Value]) -> None:
    """Put the values of the moves in. The best come first: they are asked for most, and much sooner told."""
    moves |= dict.fromkeys(solver.best(position, value.low), value)
    solver.grade(position, moves)


def best_line(solver: Solver, position: Position, number: int) -> list[int]:
    """Best moves from a position of known value to the end, always the first on the board."""
    line: list[int] = []
    while position.moves and len(line) < LONGEST_LINE:
        move = solver.first_best(position, number)
        line.append(move)
        position, number = position.play(move), solver.later(number)
    return line


def facts(match: Match, analysis: Analysis) -> dict[str, Any]:
    """An analysis as JSON carries it."""
    position, outcome = analysis.position, match.outcome
    return {
        "game": position.game.name,
        "options": describe(position.board),
        "ply": match.ply,
        "to_move": position.player,
        "over": outcome is not None,
        "result": outcome and {"winner": outcome.winner, "reason": outcome.reason},
        "value": analysis.value.facts(),
        "moves": [
            {"move": position.label(move), **value.facts(), "best": analysis.is_best(move)}
            for move, value in analysis.moves.items()
        ],
        "line": [position.label(move) for move in analysis.line],
    }


def headline(position: Position, value: Value) -> str:
    """A value in words."""
    if position.outcome:
        return f"Player {position.outcome.winner} has won." if position.outcome.winner else "The game is a draw."
    winner = position.player if value.outcome == "win" else position.other
    if value.outcome is None:
        between = f": for Player {position.player} between {value.low:+d} and {value.high:+d}"
        return f"Not decided{between if position.game.territory else ''}."
    if value.outcome == "draw":
        return "Perfect play ends in a draw."
    if not value.exact:
        return f"Player {winner} wins; {measure(value)} is not decided."
    size = (
        f"by {abs(value.low)}"
        if position.game.territory
        else f"in {value.plies} pl{'y' if value.plies == 1 else 'ies'}"
    )
    return f"Player {winner} wins {size}."


def measure(value: Value) -> str:
    """What is asked of a win: its margin, or the time it takes."""
    return "by how much" if value.territory else "how soon"


def brief(value: Value) -> str:
    """A value in as few letters as fit in a cell: `+3`, `W5`, `L12`; `W` or `L` where no more is known, or `?`."""
    if not value.exact:
        return str(value.outcome)[0].upper() if value.outcome else "?"
    return f"{value.low:+d}" if value.territory else f"{str(value.outcome)[0].upper()}{value.plies}"


def value_map(position: Position, values: dict[int, Value]) -> str:
    """The board with what each claim is worth: a margin, or W and L with the plies to the end."""
    board, corner = position.board, position.game.corner
    first, second = position.claims

    def text(cell: int) -> str:
        if cell not in values:
            return "X" if cell & first else "O" if cell & second else "."
        return brief(values[cell])

    rows = [[text(1 << row * board.cols + col) for col in range(board.cols)] for row in range(board.rows)]
    header = ["", *(column_label(corner, col) for col in range(board.cols))]
    lines = [header, *([row_label(corner, i), *row] for i, row in enumerate(rows))]
    width = max(len(word) for line in lines for word in line) + 1
    margin = max(len(line[0]) for line in lines)
    return "\n".join(
        f"{line[0]:>{margin}}" + "".join(f"{word:>{width}}" for word in line[1:]).rstrip() for line in lines
    )
