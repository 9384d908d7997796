"""The puzzle of the day in a real browser: tries, refutations, streak, sharing, and what may go wrong around them."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, Route, ViewportSize, expect

from browsing import PHONE, SHIFTS, TOUCH, Visit, Visitor, board_shows, cell, claim, labels, needs_server
from quintet.games import GAMES
from quintet.notation import screen_label
from quintet.study.puzzles import FIRST_DAY, Puzzle, day_number, puzzle_of_the_day, today
from quintet.web import work

DESKTOP: ViewportSize = {"width": 1366, "height": 768}
DAY = date(2026, 11, 15)
SHEET = "navigator.share = async ({ text }) => { window.shared = text; };"
"""The sheet of a phone, which a browser without a screen does not have."""
NO_STORAGE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } });"
)
every_screen = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])


@pytest.fixture
def phone_or_desktop(visit: Visit, screen: ViewportSize) -> Iterator[Visitor]:
    is_phone = screen is PHONE
    visitor = visit(**TOUCH) if is_phone else visit(viewport=screen)
    if is_phone:
        visitor.add_script(SHEET)
    else:
        visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield visitor
    assert visitor.page.evaluate("document.documentElement.scrollWidth") == screen["width"]


def daily_of(visitor: Visitor, path: str = "/daily") -> Puzzle:
    """Open a day's puzzle; the page says which one it is."""
    title = visitor.load(path).get_by_text(re.compile(r"^Quintet #\d+$"))
    number = int((title.text_content() or "").partition("#")[2])
    return puzzle_of_the_day(FIRST_DAY + timedelta(number - 1))


def answers(puzzle: Puzzle) -> tuple[str, list[str]]:
    """The right answer, and wrong ones."""
    position = puzzle.position
    wrong = [position.label(move) for move in position.moves if move not in puzzle.answers]
    return position.label(puzzle.answers[0]), wrong


def squares(page: Page) -> str:
    """The tries as they are shown: w for wrong, r for right, u for unused."""
    kinds = page.get_by_test_id("tries").locator(".try").evaluate_all("all => all.map((one) => one.classList[1][0])")
    return "".join(kinds)


def claim_by_key(page: Page, move: str) -> None:
    """Claim a cell in a tab that may lie behind another, where a mouse does not reach it."""
    page.get_by_test_id("board").locator(f'.open[data-label="{move}"]').press(" ")


def miss(page: Page, move: str, used: int) -> None:
    claim_by_key(page, move)
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("wrong"))
    expect(page.get_by_test_id("again")).to_be_hidden()
    expect(page.locator(".try.wrong")).to_have_count(used)


def answer_with(page: Page, day: date, now: datetime) -> None:
    """Let the service answer as it does at a time of its clock."""

    def fulfil(route: Route) -> None:
        asked = re.search(r"day=(\S+)", route.request.url)
        wanted = date.fromisoformat(asked[1]) if asked else day
        route.fulfill(body=work.daily_puzzle(wanted, now), content_type="application/json")

    page.unroute("**/api/puzzles/daily*")
    page.route("**/api/puzzles/daily*", fulfil)


def stop_clock(page: Page) -> None:
    """From now on time passes on the page only when a test says so."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


@every_screen
def test_the_ritual(phone_or_desktop: Visitor, screen: ViewportSize) -> None:
    visitor = phone_or_desktop
    page = visitor.page
    # It is the first card, and a game is one tap away on the same screen. Nothing moves while it is loaded.
    visitor.add_script(SHIFTS)
    puzzle = daily_of(visitor, "/")
    day = puzzle.day
    assert day
    name = f"Quintet #{day_number(day)}"
    card = page.get_by_test_id("daily")
    expect(card.locator("h2")).to_have_text(name)
    expect(card).to_contain_text(f"{'XO'[puzzle.position.player - 1]} to move")
    expect(page.locator(".game").first).to_have_attribute("data-testid", "daily")
    first = next(iter(GAMES.values()))
    expect(page.get_by_role("button", name=f"Play {first.title}")).to_be_in_viewport(ratio=1)
    assert page.evaluate("shifts") == []
    card.get_by_role("link", name="Solve").click()
    # A wrong answer is refuted on the board and taken back; tried again, it does not count again.
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_test_id("task")).to_have_text(puzzle.goal)
    right, wrong = answers(puzzle)
    miss(page, wrong[0], 1)
    expect(page.get_by_test_id("task")).to_have_text(puzzle.goal)
    board_shows(page, puzzle.position)
    claim(page, wrong[0])
    expect(page.get_by_test_id("refusal")).to_have_text("You have tried this cell.")
    # A reload in the middle of the tries.
    page.reload()
    expect(page.locator(".try.wrong")).to_have_count(1)
    expect(page.get_by_text("2 tries left")).to_be_visible()
    claim(page, right)
    expect(page.get_by_test_id("task")).to_have_text("✓ Solved in 2 tries")
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("right"))
    outcome = page.get_by_test_id("outcome")
    expect(outcome.get_by_test_id("share")).to_be_in_viewport(ratio=1)
    for again in (False, True):
        if again:  # The result is remembered, with its answer on the board, and nothing is left to try.
            page.reload()
        expect(outcome).to_contain_text(f"{name} 2/3")
        expect(outcome).to_contain_text("Streak: 1 day")
        expect(page.get_by_test_id("answer")).to_contain_text(screen_label(puzzle.position, puzzle.answers[0]))
        expect(page.locator(".cell.open")).to_have_count(0)
        assert squares(page) == "wru"
        expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"Next puzzle in \d\d:\d\d:\d\d"))
        expect(page.locator(f'[data-day="{day}"]')).to_have_class(re.compile("solved"))
    assert labels(page, "legal") == []
    outcome.get_by_test_id("share").click()
    if screen is PHONE:
        page.wait_for_function("() => window.shared")
        shared = page.evaluate("window.shared")
    else:
        expect(page.get_by_test_id("shared")).to_have_text("Copied.")
        shared = page.evaluate("navigator.clipboard.readText()")
    assert shared == f"{name} 2/3\n🟥🟩\n{visitor.url(f'/daily/{day}')}"
    assert Axe().run(page).response["violations"] == []
    [saved] = json.loads(page.evaluate("localStorage.getItem('quintet.puzzles')"))
    assert (saved["day"], saved["game"], saved["tries"], saved["solved"]) == (
        str(day),
        puzzle.position.game.name,
        2,
        True,
    )
    expect(visitor.go("/").get_by_test_id("about-daily")).to_contain_text("✓ Solved in 2 tries. Next puzzle in")
    page.get_by_role("link", name="Archive").click()
    expect(page.get_by_test_id("totals")).to_contain_text("Puzzles solved1Puzzles not solved0")
    assert Axe().run(page).response["violations"] == []


@every_screen
def test_three_wrong_answers_in_two_tabs(phone_or_desktop: Visitor) -> None:
    visitor = phone_or_desktop
    page, other = visitor.page, visitor.open_tab()
    puzzle = daily_of(visitor, f"/daily/{DAY}")
    _, wrong = answers(puzzle)
    expect(page.get_by_test_id("note")).to_contain_text("does not count for your streak")
    other.goto(visitor.url(f"/daily/{DAY}"))
    expect(other.locator(".cell.open").first).to_be_visible()
    # What one tab tries counts in the other, which shows it; then both are at rest.
    page.evaluate("window.told = 0; addEventListener('storage', () => window.told++)")
    miss(page, wrong[0], 1)
    expect(other.locator(".try.wrong")).to_have_count(1)
    miss(other, wrong[1], 2)
    expect(page.get_by_text("1 try left")).to_be_visible()
    assert page.evaluate("told") <= 5
    claim_by_key(other, wrong[2])
    for tab in (page, other):
        expect(tab.get_by_test_id("task")).to_have_text("✗ Not solved")
        expect(tab.get_by_test_id("answer")).to_contain_text(
            f"Solution: {screen_label(puzzle.position, puzzle.answers[0])}"
        )
        expect(tab.get_by_test_id("outcome")).to_contain_text("Quintet #319 X/3")
        expect(tab.get_by_test_id("outcome")).to_contain_text("Streak: 0 days")
        assert squares(tab) == "www"
        expect(tab.locator(f'[data-day="{DAY}"]')).to_have_class(re.compile("failed"))
    other.close()
    # A puzzle of an earlier day can be solved, and counts for no streak. The old address leads there too.
    earlier = DAY - timedelta(1)
    puzzle = daily_of(visitor, f"/puzzles?day={earlier}")
    claim(page, answers(puzzle)[0])
    expect(page.get_by_test_id("task")).to_have_text("✓ Solved in 1 try")
    expect(page.get_by_test_id("outcome")).to_contain_text("Streak: 0 days")
    expect(page.locator(f'[data-day="{earlier}"]')).to_have_class(re.compile("late"))
    page.get_by_role("button", name="Previous month").click()
    expect(page.get_by_test_id("calendar").get_by_role("heading")).to_have_text("October 2026")
    expect(page.locator("[data-day]")).to_have_count(31)
    visitor.forgiven = ("status of 404", "status of 422")
    for missing in (today() + timedelta(2), date(2025, 12, 31), "yesterday"):
        visitor.open(f"/daily/{missing}")
        expect(page.get_by_role("heading", level=1)).to_have_text("No puzzle")
    page.get_by_role("link", name="Today’s puzzle").click()
    expect(page.get_by_test_id("task")).to_contain_text("to move")


@needs_server
@every_screen
def test_a_new_day_begins_while_the_page_is_open(phone_or_desktop: Visitor) -> None:
    visitor = phone_or_desktop
    page = visitor.page
    # The clock of this device is wrong by years: the day and the countdown are the service's.
    visitor.take_clock("2040-01-01T12:00:00Z")
    late = datetime(2026, 11, 15, 23, 59, 30, tzinfo=UTC)
    answer_with(page, DAY, late)
    puzzle = daily_of(visitor)
    tomorrow = DAY + timedelta(1)
    answer_with(page, tomorrow, late + timedelta(seconds=31))
    page.clock.run_for(31_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Quintet #320")
    expect(page.get_by_test_id("task")).to_have_text(puzzle_of_the_day(tomorrow).goal)
    # One that was begun stays until the next is asked for.
    answer_with(page, DAY, late)
    page.evaluate("localStorage.setItem('quintet.pace', '450')")
    daily_of(visitor)
    right, wrong = answers(puzzle)
    stop_clock(page)
    claim(page, wrong[0])
    expect(page.get_by_test_id("again")).to_be_visible()  # The refutation is being played.
    expect(cell(page, wrong[0])).to_have_class(re.compile("one|two"))
    page.clock.run_for(900)
    expect(page.locator(".cell.last")).not_to_have_attribute("data-label", wrong[0])  # The reply.
    page.get_by_test_id("again").click()
    expect(page.locator(".cell.open").first).to_be_visible()
    answer_with(page, tomorrow, late + timedelta(seconds=31))
    page.clock.run_for(31_000)
    expect(page.get_by_test_id("next")).to_have_text("Solve Quintet #320")
    expect(page.get_by_test_id("note")).to_contain_text("does not count for your streak")
    claim(page, right)
    expect(page.get_by_test_id("outcome")).to_contain_text("Quintet #319 2/3")
    expect(page.get_by_test_id("outcome")).to_contain_text("Streak: 0 days")
    page.get_by_test_id("next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Quintet #320")
    right, _ = answers(puzzle_of_the_day(tomorrow))
    claim(page, right)
    expect(page.get_by_test_id("outcome")).to_contain_text("Streak: 1 day")
    expect(page.get_by_test_id("countdown")).to_have_text(re.compile("Next puzzle in 23:59:"))
    # The card on the start page changes too.
    answer_with(page, DAY, late)
    visitor.go("/")
    expect(page.get_by_test_id("daily").locator("h2")).to_have_text("Quintet #319")
    answer_with(page, tomorrow, late + timedelta(seconds=31))
    page.clock.run_for(31_000)
    expect(page.get_by_test_id("daily").locator("h2")).to_have_text("Quintet #320")
    expect(page.get_by_test_id("about-daily")).to_contain_text("✓ Solved in 1 try")


@every_screen
def test_a_browser_that_saves_nothing_has_its_puzzle_and_says_so(phone_or_desktop: Visitor) -> None:
    visitor = phone_or_desktop
    page = visitor.page
    visitor.add_script(NO_STORAGE)
    visitor.take_clock()
    puzzle = daily_of(visitor)
    right, wrong = answers(puzzle)
    stop_clock(page)
    expect(page.get_by_test_id("note")).to_contain_text("does not allow Quintet to save anything")
    claim(page, wrong[0])
    page.get_by_test_id("again").click()
    expect(page.locator(".try.wrong")).to_have_count(1)
    claim(page, right)
    expect(page.get_by_test_id("outcome")).to_contain_text("2/3")
    expect(page.get_by_test_id("outcome")).to_contain_text("Streak: 1 day")
