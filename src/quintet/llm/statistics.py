"""The statistics of one sample: what the agent's moves were worth. A score is a ratio of their sums over samples."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from quintet.rules import Position
from quintet.solve.oracle import oracle_of
from quintet.solve.regret import lost_margin, lost_points, points_of
from quintet.solve.value import Value

LOGGED = {
    "par_variance": "doubt",
    "game_variance": "swing",
    "critical_turns": "stakes",
    "random_regret": "luck",
    "margin_turns": "margins",
    "margin_loss": "cells",
}
"""What logs call these numbers. The names are fixed: reports read logs of every version."""


class Statistics(msgspec.Struct, rename=LOGGED):
    """One game, or one position, in numbers."""

    games: float = 0
    """1 for a game, 0 for a single position."""
    points: float = 0
    """The agent's result: 1 for a win, 1/2 for a draw."""
    par: float = 0
    """The expected result of perfect play from the same seat."""
    par_variance: float = 0
    """The variance of par where it is a mean over simulated games; 0 where it is exact."""
    game_variance: float = 0
    """The variance of one game of perfect play minus par."""
    faults: float = 0
    """1 if the agent gave no legal move, which loses."""
    answers: float = 0
    legal: float = 0
    """Answers that named a legal move."""
    critical_turns: float = 0
    """Turns at which the outcome depended on the move."""
    regret: float = 0
    """The regret at those turns."""
    random_regret: float = 0
    """The expected regret of a random legal move at those turns."""
    choices: float = 0
    """Turns at which moves differed in value: in outcome, margin or distance."""
    optimal: float = 0
    """Of those, turns at which the agent played a best move."""
    margin_turns: float = 0
    """Turns of a territory game at which moves differed in margin and a legal move was made."""
    margin_loss: float = 0
    """The margin loss at those turns, in cells."""
    wins: float = 0
    """How often the agent reached a won position."""
    kept: float = 0
    """Of those, how many it still had at the end."""
    held: float = 0
    """The agent's moves that kept a won position won."""
    tries: float = 0
    """1 if the agent could pass: a position with something at stake, or a game of which perfect play gets points."""
    passes: float = 0
    """1 if it did: it gave nothing away in the position, or got par in the game."""


def read_statistics(logged: object) -> Statistics:
    """Statistics as a log has them."""
    return msgspec.convert(logged, Statistics)


def write_statistics(statistics: Statistics) -> dict[str, float]:
    """Statistics for a log."""
    logged: dict[str, float] = msgspec.to_builtins(statistics)
    return logged


def total(several: Sequence[Statistics]) -> Statistics:
    """The sums of statistics, such as those of one sample in all epochs."""
    return Statistics(*map(sum, zip(*map(msgspec.structs.astuple, several), strict=True)))


class Turn(NamedTuple):
    """A turn of the agent."""

    position: Position
    move: int | None
    """`None` if no answer named a legal move."""
    answers: int = 1
    """How many answers it took."""


def collect(turns: Sequence[Turn], whole_game: bool) -> Statistics:
    """The statistics of an agent's turns; won positions are followed only through a whole game."""
    found = Statistics(games=int(whole_game))
    won = False
    for turn in turns:
        found.answers += turn.answers
        found.legal += turn.move is not None
        found.faults += turn.move is None
        values = oracle_of(turn.position).grade(turn.position)
        add_turn(found, values, turn.move)
        if whole_game:
            winnable = max(values.values()).outcome == "win"
            found.wins += winnable and not won
            won = winnable and turn.move is not None and values[turn.move].outcome == "win"
            found.held += won
    found.kept = int(won)
    return found


def add_turn(found: Statistics, values: Mapping[int, Value], move: int | None) -> None:
    """Add a turn. No legal move counts as a loss."""
    best, worst = max(values.values()), min(values.values())
    if worst.outcome != best.outcome:
        found.critical_turns += 1
        found.regret += points_of(best) if move is None else lost_points(best, values[move])
        found.random_regret += sum(lost_points(best, value) for value in values.values()) / len(values)
    if worst < best:
        found.choices += 1
        found.optimal += move is not None and values[move] == best
        lost = None if move is None else lost_margin(best, values[move])
        if lost is not None:
            found.margin_turns += 1
            found.margin_loss += lost
