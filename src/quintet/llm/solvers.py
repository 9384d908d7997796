"""The solvers of the tasks: the evaluated model plays a sample, or an engine does."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import msgspec
from inspect_ai.dataset import Sample
from inspect_ai.log import transcript
from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from quintet.engines.door import close_engine
from quintet.llm.agents import Agent, Answer, close_player, engine_agent, make_player, model_agent
from quintet.llm.batching import run_batched, run_in_background
from quintet.llm.episode import Episode, play_episode, write_episode
from quintet.llm.options import FOR_GAMES, FOR_POSITIONS, NO_TOOLS, AgentOptions
from quintet.llm.questions import ask
from quintet.llm.registered import PACKAGE, registered
from quintet.llm.statistics import Turn
from quintet.llm.toolbox import tool_agent
from quintet.llm.turns import grade_turn
from quintet.rules import Position
from quintet.solve.oracle import oracle_of
from quintet.suites.samples import SampleSpec, read_spec
from quintet.text.presentation import Presentation, plain_presentation

SPEC, CHANGES = "case", "manner"
"""Where the metadata of a logged sample has its specification, and the prompt options that are not the defaults."""
EPISODE = "played"
"""Where the store of a logged sample has its episode."""
PERSON = "human "
"""What the name of a person begins with; the participant's code follows."""
TURNS = "turns"
"""Where the metadata of a logged sample has the turns of a person."""
EPOCH_SEEDS = 1_000_003
"""The distance between the seeds of two epochs."""


def make_sample(spec: SampleSpec, options: AgentOptions) -> Sample:
    """The sample for Inspect; its input is the first prompt."""
    position = spec.start
    first = ask(position, spec.opening_moves, options, options.present(position, spec.id))
    defaults = FOR_GAMES if spec.opponent else FOR_POSITIONS
    return Sample(
        id=spec.id,
        input=first.text if isinstance(first.content, str) else [first],
        metadata={SPEC: spec.to_json(), CHANGES: options.changes(defaults)},
    )


def spec_of(state: TaskState) -> SampleSpec:
    """The specification of a sample; each epoch has another seed."""
    spec = read_spec(state.metadata[SPEC])
    return replace(spec, seed=spec.seed + EPOCH_SEEDS * (state.epoch - 1))


async def play_sample(state: TaskState, agent: Agent, player: str, presentation: Presentation) -> TaskState:
    """Let an agent play a sample. The episode is stored at every turn, and the turn's grade is in the transcript."""
    spec = spec_of(state)

    async def choose(position: Position, moves: Sequence[int]) -> Answer:
        answer = await agent(position, moves)
        turn = Turn(position, answer.move, answer.number)
        transcript().info(await run_batched(partial(grade_turn, turn, presentation, answer.fault)), source=PACKAGE)
        return answer

    def save(episode: Episode) -> None:
        state.store.set(EPISODE, msgspec.to_builtins(write_episode(spec, episode, player)))

    save(await play_episode(spec, choose, save))
    state.completed = True
    return state


@solver(registered("model"))
def model(
    rules: str,
    legal: bool,
    history: bool,
    retries: int,
    notation: str,
    obfuscate: bool,
    tools: str = NO_TOOLS,
    picture: bool = False,
) -> Solver:
    """The evaluated model plays, prompted by these options."""
    options = AgentOptions(rules, legal, history, retries, notation, obfuscate, tools, picture)
    make_agent = model_agent if tools == NO_TOOLS else tool_agent

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        spec = spec_of(state)
        state.messages.clear()
        presentation = options.present(spec.start, spec.id)
        agent = make_agent(get_model(), options, presentation, state.messages)

        async def choose(position: Position, moves: Sequence[int]) -> Answer:
            # The scorer will need it, and while the model answers there is time.
            run_in_background(partial(oracle_of(position).grade, position))
            return await agent(position, moves)

        return await play_sample(state, choose, str(state.model), presentation)

    return solve


@solver(registered("engine"))
def engine(who: str) -> Solver:
    """An engine plays, named as in `quintet play`."""
    close_engine(make_player(who, 0))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        spec = spec_of(state)
        player, presentation = make_player(who, spec.agent_seed), plain_presentation(spec.start.game, spec.start.board)
        try:
            return await play_sample(state, engine_agent(player), who, presentation)
        finally:
            await close_player(player)

    return solve
