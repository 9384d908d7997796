"""The app: opponents with names, and one's own progress from the saved games."""

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from textual.pilot import Pilot
from textual.widgets import Static

import quintet
from driving import LARGE, drive, set_up, text_of, until
from quintet.engines.characters import CHARACTERS
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.store.matches import Store
from quintet.store.puzzle_results import save_puzzle_result
from quintet.study.daily import PuzzleResult
from quintet.terminal.play_screen import PlayScreen
from quintet.terminal.progress_screen import ProgressScreen

PLAYERS = [("human", "level:1"), ("level:2", "human"), ("human", "greedy"), ("human", "human")]


def save_games(store: Store) -> None:
    """A game of each pair of players, at random; nobody resigns, but level 1 is beaten."""
    rng = random.Random(1)
    for players in PLAYERS:
        match = Match(start(GAMES["grid-conquest"], "3x3"), names=players)
        id = store.begin(match, players)
        while not match.outcome:
            match.play(match.position.moves[4 if match.ply == 0 else rng.randrange(len(match.position.moves))])
            store.append(id, match.ply - 1, match.moves[-1])
    save_puzzle_result(store, PuzzleResult(None, "gridlock", 4, 1, True, datetime(2026, 1, 2, tzinfo=UTC)))


def said(pilot: Pilot[None], id: str) -> str:
    return str(pilot.app.screen.query_one(f"#{id}", Static).content)


def test_the_first_opponent_is_the_same_as_on_the_page() -> None:
    storage = (Path(quintet.__file__).parent / "web" / "page" / "js" / "storage.js").read_text()

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert f'who: "{cast("PlayScreen", pilot.app.screen).session.players[1]}"' in storage

    drive(story)


def test_opponents_have_names_and_those_beaten_are_ticked() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await set_up(pilot, "grid-conquest")
        for level, character in enumerate(CHARACTERS, 1):
            assert f"{character.glyph} {character.name} · level {level}" in text_of(pilot)
        await until(pilot, lambda: "Anna · level 1 ✓" in text_of(pilot))
        assert text_of(pilot).count("✓") == 2, "in the list of each player"
        pilot.app.screen.query_one("#p2").focus()
        await pilot.press("home", "down")
        assert said(pilot, "about") == CHARACTERS[0].about
        await pilot.press("home")
        assert said(pilot, "about") == ""

    with Store() as store:
        save_games(store)
    drive(story, LARGE, Store)


def test_progress_is_read_from_the_store_in_the_background() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("g")
        assert isinstance(pilot.app.screen, ProgressScreen)
        await until(pilot, lambda: len(vars(pilot.app)["played"]) == 3 and said(pilot, "state") == "")
        shown = said(pilot, "figures")
        assert "Games: 3" in shown and "Puzzles solved: 1 of 1" in shown and "You have beaten level 1." in shown
        for word in (
            "Accuracy over time",
            "Inaccuracies",
            "Opening",
            "Missed a win",
            "Gave away cells",
            "Grid Conquest",
        ):
            assert word in shown
        # The second time it is there at once.
        await pilot.press("escape", "g")
        await until(pilot, lambda: said(pilot, "figures") == shown)

    with Store() as store:
        save_games(store)
    drive(story, LARGE, Store)


def test_progress_without_games_says_what_to_do() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("g")
        await until(pilot, lambda: said(pilot, "state") != "")
        assert said(pilot, "state") == "Play a game and your accuracy appears here."
        assert "Solve a puzzle" in said(pilot, "figures") and "Each opponent you beat" in said(pilot, "figures")

    drive(story, LARGE, Store)


def test_progress_survives_a_store_that_cannot_be_read(database: Path) -> None:
    async def without(pilot: Pilot[None]) -> None:
        await pilot.press("g")
        assert said(pilot, "state") == "Saved games are not available."

    async def damaged(pilot: Pilot[None]) -> None:
        await pilot.press("g")
        await until(pilot, lambda: said(pilot, "state") == "" and "Games: 2" in said(pilot, "figures"))

    drive(without, LARGE)
    with Store() as store:
        save_games(store)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "UPDATE moves SET move = 'nowhere' WHERE match = (SELECT match FROM seats WHERE who = 'greedy')"
        )
        connection.commit()
    drive(damaged, LARGE, Store)
