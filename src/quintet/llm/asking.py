"""A model asked for a move: the question, its answer, and another chance where the answer is no legal move."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageUser, Model

from quintet.llm.answer import read_answer
from quintet.llm.contest import Agent, Answer
from quintet.llm.dress import Dress
from quintet.llm.prompt import Manner, ask, refuse
from quintet.rules import Position


def model_agent(model: Model, manner: Manner, dress: Dress, log: list[ChatMessage]) -> Agent:
    """A model as an agent. Every turn is a conversation of its own; the log gets all that was said."""

    async def choose(position: Position, moves: Sequence[int]) -> Answer:
        said: list[ChatMessage] = [ChatMessageUser(content=ask(position, moves, manner, dress))]
        for answers in range(1, manner.retries + 2):
            reply = await model.generate(said)
            said.append(reply.message)
            label = read_answer(reply.completion, dress.moves)
            move = None if label is None else dress.moves[label]
            if move in position.moves:
                log.extend(said)
                return Answer(move, answers)
            said.append(ChatMessageUser(content=refuse(position, move, manner, dress)))
        log.extend(said[:-1])
        return Answer(None, answers, "no move could be read" if move is None else position.refusal(move))

    return choose
