"""Par: what perfect play gets from the seat of a case, against the same opponent."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from quintet.engines.door import close_engine
from quintet.engines.perfect import Perfect
from quintet.llm.case import Case
from quintet.llm.contest import engine_agent, engine_named, play, points
from quintet.llm.errands import in_thread
from quintet.llm.grading import POINTS, grade
from quintet.llm.player import ModelPlayer

GAMES = 16
"""So many games are played where the opponent errs, each with other luck."""
GAMES_OF_MODELS = 1
"""A model is paid for every answer."""
APART = 7_919
"""How far the seeds of two of these games lie apart."""


class Par(NamedTuple):
    """What perfect play gets on average."""

    mean: float
    doubt: float
    """The variance of the mean; 0 where it is exact."""
    swing: float
    """The variance of one more game of perfect play, less the mean."""


_known: dict[Case, Par] = {}


async def par(case: Case) -> Par:
    """The par of a case: the value of its position against a perfect opponent, else a mean over games played."""
    if case not in _known:
        _known[case] = await find_par(case)
    return _known[case]


async def find_par(case: Case) -> Par:
    """The same, worked out."""
    assert case.opponent
    opponent = engine_named(case.opponent, case.seed)
    close_engine(opponent)
    if type(opponent) is Perfect:  # A level errs, though it is made of one.
        return Par(await in_thread(partial(value, case)), 0.0, 0.0)
    number = GAMES_OF_MODELS if isinstance(opponent, ModelPlayer) else GAMES
    got = 0.0
    for i in range(1, number + 1):
        again = replace(case, seed=case.seed + APART * i)
        got += points(again, await play(again, engine_agent(Perfect(again.own_seed))))
    # As if one more game had been won and one lost: games that all end alike leave some doubt too.
    share = (got + 1) / (number + 2)
    luck = share * (1 - share)
    return Par(got / number, luck / number, luck + luck / number)


def value(case: Case) -> float:
    """What the position of a case is worth to the agent when both play perfectly."""
    position = case.start
    best = POINTS[str(max(grade(position).values()).outcome)]
    return best if position.player == case.player else 1 - best
