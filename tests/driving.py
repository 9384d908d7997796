"""How tests drive the app: keys, clicks, and the screen as plain text."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from rich.segment import Segment
from textual.pilot import Pilot
from textual.widgets import OptionList

from quintet.games import GAMES
from quintet.terminal.app import QuintetApp
from quintet.terminal.app_session import PLAYERS
from quintet.terminal.board_widget import BoardView
from quintet.terminal.play_screen import PlayScreen

SMALL, LARGE = (80, 24), (120, 40)

Story = Callable[[Pilot[None]], Awaitable[Any]]


def drive(story: Story, size: tuple[int, int] = SMALL, opener: Callable[[], Any] | None = None) -> Any:
    """Run a story on a fresh app without movement; gives what the story gives."""

    async def run() -> Any:
        app = QuintetApp(opener, seed=1)
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            return await story(pilot)

    return asyncio.run(run())


def text_of(pilot: Pilot[None]) -> str:
    """The screen as a person reads it, without colours."""
    width, height = pilot.app.size
    lines = pilot.app.screen._compositor.render_strips()
    assert len(lines) == height
    return "\n".join("".join(segment.text for segment in segments(line))[:width].rstrip() for line in lines) + "\n"


def segments(line: Any) -> list[Segment]:
    """The segments of a line of the screen."""
    return [segment for segment in line if not segment.control]


async def choose(pilot: Pilot[None], game: str) -> None:
    """On the first screen, from the game that is highlighted down to another."""
    highlighted = pilot.app.screen.query_one(OptionList).highlighted or 0
    for _ in range(list(GAMES).index(game) - highlighted):
        await pilot.press("down")


async def set_up(pilot: Pilot[None], game: str, p1: str = "human", p2: str = "human", **options: str) -> None:
    """From the first screen to the form of a game, filled in."""
    await choose(pilot, game)
    await pilot.press("enter")
    await pilot.pause()
    for id, who in (("#p1", p1), ("#p2", p2)):
        pilot.app.screen.query_one(id, OptionList).highlighted = PLAYERS.index(who)
    for id, text in options.items():
        pilot.app.screen.query_one(f"#{id}").focus()
        await press_text(pilot, text)
    await pilot.pause()


async def begin(pilot: Pilot[None], game: str, p1: str = "human", p2: str = "human", **options: str) -> PlayScreen:
    """From the first screen to the board."""
    await set_up(pilot, game, p1, p2, **options)
    await pilot.press("enter")
    await pilot.pause()
    assert isinstance(pilot.app.screen, PlayScreen)
    return pilot.app.screen


async def press_text(pilot: Pilot[None], text: str) -> None:
    """Type a text."""
    names = {" ": "space", ",": "comma", "-": "minus", "/": "slash"}
    await pilot.press(*(names.get(letter, letter) for letter in text))


async def walk_to(pilot: Pilot[None], number: int) -> None:
    """Take the cursor to a cell with the arrow keys."""
    board = pilot.app.screen.query_one(BoardView)
    assert board.plan is not None
    row, col = divmod(board.cursor, board.plan.across)
    to_row, to_col = divmod(number, board.plan.across)
    keys = ["down" if to_row > row else "up"] * abs(to_row - row) + ["right" if to_col > col else "left"] * abs(
        to_col - col
    )
    if keys:
        await pilot.press(*keys)
    assert board.cursor == number


async def click(pilot: Pilot[None], number: int) -> None:
    """Click into the middle of a cell."""
    board = pilot.app.screen.query_one(BoardView)
    assert board.plan is not None
    x, y = board.plan.place(number)
    x += board.margin_left - board.scroll_offset.x + board.plan.width // 2
    y += board.margin_top - board.scroll_offset.y + board.plan.height // 2
    await pilot.click(BoardView, offset=(x, y))


async def until(pilot: Pilot[None], done: Callable[[], bool], limit: float = 20) -> None:
    """Wait for something that happens in the background."""
    async with asyncio.timeout(limit):
        while not done():
            await pilot.pause(0.005)
    await pilot.pause()
