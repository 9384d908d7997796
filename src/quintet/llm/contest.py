"""An agent plays a case: its turns, the opponent's replies, and what came of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any, NamedTuple

from anyio import to_thread

from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine
from quintet.engines.door import ask_engine, close_engine
from quintet.engines.perfect import Perfect
from quintet.llm.case import Case
from quintet.llm.errands import in_thread
from quintet.llm.grading import Turn
from quintet.llm.player import ModelPlayer
from quintet.notation import read_moves, write_moves
from quintet.rules import Position, play_all


@dataclass(slots=True)
class Played:
    """What came of a case."""

    moves: list[int] = field(default_factory=list)
    """Both players' moves since it began."""
    answers: list[int] = field(default_factory=list)
    """How many answers each turn of the agent took."""
    fault: str = ""
    """Why the agent's last turn came to nothing."""
    opponent_fault: str = ""
    """Why the opponent gave no legal move, which wins the agent the game."""

    def turns(self, case: Case) -> list[Turn]:
        """The agent's turns."""
        position, asked = case.start, iter(self.answers)
        turns = []
        for move in self.moves:
            if position.player == case.player and not position.must_pass:
                turns.append(Turn(position, move, next(asked)))
            position = position.play(move)
        return [*turns, *(Turn(position, None, answers) for answers in asked)]

    def facts(self, case: Case) -> dict[str, Any]:
        """What happened, as JSON carries it."""
        facts = {"moves": write_moves(case.start, self.moves), "answers": self.answers, "fault": self.fault}
        return facts | ({"opponent_fault": self.opponent_fault} if self.opponent_fault else {})


def read_played(case: Case, facts: Mapping[str, Any]) -> Played:
    """What happened, from JSON."""
    moves = read_moves(case.start, facts["moves"])
    return Played(moves, list(facts["answers"]), facts["fault"], facts.get("opponent_fault", ""))


class Answer(NamedTuple):
    """What an agent came up with at a turn."""

    move: int | None
    """Nothing, if it gave no legal move."""
    answers: int = 1
    """How many answers it took."""
    fault: str = ""
    """What was wrong with the last one."""


Agent = Callable[[Position, Sequence[int]], Awaitable[Answer]]
"""Asked for a move at a position, and told the moves so far, those of the opening too."""


def engine_named(who: str, seed: int) -> Engine:
    """The engine a description names, and no person."""
    engine = make_engine(who, seed)
    if engine is None:
        raise UnknownPlayer("a person cannot be judged here: choose an engine")
    return engine


def engine_agent(engine: Engine) -> Agent:
    """An engine as an agent."""

    async def choose(position: Position, moves: Sequence[int]) -> Answer:
        try:
            return Answer(await consult(engine, position))
        except EngineFault as fault:
            return Answer(None, fault=str(fault))

    return choose


async def consult(engine: Engine, position: Position) -> int:
    """An engine's move. It thinks in a thread, so that other games go on; a model is awaited like any other model."""
    if isinstance(engine, ModelPlayer):
        return await engine.decide(position)
    if isinstance(engine, Perfect):
        # It takes the time it needs: par counts on it, and games of one board share what it finds out.
        return await in_thread(partial(ask_engine, engine, position, inf))
    return await to_thread.run_sync(partial(ask_engine, engine, position))


async def dismiss(engine: Engine) -> None:
    """Let an engine give back what it holds, which may take a while."""
    if not isinstance(engine, Perfect):  # What that one knows stays.
        await to_thread.run_sync(close_engine, engine)


async def play(case: Case, agent: Agent) -> Played:
    """Play a case to its end. A forced pass is nobody's choice, so nobody is asked. An opponent that faults loses."""
    played = Played()
    position, before = case.start, case.opening_moves
    opponent = engine_named(case.opponent, case.seed) if case.opponent else None
    try:
        while not position.outcome:
            if position.must_pass:
                move = position.moves[0]
            elif position.player == case.player:
                answer = await agent(position, [*before, *played.moves])
                played.answers.append(answer.answers)
                if answer.move is None:
                    played.fault = answer.fault
                    return played
                move = answer.move
            else:
                assert opponent
                try:
                    move = await consult(opponent, position)
                except EngineFault as fault:
                    played.opponent_fault = str(fault)
                    return played
            position = position.play(move)
            played.moves.append(move)
            if not opponent:
                return played
    finally:
        if opponent:
            await dismiss(opponent)
    return played


def points(case: Case, played: Played) -> float:
    """What the agent got: nothing if it did not bring the game to its end, everything if the opponent did not."""
    if played.opponent_fault:
        return 1.0
    outcome = play_all(case.start, played.moves).outcome
    if not outcome:
        return 0.0
    return 0.5 if outcome.winner is None else float(outcome.winner == case.player)
