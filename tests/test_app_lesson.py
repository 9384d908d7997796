"""The lessons in the app, finished by keys and by mouse."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from boards import every_game
from driving import SMALL, begin, choose, click, drive, text_of, until, walk_to
from quintet.board import index, split
from quintet.effects import forbidding
from quintet.games import GAMES
from quintet.lesson import Scene
from quintet.rules import Game
from quintet.terminal import lesson_screen
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.home_screen import HomeScreen
from quintet.terminal.lesson_screen import LessonScreen
from quintet.terminal.play_screen import PlayScreen
from quintet.terminal.text_screens import RulesScreen


def lesson_of(pilot: Pilot[None]) -> LessonScreen:
    assert isinstance(pilot.app.screen, LessonScreen)
    return pilot.app.screen


def said(pilot: Pilot[None], id: str) -> str:
    return str(pilot.app.screen.query_one(f"#{id}", Static).content)


async def tap(pilot: Pilot[None], cells: int) -> Scene:
    """Tap one of these cells, by keys and by mouse in turn."""
    scene, cell = lesson_of(pilot).scene, index(next(split(cells)))
    assert scene is not None
    if scene.number % 2:
        await walk_to(pilot, cell)
        await pilot.press("enter")
    else:
        await click(pilot, cell)
    await pilot.pause()
    return scene


@every_game
def test_a_whole_lesson(game: Game) -> None:
    async def story(pilot: Pilot[None]) -> None:
        await choose(pilot, game.name)
        await pilot.press("l")
        screen = lesson_of(pilot)
        assert "Play" not in text_of(pilot) and "Undo" not in text_of(pilot)
        while scene := screen.scene:
            shown = text_of(pilot)
            assert said(pilot, "todo") == scene.text and all(word in shown for word in scene.text.split())
            assert screen.query_one(BoardWidget).lit == {index(cell) for cell in split(scene.lit)}
            wrong = scene.lit & ~scene.wanted
            if wrong:
                assert await tap(pilot, wrong) is screen.scene
                assert said(pilot, "said") == scene.tap(wrong & -wrong).text
            await tap(pilot, scene.wanted)
            after = screen.scene
            if scene.step.refused and after and after.position == scene.position:
                by = forbidding(scene.position, scene.wanted & -scene.wanted)
                assert by and screen.query_one(BoardWidget).forbidding == {index(cell) for cell in split(by)}
            assert said(pilot, "said") == scene.tap(scene.wanted & -scene.wanted).text
        assert "You win" in said(pilot, "said") and " ".join("●" * len(game.lesson)) in text_of(pilot)
        # Taps do nothing any more, and every step can be undone.
        await pilot.press("enter")
        await pilot.press(*"u" * len(game.lesson))
        assert screen.scene and screen.scene.number == 0 and said(pilot, "said") == ""

    drive(story, SMALL)


def test_a_lesson_leads_to_a_game_and_back_to_the_table_it_was_opened_from() -> None:
    async def story(pilot: Pilot[None]) -> None:
        table = await begin(pilot, "isolation")
        await pilot.press("l")
        screen = lesson_of(pilot)
        await pilot.press("escape")
        assert pilot.app.screen is table
        await pilot.press("l")
        screen = lesson_of(pilot)
        while screen.scene:
            await tap(pilot, screen.scene.wanted)
        await pilot.press("r")
        assert isinstance(pilot.app.screen, RulesScreen)
        await pilot.press("escape", "p")
        await pilot.pause()
        assert isinstance(pilot.app.screen, PlayScreen) and pilot.app.screen is not table
        assert pilot.app.screen.match.names == ("human", "level:1")

    drive(story)


def test_the_opponent_answers_after_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(pilot: Pilot[None]) -> None:
        pilot.app.animation_level = "full"
        await choose(pilot, "gridlock")
        await pilot.press("l")
        screen = lesson_of(pilot)

        def marks() -> int:
            view = screen.query_one(BoardWidget).view
            return sum(cell.owner > 0 for cell in view.cells) if view else 0

        monkeypatch.setattr(lesson_screen, "PACE", 600)
        first = screen.scene
        assert first
        await tap(pilot, first.wanted)
        assert marks() == 1 and said(pilot, "todo") == ""
        await pilot.press("enter")  # A tap that comes too early changes nothing.
        assert marks() == 1 and len(screen.places) == 2
        await pilot.press("u")
        assert marks() == 0 and said(pilot, "todo") == first.text
        monkeypatch.setattr(lesson_screen, "PACE", 0.01)
        await tap(pilot, first.wanted)
        await until(pilot, lambda: said(pilot, "todo") != "")
        assert marks() == 2

    drive(story)


def test_a_newcomer_is_told_about_the_lessons() -> None:
    async def story(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app.screen, HomeScreen) and "New here? Press l" in text_of(pilot)
        await pilot.press("l")
        assert lesson_of(pilot).game is next(iter(GAMES.values()))
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, HomeScreen)

    drive(story)
