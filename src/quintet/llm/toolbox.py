"""A model that plays with tools: it may list the legal moves and analyze them, and it moves by calling `play_move`."""

from collections.abc import Sequence
from functools import partial

from inspect_ai.model import ChatMessage, ChatMessageUser, Model, execute_tools
from inspect_ai.tool import ToolDef, ToolError

from quintet.llm.agents import NO_MOVE, Agent, Answer
from quintet.llm.batching import run_batched
from quintet.llm.options import ANALYZE, AgentOptions
from quintet.llm.questions import ask
from quintet.rules import Position
from quintet.solve.oracle import oracle_of
from quintet.study.phrases import worth
from quintet.text.answer import read_answer
from quintet.text.presentation import Presentation
from quintet.text.prompt import write_refusal

MAX_STEPS = 30
"""How many messages a model may write at a turn before it must have moved."""
REMINDER = "You have not moved. Play your move by calling play_move with the name of the cell."
ENDED = "this turn is over"


class ToolTurn:
    """One turn of a model with tools: what it has tried, and the move it has played."""

    def __init__(self, position: Position, options: AgentOptions, presentation: Presentation) -> None:
        """Begin with nothing tried."""
        self.position, self.options, self.presentation = position, options, presentation
        self.move: int | None = None
        self.answers = 0
        """How often it tried to move, or answered without a call."""
        self.fault = ""
        """What was wrong with the last try."""

    @property
    def over(self) -> bool:
        """Whether it has moved, or has tried too often."""
        return self.move is not None or self.answers > self.options.retries

    def tools(self) -> list[ToolDef]:
        """The tools."""
        tools = [
            ToolDef(self.legal_moves, "legal_moves", "List your legal moves."),
            ToolDef(
                self.play_move,
                "play_move",
                "Play your move. An illegal move is refused with the reason.",
                {"cell": "The name of the cell."},
                parallel=False,
            ),
        ]
        if self.options.tools == ANALYZE:
            about = "Analyze the position: what each of your legal moves leads to if both play perfectly after it."
            tools.append(ToolDef(self.analyze, "analyze", about))
        return tools

    async def legal_moves(self) -> str:
        """The legal moves."""
        return ", ".join(self.presentation.label(move) for move in self.position.moves)

    async def play_move(self, cell: str) -> str:
        """Play a move, if it is legal."""
        if self.over:
            raise ToolError(ENDED)
        self.answers += 1
        label = read_answer(f"MOVE: {cell}", self.presentation.moves)
        move = None if label is None else self.presentation.moves[label]
        if move is None:
            self.fault = NO_MOVE
            raise ToolError("Name one cell of the board.")
        if move not in self.position.moves:
            self.fault = self.position.refusal(move)
            raise ToolError(write_refusal(self.position, move, self.options, self.presentation))
        self.move = move
        return f"You have played {label}."

    async def analyze(self) -> str:
        """What each legal move does with best play after it."""
        values = await run_batched(partial(oracle_of(self.position).grade, self.position))
        return "\n".join(f"{self.presentation.label(move)} {worth(value)}" for move, value in values.items())

    def remind(self) -> str:
        """Count an answer without a call; returns what to say."""
        self.answers += 1
        self.fault = "play_move was not called"
        return REMINDER


def tool_agent(model: Model, options: AgentOptions, presentation: Presentation, log: list[ChatMessage]) -> Agent:
    """A model with tools as an agent. Every turn is a conversation of its own; all messages are added to the log."""

    async def choose(position: Position, moves: Sequence[int]) -> Answer:
        turn = ToolTurn(position, options, presentation)
        tools = turn.tools()
        messages: list[ChatMessage] = [ask(position, moves, options, presentation)]
        for _ in range(MAX_STEPS):
            reply = await model.generate(messages, tools)
            messages.append(reply.message)
            if reply.message.tool_calls:
                messages += (await execute_tools(messages, tools)).messages
            else:
                messages.append(ChatMessageUser(content=turn.remind()))
            if turn.over:
                break
        else:
            turn.answers, turn.fault = turn.answers + 1, f"no move was played in {MAX_STEPS} messages"
        log.extend(messages)
        return Answer(turn.move, turn.answers, "" if turn.move is not None else turn.fault)

    return choose
