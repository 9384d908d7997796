"""How a model is evaluated: its prompt, and whether it answers with text or plays with tools."""

from dataclasses import dataclass

from quintet.text.prompt import REQUEST, InvalidPromptOptions, PromptOptions

NO_TOOLS, PLAY, ANALYZE = "none", "play", "analyze"
TOOLS = (NO_TOOLS, PLAY, ANALYZE)
TOOL_REQUEST = (
    "Think as long as you need, and use your tools. Play your move by calling play_move with the name of the cell."
)


@dataclass(frozen=True, slots=True)
class AgentOptions(PromptOptions):
    """The options of a prompt, and of the way to answer it. Each is an ablation."""

    tools: str = NO_TOOLS
    """`none`: the answer is text. `play`: the model calls `play_move` and `legal_moves`. `analyze`: and `analyze`."""

    def __post_init__(self) -> None:
        """Check the options."""
        PromptOptions.__post_init__(self)
        if self.tools not in TOOLS:
            raise InvalidPromptOptions(f"tools must be one of {', '.join(TOOLS)}, not {self.tools!r}")

    @property
    def request(self) -> str:
        """How a move is asked for."""
        return REQUEST if self.tools == NO_TOOLS else TOOL_REQUEST


FOR_GAMES = AgentOptions()
FOR_POSITIONS = AgentOptions(history=False, retries=0)
"""The defaults. A single position has no history, and one answer."""
