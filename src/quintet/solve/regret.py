"""Regret: what a move gives away, in points of the result. A win is 1 point, a draw 1/2, a loss 0; so it is in [0, 1].

What a move gives away in cells of the final margin is another thing and has another name, `margin_loss`. Both compare
the best move with the move played. A mean regret says over which positions it is taken.
"""

from quintet.errors import InvalidArgument
from quintet.rules import IllegalMove, Position
from quintet.solve.oracle import solve_within
from quintet.solve.solver import Solver
from quintet.solve.value import Value

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


def points_of(value: Value) -> float:
    """The points that a value of known outcome is worth."""
    if value.outcome is None:
        raise InvalidArgument("the outcome is not known, so its points are not")
    return POINTS[value.outcome]


def lost_points(best: Value, played: Value) -> float:
    """The regret of a move worth `played` where the best move is worth `best`."""
    return points_of(best) - points_of(played)


def lost_margin(best: Value, played: Value) -> int | None:
    """The margin loss of a move worth `played` where the best move is worth `best`; `None` where there is no margin."""
    return best.low - played.low if best.margin is not None and played.margin is not None else None


def regret(position: Position, move: int) -> float:
    """The points that a legal move gives away: 0 for a best move, 1 for a win turned into a loss."""
    best, played = values_of(position, move)
    return lost_points(best, played)


def margin_loss(position: Position, move: int) -> int | None:
    """The cells of the final margin that a legal move gives away; `None` in a game without a margin."""
    best, played = values_of(position, move)
    return lost_margin(best, played)


def values_of(position: Position, move: int) -> tuple[Value, Value]:
    """What the best move and a legal move are worth."""
    if not position.allows(move):
        raise IllegalMove(position.refusal(move))
    grades = solve_within(Solver.grade, position)
    return max(grades.values()), grades[move]
