"""Par: the expected result of perfect play from the seat of a sample, against the same opponent."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from quintet.engines.door import close_engine
from quintet.engines.perfect import Perfect
from quintet.llm.agents import engine_agent, make_player
from quintet.llm.batching import run_batched
from quintet.llm.episode import play_episode, result_of
from quintet.llm.player import ModelPlayer
from quintet.solve.oracle import oracle_of
from quintet.solve.regret import points_of
from quintet.suites.samples import SampleSpec

GAMES = 16
"""How many games are simulated against an opponent that makes mistakes."""
MODEL_GAMES = 1
"""The same against a model, where every answer costs money."""
GAME_SEEDS = 7_919
"""The distance between the seeds of two of these games."""


class Par(NamedTuple):
    """The expected result of perfect play."""

    mean: float
    variance: float
    """The variance of the mean; 0 where it is exact."""
    game_variance: float
    """The variance of the difference between one more game of perfect play and the mean."""


_known: dict[SampleSpec, Par] = {}


async def par(spec: SampleSpec) -> Par:
    """Par of a sample: the exact value against a perfect opponent, otherwise the mean of simulated games."""
    if spec not in _known:
        _known[spec] = await find_par(spec)
    return _known[spec]


async def find_par(spec: SampleSpec) -> Par:
    """Compute par of a sample."""
    assert spec.opponent
    opponent = make_player(spec.opponent, spec.seed)
    close_engine(opponent)
    if type(opponent) is Perfect:  # A level makes mistakes, though it is a subclass.
        return Par(await run_batched(partial(exact_par, spec)), 0.0, 0.0)
    number = MODEL_GAMES if isinstance(opponent, ModelPlayer) else GAMES
    total = 0.0
    for i in range(1, number + 1):
        game = replace(spec, seed=spec.seed + GAME_SEEDS * i)
        total += result_of(game, await play_episode(game, engine_agent(Perfect(game.agent_seed))))
    # With one more win and one more loss: games that all end alike are no certainty.
    share = (total + 1) / (number + 2)
    variance = share * (1 - share)
    return Par(total / number, variance / number, variance + variance / number)


def exact_par(spec: SampleSpec) -> float:
    """The points that the agent's seat is worth when both sides play perfectly."""
    position = spec.start
    best = points_of(max(oracle_of(position).grade(position).values()))
    return best if position.player == spec.player else 1 - best
