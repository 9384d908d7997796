"""What holds on every page: nothing from elsewhere, a strict policy, little script, quick, open to everybody."""

import re
from collections import Counter
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, Request, expect

from boards import first_moves
from browsing import DESK, PHONE, Visit, Visitor, cell, claim, moves_shown, needs_server
from page_modules import MOST_SCRIPT, read_routes
from quintet.games import GAMES
from serving import Server
from static_site import StaticSite

NARROWEST = 320
"""Also what a desktop shows at four times the size."""
SLOWEST_BOARD = 1_500
"""Milliseconds, on a machine that does other things too; alone it is well under one second."""
GAME = next(iter(GAMES))
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
FIRST_BOARD = """
new MutationObserver((_, watch) => {
  if (!document.querySelector("quintet-board svg")) return;
  watch.disconnect();
  requestAnimationFrame(() => performance.mark("first-board"));
}).observe(document, { childList: true, subtree: true });
"""
"""Marks the moment from which a board can be seen."""
SCRIPTS_LOADED = """
performance.getEntriesByType("resource").filter(({ name }) => new URL(name).pathname.endsWith(".js"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
"""
"""Bytes of the page's scripts as they were sent."""


def played_out(visitor: Visitor) -> dict[str, Any]:
    """A finished match, played by its first legal moves."""
    return visitor.create("gridlock", size="3x3", moves=first_moves("gridlock", "3x3"), name="Ada")


def make_tournament(visitor: Visitor, is_started: bool) -> str:
    """A tournament with people whose names are as long as they may be, and this visitor as its organiser."""
    post = visitor.server.http.post
    made = post("/api/tournaments", json={"game": "isolation", "name": "W" * 60, "pause": 600}).json()
    path, key = f"/api/tournaments/{made['id']}", {"Authorization": f"Bearer {made['token']}"}
    for name in ("M" * 40, "<b>Ada</b> " * 3, "Cy"):
        post(f"{path}/entries", json={"name": name})
    if is_started:
        post(f"{path}/start", json={"round": 1}, headers=key)
    saved = [[made["id"], {"organiser": made["token"]}]]
    visitor.page.evaluate("(saved) => localStorage.setItem('quintet.tournaments', JSON.stringify(saved))", saved)
    return str(made["id"])


def all_pages(visitor: Visitor) -> dict[str, str]:
    """An address of every view, in each of its main states, and what shows that it is complete."""
    own = visitor.create("adjacent-claim", size="4x4", moves="B2; B3", name="Ada")
    over = played_out(visitor)
    visitor.hold(own, over)
    return {
        "/": ".daily h2",
        "/new?game=point-capture&size=4x5": "[data-testid=start]",
        own["url"]: "[data-testid=values]",
        over["url"]: f"a[href^='{visitor.link('/review/')}']",
        f"/review/{over['id']}": ".graph",
        "/explore/gridlock?size=3x3&moves=1 1": ".cell .value",
        "/explore/isolation?size=1x15": ".cell.best",
        "/daily": ".cell.open",
        "/daily/archive": ".days a",
        f"/puzzles?game={GAME}": ".cell.open",
        "/rules/adjacent-claim": ".diagrams figure:nth-of-type(3) svg",
        f"/learn/{GAME}": ".cell.lit",
        "/history": ".past li",
        "/ladder": ".stairs li",
        "/ladder/strength": "tbody tr",
        "/progress": ".tally",
        **(server_pages(visitor, own, over) if isinstance(visitor.place, Server) else {}),
    }


def server_pages(visitor: Visitor, *matches: dict[str, Any]) -> dict[str, str]:
    """The same for the views that need a server."""
    invited = visitor.server.begin("point-capture", name="Ada", clock={"seconds": 300, "increment": 3})
    open_seat = visitor.server.begin("grid-conquest", name="M" * 40)
    visitor.hold(*matches, invited)
    running, waiting = (make_tournament(visitor, is_started) for is_started in (True, False))
    return {
        invited["url"]: ".invite",
        open_seat["url"]: "[data-testid=join]",
        "/tournament/new": "[data-testid=create]",
        f"/tournament/{waiting}": "[data-testid=join]",
        f"/tournament/{running}": "[data-testid=standings]",
        "/docs": "main",
    }


def check_access(page: Page, *themes: Theme) -> None:
    """Nothing keeps anybody out, in the theme that is shown or in several."""
    for theme in themes or (None,):
        page.emulate_media(color_scheme=theme)
        found = Axe().run(page).response["violations"]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == [], theme


def test_no_page_has_a_barrier_or_scrolls_sideways(visitor: Visitor) -> None:
    page = visitor.page
    for path, sign in all_pages(visitor).items():
        visitor.open(path)
        expect(page.locator(sign).first).to_be_visible()
        check_access(page, *THEMES)
        for width in (PHONE["width"], NARROWEST):
            page.set_viewport_size({"width": width, "height": PHONE["height"]})
            assert page.evaluate("document.documentElement.scrollWidth") == width, path
        page.set_viewport_size(DESK)
    page.set_viewport_size(PHONE)
    visitor.forgiven = ("status of 404",)
    for path in ("/", "/explore/gridlock?size=3x3", "/nothing"):
        visitor.go(path)
        check_access(page, *THEMES)


def test_the_theme_is_the_systems_until_it_is_chosen(visit: Visit) -> None:
    visitor = visit(color_scheme="dark")
    page = visitor.go("/ladder")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(paper)
    page.get_by_role("button", name="Switch to the light theme").click()
    light = page.evaluate(paper)
    assert light != dark
    page.reload()
    expect(page.get_by_role("button", name="Switch to the dark theme")).to_be_visible()
    assert page.evaluate(paper) == light


def time_to_board(visitor: Visitor) -> float:
    """Milliseconds until a page that has seen nothing before shows a board."""
    page = visitor.page
    visitor.add_script(FIRST_BOARD)
    visitor.load("/")
    expect(page.locator("quintet-board svg").first).to_be_visible()
    return float(page.evaluate("performance.getEntriesByName('first-board')[0].startTime"))


def test_the_first_board_is_quick(visit: Visit) -> None:
    first = time_to_board(visit(fresh=True))
    for _ in range(2):
        if first >= SLOWEST_BOARD:  # The machine may have been busy with something else, in this moment.
            first = min(first, time_to_board(visit(fresh=True)))
    print(f"\nfirst board after {first:.0f} ms")
    assert first < SLOWEST_BOARD


@needs_server
def test_scripts_are_few(visit: Visit) -> None:
    """They are compressed, which the host of a site may do or not."""
    visitor = visit(fresh=True)
    page = visitor.page
    sizes: Counter[str] = Counter()

    def weigh(request: Request) -> None:
        """A script that has not changed is sent once and then only confirmed."""
        if request.resource_type == "script":
            sizes[request.url] = max(sizes[request.url], request.sizes()["responseBodySize"])

    page.on("requestfinished", weigh)
    visitor.go("/")
    visitor.go("/new")
    visitor.begin("gridlock", size="3x3")
    total = sizes.total()  # What a first game needs; every other view is loaded when it is opened.
    visitor.go("/ladder")
    names = {url.rpartition("/static/js/")[2] for url in sizes}
    assert {"app.js", "router.js", "board.js", "views/table.js", "views/ladder.js"} <= names
    print(f"\nscript {total:,} bytes in {len(sizes)} files")
    assert 0 < total < MOST_SCRIPT


def policy_of(visitor: Visitor) -> str:
    """The policy of the page: what the server sends, or what the site has in the page itself."""
    if isinstance(visitor.place, Server):
        return str(visitor.place.http.get("/").headers["content-security-policy"])
    stated = visitor.page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    return stated or ""


@needs_server
def test_no_page_loads_much_script(visitor: Visitor) -> None:
    """Every address of the router, opened by somebody who has nothing of it yet."""
    visitor.forgiven = ("status of 404",)
    page = visitor.page
    addresses = {
        **all_pages(visitor),
        "/operator": "h1",
        "/baseline/quick": "h1",
        "/embed?game=gridlock&moves=1 1": ".cell",
    }
    browser = page.context.new_cdp_session(page)
    browser.send("Network.enable")
    browser.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: dict[str, int] = {}
    for path, sign in addresses.items():
        page.goto(path)
        expect(page.locator(sign).first).to_be_visible()
        sizes[path] = page.evaluate(SCRIPTS_LOADED)
    browser.detach()
    del sizes["/docs"]  # A page without script.
    for pattern in read_routes():
        assert any(re.search(pattern, path.partition("?")[0]) for path in sizes), f"no page for {pattern}"
    heaviest = max(sizes, key=lambda path: sizes[path])
    print(f"\n{heaviest} {sizes[heaviest]:,} bytes of script")
    assert min(sizes.values()) > 0 and sizes[heaviest] < MOST_SCRIPT, sizes


def test_the_policy_is_strict_and_kept(visitor: Visitor) -> None:
    page = visitor.load("/")
    policy = policy_of(visitor)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'self'" and rules["object-src"] == rules["base-uri"] == "'none'"
    # The site compiles Python, which is all that it adds.
    assert ("'wasm-unsafe-eval'" in policy) == isinstance(visitor.place, StaticSite)
    policy = policy.replace("'wasm-unsafe-eval'", "")
    assert "unsafe" not in policy and "*" not in policy and "http" not in policy
    # The watch works: what breaks the policy is told.
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.hurt = 1'}))")
    assert page.evaluate("window.hurt") is None
    assert any("policy: script-src" in trouble for trouble in visitor.troubles)
    visitor.troubles.clear()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_left_out_where_it_is_not_wanted(visit: Visit, motion: str) -> None:
    visitor = visit(reduced_motion=motion)
    visitor.begin("gridlock")
    page = visitor.page
    page.evaluate("""() => {
        const seen = document.body.dataset;
        seen.moved = "";
        const see = (event) => seen.moved += ` ${event.animationName ?? event.propertyName}`;
        for (const kind of ["animationstart", "transitionrun"]) document.addEventListener(kind, see, true);
    }""")
    claim(page, "2 2")
    expect(moves_shown(page)).to_have_count(1)
    moved = page.locator("body")
    if motion == "reduce":
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        expect(moved).to_have_attribute("data-moved", "")
    else:
        expect(moved).to_have_attribute("data-moved", re.compile(r"\bwrite\b"))


def test_keyboard_alone_leads_to_the_board(visitor: Visitor) -> None:
    visitor.begin("gridlock")
    page = visitor.page
    page.reload()  # Nothing has the focus yet.
    expect(page.get_by_test_id("board").locator("svg")).to_be_visible()
    page.evaluate("window.first = document.querySelector('quintet-board')")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator("#main")).to_have_css("outline-style", "none")  # No frame around all that is seen.
    while page.evaluate("!document.activeElement.closest('quintet-board')"):
        page.keyboard.press("Tab")
    page.keyboard.type("2")
    expect(cell(page, "2 1")).to_be_focused()
    for _ in range(5):  # On a busy machine the two keys may come so slowly that they count as two labels.
        page.keyboard.press("Home")  # Ends a label: what follows is not 2 3.
        page.keyboard.type("32")
        if cell(page, "3 2").evaluate("(cell) => cell === document.activeElement"):
            break
    expect(cell(page, "3 2")).to_be_focused()
    expect(cell(page, "3 2")).to_have_class(re.compile(r"\bopen\b"))  # The table is live, and it is our turn.
    page.keyboard.press(" ")
    expect(moves_shown(page)).to_have_text(["C2"])
    expect(cell(page, "3 2")).to_have_attribute("aria-label", re.compile("^C2, X, last move"))
    assert page.evaluate("first.isConnected"), "skipping to the content drew it anew, away from under the keyboard"
