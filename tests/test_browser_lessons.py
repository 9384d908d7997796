"""The lessons in a real browser: finished by taps alone and by keys alone, at every size, without anything moving."""

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, expect

from browsing import TOUCH, Visit, Visitor, cell
from quintet.games import GAMES, OWN

DESK = {"width": 1366, "height": 768}
SIZES: dict[str, dict[str, Any]] = {
    "phone": {**TOUCH, "color_scheme": "light"},
    "desktop": {"viewport": DESK, "color_scheme": "dark"},
}
SHIFTS = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    moved.push([entry.value, ...entry.sources.map(({ node }) => node?.className ?? node?.parentElement?.className)]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
"""Collects whatever moves by itself, also just after a tap."""
WIDTHS = "all => all.map((cell) => cell.querySelector('.tile').getBoundingClientRect().width)"
NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("not allowed", "SecurityError"); } });
}
"""


def todo(page: Page) -> Locator:
    return page.get_by_test_id("todo")


def said(page: Page) -> Locator:
    return page.get_by_test_id("said")


def taps(lesson: dict[str, Any]) -> list[tuple[dict[str, Any], list[str]]]:
    """A way through a lesson: each scene, and the labels to tap, the last of which leads on."""
    found = []
    number: int | None = 0
    while number is not None:
        scene = lesson["scenes"][number]
        wrong = [label for label in scene["lit"] if scene["taps"][label]["next"] == number]
        right = next(label for label in scene["lit"] if label not in wrong)
        found.append((scene, [*wrong[:1], right]))
        number = scene["taps"][right]["next"]
    return found


def check_lit(page: Page, scene: dict[str, Any]) -> None:
    lit = page.locator(".cell.lit").evaluate_all("all => all.map((cell) => cell.dataset.label)")
    assert lit == scene["lit"]


@pytest.mark.parametrize("size", SIZES)
def test_every_lesson_is_finished_by_taps_alone(visit: Visit, size: str) -> None:
    visitor = visit(**SIZES[size])
    visitor.add_script(SHIFTS)
    for game in OWN:
        lesson = visitor.ask(f"/api/lessons/{game}")
        page = visitor.go(f"/learn/{game}")
        way = taps(lesson)
        expect(page.get_by_role("img", name=f"Step 1 of {len(way)}")).to_be_visible()
        page.evaluate("moved.length = 0")
        for scene, labels in way:
            expect(todo(page)).to_have_text(scene["text"])
            check_lit(page, scene)
            if game == "isolation" and size == "phone":
                assert min(page.locator(".cell").evaluate_all(WIDTHS)) >= 44
            if len(labels) > 1:  # A wrong answer is answered each time, and the second time the right cells light up.
                for _ in range(2):
                    cell(page, labels[0]).click(force=True)
                    expect(page.get_by_test_id("refusal")).to_be_empty()
                lit = page.locator(".cell.lit").evaluate_all("all => all.map((cell) => cell.dataset.label)")
                assert labels[0] not in lit and labels[-1] in lit
            for label in labels:
                # What may not be claimed counts as disabled; here it can be what is asked for.
                cell(page, label).click(force=True)
                expect(said(page)).to_have_text(scene["taps"][label]["text"])
        expect(said(page)).to_contain_text("You win")
        expect(page.get_by_test_id("play")).to_be_in_viewport()
        expect(page.get_by_role("img", name="Lesson finished")).to_be_visible()
        assert page.evaluate("moved") == []
        assert page.evaluate("document.documentElement.scrollWidth") == SIZES[size]["viewport"]["width"]
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
    assert json.loads(page.evaluate("localStorage.getItem('quintet.lessons')")) == list(OWN)
    # One tap leads from the lesson to a game.
    page.get_by_test_id("play").click()
    expect(page.locator(".cell.open").first).to_be_visible()
    assert "/match/" in page.url


def test_a_lesson_is_finished_by_keys_alone(visitor: Visitor) -> None:
    game = "gridlock"
    lesson = visitor.ask(f"/api/lessons/{game}")
    page = visitor.go(f"/learn/{game}")
    keys = page.keyboard
    while not page.evaluate("document.activeElement.closest('quintet-board')"):
        keys.press("Tab")
    for scene, labels in taps(lesson):
        expect(todo(page)).to_have_text(scene["text"])
        for label in labels:
            places = [one["label"] for one in lesson["views"][0]["cells"]]
            at = places.index(str(page.evaluate("document.activeElement.dataset.label")))
            (row, col), (to_row, to_col) = (
                divmod(place, lesson["views"][0]["cols"]) for place in (at, places.index(label))
            )
            for key, count in (("ArrowDown", to_row - row), ("ArrowUp", row - to_row)):
                for _ in range(count):
                    keys.press(key)
            for key, count in (("ArrowRight", to_col - col), ("ArrowLeft", col - to_col)):
                for _ in range(count):
                    keys.press(key)
            keys.press("Enter")
            expect(said(page)).to_have_text(scene["taps"][label]["text"])
    expect(page.get_by_test_id("play")).to_be_focused()
    keys.press("Enter")
    expect(page.locator(".cell.open").first).to_be_visible()


def test_steps_can_be_undone_and_other_cells_lead_nowhere(visitor: Visitor) -> None:
    lesson = visitor.ask("/api/lessons/grid-conquest")
    page = visitor.go("/learn/grid-conquest")
    back = page.get_by_test_id("back")
    (first, [right]), (second, _) = taps(lesson)[:2]
    expect(back).to_be_disabled()
    other = next(label for label in first["taps"] if label not in first["lit"])
    cell(page, other).click()
    expect(said(page)).to_have_text("Tap a lit cell.")
    check_lit(page, first)
    cell(page, right).click()
    expect(todo(page)).to_have_text(second["text"])
    expect(page.get_by_test_id("score-1")).to_have_text("5")
    back.click()
    expect(todo(page)).to_have_text(first["text"])
    check_lit(page, first)
    expect(page.get_by_test_id("score-1")).to_have_text("0")
    # Whoever goes back before the opponent's answer is not shown it.
    cell(page, right).click()
    back.click()
    expect(todo(page)).to_have_text(first["text"])
    expect(page.locator(".cell.two")).to_have_count(0)


def test_a_lesson_leads_back_to_the_table_and_nowhere_else(visit: Visit) -> None:
    visitor = visit()
    visitor.add_script(NO_STORAGE)
    visitor.forgiven = ("status of 404",)
    for given, leads in (("/match/abc", "/match/abc"), ("//elsewhere.example", "/"), ("", "/")):
        page = visitor.go(f"/learn/isolation?from={given}")
        expect(page.get_by_test_id("skip")).to_have_attribute("href", visitor.link(leads))
    page = visitor.go("/learn/isolation?from=/match/abc")
    for scene, labels in taps(visitor.ask("/api/lessons/isolation")):
        expect(todo(page)).to_have_text(scene["text"])
        cell(page, labels[-1]).click(force=True)
    expect(page.get_by_role("link", name="Go to the table")).to_have_attribute("href", visitor.link("/match/abc"))
    visitor.go("/learn/chess")
    expect(page.get_by_test_id("missing")).to_be_visible()
    assert "chess" not in GAMES
