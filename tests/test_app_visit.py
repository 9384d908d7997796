"""The app as a first-time visitor sees it: names of cells, messages, pace, puzzles, small terminals."""

import re
import subprocess
import sys
import time
from datetime import date
from itertools import pairwise
from typing import cast

import pytest
from textual.binding import Binding
from textual.pilot import Pilot
from textual.widgets import DataTable, Label, Static

from boards import every_game
from driving import LARGE, SMALL, begin, choose, click, drive, press_text, text_of, until, walk_to
from quintet.board import index
from quintet.effects import forbidding
from quintet.match import Match
from quintet.notation import screen_label
from quintet.options import start
from quintet.rules import Game
from quintet.store.matches import Store
from quintet.study.remarks import describe_grade
from quintet.terminal.app import PACE, SMALLEST, QuintetApp, open_store
from quintet.terminal.board_layout import fit
from quintet.terminal.board_painter import BoardPainter, Preview
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.home_screen import HomeScreen
from quintet.terminal.pixel_shapes import ring
from quintet.terminal.play_screen import PlayScreen
from quintet.terminal.puzzle_screen import PuzzleScreen
from quintet.terminal.review_screen import ReviewScreen
from quintet.terminal.text_screens import KEYS, HelpScreen
from quintet.terminal.themes import DARK, PALETTES
from quintet.view import Cell, position_view


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


def result(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one("#ending", Label).content)


def footer(pilot: Pilot[None]) -> str:
    return text_of(pilot).splitlines()[-1]


def test_a_second_slash_is_not_part_of_the_move() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock")
        await pilot.press("slash", "slash", "c", "3", "enter")
        assert [screen_label(screen.match.positions[0], move) for move in screen.match.moves] == ["C3"]

    drive(story)


@pytest.mark.parametrize("size", [SMALLEST, SMALL])
def test_a_long_refusal_is_read_whole_and_moves_nothing(size: tuple[int, int]) -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock")
        screen.session.play(1)
        screen.follow()
        await pilot.pause()
        before = screen.board.board_layout, screen.board.region, screen.side.region
        screen.attempt(2)
        await pilot.pause()
        assert (screen.board.board_layout, screen.board.region, screen.side.region) == before
        shown = " ".join(line[24:].strip() for line in text_of(pilot).splitlines()[-3:-1])
        assert "Please choose a different cell." in shown
        assert footer(pilot).startswith("⏎ Claim")
        # It does not cover what the coach is asked next.
        for key in ("v", "e", "h"):
            screen.attempt(2)
            await pilot.press(key)
            assert message(pilot) == ""

    drive(story, size)


def test_what_forbids_a_claim_is_marked_until_the_cursor_moves() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock", size="20x20")
        await pilot.press("home", "enter", "down")
        assert "[X" not in text_of(pilot)
        await pilot.press("enter")
        assert "next to an opponent" in message(pilot)
        assert screen.board.forbidding == {0} and "[X" in text_of(pilot)
        screen.show()  # As when values come in.
        assert screen.board.forbidding == {0}
        await pilot.press("up")
        await pilot.press("enter")  # A claimed cell is refused by nothing but itself.
        assert screen.board.forbidding == set()
        await pilot.press("down", "enter")
        assert screen.board.forbidding == {0}
        await press_text(pilot, "/t20")  # A claim far away ends it too.
        await pilot.press("enter")
        assert len(screen.match.moves) == 2 and screen.board.forbidding == set()

    drive(story)


def test_what_forbids_a_claim_is_framed_on_large_cells() -> None:
    view = position_view(start("gridlock").play(1))
    layout = fit(view, 80, 24)
    ink = PALETTES[DARK].ink
    marked = BoardPainter(view, layout, PALETTES[DARK], 1, 0.0, forbidding=frozenset({0})).paint()
    x, line = layout.place(0)
    corners = [marked.pixels[2 * line + y][x + dx] for y in (0, 2 * layout.height) for dx in (0, layout.width)]
    assert layout.height > 1 and {colour for _, colour in corners} == {ink}


def test_among_losing_moves_the_best_is_the_palest() -> None:
    view = position_view(start("gridlock"))
    painter = BoardPainter(view, fit(view, 80, 24), PALETTES[DARK], None, 0.0)

    def distance(best: bool, outcome: str) -> float:
        cell = Cell("1 1", legal=True, value="L4", outcome=outcome, best=best)
        red, ground = painter.background(0, cell).rgb, PALETTES[DARK].cell.rgb
        return sum(abs(a - b) for a, b in zip(red, ground, strict=True))

    assert 0 < distance(True, "loss") < distance(False, "loss")
    assert distance(True, "win") > distance(False, "win") > 0


@pytest.mark.parametrize("side", range(3, 17, 2))
def test_the_ring_is_even_on_all_sides(side: int) -> None:
    shape = ring(side)
    turned = tuple("".join(column) for column in zip(*shape, strict=True))
    assert shape == turned == shape[::-1] == tuple(row[::-1] for row in shape)
    thick = len(shape[side // 2]) - len(shape[side // 2].lstrip("#"))
    assert thick == (1 if side < 7 else 2)
    assert all(row.count("#") > 1 for row in shape)


def test_the_footer_offers_only_what_can_be_done() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "isolation", size="3", p2="level:3")
        assert "Claim" in footer(pilot) and not {"Undo", "Review", "Rematch", "Pause"} & set(footer(pilot).split())
        screen.session.play(2)
        screen.follow()
        await pilot.pause()
        assert {"Undo", "Review", "Rematch", "Next"} <= set(footer(pilot).split())
        assert not {"Claim", "Hint", "Values", "Explain"} & set(footer(pilot).split())

    drive(story)


def test_the_result_is_in_the_players_words_and_the_next_game_is_one_key_away() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "isolation", size="3", p2="level:9")
        await walk_to(pilot, 1)
        await pilot.press("enter")
        await pilot.pause()
        assert result(pilot) == "You win: Iris has no legal move."
        await pilot.press("plus")
        await pilot.pause()
        harder = pilot.app.screen
        assert isinstance(harder, PlayScreen) and harder is not screen
        assert harder.session.players == ("human", "level:10") and not harder.match.moves
        assert harder.match.position.board.size == "3"
        await walk_to(pilot, 0)
        await pilot.press("enter")
        await until(pilot, lambda: harder.match.outcome is not None)
        assert result(pilot) == "Juno wins: you have no legal move."
        assert "Next level" not in footer(pilot)
        await pilot.press("a")
        await pilot.pause()
        again = pilot.app.screen
        assert isinstance(again, PlayScreen) and again.session.players == harder.session.players
        await pilot.press("x", "y")
        await pilot.pause()
        assert result(pilot) == "Juno wins: you resigned."
        await pilot.press("escape")
        assert not isinstance(pilot.app.screen, PlayScreen)

    drive(story)


def test_a_majority_is_told_in_numbers() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "grid-conquest", size="1x4", p2="random")
        screen.session.play(2)
        screen.session.play(8)
        screen.follow()
        await pilot.pause()
        assert result(pilot) == "You win 3 to 1."

    drive(story)


def test_an_engine_answers_after_a_moment() -> None:
    async def story(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, QuintetApp)
        app.pace = 0.3
        screen = await begin(pilot, "gridlock", p2="random")
        began = time.monotonic()
        await pilot.press("enter")
        await until(pilot, lambda: screen.match.ply == 2)
        assert time.monotonic() - began >= app.pace

    drive(story)
    assert QuintetApp().pace == PACE


def test_a_game_of_two_engines_can_be_watched() -> None:
    """It pauses, goes on move by move, and changes its speed."""

    async def story(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, QuintetApp)
        app.pace = 60
        screen = await begin(pilot, "gridlock", p1="random", p2="random")
        assert {"Pause", "Step", "Faster", "Slower"} <= set(footer(pilot).split()) and "Claim" not in footer(pilot)
        await until(pilot, lambda: screen.pacing.answer is not None)
        assert not screen.match.moves
        for played in range(1, 4):
            await until(pilot, lambda: screen.pacing.answer is not None)
            await pilot.press("s")
            assert screen.match.ply == played and screen.pacing.paused
        assert "paused" in text_of(pilot)
        await pilot.press("minus")
        assert "every 4 seconds" in message(pilot)
        await pilot.press(*["plus"] * 9)
        assert screen.pacing.seconds == 0.05 and screen.match.ply == 3
        await pilot.press("p")
        await until(pilot, lambda: screen.match.outcome is not None)
        assert re.match(r"Player [12] wins: Player [12] has no legal move", result(pilot))

    drive(story)


@pytest.mark.parametrize(("text", "seconds"), [("", PACE), ("0", 0), ("1.5", 1.5), ("fast", PACE), ("-1", PACE)])
def test_the_pace_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch, text: str, seconds: float) -> None:
    monkeypatch.setenv("QUINTET_PACE", text)
    assert QuintetApp().pace == seconds


def test_help_names_the_keys_of_the_first_screen() -> None:
    told = "".join(key + what for key, what in KEYS if "first screen" in what)
    for binding in cast("list[Binding]", HomeScreen.BINDINGS):
        everywhere = binding.action in ("lesson", "rules", "app.theme", "app.help")
        assert f"`{binding.key}`" in told or everywhere, binding


def test_help_is_everywhere() -> None:
    async def story(pilot: Pilot[None]) -> None:
        assert "q Quit" in footer(pilot)
        for keys in ([], ["y"], ["p"], ["enter"]):
            await pilot.press(*keys)
            await until(pilot, lambda: "? Help" in footer(pilot))
            await pilot.press("question_mark")
            assert isinstance(pilot.app.screen, HelpScreen)
            await pilot.press("escape", *["escape"] * len(keys))
            assert isinstance(pilot.app.screen, HomeScreen)
        pilot.app.push_screen(ReviewScreen(Match(start("isolation"), [1])))
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)

    drive(story)


@pytest.mark.parametrize("size", [SMALLEST, SMALL, LARGE])
def test_saved_games_are_listed_whole(size: tuple[int, int]) -> None:
    with Store() as store:
        store.begin(Match(start("adjacent-claim", "20x20"), [1], ("level:10", "level:10")))

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("y")
        await pilot.pause()
        line = next(line for line in text_of(pilot).splitlines() if "Adjacent Claim" in line)
        assert line.count("Juno") == 2 and "20x20" in line and line.rstrip().endswith("unfinished")
        assert f"{date.today():%m-%d} " in line
        table = pilot.app.screen.query_one(DataTable)
        assert table.virtual_size.width <= size[0]

    drive(story, size, open_store)


async def open_puzzle(pilot: Pilot[None], game: str) -> PuzzleScreen:
    await choose(pilot, game)
    await pilot.press("p")
    screen = pilot.app.screen
    assert isinstance(screen, PuzzleScreen)
    await until(pilot, lambda: screen.puzzle is not None)
    return screen


def test_a_solved_puzzle_has_no_marks_left() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await open_puzzle(pilot, "point-capture")
        assert screen.puzzle is not None
        position, board = screen.puzzle.position, screen.query_one(BoardWidget)
        scores = "   ".join(f"{mark} {score} of 15" for mark, score in zip("XO", position.scores, strict=True))
        assert scores in text_of(pilot)
        await walk_to(pilot, index(screen.puzzle.answers[0]))
        await pilot.press("enter")
        await until(pilot, lambda: screen.solved)
        assert said(pilot, "verdict").startswith("Right")
        assert board.view is not None and not any(cell.legal for cell in board.view.cells)
        assert {"Claim", "Solution"}.isdisjoint(footer(pilot).split())
        after = position.play(screen.puzzle.answers[0]).scores
        assert f"X {after[0]} of 15   O {after[1]} of 15" in text_of(pilot)
        await click(pilot, 0)
        assert said(pilot, "verdict").startswith("Right")
        await pilot.press("n")
        await until(pilot, lambda: screen.puzzle is not None)
        assert {"Claim", "Solution"} <= set(footer(pilot).split())

    drive(story)


def test_a_puzzle_marks_what_forbids_a_claim() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await open_puzzle(pilot, "gridlock")
        assert screen.puzzle is not None
        position = screen.puzzle.position
        refused = position.board.full & ~(position.mine | position.theirs | position.legal)
        await walk_to(pilot, index(refused & -refused))
        await pilot.press("enter")
        marked = screen.query_one(BoardWidget).forbidding
        assert marked and sum(1 << cell for cell in marked) == forbidding(position, refused & -refused)

    drive(story)


@pytest.mark.parametrize("size", ["5x5", "9x9", "20x20"])
def test_claimed_cells_show_their_value(size: str) -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "point-capture", size=size)
        screen.session.play(1 << 3)
        screen.follow()
        await pilot.pause()
        layout = screen.board.board_layout
        assert layout is not None
        x, y = layout.place(3)
        lines = text_of(pilot).splitlines()[screen.board.margin_top + y :][: layout.height]
        x += screen.board.margin_left
        assert "4" in "".join(line[x + 1 : x + layout.width] for line in lines)

    drive(story, LARGE)


@pytest.mark.parametrize("size", [SMALLEST, SMALL, LARGE])
@pytest.mark.parametrize("cells", [7, 13, 40, 400])
def test_on_a_line_neighbours_are_joined(cells: int, size: tuple[int, int]) -> None:
    view = position_view(start("isolation", str(cells)))
    layout = fit(view, size[0] - 26, size[1] - 2)
    spots = [layout.spot(number) for number in range(cells)]
    assert len(set(spots)) == cells
    for (row, col), (next_row, next_col) in pairwise(spots):
        assert abs(row - next_row) + abs(col - next_col) == 1
    assert all(layout.number(*spot) == number for number, spot in enumerate(spots))
    assert all(layout.find(*layout.place(number)) == number for number in range(cells))
    assert layout.columns <= size[0] - 26
    if cells == 13:
        assert layout.down == 1
    if layout.folded:  # Rows lie apart, and a bar leads from each to the next.
        assert layout.step > layout.height
        strips = BoardPainter(view, layout, PALETTES[DARK], None, 0.0).paint().strips()
        for number in range(layout.across - 1, cells - 1, layout.across):
            x, y = layout.place(number)
            gap = strips[y + layout.height].text
            assert gap[x + layout.width // 2] == "█" and gap.count("█") == 1


def test_the_cursor_walks_along_a_folded_line() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "isolation", size="60")
        board = screen.board
        assert board.board_layout is not None and board.board_layout.folded
        await pilot.press("home", "down")
        assert board.cursor == 2 * board.board_layout.across - 1
        await pilot.press("left")
        assert board.cursor == 2 * board.board_layout.across - 1
        await pilot.press("right")
        assert board.cursor == 2 * board.board_layout.across - 2
        await pilot.press("end", "down", "enter")
        assert screen.match.moves == [1 << 59]

    drive(story)


def test_the_cursor_shows_what_a_claim_would_do() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "grid-conquest")
        await pilot.press("home")
        await pilot.pause()
        assert screen.board.preview == Preview(captured=1 << 1 | 1 << 5, closed=0)
        card = screen.side.query_one("#one", Static)
        assert "0→3" in str(card.content) and "+3" in text_of(pilot)
        await pilot.press("enter", "down")
        await pilot.pause()
        assert screen.board.preview is None and "→" not in text_of(pilot)

    drive(story)


def test_the_goal_stands_under_the_title() -> None:
    async def story(pilot: Pilot[None]) -> None:
        await begin(pilot, "point-capture", target="9")
        assert "exactly 9 wins" in said(pilot, "summary")
        assert text_of(pilot).count(" / 9") == 2

    drive(story)


def test_the_dialogue_prints_the_rules_as_plain_text() -> None:
    command = [sys.executable, "-m", "quintet", "play", "isolation"]
    run = subprocess.run(command, input="rules\nquit\n", capture_output=True, text=True, timeout=60, check=True)
    assert "Goal. Make the last claim." in run.stdout and "the list is 1-2,9-13" in run.stdout
    assert not re.search(r"[*`]", run.stdout)
