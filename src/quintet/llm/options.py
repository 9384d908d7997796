"""How a model is evaluated: its prompt, as text or with a picture, and whether it answers with text or tools."""

from dataclasses import dataclass, replace

from quintet.rules import Position
from quintet.text.presentation import Presentation
from quintet.text.prompt import REQUEST, InvalidPromptOptions, PromptOptions

NO_TOOLS, PLAY, ANALYZE = "none", "play", "analyze"
TOOLS = (NO_TOOLS, PLAY, ANALYZE)
MARKS = ("a cross", "a ring")
"""The marks of the two players in a picture."""
TOOL_REQUEST = (
    "Think as long as you need, and use your tools. Play your move by calling play_move with the name of the cell."
)


@dataclass(frozen=True, slots=True)
class AgentOptions(PromptOptions):
    """The options of a prompt, and of the way to answer it. Each is an ablation."""

    tools: str = NO_TOOLS
    """`none`: the answer is text. `play`: the model calls `play_move` and `legal_moves`. `analyze`: and `analyze`."""
    picture: bool = False
    """Whether the board is a picture, and not drawn as text."""

    def __post_init__(self) -> None:
        """Check the options."""
        PromptOptions.__post_init__(self)
        if self.tools not in TOOLS:
            raise InvalidPromptOptions(f"tools must be one of {', '.join(TOOLS)}, not {self.tools!r}")
        if not isinstance(self.picture, bool):
            raise InvalidPromptOptions(f"picture must be true or false, not {self.picture!r}")
        if self.picture and self.obfuscate:
            raise InvalidPromptOptions("a picture shows the game's own marks: leave out picture or obfuscate")

    def present(self, position: Position, seed: str) -> Presentation:
        """How the board is presented; a picture has marks of its own."""
        found = PromptOptions.present(self, position, seed)
        return replace(found, marks=("", *MARKS), pictured=True) if self.picture else found

    @property
    def request(self) -> str:
        """How a move is asked for."""
        return REQUEST if self.tools == NO_TOOLS else TOOL_REQUEST


FOR_GAMES = AgentOptions()
FOR_POSITIONS = AgentOptions(history=False, retries=0)
"""The defaults. A single position has no history, and one answer."""
