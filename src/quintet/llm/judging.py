"""The parts of the tasks: who plays a sample, a model or an engine, and how it is scored."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from quintet.engines.door import close_engine
from quintet.llm.asking import model_agent
from quintet.llm.case import Case
from quintet.llm.contest import Agent, Answer, Played, dismiss, engine_agent, engine_named, play, points, read_played
from quintet.llm.errands import in_thread, send
from quintet.llm.grading import Sums, count, grade
from quintet.llm.par import par
from quintet.llm.prompt import FOR_GAMES, FOR_POSITIONS, Manner, ask
from quintet.llm.scores import SCORES, summarize
from quintet.rules import Position, play_all

PLAYED = "played"
"""Where the log of a sample keeps what happened."""
REPEAT = 1_000_003
"""How far the seeds of two epochs lie apart."""


def make_sample(case: Case, manner: Manner) -> Sample:
    """A case as Inspect knows it; its input is the first question."""
    position = case.start
    usual = FOR_GAMES if case.opponent else FOR_POSITIONS
    return Sample(
        id=case.id,
        input=ask(position, case.opening_moves, manner, manner.dress(position, case.id)),
        metadata={"case": case.facts(), "manner": manner.changes(usual)},
    )


def case_of(state: TaskState) -> Case:
    """The case of a sample; a repeat has other luck."""
    case = Case(**state.metadata["case"])
    return replace(case, seed=case.seed + REPEAT * (state.epoch - 1))


async def run(state: TaskState, agent: Agent, player: str) -> TaskState:
    """Let an agent play a sample."""
    case = case_of(state)
    played = await play(case, agent)
    state.store.set(PLAYED, {"player": player, **played.facts(case)})
    state.completed = True
    return state


@solver
def model(rules: str, legal: bool, history: bool, retries: int, notation: str, obfuscate: bool) -> Solver:
    """The model of the evaluation plays, asked in a manner."""
    manner = Manner(rules, legal, history, retries, notation, obfuscate)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        case = case_of(state)
        state.messages.clear()
        agent = model_agent(get_model(), manner, manner.dress(case.start, case.id), state.messages)

        async def choose(position: Position, moves: Sequence[int]) -> Answer:
            send(partial(grade, position))  # While the model thinks there is time; at the end there is none.
            return await agent(position, moves)

        return await run(state, choose, str(state.model))

    return solve


@solver
def engine(who: str) -> Solver:
    """An engine plays, named as `quintet play` names players."""
    close_engine(engine_named(who, 0))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        player = engine_named(who, case_of(state).own_seed)
        try:
            return await run(state, engine_agent(player), who)
        finally:
            await dismiss(player)

    return solve


@metric
def exact_scores() -> Metric:
    """Every score with its 95 % interval, clustered by game."""

    def measure(scores: list[SampleScore]) -> Value:
        rows = [(str(score.sample_id), score.score.value) for score in scores]
        return {
            f"{name}{end}": value
            for name, found in summarize(rows).items()  # type: ignore[arg-type]
            for end, value in (("", found.value), ("_low", found.low), ("_high", found.high))
            if SCORES[name].measured or SCORES[name].doubt or not end
        }

    return measure


async def judge(case: Case, played: Played) -> Sums:
    """The sums of a case that was played. Grading is work: it must not keep other games waiting."""
    sums = await in_thread(partial(count, played.turns(case), case.opponent is not None))
    if case.opponent:
        sums.points = points(case, played)
        sums.par, sums.doubt, sums.swing = await par(case)
    return sums


@scorer(metrics=[exact_scores()])
def exact() -> Scorer:
    """The sums of a sample, by exact values."""

    async def score(state: TaskState, target: Target) -> Score:
        case = case_of(state)
        facts = state.store.get(PLAYED)
        played = read_played(case, facts)
        sums = await judge(case, played)
        end = play_all(case.start, played.moves)
        result = (
            played.fault or played.opponent_fault or (end.outcome.reason if end.outcome else "one move was asked for")
        )
        return Score(value=sums.facts(), answer=facts["moves"], explanation=result)

    return score
