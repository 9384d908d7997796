"""The scorer of the tasks: statistics by exact values, and the metrics made of them."""

from functools import partial

import msgspec
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    ScoreReducer,
    Target,
    Value,
    metric,
    score_reducer,
    scorer,
)
from inspect_ai.solver import TaskState

from quintet.llm.batching import run_batched
from quintet.llm.episode import Episode, LoggedEpisode, read_episode, result_of, write_episode
from quintet.llm.par import par
from quintet.llm.registered import registered
from quintet.llm.scores import SCORES, passes_by_tries, summarize
from quintet.llm.solvers import EPISODE, SPEC, spec_of
from quintet.llm.statistics import Statistics, collect, read_statistics, total, write_statistics
from quintet.rules import play_all
from quintet.suites.samples import SampleSpec, read_spec


@metric(registered("exact_scores"))
def exact_scores() -> Metric:
    """Every score with its 95 % confidence interval, clustered by opening."""

    def measure(scores: list[SampleScore]) -> Value:
        rows = [(cluster_of(score), read_statistics(score.score.value)) for score in scores]
        found = summarize(rows) | {f"pass_at_{k}": share for k, share in passes_by_tries(rows).items()}
        return {
            f"{name}{end}": value
            for name, score in found.items()
            for end, value in (("", score.value), ("_low", score.low), ("_high", score.high))
            if name not in SCORES or SCORES[name].has_interval or not end
        }

    return measure


@score_reducer(name=registered("total"))
def all_epochs() -> ScoreReducer:
    """The sums over all epochs of a sample, so that the number of its tries is known."""

    def reduce(scores: list[Score]) -> Score:
        return Score(value=dict(write_statistics(total([read_statistics(score.value) for score in scores]))))

    return reduce


def cluster_of(score: SampleScore) -> str:
    """The cluster of a scored sample."""
    return read_spec((score.sample_metadata or {})[SPEC]).cluster


async def score_episode(spec: SampleSpec, episode: Episode) -> Statistics:
    """The statistics of an episode, computed in the worker thread so that other games continue."""
    found = await run_batched(partial(collect, episode.turns(spec), spec.opponent is not None))
    found.faults = float(bool(episode.fault))
    if spec.opponent:
        found.points = result_of(spec, episode)
        found.par, found.par_variance, found.game_variance = await par(spec)
        found.tries, found.passes = float(found.par > 0), float(found.points >= found.par > 0)
    else:
        found.tries = found.critical_turns
        found.passes = float(found.critical_turns > 0 and not found.regret)
    return found


@scorer(metrics=[exact_scores()], name=registered("exact"))
def exact() -> Scorer:
    """The statistics of a sample, by exact values."""

    async def score(state: TaskState, target: Target) -> Score:
        spec = spec_of(state)
        if EPISODE not in state.store:  # Another solver, which does not play.
            answers = [0] if spec.start.player == spec.player else []
            empty = Episode(answers=answers, fault="the solver played no move: use Quintet's own")
            state.store.set(EPISODE, msgspec.to_builtins(write_episode(spec, empty, str(state.model))))
        logged = msgspec.convert(state.store.get(EPISODE), LoggedEpisode)
        episode = read_episode(spec, logged)
        found = await score_episode(spec, episode)
        outcome = play_all(spec.start, episode.moves).outcome
        end = outcome.reason if outcome else "a single move was asked for"
        reason = episode.fault or episode.opponent_fault or end
        return Score(value=dict(write_statistics(found)), answer=logged.moves, explanation=reason)

    return score
