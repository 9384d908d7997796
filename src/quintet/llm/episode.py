"""An episode: an agent plays one sample to its end, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import msgspec

from quintet.engines import EngineFault
from quintet.llm.agents import Agent, ask_player, close_player, make_player
from quintet.llm.statistics import Turn
from quintet.notation import read_moves, write_moves
from quintet.rules import play_all
from quintet.suites.samples import SampleSpec

STOPPED = "stopped by a limit before the end"
"""The fault of an agent whose episode was ended from outside."""


@dataclass(slots=True)
class Episode:
    """What happened in a sample."""

    moves: list[int] = field(default_factory=list)
    """Both players' moves after the first position."""
    answers: list[int] = field(default_factory=list)
    """How many answers each turn of the agent took; none at a turn at which it was stopped."""
    fault: str = ""
    """Why the agent's last turn gave no legal move, which loses."""
    opponent_fault: str = ""
    """Why the opponent gave no legal move, which wins the game for the agent."""

    def turns(self, spec: SampleSpec) -> list[Turn]:
        """The agent's turns."""
        position, answers = spec.start, iter(self.answers)
        turns = []
        for move in self.moves:
            if position.player == spec.player and not position.must_pass:
                turns.append(Turn(position, move, next(answers)))
            position = position.play(move)
        return [*turns, *(Turn(position, None, number) for number in answers)]


class LoggedEpisode(msgspec.Struct, omit_defaults=True):
    """An episode as the store of a logged sample has it."""

    player: str
    """Who played: a model, or an engine's description."""
    moves: str
    answers: list[int]
    fault: str
    opponent_fault: str = ""


def write_episode(spec: SampleSpec, episode: Episode, player: str) -> LoggedEpisode:
    """An episode for a log."""
    moves = write_moves(spec.start, episode.moves)
    return LoggedEpisode(player, moves, episode.answers, episode.fault, episode.opponent_fault)


def read_episode(spec: SampleSpec, logged: LoggedEpisode) -> Episode:
    """An episode from a log."""
    return Episode(read_moves(spec.start, logged.moves), logged.answers, logged.fault, logged.opponent_fault)


def ignore(episode: Episode) -> None:
    """Do not save it."""


async def play_episode(spec: SampleSpec, agent: Agent, save: Callable[[Episode], None] = ignore) -> Episode:
    """Play a sample to its end. A forced pass is played without asking. A player who gives no legal move loses.

    At every turn `save` is given the episode as it would be if nothing came after: a limit of tokens, messages or time
    may end it, which is a fault of the agent.
    """
    episode = Episode()
    position, opening = spec.start, spec.opening_moves
    opponent = make_player(spec.opponent, spec.seed) if spec.opponent else None
    try:
        while not position.outcome:
            if position.must_pass:
                move = position.moves[0]
            elif position.player == spec.player:
                save(replace(episode, answers=[*episode.answers, 0], fault=STOPPED))
                answer = await agent(position, [*opening, *episode.moves])
                episode.answers.append(answer.number)
                if answer.move is None:
                    episode.fault = answer.fault
                    return episode
                move = answer.move
            else:
                assert opponent
                save(replace(episode, fault=STOPPED))
                try:
                    move = await ask_player(opponent, position)
                except EngineFault as fault:
                    episode.opponent_fault = str(fault)
                    return episode
            position = position.play(move)
            episode.moves.append(move)
            if not opponent:
                return episode
    finally:
        if opponent:
            await close_player(opponent)
    return episode


def result_of(spec: SampleSpec, episode: Episode) -> float:
    """The agent's result in points: 0 after its own fault, 1 after the opponent's."""
    if episode.opponent_fault:
        return 1.0
    outcome = play_all(spec.start, episode.moves).outcome
    if not outcome:
        return 0.0
    return 0.5 if outcome.winner is None else float(outcome.winner == spec.player)
