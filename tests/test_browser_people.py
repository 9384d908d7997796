"""The ten opponents on the page, and one's own progress."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from boards import first_moves
from browsing import PHONE, SHIFTS, TOUCH, Visit, Visitor, moves_shown, turn
from serving import Server
from test_browser_guards import check_access

DESKTOP: ViewportSize = {"width": 1366, "height": 768}
every_screen = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])


@every_screen
def test_choosing_an_opponent_moves_nothing(visit: Visit, screen: ViewportSize) -> None:
    visitor = visit(viewport=screen)
    page = visitor.go("/new")
    page.wait_for_load_state("networkidle")
    page.evaluate(SHIFTS)
    form = page.get_by_test_id("setup")
    by_link = ["A friend, by link"] if isinstance(visitor.place, Server) else []
    for name in (*by_link, "Two players here", "Two engines", "An engine"):
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


def test_beaten_opponents_are_ticked_and_the_next_is_one_tap_away(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    page = visitor.go("/ladder?game=grid-conquest")
    expect(page.locator(".stairs li")).to_have_count(10)
    expect(page.get_by_test_id("next")).to_contain_text("Anna · level 1")
    expect(page.get_by_role("img", name="Beaten")).to_have_count(0)
    # A game that begins in the middle is not counted.
    middle = {"position": "grid-conquest OO./... O", "seats": {"1": "level:7", "2": "human"}, "take": [2]}
    for options, title in (
        (middle, "You beat Gina"),
        ({"size": "2x1", "seats": {"1": "human", "2": "level:1"}, "take": [1]}, "You beat Anna 2 to 0"),
        ({"size": "2x1", "seats": {"1": "human", "2": "level:3"}, "take": [1]}, "You beat Cleo 2 to 0"),
    ):
        visitor.begin("grid-conquest", **options)
        while not page.get_by_test_id("result").is_visible():
            page.locator(".cell.open, [data-testid=result]").first.wait_for()
            if page.locator(".cell.open").count():
                ply = moves_shown(page).count()
                page.locator(".cell.open").first.tap()
                expect(moves_shown(page)).not_to_have_count(ply)
        expect(page.get_by_test_id("result").get_by_role("heading")).to_contain_text(title)
    expect(page.get_by_test_id("player-2")).to_contain_text("Cleo")
    expect(page.get_by_test_id("player-2")).to_contain_text("level 3")
    page = visitor.go("/ladder?game=grid-conquest")
    expect(page.get_by_role("img", name="Beaten")).to_have_count(2)
    expect(page.get_by_test_id("beaten")).to_have_text("You have beaten levels 1 and 3.")
    check_access(page)
    assert page.evaluate("[...document.images].every((one) => one.complete && one.naturalWidth > 0)")
    visitor.go("/ladder?game=gridlock")
    expect(page.get_by_role("img", name="Beaten")).to_have_count(0)
    expect(page.get_by_text("Beaten in Grid Conquest")).to_have_count(2)
    # Next comes one that is stronger than all who were beaten, and only then those that were left out.
    visitor.go("/ladder?game=grid-conquest").get_by_role("button", name="Play Dora", exact=True).tap()
    expect(page.get_by_test_id("player-2")).to_contain_text("Dora")
    expect(visitor.go("/").get_by_test_id("opponent")).to_contain_text("You play Dora · level 4")
    page.evaluate("localStorage.setItem('quintet.beaten', '{\"gridlock\": [1, 10]}')")
    expect(visitor.go("/ladder?game=gridlock").get_by_test_id("next")).to_contain_text("Ben · level 2")


def play_out(visitor: Visitor, game: str, size: str) -> dict[str, Any]:
    """A finished match against an engine, played by the first legal moves."""
    return visitor.create(
        game, size=size, moves=first_moves(game, size), seats={"1": "human", "2": "level:1"}, take=[1]
    )


@every_screen
def test_progress_is_computed_while_one_looks_and_goes_into_a_file(
    visit: Visit, screen: ViewportSize, tmp_path: Path
) -> None:
    visitor = visit(viewport=screen)
    page = visitor.go("/progress")
    expect(page.get_by_text("Play a game and your accuracy appears here.")).to_be_visible()
    expect(page.get_by_text("Solve a puzzle and your results appear here.")).to_be_visible()
    check_access(page)
    visitor.hold(*(play_out(visitor, game, "3x3") for game in ("gridlock", "grid-conquest", "adjacent-claim")))
    solved = [{"day": None, "game": "gridlock", "rating": 4, "tries": 1, "solved": True, "at": "2026-01-02T03:04:05Z"}]
    page.evaluate("(all) => localStorage.setItem('quintet.puzzles', JSON.stringify(all))", solved)
    page.evaluate("localStorage.setItem('quintet.beaten', '{\"gridlock\": [1, 2]}')")
    visitor.go("/history").get_by_role("link", name="See your progress").click()
    expect(page.locator(".plot .dot")).to_have_count(3)
    expect(page.get_by_test_id("reviewing")).to_have_text("")
    expect(page.get_by_role("img", name="Accuracy over 3 games")).to_be_visible()
    page.get_by_text("As a table").click()
    expect(page.get_by_role("region", name="Accuracy over time").get_by_role("row")).to_have_count(4)
    expect(page.get_by_text("You have beaten levels 1 to 2.")).to_be_visible()
    assert page.get_by_role("table", name="Puzzles by difficulty").inner_text().split() == ["4", "1", "of", "1"]
    check_access(page)
    for width in (PHONE["width"], 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    with page.expect_download() as download:
        page.get_by_test_id("export").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    saved = json.loads(file.read_text())
    assert len(saved["matches"]) == len(saved["played"]) == 3 and saved["beaten"] == {"gridlock": [1, 2]}

    # Another browser: what is wrong in any part is refused in one line, and nothing changes.
    other = visit()
    page = other.go("/progress")
    page.evaluate("localStorage.setItem('quintet.beaten', '{\"gridlock\": [3]}')")
    before = page.evaluate("JSON.stringify({...localStorage})")
    everything = "everything"
    for part, value in (
        (everything, "[]"),
        (everything, "{"),
        ("version", 2),
        ("matches", [{"id": "../x", "tokens": {}}]),
        ("matches", [{"id": "abc", "tokens": {"1": "a b"}}]),
        ("beaten", {"gridlock": [11]}),
        ("beaten", {"__proto__": [1]}),
        ("puzzles", [{**solved[0], "rating": "4"}]),
        ("puzzles", [{**solved[0], "more": 1}]),
        ("played", {"abc.1": {"game": "gridlock"}}),
        ("settings", {"pace": -1}),
        ("settings", {"matches": []}),
        ("more", 1),
    ):
        text = str(value) if part is everything else json.dumps({**saved, part: value})
        page.get_by_test_id("progress-file").set_input_files(
            {"name": "progress.json", "mimeType": "application/json", "buffer": text.encode()}
        )
        expect(page.locator("#notice")).to_contain_text("Nothing was imported.")
        assert page.evaluate("JSON.stringify({...localStorage})") == before, (part, value)
        page.evaluate("document.querySelector('#notice').hidden = true")
    page.get_by_test_id("progress-file").set_input_files(file)
    expect(page.locator(".plot .dot")).to_have_count(3)
    expect(page.get_by_text("You have beaten levels 1 to 3.")).to_be_visible()
    assert page.evaluate("JSON.parse(localStorage['quintet.matches']).length") == 3
