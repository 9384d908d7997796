"""An agent plays a case: its turns, the opponent's replies, and what perfect play gets from the same seat."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple

from quintet.arena import ask
from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine
from quintet.engines.perfect import Perfect
from quintet.llm.case import Case
from quintet.llm.grading import Sums, Turn, count
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
        return {"moves": write_moves(case.start, self.moves), "answers": self.answers, "fault": self.fault}


def read_played(case: Case, facts: Mapping[str, Any]) -> Played:
    """What happened, from JSON."""
    return Played(read_moves(case.start, facts["moves"]), list(facts["answers"]), facts["fault"])


class Answer(NamedTuple):
    """What an agent came up with at a turn."""

    move: int | None
    """Nothing, if it gave no legal move."""
    answers: int = 1
    """How many answers it took."""
    fault: str = ""
    """What was wrong with the last one."""


Agent = Callable[[Position, Sequence[int]], Awaitable[Answer]]
"""Asked for a move at a position, and told the moves since the case began."""


def engine_named(who: str, seed: int) -> Engine:
    """The engine a description names, and no person."""
    engine = make_engine(who, seed)
    if engine is None:
        raise UnknownPlayer("a person cannot be judged here: choose an engine")
    return engine


def engine_agent(engine: Engine) -> Agent:
    """An engine as an agent: it thinks in a thread, so that other games go on."""
    import anyio.to_thread

    async def choose(position: Position, moves: Sequence[int]) -> Answer:
        try:
            return Answer(await anyio.to_thread.run_sync(partial(ask, engine, position, None)))
        except EngineFault as fault:
            return Answer(None, fault=str(fault))

    return choose


async def play(case: Case, agent: Agent) -> Played:
    """Play a case to its end. A forced pass is nobody's choice, so nobody is asked; an opponent's fault is an error."""
    import anyio.to_thread

    played = Played()
    position = case.start
    opponent = engine_named(case.opponent, case.seed) if case.opponent else None
    try:
        while not position.outcome:
            if position.must_pass:
                move = position.moves[0]
            elif position.player == case.player:
                answer = await agent(position, played.moves)
                played.answers.append(answer.answers)
                if answer.move is None:
                    played.fault = answer.fault
                    return played
                move = answer.move
            else:
                assert opponent
                move = await anyio.to_thread.run_sync(partial(ask, opponent, position, None))
            position = position.play(move)
            played.moves.append(move)
            if not opponent:
                return played
    finally:
        if opponent:
            opponent.close()
    return played


@lru_cache(maxsize=10_000)
def par(case: Case) -> float:
    """What perfect play gets from the seat of a case: it sits down there itself, against the same opponent."""
    assert case.opponent
    position = case.start
    perfect, opponent = Perfect(case.own_seed), engine_named(case.opponent, case.seed)
    try:
        while not position.outcome:
            position = position.play(ask(perfect if position.player == case.player else opponent, position, None))
    finally:
        opponent.close()
    return points(case, position.outcome.winner)


def points(case: Case, winner: int | None) -> float:
    """What the agent gets when somebody wins."""
    return 0.5 if winner is None else float(winner == case.player)


def judge(case: Case, played: Played) -> Sums:
    """The sums of a case that was played."""
    sums = count(played.turns(case), case.opponent is not None)
    if case.opponent:
        outcome = play_all(case.start, played.moves).outcome
        sums.points = points(case, outcome.winner) if outcome else 0.0
        sums.par = par(case)
    return sums
