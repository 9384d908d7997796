"""What the page explains on the board, on phones and desks: lines, named cells, legends, parts; and tables that fit."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from browsing import HERE, PHONE, Visit, Visitor, cell, claim, labels
from quintet.games import OWN
from quintet.study.puzzles import Puzzle, puzzle_of_the_day
from test_browser_guards import check_access, played_out

DESK: ViewportSize = {"width": 1366, "height": 768}
NARROW: ViewportSize = {"width": 320, "height": 700}
TODAY = date(2026, 11, 15)


def puzzle_of(game: str) -> Puzzle:
    """The next puzzle of the day that is of a game."""
    days = (TODAY + timedelta(days=number) for number in range(len(OWN)))
    return next(puzzle for puzzle in map(puzzle_of_the_day, days) if puzzle.position.game.name == game)


def nothing_is_cut_off(page: Page) -> None:
    """Neither the page nor anything on it has more than it shows."""
    wider = page.locator("main *").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth"
        " && getComputedStyle(one).overflowX !== 'visible').map((one) => one.className)"
    )
    assert wider == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_tables_fit_on_a_narrow_phone(visitor: Visitor) -> None:
    over, begun = played_out(visitor), visitor.server.begin("point-capture", name="M" * 40, **HERE)
    visitor.hold(begun, over)
    page = visitor.page
    page.set_viewport_size(NARROW)
    visitor.go("/history")
    games = page.get_by_role("list", name="Games").get_by_role("listitem")
    expect(games).to_have_count(2)
    nothing_is_cut_off(page)
    expect(games.locator("time").first).to_have_attribute("datetime", re.compile(r"^\d{4}-\d\d-\d\dT"))
    for text in ("Point Capture", "5x5", "In progress", "0 moves"):
        expect(games.first).to_contain_text(text)
    expect(games.first.get_by_role("link", name="Continue")).to_be_visible()
    expect(games.last.get_by_role("link", name="Review")).to_be_visible()
    visitor.go("/ladder")
    for rung in visitor.server.http.get("/api/ladder").json()["rows"]:
        for text in (rung["against"], f"{rung['games']}", f"{100 * rung['high']:.1f}%", f"± {rung['error']:.0f}"):
            expect(page.get_by_role("row", name=re.compile(f"^{rung['player']} ")).first).to_contain_text(text)
    nothing_is_cut_off(page)
    visitor.go(f"/review/{over['id']}")
    accuracy = page.get_by_test_id("accuracy")
    for name in ("Accuracy", "Best", "Good", "Inaccuracies", "Mistakes", "Blunders"):
        expect(accuracy.get_by_role("rowheader", name=name)).to_be_visible()
    nothing_is_cut_off(page)
    page.set_viewport_size(DESK)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_solved_puzzle_offers_no_more_moves(visitor: Visitor, size: ViewportSize) -> None:
    puzzle = puzzle_of("grid-conquest")
    page = visitor.page
    page.set_viewport_size(size)
    visitor.go(f"/puzzles?day={puzzle.day}")
    expect(page.get_by_test_id("score-1")).to_have_text(str(puzzle.position.scores[0]))
    claim(page, puzzle.position.label(puzzle.answers[0]))
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("right"))
    assert labels(page) == []
    expect(page.locator(".cell .dot, .cell .ghost")).to_have_count(0)
    expect(page.locator("[aria-label*='legal move']")).to_have_count(0)


def test_puzzles_about_points_show_score_and_target(visitor: Visitor) -> None:
    puzzle = puzzle_of("point-capture")
    page = visitor.go(f"/puzzles?day={puzzle.day}")
    for player, score in zip((1, 2), puzzle.position.scores, strict=True):
        shown = page.get_by_test_id(f"score-{player}")
        expect(shown).to_contain_text(str(score))
        expect(shown).to_contain_text(str(puzzle.position.board.target))
        expect(shown).to_be_in_viewport()
    claim(page, puzzle.position.label(puzzle.answers[0]))
    after = puzzle.position.play(puzzle.answers[0])
    expect(page.get_by_test_id(f"score-{puzzle.position.player}")).to_contain_text(
        str(after.scores[puzzle.position.player - 1])
    )
