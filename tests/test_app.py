"""The app, driven as a person drives it: whole games by key and by mouse, every option, every size."""

import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Label, OptionList, Static

from boards import every_game
from driving import LARGE, SMALL, begin, click, drive, press_text, set_up, text_of, until, walk_to
from goldens import DATA, PICTURES, screen_dump, screenshot
from patience import WAIT
from quintet.board import index
from quintet.engines import EngineFault
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.rules import Game, Position
from quintet.store.matches import Store
from quintet.study.analysis import analyze
from quintet.study.puzzles import EASY, Puzzle, make_puzzle
from quintet.terminal import app_session as table
from quintet.terminal.app import SMALLEST, open_store
from quintet.terminal.dialogs import TooSmallDialog
from quintet.terminal.home_screen import HomeScreen
from quintet.terminal.play_screen import PlayScreen
from quintet.terminal.review_screen import ReviewScreen
from quintet.terminal.setup_screen import SetupScreen
from quintet.terminal.text_screens import RulesScreen
from quintet.terminal.themes import DARK, LIGHT
from quintet.view import position_view


def message(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one("#message", Label).content)


def result(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one("#ending", Label).content)


def said(pilot: Pilot[None], id: str) -> str:
    return str(pilot.app.screen.query_one(f"#{id}", Static).content)


@every_game
def test_screen(game: Game) -> None:
    assert screen_dump(game) == (DATA / "screens" / f"{game.name}.txt").read_text()


@every_game
def test_picture(game: Game) -> None:
    assert screenshot(game) == (PICTURES / f"app-{game.name}.svg").read_text()


def test_no_screen_is_left_over() -> None:
    assert {path.stem for path in (DATA / "screens").iterdir()} == set(GAMES)


@every_game
def test_a_whole_game_by_keys(game: Game) -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, game.name)
        assert "Values" in text_of(pilot) and "Review" not in text_of(pilot)
        rng = random.Random(3)
        while not screen.match.outcome:
            move = rng.choice(screen.match.position.moves)
            await walk_to(pilot, move.bit_length() - 1)
            played = screen.match.ply
            await pilot.press(rng.choice(("enter", "space")))
            assert screen.match.ply > played and screen.match.moves[played] == move
        await pilot.pause()
        assert result(pilot) == screen.session.result()
        assert "Review" in text_of(pilot) and "Values" not in text_of(pilot)
        await click(pilot, 0)
        assert message(pilot).startswith("The game is over")
        await pilot.press("u")
        assert "Values" in text_of(pilot) and "Review" not in text_of(pilot)

    drive(story)


@every_game
def test_a_whole_game_by_mouse(game: Game) -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, game.name, size="3x3")
        rng = random.Random(4)
        while not screen.match.outcome:
            move, played = rng.choice(screen.match.position.moves), screen.match.ply
            await click(pilot, move.bit_length() - 1)
            assert screen.match.moves[played] == move

    drive(story, LARGE)


@every_game
def test_a_whole_game_typed(game: Game) -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, game.name, size="3x3")
        rng = random.Random(5)
        await pilot.press("slash")
        while not screen.match.outcome:
            move, played = rng.choice(screen.match.position.moves), screen.match.ply
            await press_text(pilot, screen.match.position.label(move).lower())
            await pilot.press("enter")
            assert screen.match.moves[played] == move

    drive(story)


@every_game
def test_a_whole_game_against_an_engine(game: Game) -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, game.name, p2="random", size="3x3")
        rng = random.Random(6)
        while not screen.match.outcome:
            await until(pilot, lambda: screen.session.engine is None)
            if not screen.match.outcome:
                await click(pilot, rng.choice(screen.match.position.moves).bit_length() - 1)

    drive(story)


def test_engines_among_themselves() -> None:
    async def story(pilot: Pilot[None]) -> list[int]:
        screen = await begin(pilot, "isolation", p1="random", p2="random")
        await until(pilot, lambda: screen.match.outcome is not None)
        return screen.match.moves

    assert drive(story) == drive(story)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("gridlock", {"size": "2x7"}),
        ("adjacent-claim", {"size": "20x20"}),
        ("grid-conquest", {"size": "1x1"}),
        ("isolation", {"size": "400"}),
        ("isolation", {"size": "4x5"}),
        ("gridlock", {"size": "30"}),
        ("gridlock", {"size": "3x4-A1-B2-C4"}),
        ("isolation", {"size": "40-1-40"}),
        ("point-capture", {"size": "3x4", "target": "9", "shuffle": "7"}),
        ("point-capture", {"size": "2x2", "values": "3,1,999,4"}),
    ],
)
def test_boards(game: str, options: dict[str, str]) -> None:
    """What the form says is what is played, and on every screen the last cell can be reached and clicked."""

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, game, **options)
        shuffle = options.get("shuffle")
        wanted = start(
            GAMES[game],
            options["size"],
            options.get("target"),
            options.get("values"),
            int(shuffle) if shuffle else None,
        )
        assert screen.match.position == wanted
        board = screen.board
        for size in (SMALLEST, SMALL, LARGE):
            await pilot.resize_terminal(*size)
            await pilot.press("home")
            await pilot.pause()
            assert board.board_layout is not None and board.board_layout.columns <= board.size.width
            assert board.cursor == index(wanted.moves[0])
            await pilot.press("end")
            await pilot.pause()
            assert board.cursor == index(wanted.moves[-1])
            await click(pilot, board.cursor)
            assert screen.match.moves == [1 << board.cursor]
            await pilot.press("u")
            assert screen.match.moves == []

    drive(story, SMALLEST)


def test_a_hole_is_not_on_the_board() -> None:
    """The cursor goes over it, a click on it claims nothing, and the mouse does not move the cursor there."""

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock", size="3x3-B2-C3")
        board = screen.board
        assert board.cursor == 1
        for key, number in (("down", 7), ("right", 7), ("up", 1), ("left", 0), ("left", 0), ("down", 3), ("right", 5)):
            await pilot.press(key)
            assert board.cursor == number, key
        await click(pilot, 4)
        assert screen.match.moves == [] and board.cursor == 5
        assert board.view is not None and board.view.cells[4].label == "" == board.view.cells[8].label
        board.view = position_view(start("gridlock", "3x3-A1-B3"))
        assert board.cursor == 1

    drive(story, SMALL)


@pytest.mark.parametrize(
    ("game", "field", "text", "error"),
    [
        ("gridlock", "size", "3x3-A2-B1", "the cells that are left must be connected"),
        ("gridlock", "size", "0x3", "boards can be"),
        ("gridlock", "size", "wide", "cannot read the size"),
        ("point-capture", "target", "x", "the target must be between"),
        ("point-capture", "values", "1,2", "this board has 25 cells, but 2 values were given"),
        ("point-capture", "shuffle", "-", "shuffle must be a number"),
    ],
)
def test_a_bad_option_is_one_line_and_nothing_begins(game: str, field: str, text: str, error: str) -> None:
    async def story(pilot: Pilot[None]) -> None:
        await set_up(pilot, game, **{field: text})
        assert said(pilot, "error").startswith(error)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, SetupScreen) and pilot.app.screen.query_one(f"#{field}").has_focus
        await pilot.press(*["backspace"] * len(text), "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, PlayScreen)

    drive(story)


def test_a_player_that_is_not_there_cannot_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.terminal.setup_screen.is_available", lambda who: who in ("human", "random"))

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await pilot.pause()
        players = pilot.app.screen.query_one("#p2", OptionList)
        assert players.has_focus and table.PLAYERS[players.highlighted or 0] == "random"
        await pilot.press("up")
        assert table.PLAYERS[players.highlighted or 0] == "human"
        assert players.get_option("perfect").disabled and not players.get_option("random").disabled

    drive(story)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_who_begins(first: int) -> None:
    async def story(pilot: Pilot[None]) -> int:
        await set_up(pilot, "gridlock")
        pilot.app.screen.query_one("#first").focus()
        await pilot.press("home", *["down"] * first, "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, PlayScreen)
        return pilot.app.screen.match.position.player

    assert drive(story) == (1, 2, random.Random(1).choice((1, 2)))[first]


def test_bad_moves_change_nothing() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock")
        await pilot.press("slash")
        for typed, answer in (
            ("9 9", "No such cell"),
            ("hello", "Name a cell"),
            ("pass", "This game has no passes."),
        ):
            await press_text(pilot, typed)
            await pilot.press("enter")
            assert message(pilot).startswith(answer) and screen.match.ply == 0
        await pilot.press("escape")
        assert screen.board.has_focus
        await click(pilot, 5)
        await click(pilot, 5)
        assert message(pilot) == "That cell is already claimed." and screen.match.ply == 1
        await click(pilot, 6)
        assert message(pilot).startswith("You cannot place next to") and screen.match.ply == 1

    drive(story)


def test_a_digit_begins_a_typed_move() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "isolation")
        await pilot.press("1", "3", "enter")
        assert screen.match.moves == [1 << 12]

    drive(story)


def test_a_forced_pass_is_played_and_told() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "adjacent-claim", size="3x3")
        for number in (3, 0, 4, 1, 5, 2, 6):
            await click(pilot, number)
        assert screen.match.moves[-1] == 0 and screen.match.position.player == 1
        assert said(pilot, "status") == "Player 2 had to pass. Player 1's turn."
        await pilot.press("u")
        assert screen.match.ply == 6

    drive(story)


def test_undo_goes_back_to_a_choice_of_the_person() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock", p2="random")
        await pilot.press("u")
        assert "Undo" not in text_of(pilot) and not screen.match.moves
        await click(pilot, 5)
        await until(pilot, lambda: screen.match.ply == 2)
        await pilot.press("u")
        assert screen.match.ply == 0 and screen.board.view and not any(cell.owner for cell in screen.board.view.cells)

    drive(story)


def test_resign_asks_first_and_can_be_taken_back() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock")
        await pilot.press("x", "n")
        assert screen.match.outcome is None
        await pilot.press("x", "y")
        await pilot.pause()
        assert screen.match.outcome and screen.match.outcome.winner == 2
        assert result(pilot) == "Player 2 wins: Player 1 resigned."
        await pilot.press("u")
        assert screen.match.outcome is None

    drive(story)


def test_leaving_a_game_asks_first() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await begin(pilot, "gridlock")
        await click(pilot, 0)
        await pilot.press("escape", "n")
        assert isinstance(pilot.app.screen, PlayScreen)
        await pilot.press("escape", "y")
        await pilot.pause()
        assert isinstance(pilot.app.screen, SetupScreen)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, HomeScreen)

    drive(story)


@every_game
def test_values_are_those_of_the_analysis(game: Game) -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, game.name, size="2x4")
        for _ in range(2):
            if screen.match.position.outcome:
                break
            if not screen.coach.values_wanted:
                await pilot.press("v")
            await until(pilot, lambda: screen.coach.analysis is not None)
            view = screen.board.view
            found = analyze(screen.match.position)
            assert view and {cell.label for cell in view.cells if cell.best} == {
                screen.match.position.label(move) for move in found.moves if found.is_best(move)
            }
            assert all(bool(cell.value) == cell.legal for cell in view.cells)
            await click(pilot, next(i for i, cell in enumerate(view.cells) if cell.legal))
        if not screen.match.outcome:
            await until(pilot, lambda: screen.coach.analysis is not None)
            await pilot.press("v")
            assert screen.board.view and not any(cell.value for cell in screen.board.view.cells)

    drive(story)


class Slow:
    """An engine that thinks until it is told to stop."""

    def __init__(self) -> None:
        self.stop = Event()
        self.closed = False

    def choose(self, position: Position, seconds: float | None = None) -> int:
        self.stop.wait(WAIT)
        return position.moves[0]

    def close(self) -> None:
        self.closed = True
        self.stop.set()


def test_the_screen_answers_while_an_engine_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr("quintet.terminal.setup_screen.make_engine", lambda who, _: None if who == "human" else slow)

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock", p2="random")
        await click(pilot, 5)
        assert "thinking" in said(pilot, "two")
        await click(pilot, 15)
        assert message(pilot) == "It is Player 2's turn." and screen.match.ply == 1
        await pilot.press("t")
        assert pilot.app.theme == LIGHT
        await pilot.press("u")
        assert screen.match.ply == 0
        slow.stop.set()
        await pilot.pause(0.05)
        assert screen.match.ply == 0, "an answer to a turn that was taken back is not played"
        await pilot.press("escape")
        await pilot.pause()
        assert slow.closed

    drive(story)


@pytest.mark.parametrize("answer", [1 << 5, EngineFault("out of cheese"), ZeroDivisionError("by zero")])
def test_an_engine_that_fails_loses(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    class Broken(Slow):
        def choose(self, position: Position, seconds: float | None = None) -> int:
            if isinstance(answer, Exception):
                raise answer
            return int(answer)

    monkeypatch.setattr(
        "quintet.terminal.setup_screen.make_engine", lambda who, _: None if who == "human" else Broken()
    )

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock", p2="random")
        await click(pilot, 5)
        await until(pilot, lambda: screen.match.outcome is not None)
        assert screen.match.outcome and screen.match.outcome.winner == 1
        assert result(pilot).startswith("You win: Random forfeits: ")

    drive(story)


def test_an_error_of_the_program_itself_ends_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.terminal.pacing.engine_answer", lambda *_: 1 // 0)

    async def story(pilot: Pilot[None]) -> None:
        await begin(pilot, "gridlock", p2="random")
        await click(pilot, 5)
        await until(pilot, lambda: not pilot.app.is_running)

    with pytest.raises(ZeroDivisionError):
        drive(story)


def test_coach() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "adjacent-claim")
        await pilot.press("h")
        await until(pilot, lambda: "C3" in said(pilot, "advice"))
        assert screen.board.cursor == 12
        await pilot.press("e")
        await until(pilot, lambda: said(pilot, "advice").startswith("Only C3 wins"))
        assert screen.board.view and not any(cell.value for cell in screen.board.view.cells)

    drive(story)


def test_themes() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await begin(pilot, "gridlock")
        looks = []
        for theme in (DARK, LIGHT, DARK):
            assert pilot.app.theme == theme
            await pilot.pause()
            looks.append(pilot.app.export_screenshot(simplify=True))
            await pilot.press("t")
        assert looks[0] != looks[1]

    drive(story)


def test_a_tiny_terminal_asks_for_more_and_loses_nothing() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock")
        await click(pilot, 5)
        for size in ((30, 8), (10, 3), (1, 1), (SMALLEST[0], 19)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert isinstance(pilot.app.screen, TooSmallDialog)
        assert "Quintet needs 72 × 20; this is 72 × 19." in text_of(pilot)
        await pilot.resize_terminal(*SMALLEST)
        await pilot.pause()
        assert pilot.app.screen is screen and screen.match.ply == 1
        await click(pilot, 15)
        assert screen.match.ply == 2

    drive(story)


def test_it_starts_in_a_tiny_terminal() -> None:
    async def story(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app.screen, TooSmallDialog)
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)

    drive(story, (20, 5))


def test_resize_in_a_game() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "grid-conquest")
        widths = []
        for i, size in enumerate((SMALL, LARGE, SMALLEST, (200, 60))):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            plan = screen.board.board_layout
            assert plan and plan.columns <= screen.board.size.width and plan.lines <= screen.board.size.height
            widths.append(plan.width)
            legal = [number for number in range(25) if screen.match.position.legal >> number & 1]
            await click(pilot, legal[0])
            assert screen.match.ply == i + 1
        assert widths[2] < widths[0] < widths[1] < widths[3]

    drive(story)


def test_pages() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("r")
        await pilot.pause()
        assert isinstance(pilot.app.screen, RulesScreen) and "Adjacent Claim" in text_of(pilot)
        await pilot.press("escape", "question_mark")
        await pilot.pause()
        assert "Keys" in text_of(pilot)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, HomeScreen)

    drive(story)


def test_everything_can_be_reached_with_tab() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await set_up(pilot, "point-capture")
        found = set()
        for _ in range(9):
            await pilot.press("tab")
            assert pilot.app.focused is not None
            found.add(pilot.app.focused.id)
        assert found == {"p1", "p2", "first", "size", "target", "values", "shuffle", "start"}

    drive(story)


def test_motion() -> None:
    """A claim glows with motion, and is simply there without."""

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "grid-conquest")
        screen.board.action_claim()
        await pilot.pause()
        assert screen.board.glow == 0
        pilot.app.animation_level = "full"
        seen: list[float] = []
        screen.watch(screen.board, "glow", lambda glow: seen.append(glow), init=False)
        await click(pilot, 0)
        await until(pilot, lambda: screen.board.glow == 0)
        assert seen[0] == 1 and seen == sorted(seen, reverse=True) and len(seen) > 1

    drive(story)


def test_no_motion_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from quintet.terminal.app import QuintetApp

    monkeypatch.setenv("QUINTET_MOTION", "0")
    assert QuintetApp().animation_level == "none"
    monkeypatch.setenv("QUINTET_MOTION", "1")
    assert QuintetApp().animation_level == "full"


def test_games_are_kept_and_go_on() -> None:
    def kept() -> Match:
        with Store() as store:
            return store.load(store.entries()[0].id)

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("y")
        await pilot.pause()
        assert "No saved games yet." in text_of(pilot)
        await pilot.press("escape")
        screen = await begin(pilot, "gridlock", p2="random")
        await click(pilot, 5)
        await until(pilot, lambda: screen.match.ply == 2)
        assert kept().moves == screen.match.moves
        await pilot.press("u")
        assert kept().moves == []
        await click(pilot, 5)
        await until(pilot, lambda: screen.match.ply == 2)
        await pilot.press("escape", "y", "escape", "y")
        await pilot.pause()
        assert "unfinished" in text_of(pilot)
        await pilot.press("enter")
        await pilot.pause()
        again = pilot.app.screen
        assert isinstance(again, PlayScreen) and again.match.moves == kept().moves
        await pilot.press("x", "y")
        await pilot.pause()
        assert kept().resigned == 1

    drive(story, opener=open_store)


def test_the_app_continues_with_the_players_and_not_with_their_names() -> None:
    with Store() as store:
        store.begin(Match(start(GAMES["isolation"]), names=("perfect", "greedy")), ("human", "level:3"))
        hers = store.begin(Match(start(GAMES["isolation"])))
    spoil(store, f"update matches set online = 1, updated = '2026-01-01T00:00:00+00:00' where id = '{hers}'")

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("y", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen) and screen.session.people == [1]
        assert "perfect" in text_of(pilot) and "Perfect" not in text_of(pilot)
        await pilot.press("escape")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert "is played on the web" in said(pilot, "empty")

    drive(story, opener=open_store)


def test_a_kept_name_starts_no_program(tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    with Store() as store:
        match = Match(start(GAMES["isolation"]), names=("touch", "[/b] Ada"))
        store.begin(match, (f"exec:touch {trap}", "human"))

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("y")
        await pilot.pause()
        assert "touch" in text_of(pilot) and str(trap) not in text_of(pilot)
        await pilot.press("enter")
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen) and screen.session.engines == [None, None]
        assert "[/b] Ada" in text_of(pilot)
        await click(pilot, 6)
        assert screen.match.ply == 1 and not trap.exists()

    drive(story, opener=open_store)


def spoil(store: Store, statement: str) -> None:
    """Change a store's file behind its back."""
    with closing(sqlite3.connect(str(store.engine.url.database))) as connection, connection:
        connection.execute(statement)


def test_the_store_is_closed_when_the_app_ends() -> None:
    closed = []

    class Watched(Store):
        def close(self) -> None:
            closed.append(self)
            super().close()

    async def look_at_history(pilot: Pilot[None]) -> None:
        await pilot.press("y")
        await pilot.pause()
        assert closed == []

    async def look_at_nothing(pilot: Pilot[None]) -> None:
        await pilot.pause()

    drive(look_at_nothing, opener=Watched)
    assert closed == []  # It was never opened.
    drive(look_at_history, opener=Watched)
    assert len(closed) == 1


def test_history_shows_local_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with Store() as store:
        store.begin(Match(start(GAMES["gridlock"]), [1]))
    spoil(store, "update matches set updated = '2026-03-01T23:30:00+00:00'")

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("y")
        await pilot.pause()
        shown = text_of(pilot)
        assert "When" in shown and "2026-03-02 13:30" in shown

    with monkeypatch.context() as patch:
        patch.setenv("TZ", "AHEAD-14")
        time.tzset()
        try:
            drive(story, opener=open_store)
        finally:
            patch.undo()
            time.tzset()


def test_a_store_that_fails_does_not_end_the_game() -> None:
    def full() -> Store:
        store = Store()
        store.close()  # What it does from now on fails, as on a full disk.
        spoil(store, "drop table moves")
        return store

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock")
        await click(pilot, 5)
        assert message(pilot).startswith("This game is not saved: ") and screen.match.ply == 1
        await click(pilot, 15)
        await until(pilot, lambda: screen.match.ply == 2)

    drive(story, opener=full)


def test_history_says_what_is_wrong_with_the_store() -> None:
    async def story(pilot: Pilot[None]) -> None:
        with Store() as store:
            store.begin(Match(start(GAMES["gridlock"]), [1]))
        spoil(store, "update moves set move = 'nonsense'")
        await pilot.press("y")
        await pilot.pause()
        assert "damaged" in text_of(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert "is damaged in the store" in said(pilot, "empty")
        await pilot.press("escape")
        spoil(store, "drop table moves")
        await pilot.press("y")
        await pilot.pause()
        assert said(pilot, "empty").startswith("the store ")

    drive(story, opener=open_store)


def test_a_store_that_cannot_be_opened_does_not_keep_anybody_from_playing() -> None:
    reason = "the store is locked in a room that is far away, by somebody else"

    def locked() -> None:
        raise OSError(reason)

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock")
        assert message(pilot) == f"Games are not saved: {reason}"
        assert "Games are not saved: the store" in text_of(pilot) and "by somebody else" in text_of(pilot)
        await click(pilot, 0)
        assert screen.match.ply == 1

    drive(story, opener=locked)


def test_review_of_a_finished_game() -> None:
    from quintet.terminal.review_screen import ReviewScreen

    async def story(pilot: Pilot[None]) -> None:
        await begin(pilot, "gridlock", size="2x3")
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        while not screen.match.outcome:
            await click(pilot, screen.match.position.moves[0].bit_length() - 1)
        await pilot.press("g")
        await pilot.pause()
        review = pilot.app.screen
        assert isinstance(review, ReviewScreen)
        await until(pilot, lambda: review.review is not None)
        await pilot.press("home")
        assert said(pilot, "verdict").startswith("Start of the game.")
        await pilot.press("right")
        assert "Move 1" in said(pilot, "verdict") and "best" in said(pilot, "totals")

    drive(story)


@pytest.mark.parametrize("moves", [0, 2])
def test_review_of_a_forfeited_game(moves: int) -> None:
    from quintet.terminal.review_screen import ReviewScreen

    match = Match(start(GAMES["gridlock"], "2x3"))
    for _ in range(moves):
        match.play(match.position.moves[0])
    match.forfeit(2, "out of cheese")

    async def story(pilot: Pilot[None]) -> None:
        pilot.app.push_screen(ReviewScreen(match))
        await pilot.pause()
        assert said(pilot, "verdict").startswith("Player 1 wins: Player 2 forfeits: out of cheese.")
        await pilot.press("left")
        assert ("forfeits" in said(pilot, "verdict")) == (moves == 0)

    drive(story)


def test_a_puzzle_is_solved() -> None:
    from quintet.terminal.puzzle_screen import PuzzleScreen

    async def story(pilot: Pilot[None]) -> None:
        pilot.app.push_screen(PuzzleScreen(GAMES["gridlock"], seed=1))
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, PuzzleScreen)
        await until(pilot, lambda: screen.puzzle is not None)
        assert screen.puzzle
        assert screen.puzzle == make_puzzle("gridlock", int(screen.puzzle.origin.split()[-1]), EASY)
        wrong = next(move for move in screen.puzzle.moves if move not in screen.puzzle.answers)
        await click(pilot, wrong.bit_length() - 1)
        await until(pilot, lambda: said(pilot, "verdict").startswith("Wrong"))
        await click(pilot, screen.puzzle.answers[0].bit_length() - 1)
        await until(pilot, lambda: said(pilot, "verdict").startswith("Right"))

    drive(story)


def test_no_puzzle_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from quintet.terminal.puzzle_screen import PuzzleScreen

    monkeypatch.setattr("quintet.study.puzzles.MOST_GAMES", 0)

    async def story(pilot: Pilot[None]) -> None:
        pilot.app.push_screen(PuzzleScreen(GAMES["gridlock"], seed=1))
        await pilot.pause()
        await until(pilot, lambda: said(pilot, "goal").startswith("no puzzle was found"))

    drive(story)


def test_the_puzzle_asked_for_last_is_the_one_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    from quintet.terminal.puzzle_screen import PuzzleScreen

    made = [make_puzzle("gridlock", seed) for seed in (1, 2)]
    held, searches = Event(), list[Thread]()

    def search(game: Game, seed: int, rating: int | None) -> Puzzle:
        searches.append(current_thread())
        if len(searches) == 1:
            held.wait(10)
            return made[0]
        return made[1]

    monkeypatch.setattr("quintet.terminal.puzzle_screen.make_puzzle", search)

    async def story(pilot: Pilot[None]) -> None:
        screen = PuzzleScreen(GAMES["gridlock"])
        pilot.app.push_screen(screen)
        await until(pilot, lambda: len(searches) == 1)
        await pilot.press("n")
        await until(pilot, lambda: screen.puzzle is made[1])
        held.set()
        searches[0].join()
        await pilot.pause()
        assert screen.puzzle is made[1]

    drive(story)


@pytest.mark.parametrize("name", ["[/b[", "[/", "ab[/b]c", "[b=[:", "[link='x']y", "\\[b[ =", "[$warning]z"])
def test_a_name_is_shown_as_it_is_whatever_it_looks_like(name: str) -> None:
    first = start(GAMES["isolation"], "3")
    with Store() as store:
        for moves in ([1], [1, 4]):
            store.begin(Match(first, moves, (name, name)))

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("y")
        await until(pilot, lambda: "O won" in text_of(pilot))
        assert text_of(pilot).count(name) == 4
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await pilot.press("left", "escape", "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert text_of(pilot).count(name) >= 3

    drive(story, LARGE, open_store)
