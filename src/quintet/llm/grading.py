"""What an agent's moves were worth, counted up for one game: the sums that every score is made of."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from quintet.board import Board
from quintet.rules import Game, Position
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.solve.watch import watched

REMEMBERED = 100_000
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


class Grader:
    """Exact values of every move on one board. What it has found out serves every game of the program."""

    def __init__(self, game: Game, board: Board) -> None:
        """Begin with an empty table."""
        self.solver = Solver(game, board)
        self.lock = Lock()
        self.known: dict[tuple[int, int], dict[int, Value]] = {}

    def grade(self, position: Position) -> dict[int, Value]:
        """What every legal move is worth."""
        key = position.mine, position.theirs
        found = self.known.get(key)
        if found is None:
            with self.lock:
                found = self.solver.grade(position)
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            self.known[key] = found
        return found

    def can_grade(self, position: Position, seconds: float) -> bool:
        """Whether the values of a position's moves are found in time."""
        return watched(self.solver, lambda: self.grade(position), time.monotonic() + seconds)


@lru_cache(maxsize=32)
def grader(game: Game, board: Board) -> Grader:
    """The grader of a board, the same for everyone."""
    return Grader(game, board)


def grade(position: Position) -> dict[int, Value]:
    """What every legal move of a position is worth."""
    return grader(position.game, position.board).grade(position)


@dataclass(slots=True)
class Sums:
    """One game, or one position, in numbers. Sums of them over many games make the scores."""

    games: int = 0
    """1 for a game, 0 for a single position."""
    points: float = 0
    """What the agent got: 1 for a win, half for a draw."""
    par: float = 0
    """What perfect play gets from the same seat."""
    doubt: float = 0
    """The variance of par, where it is a mean over games played; 0 where it is exact."""
    swing: float = 0
    """The variance that luck alone gives to one game of perfect play, less par."""
    faults: int = 0
    """1 if no legal move came in the end, which loses."""
    answers: int = 0
    legal: int = 0
    """Answers that named a legal move."""
    stakes: int = 0
    """Turns at which the outcome depended on the move."""
    regret: float = 0
    """Points given away at those turns."""
    luck: float = 0
    """Points that a move drawn at random gives away there on average."""
    choices: int = 0
    """Turns at which moves differed in value: in outcome, margin or distance."""
    optimal: int = 0
    """Of those, turns at which no move was better."""
    margins: int = 0
    """Turns of a territory game at which moves differed in margin and one was made."""
    cells: int = 0
    """Cells of the margin given away at those turns."""
    wins: int = 0
    """Times the agent came to have a won position."""
    kept: int = 0
    """Of those, how many it still had at the end."""
    held: int = 0
    """Moves it made that kept a won position won."""

    def facts(self) -> dict[str, float]:
        """The sums as JSON carries them."""
        return asdict(self)


class Turn(NamedTuple):
    """A turn of the agent: where it was, what it played (nothing, if no answer was legal), after how many answers."""

    position: Position
    move: int | None
    answers: int = 1


def count(turns: Sequence[Turn], whole: bool) -> Sums:
    """The sums over an agent's turns; wins are followed only through a whole game."""
    sums = Sums(games=int(whole))
    won = False
    for turn in turns:
        sums.answers += turn.answers
        sums.legal += turn.move is not None
        sums.faults += turn.move is None
        values = grade(turn.position)
        count_turn(sums, values, turn.move)
        if whole:
            best = max(values.values()).outcome == "win"
            sums.wins += best and not won
            won = best and turn.move is not None and values[turn.move].outcome == "win"
            sums.held += won
    sums.kept = int(won)
    return sums


def count_turn(sums: Sums, values: dict[int, Value], move: int | None) -> None:
    """Add a turn to the sums. No move at all gives everything away."""
    best = max(values.values())
    got = POINTS[str(values[move].outcome)] if move is not None else 0.0
    points = [POINTS[str(value.outcome)] for value in values.values()]
    if min(points) < max(points):
        sums.stakes += 1
        sums.regret += max(points) - got
        sums.luck += max(points) - sum(points) / len(points)
    if min(values.values()) < best:
        sums.choices += 1
        sums.optimal += move is not None and values[move] == best
        if best.territory and move is not None:
            sums.margins += 1
            sums.cells += best.low - values[move].low
