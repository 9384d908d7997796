"""Agents that play samples: a model asked by prompts, or an engine."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from math import inf
from typing import NamedTuple

from anyio import to_thread
from inspect_ai.model import ChatMessage, ChatMessageUser, Model

from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine
from quintet.engines.door import ask_engine, close_engine
from quintet.engines.perfect import Perfect
from quintet.llm.batching import run_batched
from quintet.llm.options import AgentOptions
from quintet.llm.player import ModelPlayer
from quintet.llm.questions import ask
from quintet.rules import Position
from quintet.text.answer import read_answer
from quintet.text.presentation import Presentation
from quintet.text.prompt import write_correction

NO_MOVE = "no move could be read"


class Answer(NamedTuple):
    """What an agent answered at a turn."""

    move: int | None
    """`None` if it named no legal move."""
    number: int = 1
    """How many answers it took."""
    fault: str = ""
    """What was wrong with the last one."""


Agent = Callable[[Position, Sequence[int]], Awaitable[Answer]]
"""Asked for a move, given the position and all moves so far, those of the opening included."""


def model_agent(model: Model, options: AgentOptions, presentation: Presentation, log: list[ChatMessage]) -> Agent:
    """A model as an agent. Every turn is a conversation of its own; all messages are added to the log."""

    async def choose(position: Position, moves: Sequence[int]) -> Answer:
        messages: list[ChatMessage] = [ask(position, moves, options, presentation)]
        for number in range(1, options.retries + 2):
            reply = await model.generate(messages)
            messages.append(reply.message)
            label = read_answer(reply.completion, presentation.moves)
            move = None if label is None else presentation.moves[label]
            if move in position.moves:
                log.extend(messages)
                return Answer(move, number)
            messages.append(ChatMessageUser(content=write_correction(position, move, options, presentation)))
        log.extend(messages[:-1])
        return Answer(None, number, NO_MOVE if move is None else position.refusal(move))

    return choose


def engine_agent(engine: Engine) -> Agent:
    """An engine as an agent."""

    async def choose(position: Position, moves: Sequence[int]) -> Answer:
        try:
            return Answer(await ask_player(engine, position))
        except EngineFault as fault:
            return Answer(None, fault=str(fault))

    return choose


def make_player(who: str, seed: int) -> Engine:
    """The player that a description names; not a person."""
    engine = make_engine(who, seed)
    if engine is None:
        raise UnknownPlayer("a person cannot be evaluated: choose an engine or a model")
    return engine


async def ask_player(engine: Engine, position: Position) -> int:
    """A player's move. An engine runs in a thread, so that other games continue; a model is awaited."""
    if isinstance(engine, ModelPlayer):
        return await engine.decide(position)
    if isinstance(engine, Perfect):
        # No time limit: par is exact only if it plays perfectly. Games on one board share its results.
        return await run_batched(partial(ask_engine, engine, position, inf))
    return await to_thread.run_sync(partial(ask_engine, engine, position))


async def close_player(engine: Engine) -> None:
    """Close a player, which may take a while."""
    if not isinstance(engine, Perfect):  # It holds nothing.
        await to_thread.run_sync(close_engine, engine)
