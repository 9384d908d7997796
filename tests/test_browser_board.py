"""The board in a real browser: what it shows before a claim, what it says to a refused one, and how fingers use it."""

from itertools import pairwise
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from browsing import DESK, PHONE, TOUCH, Visit, Visitor, cell, claim, labels, moves_shown, turn
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.rules import PASS

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
FINGER = 44
"""The least size of what is tapped."""

PLACES = """() => [...document.querySelectorAll("main *:not(.bubble)")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join();
})"""
"""Where everything on the page is, apart from what lies over it."""

CONTRAST = """() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colours) => {
    for (const colour of colours) { paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1); }
    const parts = [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = light([getComputedStyle(document.documentElement).backgroundColor]);
  const ratio = (other) => (Math.max(page, other) + 0.05) / (Math.min(page, other) + 0.05);
  const paper = getComputedStyle(document.documentElement).backgroundColor;
  return [...document.querySelectorAll(".cell .tile")].map((tile) => {
    const { fill, stroke } = getComputedStyle(tile);
    return Math.max(ratio(light([paper, fill])), stroke === "none" ? 0 : ratio(light([paper, stroke])));
  });
}"""
"""How far each cell, or its outline, stands out from the page."""

SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    const moved = shift.sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement));
    const around = moved.filter((node) => node?.closest("quintet-board, .players"));
    if (around.length) globalThis.shifts.push(around.map((node) => node.outerHTML.slice(0, 80)).join());
  }
}).observe({ type: "layout-shift", buffered: true });
"""
"""Collects what moves of the board and of the players above it, though nobody touched it."""


class Finger:
    """Fingers on a phone's screen, one event at a time."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def middle(self, label: str) -> tuple[float, float]:
        box = cell(self.page, label).bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def press(self, label: str) -> None:
        self.touch("touchStart", self.middle(label))

    def slide(self, label: str) -> None:
        self.touch("touchMove", self.middle(label))

    def lift(self) -> None:
        self.touch("touchEnd")


def ready(page: Page) -> None:
    """The board knows what claims do."""
    page.evaluate(
        """async () => {
          const board = document.querySelector("quintet-board");
          while (!board.effects) await new Promise(requestAnimationFrame);
        }"""
    )


def wait_for_rest(page: Page) -> None:
    """The board does not scroll any more."""
    page.evaluate(
        """async () => {
          const pane = document.querySelector("quintet-board .pane");
          const place = () => [pane.scrollLeft, pane.scrollTop].join();
          for (let still = 0, last = ""; still < 5; still = place() === last ? still + 1 : 0, last = place()) {
            await new Promise(requestAnimationFrame);
          }
        }"""
    )


def tell_previews(page: Page) -> None:
    page.evaluate(
        """() => {
          globalThis.previews = [];
          document.addEventListener("preview", ({ detail }) => globalThis.previews.push(detail));
        }"""
    )


def test_a_refusal_moves_nothing_says_why_at_the_cell_and_goes_away(visit: Visit) -> None:
    visitor = visit(**TOUCH, reduced_motion="no-preference")
    page = visitor.page
    visitor.add_script(SHIFTS)
    visitor.begin("gridlock", moves="2 2; 4 4; 1 1")
    ready(page)
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    before = page.evaluate(PLACES)
    cell(page, "3 2").tap(force=True)
    bubble = page.get_by_test_id("refusal")
    expect(bubble).to_have_text(GAMES["gridlock"].words.refused)
    expect(bubble).to_have_attribute("role", "status")
    assert page.evaluate("document.querySelector('[data-label=\"3 2\"]').getAnimations().length") == 1
    assert labels(page, "lit") == ["2 2"]
    board, box = page.get_by_test_id("board").bounding_box(), bubble.bounding_box()
    assert board and box
    assert box["x"] >= board["x"] and box["x"] + box["width"] <= board["x"] + board["width"]
    assert box["y"] >= board["y"] and box["y"] + box["height"] <= board["y"] + board["height"]
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    assert page.evaluate(PLACES) == before
    claim(page, "4 3")  # The next action.
    expect(bubble).to_have_text("")
    expect(page.get_by_test_id("board").locator(".lit")).to_have_count(0)
    expect(moves_shown(page)).to_have_count(4)
    assert page.evaluate("shifts") == []


def test_a_claim_is_shown_before_it_is_made(visit: Visit) -> None:
    visitor = visit()
    visitor.begin("grid-conquest", moves="0 0; 4 4")
    page = visitor.page
    ready(page)
    tell_previews(page)
    cell(page, "2 2").hover()
    taken = ["1 2", "2 1", "2 2", "2 3", "3 2"]
    assert labels(page, "ghosted") == taken
    expect(cell(page, "2 2").locator(".gain")).to_have_text("+5")
    page.mouse.move(1, 1)
    assert labels(page, "ghosted") == []
    page.locator('.cell[tabindex="0"]').focus()
    page.keyboard.press("c")
    page.keyboard.press("3")
    expect(cell(page, "2 2")).to_be_focused()
    assert labels(page, "ghosted") == taken
    expect(cell(page, "2 2")).to_have_attribute("aria-label", "C3, empty, legal move")
    shown = {"label": "2 2", "scores": {"1": [3, 8], "2": [3, 3]}}
    told = page.evaluate("previews")
    assert told[:2] == [shown, None] and told[-1] == shown
    page.keyboard.press("Enter")
    expect(moves_shown(page)).to_have_count(3)
    assert labels(page, "ghosted") == []
    visitor.begin("isolation")
    ready(page)
    cell(page, "7").hover()
    assert labels(page, "closing-both") == ["6", "8"]
    visitor.begin("gridlock")
    ready(page)
    cell(page, "1 1").hover()
    assert labels(page, "closing-two") == ["1 2", "2 1"]


def test_a_finger_sees_the_claim_while_it_presses_and_slides_off_to_cancel(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    page = visitor.page
    visitor.add_script("globalThis.ticks = 0; navigator.vibrate = () => ++globalThis.ticks;")
    visitor.begin("grid-conquest")
    ready(page)
    finger = Finger(page)
    finger.press("2 2")
    assert labels(page, "ghosted") == ["1 2", "2 1", "2 2", "2 3", "3 2"]
    finger.slide("2 3")
    assert labels(page, "ghosted") == []
    finger.lift()
    finger.press("2 2")
    finger.lift()
    expect(moves_shown(page)).to_have_count(1)
    assert page.evaluate("ticks") == 1
    expect(page.get_by_test_id("move-input")).to_be_hidden()
    page.get_by_role("button", name="Type a move").tap()
    page.get_by_test_id("move-input").fill("a1")
    page.keyboard.press("Enter")
    expect(moves_shown(page)).to_have_count(2)
    for target in page.locator(".move-field :is(button, input):visible").all():
        box = target.bounding_box()
        assert box and min(box["width"], box["height"]) >= FINGER


def test_every_cell_stands_out_from_the_page(visitor: Visitor) -> None:
    page = visitor.page
    for game in GAMES.values():
        match = Match(start(game))
        while len(match.moves) < 5:
            match.play(match.position.moves[-1])
        moves = "; ".join(match.position.label(move) for move in match.moves if move != PASS)
        visitor.begin(game.name, moves=moves)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            assert min(page.evaluate(CONTRAST)) >= 3, game.name
        bare = page.locator(".cell:not(:has(.inside > *)):not(.shut)")  # A mark, a number or a dot; or hatched.
        expect(bare).to_have_count(0)
        hatched = "all => all.map((one) => +getComputedStyle(one).opacity).filter(Boolean).length"
        assert page.locator(".cell .hatch").evaluate_all(hatched) == len(labels(page, "shut"))


def test_a_line_is_folded_to_and_fro_and_its_neighbours_are_joined(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    page = visitor.page
    for length in (13, 40, 400):
        visitor.begin("isolation", size=str(length))
        places = page.locator(".cell .tile").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width])"
        )
        assert len(places) == length
        for (x, y, side), (next_x, next_y, _) in pairwise(places):
            assert abs(next_x - x) < 1.2 * side and abs(next_y - y) < 1.5 * side
            assert (abs(next_x - x) < 1) != (abs(next_y - y) < 1)  # Side by side, or below each other where it turns.
        if length < 100:
            assert min(side for _, _, side in places) >= 40
        expect(page.locator(".lane")).to_have_count(1)
        page.locator('.cell[tabindex="0"]').focus()
        page.keyboard.press("Home")
        for _ in range(8):
            page.keyboard.press("ArrowRight")
        expect(cell(page, "9")).to_be_focused()
        page.keyboard.press("End")
        expect(cell(page, str(length))).to_be_focused()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_large_board_zooms_and_a_tap_is_sure(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    visitor.begin("grid-conquest", size="20x20")
    page = visitor.page
    ready(page)

    def side() -> float:
        box = cell(page, "9 9").bounding_box()
        assert box
        return box["width"]

    whole = side()
    assert whole < 20 and page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    before = page.get_by_test_id("board").bounding_box()
    finger = Finger(page)
    x, y = finger.middle("9 9")
    finger.touch("touchStart", (x - 20, y), (x + 20, y))
    finger.touch("touchMove", (x - 40, y), (x + 40, y))
    assert 1.8 * whole < side() < 2.2 * whole
    finger.touch("touchMove", (x - 30, y + 40), (x + 50, y + 40))
    assert abs(finger.middle("9 9")[1] - y - 40) < 3
    finger.lift()
    page.get_by_role("button", name="Zoom out").tap()
    page.get_by_role("button", name="Zoom out").tap()
    assert side() == whole
    page.touchscreen.tap(x, y)  # Too small to be sure of: it only comes nearer.
    assert side() >= FINGER and page.get_by_test_id("board").bounding_box() == before
    expect(cell(page, "9 9")).to_be_in_viewport()
    cell(page, "9 9").tap()
    expect(moves_shown(page)).to_have_count(1)
    page.keyboard.press("Tab")
    cell(page, "9 9").focus()
    page.keyboard.press("-")
    assert side() < FINGER


def test_two_fingers_zoom_one_pans_and_a_tap_claims_what_is_under_it(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    visitor.begin("grid-conquest", size="20x20")
    page = visitor.page
    ready(page)
    finger = Finger(page)
    whole = cell(page, "9 9").bounding_box()
    x, y = finger.middle("9 9")
    finger.touch("touchStart", (x - 15, y - 15))  # Fingers never come down together.
    for apart in range(15, 46, 3):
        finger.touch("touchMove" if apart > 15 else "touchStart", (x - apart, y - apart), (x + apart, y + apart))
    near = cell(page, "9 9").bounding_box()
    assert whole and near and 2.7 < near["width"] / whole["width"] < 3.3
    assert all(abs(a - b) < 4 for a, b in zip(finger.middle("9 9"), (x, y), strict=True))
    finger.touch("touchMove", (x - 45, y - 45))  # One finger is lifted before the other.
    finger.lift()
    for way in range(0, 121, 10):
        finger.touch("touchMove" if way else "touchStart", (x - way, y - way))
    wait_for_rest(page)
    wait_for_rest(page)  # A finger that rests before it is lifted flings nothing.
    finger.lift()
    wait_for_rest(page)
    moved = [a - b for a, b in zip(finger.middle("9 9"), (x, y), strict=True)]
    assert all(-140 < way < -80 for way in moved), f"the board follows the finger: {moved}"
    assert page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1], "and only the board"
    expect(moves_shown(page)).to_have_count(0)
    under = page.evaluate("(at) => document.elementFromPoint(...at).closest('[data-cell]').dataset.label", [x, y])
    assert under != "9 9"
    page.touchscreen.tap(x, y)
    expect(moves_shown(page)).to_have_count(1)
    expect(page.locator(".cell.last")).to_have_attribute("data-label", under)
    wait_for_rest(page)
    assert [a - b for a, b in zip(finger.middle("9 9"), (x, y), strict=True)] == pytest.approx(moved, abs=1)


def test_nothing_moves_during_a_game(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.add_script(SHIFTS)
    for viewport in (PHONE, DESK):
        page.set_viewport_size(viewport)
        visitor.begin("gridlock", size="3x3")
        cell(page, "3 3").hover()
        count = 0
        while found := labels(page):
            ready(page)
            if refused := labels(page, "free:not(.legal)"):
                cell(page, refused[0]).click(force=True)
                expect(page.get_by_test_id("refusal")).not_to_have_text("")
            claim(page, found[0])
            count += 1
            expect(moves_shown(page)).to_have_count(count)
        expect(turn(page)).to_contain_text("wins")
        assert page.evaluate("shifts") == []


def test_the_explorer_shows_a_board_with_holes(visitor: Visitor) -> None:
    page = visitor.go("/explore/point-capture?size=3x3-B2-C3&target=6&moves=0 0")
    assert labels(page, "cell") == ["0 0", "0 1", "0 2", "1 0", "1 2", "2 0", "2 1"]
    expect(page.locator(".value")).to_have_count(6)
    page.get_by_label("Board size").fill("3x3-A2")
    page.get_by_role("button", name="Change").click()
    expect(page.locator(".cell")).to_have_count(8)
    expect(page.locator(".value")).to_have_count(8)


def test_where_all_moves_are_equal_none_is_marked(visitor: Visitor) -> None:
    page = visitor.go("/explore/gridlock?size=2x2")
    expect(page.locator(".value")).to_have_count(4)
    expect(page.locator(".best, .star")).to_have_count(0)
