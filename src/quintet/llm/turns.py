"""A turn of an agent for the transcript of a log: its move, the best moves, and what it gave away."""

from pydantic import JsonValue

from quintet.llm.statistics import Turn
from quintet.notation import write_position
from quintet.solve.oracle import oracle_of
from quintet.solve.regret import lost_margin, lost_points, points_of
from quintet.text.presentation import Presentation


def grade_turn(turn: Turn, presentation: Presentation, fault: str = "") -> dict[str, JsonValue]:
    """A turn by exact values, with moves named as the agent writes them. Values are those of the agent.

    `regret` is in points; without a legal move it is all that the position was worth. `margin_loss` is in cells, in
    territory games.
    """
    values = oracle_of(turn.position).grade(turn.position)
    best = max(values.values())
    after = None if turn.move is None else values[turn.move]
    return {
        "position": write_position(turn.position),
        "move": None if turn.move is None else presentation.label(turn.move),
        "answers": turn.answers,
        "fault": fault,
        "best": [presentation.label(move) for move, value in values.items() if value == best],
        "value": str(best),
        "value_after": None if after is None else str(after),
        "regret": points_of(best) if after is None else lost_points(best, after),
        "margin_loss": None if after is None else lost_margin(best, after),
    }
