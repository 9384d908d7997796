"""Whole games in a real browser: every game by clicks, by the arrow keys, by typing and by taps."""

import random
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from boards import every_game
from browsing import PHONE, TOUCH, Visit, Visitor, cell, claim, play_through, turn
from quintet.match import Match
from quintet.options import start
from quintet.rules import PASS, Game, Position

SMALL = "3x3"
HOLED = "3x3-A1-B2"


def whole_game(start: Position, seed: int = 5) -> list[str]:
    """Random claims to the end, as the rule book writes them."""
    rng = random.Random(seed)
    match = Match(start)
    while not match.outcome:
        match.play(rng.choice(match.position.moves))
    return [start.label(move) for move in match.moves if move != PASS]


def ends_as_told(page: Page, end: Position) -> None:
    assert end.outcome
    winner = end.outcome.winner
    expect(turn(page)).to_have_text(f"Player {winner} wins" if winner else "Draw")
    expect(page.get_by_test_id("status")).to_contain_text(end.outcome.reason)
    expect(page.get_by_test_id("result").get_by_role("link", name="Review")).to_be_visible()


def click(page: Page, position: Position, label: str) -> None:
    claim(page, label)


def tap(page: Page, position: Position, label: str) -> None:
    cell(page, label).tap()


def type_out(page: Page, position: Position, label: str) -> None:
    page.get_by_test_id("move-input").fill(label.lower())
    page.keyboard.press("Enter")


def walk(page: Page, position: Position, label: str) -> None:
    """Go from the cell that has the focus to another with the arrow keys, and claim it."""
    if not page.locator(".cell:focus").count():
        page.locator('.cell[tabindex="0"]').focus()
    here, cols = int(page.locator(".cell:focus").get_attribute("data-cell") or -1), position.board.cols
    there = int(cell(page, label).get_attribute("data-cell") or -1)
    down, right = there // cols - here // cols, there % cols - here % cols
    for key, times in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
        for _ in range(times):
            page.keyboard.press(key)
    expect(cell(page, label)).to_be_focused()
    page.keyboard.press("Enter")


@every_game
def test_a_whole_game_by_clicks_from_the_setting_up_to_the_result(visitor: Visitor, game: Game) -> None:
    page = visitor.go(f"/new?game={game.name}")
    page.get_by_role("radio", name="Two players here").check()
    page.get_by_test_id("start").click()
    expect(turn(page)).to_have_text("Player 1’s turn (X)")
    empty = start(game)
    ends_as_told(page, play_through(page, empty, whole_game(empty), partial(click, page)))


@every_game
@pytest.mark.parametrize("act", [walk, type_out], ids=["arrows", "typing"])
def test_a_whole_game_by_keys(visitor: Visitor, game: Game, act: object) -> None:
    assert callable(act)
    visitor.begin(game.name, size=SMALL)
    empty = start(game, SMALL)
    page = visitor.page
    ends_as_told(page, play_through(page, empty, whole_game(empty), partial(act, page)))


def test_a_whole_game_on_a_board_with_holes(visitor: Visitor) -> None:
    """The hole is no cell: it is not drawn, has no name to type, and the arrows go over it."""
    visitor.begin("point-capture", size=HOLED)
    page, empty = visitor.page, start("point-capture", HOLED)
    expect(page.locator(".cell")).to_have_count(7)
    page.locator('.cell[tabindex="0"]').focus()
    for key, number in (("Home", 1), ("ArrowLeft", 1), ("ArrowDown", 7), ("End", 8), ("ArrowUp", 5), ("ArrowLeft", 3)):
        page.keyboard.press(key)
        expect(page.locator(".cell:focus")).to_have_attribute("data-cell", str(number))
    page.get_by_test_id("move-input").fill("B2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("That is not a cell of this board.")).to_be_visible()
    ends_as_told(page, play_through(page, empty, whole_game(empty), partial(click, page)))


@every_game
def test_a_whole_game_by_taps_on_a_phone(visit: Visit, game: Game) -> None:
    visitor = visit(**TOUCH)
    page = visitor.page
    visitor.begin(game.name, size="5x5")
    empty = start(game, "5x5")
    boxes = [box for one in page.locator(".cell .tile").all() if (box := one.bounding_box())]
    assert len(boxes) == empty.board.cells
    assert min(min(box["width"], box["height"]) for box in boxes) >= 40
    ends_as_told(page, play_through(page, empty, whole_game(empty), partial(tap, page)))
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_game_may_begin_with_a_pass(visitor: Visitor) -> None:
    visitor.begin("adjacent-claim", size="4", moves="A2; A1; A3")  # Player 2 is shut in at the end of the line.
    page = visitor.page
    page.get_by_test_id("pass").click()
    expect(page.get_by_test_id("pass")).to_be_hidden()
    claim(page, "A4")
    expect(turn(page)).to_have_text("Player 1 wins")
