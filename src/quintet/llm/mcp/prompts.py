"""What a user can ask for by name: the prompts of the server, and the values that clients offer for arguments."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference
from pydantic import Field

from quintet.engines.kinds import LEVELS
from quintet.games import GAMES
from quintet.llm.mcp.players import InvalidRequest
from quintet.llm.mcp.tools import Tools

GAME = Annotated[str, Field(description=f"One of {', '.join(GAMES)}. Default: ask the user.")]
OPPONENTS = ["assistant", *LEVELS]


def add_prompts(server: MCPServer[Any], tools: Tools) -> None:
    """Add the prompts to a server."""

    def chosen(game: str) -> str:
        try:
            return f"The game is {tools.game(game).name}."
        except InvalidRequest:  # No game, or a name that is none of theirs.
            return "Show me the games with list_games and let me choose one."

    @server.prompt(title="Play a game with me")
    def play_with_me(
        game: GAME = "",
        opponent: Annotated[
            str, Field(description="assistant, or level:1 (easiest) to level:10 (perfect). Default: the assistant.")
        ] = "assistant",
    ) -> str:
        """Play a match against the user, move by move."""
        against = "you" if opponent == "assistant" else f"the engine {opponent}"
        return f"""\
Play a game with me. {chosen(game)} Tell me its rules in a few sentences (read_rules), then call start_match with me as
player1 (person) and {against} as player2 ({opponent}). Show me the board after every move, as text in a code block or
as a picture, and ask me for my move. Do not use hint or analyze unless I ask for help, neither for me nor for yourself.
When the match is over, review it and tell me my most important mistake."""

    @server.prompt(title="Teach me")
    def teach_me(game: GAME = "") -> str:
        """Teach a game by playing it, with exact values."""
        return f"""\
Teach me to play well. {chosen(game)} Explain its rules (read_rules) with a small example on a board that you show me.
Then start a match on the usual board with me as player1 (person) against player2 level:2. Before each of my moves, ask
me what I plan and why. After it, call analyze and tell me in one or two sentences whether it was good and what I should
have seen; offer undo_move after a mistake. In the end, review the match, name one thing to practise, and give me a
puzzle of this game for it. Let me solve it myself: judge my answers with answer_puzzle."""

    @server.completion()
    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        values = {"game": [*GAMES], "opponent": OPPONENTS}.get(argument.name, [])
        return Completion(values=[value for value in values if value.startswith(argument.value.lower())])
