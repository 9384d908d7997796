"""The app as a first-time visitor sees it: names of cells, messages, pace, puzzles, small terminals."""

import re

from textual.pilot import Pilot
from textual.widgets import Label, Static

from boards import every_game
from driving import LARGE, begin, choose, drive, press_text, text_of, until
from quintet.board import index
from quintet.notation import screen_label
from quintet.rules import Game
from quintet.study.reviews import describe_grade
from quintet.terminal.puzzle_screen import PuzzleScreen
from quintet.terminal.review_screen import ReviewScreen


def message(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one("#message", Label).content)


def said(pilot: Pilot[None], id: str) -> str:
    return str(pilot.app.screen.query_one(f"#{id}", Static).content)


def screen_names(text: str) -> set[str]:
    """The cells that a text names, as screens name them."""
    return set(re.findall(r"\b[A-T]\d+\b", text))


@every_game
def test_cells_have_one_name_on_screens(game: Game) -> None:
    """`A1` at the top left: drawn, read, and said by everybody, in the game and in its review."""

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, game.name, size="3x3")
        lines = text_of(pilot).splitlines()
        assert any(re.search(r"\b1 +2 +3\b", line) for line in lines)
        assert [line.strip()[0] for line in lines if re.match(r"\s*[A-C]\b", line)] == ["A", "B", "C"]
        await pilot.press("slash")
        await press_text(pilot, "z9")
        await pilot.press("enter")
        assert "from A1 to C3" in message(pilot)
        await press_text(pilot, "what")
        await pilot.press("enter")
        assert "such as B2" in message(pilot)
        await press_text(pilot, "c2")
        await pilot.press("enter")
        assert index(screen.match.moves[0]) == 7
        assert "C2" in said(pilot, "moves") and ("C2" in said(pilot, "status") or "took" in said(pilot, "status"))
        await pilot.press("escape", "e")
        await until(pilot, lambda: "omputing" not in said(pilot, "advice"))
        assert screen_names(said(pilot, "advice")) and "(" not in said(pilot, "advice")
        await pilot.press("h")
        await until(pilot, lambda: "inding" not in said(pilot, "advice"))
        assert screen_names(said(pilot, "advice")) and "(" not in said(pilot, "advice")
        while not screen.match.outcome:
            screen.session.play(screen.match.position.moves[0])
        screen.follow()
        await pilot.pause()
        await pilot.press("g")
        reviewing = pilot.app.screen
        assert isinstance(reviewing, ReviewScreen)
        await until(pilot, lambda: reviewing.review is not None)
        assert reviewing.review is not None
        last = describe_grade(reviewing.review.grades[-1], screen_label)
        assert last in said(pilot, "verdict")

    drive(story, LARGE)


def test_the_verdict_on_a_puzzle_names_cells_as_the_board_does() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await choose(pilot, "grid-conquest")
        await pilot.press("p")
        screen = pilot.app.screen
        assert isinstance(screen, PuzzleScreen)
        await until(pilot, lambda: screen.puzzle is not None)
        await pilot.press("s")
        await until(pilot, lambda: "Solution" in said(pilot, "verdict"))
        assert screen.puzzle is not None
        assert screen_label(screen.puzzle.position, screen.puzzle.answers[0]) in said(pilot, "verdict")

    drive(story)
