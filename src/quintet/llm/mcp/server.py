"""The desk's questions as tools and resources of the Model Context Protocol.

Answers are text, and pictures PNG, because that is what all clients show: many drop text and pictures where structured
content comes with them, and some cannot bear SVG. The SVG is a resource, for those who ask for it.
"""

from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Annotated, Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from quintet.games import GAMES
from quintet.llm.mcp.desk import Desk
from quintet.llm.mcp.seats import ASSISTANT, PERSON, WHO, Refusal

INSTRUCTIONS = """\
Play small two-player board games with your person. list_games and read_rules say what there is. start_match begins a
match and gives its id, which the other tools want. Each player is the person, you, or an engine: play_move plays the
person's moves as they tell you and your own as you choose them, one at a time, and engines answer at once. Write moves
as the board and legal_moves show them. Let your person see the board after each move: as text in a code block, or with
show_picture. When you play yourself, play fair: ask for hint and analyze only if your person wants help. review tells
afterwards how well both played against perfect play. Matches are kept: list_matches finds them, resume_match goes on.
"""

THINKERS = 8
"""How many questions may search at a time; the others wait, while those that need no search are answered."""

LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
TAKES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)

GameName = Annotated[str, Field(description=f"One of {', '.join(GAMES)}.")]
MatchId = Annotated[str, Field(description="The id of the match, as start_match and list_matches give it.")]
Seconds = Annotated[float, Field(description="How long to search, at most 60; boards of usual size need less than 5.")]


class Server(MCPServer[Any]):
    """A server whose errors are one line that an assistant can act on."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool."""
        tools = {tool.name: tool.input_schema.get("properties", {}) for tool in await self.list_tools()}
        if name not in tools:
            return complaint(f"there is no tool {name[:40]!r}: the tools are {', '.join(tools)}")
        wanted = tools[name]
        strange = sorted(arguments.keys() - wanted.keys())
        if strange:
            takes = f"it takes {', '.join(wanted)}" if wanted else "it takes nothing"
            return complaint(f"{name} does not take {strange[0][:40]!r}: {takes}")
        # A move or a size may come as a number, a cell as two: they are written out as text.
        texts = {key: str(arguments[key]) for key in arguments if is_text(wanted[key]) and is_number(arguments[key])}
        try:
            return await super().call_tool(name, arguments | texts, context)
        except ToolError as error:
            if isinstance(error.__cause__, Refusal):
                return complaint(str(error.__cause__))
            if isinstance(error.__cause__, ValidationError):
                return complaint("; ".join(wrong(fault) for fault in error.__cause__.errors()))
            raise


def is_text(schema: dict[str, Any]) -> bool:
    """Whether an argument is a text."""
    return schema.get("type") == "string"


def is_number(given: object) -> bool:
    """Whether numbers were given."""
    return isinstance(given, int | float) or (isinstance(given, list) and all(isinstance(part, int) for part in given))


def wrong(fault: Any) -> str:
    """What is wrong with an argument."""
    return f"{'.'.join(map(str, fault['loc'][:1]))}: {fault['msg']}"


def complaint(text: str) -> CallToolResult:
    """An error that the assistant reads."""
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def make_server(desk: Desk) -> Server:
    """The server of a desk."""
    server = Server(
        "quintet", title="Quintet", instructions=INSTRUCTIONS, version=version("quintet"), log_level="WARNING"
    )
    thinkers = CapacityLimiter(THINKERS)

    async def think(question: Callable[..., str], *arguments: Any) -> str:
        """The answer to a question that may take long, from a thread of its own."""
        return await run_sync(partial(question, *arguments), limiter=thinkers)

    def tool(annotations: ToolAnnotations) -> Callable[..., Any]:
        return server.tool(annotations=annotations, structured_output=False)

    @tool(LOOKS)
    def list_games() -> str:
        """List the games with their usual board and their rules in a sentence."""
        return desk.list_games()

    @tool(LOOKS)
    def read_rules(game: GameName) -> str:
        """Read the rules of a game in full."""
        return desk.read_rules(game)

    @tool(CHANGES)
    async def start_match(
        game: GameName,
        player1: Annotated[str, Field(description=f"Player 1: {WHO}.")] = PERSON,
        player2: Annotated[str, Field(description=f"Player 2: {WHO}.")] = ASSISTANT,
        first: Annotated[str, Field(description="Who begins: 1, 2 or random.")] = "1",
        size: Annotated[str, Field(description="Rows x columns such as 5x5, or 13 for a line; usual if empty.")] = "",
        target: Annotated[int | None, Field(description="Points that win, in games with points.")] = None,
        values: Annotated[
            str, Field(description="The cells' points row by row, such as 1,2,3, in games with points.")
        ] = "",
        shuffle: Annotated[int | None, Field(description="A seed to deal the usual points in another order.")] = None,
    ) -> str:
        """Start a match and see its id and board. An engine that begins has already moved."""
        return await think(desk.start_match, game, player1, player2, first, size, target, values, shuffle)

    @tool(LOOKS)
    def show_board(match: MatchId) -> str:
        """Show the board as text, the score, the moves so far, whose turn it is and what they may play."""
        return desk.show_board(match)

    @tool(LOOKS)
    def show_picture(match: MatchId) -> list[str | Image]:
        """Show the board as a picture: crosses are Player 1, rings Player 2, dots where the next claim may go."""
        return [Image(data=desk.show_picture(match), format="png"), f"SVG: quintet://matches/{match}/board.svg"]

    @tool(LOOKS)
    def legal_moves(match: MatchId) -> str:
        """List every legal move, as play_move takes them, with semicolons between."""
        return desk.legal_moves(match)

    @tool(CHANGES)
    async def play_move(
        match: MatchId, move: Annotated[str, Field(description="The move, written as legal_moves writes it.")]
    ) -> str:
        """Play one move for the player whose turn it is. An engine that is next answers at once, and both are shown."""
        return await think(desk.play_move, match, move)

    @tool(TAKES)
    def undo_move(match: MatchId) -> str:
        """Take back the last move of a person or assistant, with the engine's answer to it; or a resignation."""
        return desk.undo_move(match)

    @tool(TAKES)
    def resign_match(
        match: MatchId,
        player: Annotated[int | None, Field(description="Who gives up, 1 or 2; by default whose turn it is.")] = None,
    ) -> str:
        """Give up: the other player wins."""
        return desk.resign_match(match, player)

    @tool(LOOKS)
    async def hint(match: MatchId, seconds: Seconds = 5) -> str:
        """Get a best move for the player whose turn it is, and why it is one."""
        return await think(desk.hint, match, seconds)

    @tool(LOOKS)
    async def analyze(match: MatchId, seconds: Seconds = 5) -> str:
        """Get the exact value of every legal move under perfect play, explained in words, and the best line."""
        return await think(desk.analyze, match, seconds)

    @tool(LOOKS)
    async def review(match: MatchId, seconds: Seconds = 20) -> str:
        """Grade every move played so far against perfect play: where the match turned, what was better, accuracy."""
        return await think(desk.review, match, seconds)

    @tool(LOOKS)
    def list_matches(
        limit: Annotated[int, Field(description="How many at most, up to 100.")] = 10,
        unfinished: Annotated[bool, Field(description="Only those that can go on.")] = False,
    ) -> str:
        """List the matches that are kept, the latest first, with their ids and players."""
        return desk.list_matches(limit, unfinished)

    @tool(CHANGES)
    async def resume_match(
        match: MatchId,
        player1: Annotated[str, Field(description="Who plays on as Player 1; the same if empty.")] = "",
        player2: Annotated[str, Field(description="Who plays on as Player 2; the same if empty.")] = "",
    ) -> str:
        """Go on with an unfinished match, also one begun in the terminal. An engine whose turn it is moves at once."""
        return await think(desk.resume_match, match, player1, player2)

    def found(question: Callable[[str], str], name: str) -> str:
        try:
            return question(name)
        except Refusal as error:
            raise ResourceError(str(error)) from None

    @server.resource("quintet://games/{game}/rules.md", mime_type="text/markdown")
    def rules(game: str) -> str:
        """The rules of a game."""
        return found(desk.read_rules, game)

    @server.resource("quintet://matches/{match}/board.svg", mime_type="image/svg+xml")
    def board(match: str) -> str:
        """The board of a match as a picture that stands alone, in light and dark."""
        return found(desk.draw_picture, match)

    return server
