"""The site without a server, in a real browser: everything that it offers, with the network and without it."""

import re
import shutil
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import Route, Worker, expect

import static_site
from browsing import Visit, Visitor, claim, moves_shown, needs_site, turn
from patience import wait_until
from quintet.games import GAMES
from quintet.site.build import write_site
from quintet.site.pyodide import load_pyodide
from quintet.study.puzzles import puzzle_of_the_day
from static_site import FOLDER, StaticSite, serve_site

pytestmark = needs_site
FIRST = next(iter(GAMES))
DAY = date(2026, 11, 15)
INSTALLED = """async () => {
    await navigator.serviceWorker.ready;
    return Boolean(navigator.serviceWorker.controller);
}"""

UPDATED = """async () => {
    const changed = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
    await (await navigator.serviceWorker.ready).update();
    await changed;
}"""


def play_level(visitor: Visitor, game: str) -> None:
    """A whole game against level 3, always by the first legal cell."""
    page = visitor.go(f"/new?game={game}")
    page.get_by_role("radio", name="An engine").check()
    page.get_by_test_id("start").click()
    expect(turn(page)).to_be_visible()
    while not page.get_by_test_id("result").is_visible():
        open_cell = page.get_by_test_id("board").locator(".cell.open").first
        over = page.get_by_test_id("result")
        expect(open_cell.or_(page.get_by_test_id("pass")).or_(over).first).to_be_visible()
        if over.is_visible():
            break
        count = moves_shown(page).count()
        open_cell.click()
        expect(moves_shown(page)).not_to_have_count(count)


def visit_everything(visitor: Visitor, day: date) -> None:
    """A game of each kind, a review, the puzzle of a day, and the explorer with values."""
    page = visitor.page
    for game in GAMES:
        play_level(visitor, game)
    page.get_by_test_id("result").get_by_role("link", name="Review").click()
    expect(page.get_by_test_id("graph")).to_be_visible()
    expect(page.get_by_test_id("accuracy").locator("tbody tr")).to_have_count(6)
    page.get_by_test_id("share").first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Picture (PNG)").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    visitor.go(f"/daily/{day}")
    puzzle = puzzle_of_the_day(day)
    expect(page.get_by_test_id("task")).to_have_text(puzzle.goal)
    claim(page, puzzle.position.label(puzzle.answers[0]))
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("right"))
    visitor.go(f"/explore/{FIRST}?size=3x3")
    page.get_by_test_id("values").check()
    expect(page.locator(".cell.legal .value").first).to_be_visible()
    visitor.go(f"/learn/{FIRST}")
    visitor.go("/history")
    expect(page.get_by_role("list", name="Games").get_by_role("listitem").first).to_contain_text("You ")


def test_everything_works_from_any_folder_and_again_without_a_network(visit: Visit, site: StaticSite) -> None:
    visitor = visit(fresh=True)
    page = visitor.go("/")
    page.evaluate("""localStorage.setItem("quintet.opponent", '{"kind":"engine","who":"level:3","side":"1"}')""")
    visit_everything(visitor, DAY)
    page.wait_for_function(INSTALLED)
    static_site.REQUESTS.clear()
    visitor.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("list", name="Games").get_by_role("listitem").first).to_be_visible()
    visit_everything(visitor, DAY - timedelta(days=1))
    page.goto(site.address(f"/rules/{FIRST}"))  # An address typed without a network.
    expect(page.get_by_role("heading", level=1)).to_have_text(GAMES[FIRST].title)
    # The browser itself still looks for a new version, which the emulated loss of the network does not prevent.
    assert [request for request in static_site.REQUESTS if "service-worker.js" not in request] == []
    links = page.evaluate("Array.from(document.links, (link) => link.href)")
    assert [link for link in links if not link.startswith(site.url)] == []


def test_a_game_begins_before_python_is_there_and_lasts_after_a_reload(visit: Visit) -> None:
    visitor = visit(fresh=True)
    page, context = visitor.page, visitor.context
    held: list[Route] = []
    context.route("**/pyodide.asm.wasm", lambda route: held.append(route))
    visitor.go("/")
    expect(page.locator(".lead").first).not_to_contain_text("by link")
    page.get_by_role("button", name=f"Play {GAMES[FIRST].title}").click()
    expect(turn(page)).to_have_text("Your turn")
    expect(page.get_by_test_id("loading")).to_be_visible()
    held.clear()
    page.reload()  # It lasts even though nobody has created it yet.
    expect(turn(page)).to_have_text("Your turn")
    expect(page.get_by_test_id("loading")).to_be_visible()
    page.get_by_test_id("board").locator(".cell.open").first.click()
    expect(moves_shown(page)).to_have_count(0)
    for route in held:
        route.continue_()
    context.unroute("**/pyodide.asm.wasm")
    expect(moves_shown(page)).to_have_count(2)
    expect(page.get_by_test_id("loading")).to_have_count(0)
    page.reload()
    expect(moves_shown(page)).to_have_count(2)
    # A friend by link needs a server, and nothing here pretends otherwise.
    visitor.go("/new")
    expect(page.get_by_role("radio", name="A friend")).to_have_count(0)
    expect(page.get_by_role("link", name="Play with a group")).to_have_count(0)
    visitor.go("/tournament/a-link-from-elsewhere")
    expect(page.get_by_role("heading", level=1)).to_have_text("This needs a server.")


def test_work_that_nobody_wants_is_stopped(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/explore/gridlock?size=7x7")
    page.get_by_test_id("values").check()
    expect(page.locator(".cell.legal .value").first).to_be_visible()  # What is known at once; the search goes on.
    ended: list[Worker] = []
    for worker in page.workers:  # One searches; a second one may be there for what is quick.
        worker.on("close", lambda gone: ended.append(gone))
    visitor.go("/explore/gridlock?size=3x3")
    page.get_by_test_id("values").check()
    expect(page.locator(".cell.legal .value").first).to_be_visible()
    wait_until(lambda: page.evaluate("true") and ended)


def test_a_new_version_is_installed_whole_and_used_at_the_next_load(
    visit: Visit, site: StaticSite, tmp_path: Path
) -> None:
    shutil.copytree(site.files, tmp_path / FOLDER)  # Others use that one meanwhile.
    with serve_site(tmp_path) as copy:
        visitor = visit(copy)
        page = visitor.go("/")
        page.wait_for_function(INSTALLED)
        settings = page.locator("meta[name=quintet-site]")
        before = settings.get_attribute("content")
        write_site(copy.files, load_pyodide(None), "https://quintet.example")  # Another setting makes another version.
        page.evaluate(UPDATED)
        visitor.go(f"/learn/{FIRST}")
        expect(page.locator("quintet-board .cell").first).to_be_visible()
        assert settings.get_attribute("content") == before, "nothing changes while the page is open"
        page.reload()
        expect(settings).to_have_attribute("content", re.compile("quintet.example"))
        expect(page.locator("quintet-board .cell").first).to_be_visible()
