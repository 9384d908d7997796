"""The value of a reviewed game over its moves, as heights and as a picture."""

from collections.abc import Sequence

from quintet.drawing.graph import Mark, graph
from quintet.notation import sentence_label
from quintet.solve.value import Value
from quintet.study.remarks import title
from quintet.study.reviews import Review

LOWEST_TOP = 5
"""The margin at the top of a graph, at least: small margins look small."""


def heights(values: Sequence[Value]) -> list[float | None]:
    """Player 1's values as heights of a graph, from -1 to 1; `None` where not known. A nearer win is higher."""
    if not values[0].territory:
        longest = max([1, *(value.plies or 0 for value in values)])
        return [
            None if value.plies is None else (1 if value.low > 0 else -1) * (1 - value.plies / longest / 2)
            for value in values
        ]
    most = highest(values)
    return [None if value.margin is None else value.margin / most for value in values]


def highest(values: Sequence[Value]) -> int:
    """The margin at the top of a graph."""
    return max([LOWEST_TOP, *(abs(value.margin or 0) for value in values)])


def value_graph(review: Review) -> str:
    """The value over the game for Player 1 as SVG, with a dot at every move that gave something away."""
    ticks: list[tuple[float, str]] = [(1, "P1 wins"), (-1, "P2 wins")]
    if review.values[0].territory:
        most = highest(review.values)
        step = next(step for step in (5, 10, 25, 50, 100, 200) if most <= 4 * step)
        ticks = [(tick / most, f"{tick:+d}" if tick else "0") for tick in range(-most // step * step, most + 1, step)]
        ticks = [(height, text) for height, text in ticks if abs(height) <= 1]
    marks = [
        Mark(grade.ply, grade.player, f"Move {grade.ply}, {sentence_label(grade.position, grade.move)}: {grade.kind}")
        for grade in review.grades
        if grade.fault and review.values[grade.ply].exact
    ]
    return graph(title(review), heights(review.values), ticks, marks)
