"""What a position is worth, what each move is worth, and the best line from here."""

from dataclasses import dataclass
from math import inf

from quintet.board import column_label, row_label
from quintet.rules import Position
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.solve.watch import Watch

LONGEST_LINE = 400


@dataclass(frozen=True, slots=True)
class Analysis:
    """Values for the player to move; their limits, where time ran out."""

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
    position: Position, oracle: Oracle | None = None, seconds: float | None = None, watch: Watch | None = None
) -> Analysis:
    """Grade every move exactly, as far as time allows."""
    if not isinstance(position, Position):
        raise TypeError("analyze takes a position, such as start('gridlock')")
    oracle = oracle or oracle_of(position)
    search = AnalysisSearch(position, oracle.solver)
    try:
        oracle.run(search.run, inf if seconds is None else seconds, watch)
    except KeyboardInterrupt:
        pass  # What was found out so far is shown.
    return search.analysis()


class AnalysisSearch:
    """An analysis under way: what is known so far, which is right whenever the search is stopped."""

    def __init__(self, position: Position, solver: Solver) -> None:
        """Begin with what is known without a search."""
        self.position = position
        self.moves = solver.outlook(position)
        self.value = solver.foresee(position, self.moves)
        self.line: list[int] = []

    def run(self, solver: Solver) -> None:
        """Find out the rest: the value, the best moves, which are asked for most, all moves, and the best line."""
        try:
            solver.number(self.position, known=self.value)
        finally:
            self.value = solver.known()
        self.moves |= dict.fromkeys(solver.best(self.position, self.value.low), self.value)
        solver.grade(self.position, self.moves)
        self.line = best_line(solver, self.position)

    def analysis(self) -> Analysis:
        """What is known so far. No move is worth more than the position."""
        moves = {move: known._replace(high=min(known.high, self.value.high)) for move, known in self.moves.items()}
        return Analysis(self.position, self.value, moves, tuple(self.line))


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
        return f"Player {position.outcome.winner} has won." if position.outcome.winner else "The game is a draw."
    winner = position.player if value.outcome == "win" else position.other
    if value.outcome is None:
        between = f" It is between {value.low:+d} and {value.high:+d} for Player {position.player}."
        return f"The value is not known yet.{between if position.game.territory else ''}"
    if value.outcome == "draw":
        return "With best play the game is a draw."
    if not value.exact:
        return f"With best play Player {winner} wins; {measure(value)} is not known yet."
    size = f"by {abs(value.low)}" if position.game.territory else f"in {count_moves(value.plies or 0)}"
    return f"With best play Player {winner} wins {size}."


def measure(value: Value) -> str:
    """What is asked of a win: its margin, or the time it takes."""
    return "by how much" if value.territory else "how soon"


def count_moves(number: int) -> str:
    """A number of moves, both players' counted."""
    return f"{number} move{'' if number == 1 else 's'}"


def brief(value: Value) -> str:
    """A value in as few letters as fit in a cell: `+3`, `W5`, `L12`; `W` or `L` where no more is known, or `?`."""
    if not value.exact:
        return str(value.outcome)[0].upper() if value.outcome else "?"
    return f"{value.low:+d}" if value.territory else f"{str(value.outcome)[0].upper()}{value.plies}"


def value_map(position: Position, values: dict[int, Value]) -> str:
    """The board with the value of each claim: a margin, or W and L with the moves to the end."""
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
