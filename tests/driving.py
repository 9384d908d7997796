"""How tests drive the app: keys, clicks, and the screen as plain text."""

import asyncio
from collections.abc import Awaitable, Callable
from io import StringIO
from typing import Any

from rich.console import Console
from rich.segment import Segment
from textual.pilot import Pilot
from textual.widgets import OptionList

from patience import WAIT
from quintet.games import GAMES
from quintet.terminal.app import QuintetApp
from quintet.terminal.app_session import PLAYERS
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.play_screen import PlayScreen

SMALL, LARGE = (80, 24), (120, 40)

PICTURE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{ font: {char_height}px/{line_height}px monospace; }}
.{unique_id}-title {{ font: bold 18px sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""How Rich is to write a picture: with any monospaced font, and nothing loaded from elsewhere."""

Story = Callable[[Pilot[None]], Awaitable[Any]]


def drive(story: Story, size: tuple[int, int] = SMALL, opener: Callable[[], Any] | None = None) -> Any:
    """Run a story on a fresh app without movement; gives what the story gives."""

    async def run() -> Any:
        app = QuintetApp(opener, seed=1)
        app.animation_level, app.pace = "none", 0
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


def picture_of(pilot: Pilot[None], title: str) -> str:
    """The screen as SVG, with its colours."""
    app = pilot.app
    width, height = app.size
    console = Console(
        width=width, height=height, file=StringIO(), force_terminal=True, color_system="truecolor", record=True
    )
    console.print(app.screen._compositor.render_update(full=True, screen_stack=app._background_screens))
    return console.export_svg(title=title, code_format=PICTURE)


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
    board = pilot.app.screen.query_one(BoardWidget)
    assert board.board_layout is not None
    row, col = board.board_layout.spot(board.cursor)
    to_row, to_col = board.board_layout.spot(number)
    keys = ["down" if to_row > row else "up"] * abs(to_row - row) + ["right" if to_col > col else "left"] * abs(
        to_col - col
    )
    if keys:
        await pilot.press(*keys)
    assert board.cursor == number


async def click(pilot: Pilot[None], number: int) -> None:
    """Click into the middle of a cell, once the board is where it will stay: a message may move it."""
    drawn = asyncio.Event()
    pilot.app.screen.call_after_refresh(drawn.set)
    await drawn.wait()
    await pilot.pause()
    board = pilot.app.screen.query_one(BoardWidget)
    assert board.board_layout is not None
    x, y = board.board_layout.place(number)
    x += board.margin_left - board.scroll_offset.x + board.board_layout.width // 2
    y += board.margin_top - board.scroll_offset.y + board.board_layout.height // 2
    await pilot.click(BoardWidget, offset=(x, y))


async def until(pilot: Pilot[None], done: Callable[[], bool], limit: float = WAIT) -> None:
    """Wait for something that happens in the background."""
    async with asyncio.timeout(limit):
        while not done():
            await pilot.pause(0.005)
    await pilot.pause()
