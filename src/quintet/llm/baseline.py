"""Human baselines as logs: what people played on the page is played again against the same opponents and scored.

The scorer is that of models and engines, so a person is a row of the same report.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver

from quintet.errors import QuintetError
from quintet.llm.agents import Answer
from quintet.llm.options import FOR_GAMES, FOR_POSITIONS
from quintet.llm.overhead import reduced_overhead
from quintet.llm.registered import registered
from quintet.llm.run import log_folder
from quintet.llm.scorers import exact
from quintet.llm.solvers import PERSON, TURNS, make_sample, play_sample, spec_of
from quintet.notation import read_move, read_position, write_position
from quintet.rules import Position, play_all
from quintet.store.baselines import Baseline, BaselineTurn
from quintet.suites.course import course, follow, is_over
from quintet.suites.samples import SampleSpec
from quintet.suites.suite import Suite
from quintet.text.presentation import plain_presentation


class ChangedOpponent(QuintetError):
    """A recorded game in which the opponent would play otherwise now."""

    status = 1


class Recorded(NamedTuple):
    """A sample that a person has played to its end."""

    spec: SampleSpec
    turns: list[BaselineTurn]


def write_baseline(suite: Suite, code: str, baselines: Sequence[Baseline], folder: Path) -> int:
    """Write the log of a participant, replacing an older one; gives the number of samples, 0 without a log.

    A participant may have played several parts of a suite; a sample counts once.
    """
    found = {record.spec.id: record for one in reversed(baselines) for record in finished(suite, one)}
    if not found:
        return 0
    place = log_folder(folder, suite.full_name, PERSON + code, {})
    for old in place.glob("*.eval"):
        old.unlink()
    task = Task(
        dataset=MemoryDataset([recorded_sample(record) for record in found.values()]),
        solver=recorded(code),
        scorer=exact(),
        name="baseline",
        metadata={"suite": suite.full_name},
    )
    with reduced_overhead():
        eval(task, model=None, log_dir=str(place), log_realtime=False, display="none")
    return len(found)


def finished(suite: Suite, baseline: Baseline) -> list[Recorded]:
    """The samples that a person has played to their end, all of them as they would be played now."""
    specs = course(suite, baseline.game)
    last = max((turn.number for turn in baseline.turns), default=-1)
    records = []
    for number, spec in enumerate(specs[: last + 1]):
        turns = [turn for turn in baseline.turns if turn.number == number]
        choices = [read_move(read_position(turn.position), turn.move) for turn in turns]
        shown = [write_position(play_all(spec.start, follow(spec, choices[:i]))) for i in range(len(turns))]
        if shown != [turn.position for turn in turns]:
            raise ChangedOpponent(
                f"the opponent in {spec.id} plays otherwise than when {baseline.code} played it: "
                "use the version of Quintet that recorded it"
            )
        if is_over(spec, follow(spec, choices)):
            records.append(Recorded(spec, turns))
    return records


def recorded_sample(record: Recorded) -> Sample:
    """The sample for Inspect, with the turns in its metadata."""
    sample = make_sample(record.spec, FOR_GAMES if record.spec.opponent else FOR_POSITIONS)
    turns = msgspec.to_builtins(record.turns)
    return sample.model_copy(update={"metadata": {**(sample.metadata or {}), TURNS: turns}})


@solver(registered("recorded"))
def recorded(code: str) -> Solver:
    """A person plays, as recorded."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        spec = spec_of(state)
        turns = msgspec.convert(state.metadata[TURNS], list[BaselineTurn])
        moves = {turn.position: turn.move for turn in turns}

        async def choose(position: Position, _: Sequence[int]) -> Answer:
            return Answer(read_move(position, moves[write_position(position)]))

        return await play_sample(state, choose, PERSON + code, plain_presentation(spec.start.game, spec.start.board))

    return solve
