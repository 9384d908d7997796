"""The ten opponents on the page, and one's own progress."""

import pytest
from playwright.sync_api import ViewportSize, expect

from browsing import PHONE, SHIFTS, Visit, turn

DESKTOP: ViewportSize = {"width": 1366, "height": 768}
every_screen = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])


@every_screen
def test_choosing_an_opponent_moves_nothing(visit: Visit, screen: ViewportSize) -> None:
    visitor = visit(viewport=screen)
    page = visitor.go("/new")
    page.wait_for_load_state("networkidle")
    page.evaluate(SHIFTS)
    form = page.get_by_test_id("setup")
    for name in ("A friend, by link", "Two players here", "Two engines", "An engine"):
        form.get_by_role("radio", name=name).check()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for name in ("Greedy", "Perfect", "Levels 1–10"):
        form.get_by_role("radio", name=name).first.check()
    level = form.get_by_test_id("level").first
    level.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("shifts") == []


def test_the_loser_is_told_so_in_one_voice(visit: Visit) -> None:
    visitor = visit()
    visitor.begin("gridlock", size="3x3", seats={"1": "human", "2": "level:1"}, take=[1])
    page = visitor.page
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.get_by_test_id("result")).to_contain_text("You lose")
    expect(turn(page)).to_have_text("You lose")
