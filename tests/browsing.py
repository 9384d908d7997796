"""A real browser at the real service: pages that are watched for what must never happen, and what tests do on them."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect, sync_playwright

from quintet.notation import read_move
from quintet.rules import PASS, Position
from serving import WAIT, Server
from static_site import StaticSite, open_site

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
HERE = {"seats": {"1": "human", "2": "human"}, "take": [1, 2]}
"""Two people, one screen."""
NOTHING = "/api/health"
"""An address of the service where nothing goes on."""

WATCH = """
addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective}`));
"""

AT_ONCE = "localStorage.getItem('quintet.pace') ?? localStorage.setItem('quintet.pace', '0');"
"""Engines answer at once, unless a test is about their pace."""
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const names = entry.sources.map(({ node }) => (node?.outerHTML ?? node?.parentElement?.outerHTML)?.slice(0, 120));
    shifts.push([entry.value, ...names]);
  }
}).observe({ type: "layout-shift" });
"""
"""Collects what moves on the page from now on, also just after a click, which the browser's own figure leaves out."""

expect.set_options(timeout=WAIT * 1000)


def find_browser() -> str | None:
    """Where the system keeps a Chromium."""
    names = [os.environ.get("QUINTET_CHROMIUM", ""), *NAMES]
    return next((path for name in names if name and (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser, where the system has one; for one module only, because other tests run event loops of their own."""
    path = find_browser()
    if not path:
        pytest.skip("no Chromium is installed (Debian: apt install chromium; or set QUINTET_CHROMIUM)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service that counts nobody's requests: all these visitors come from one address."""
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('browser')}/quintet.db", "--no-limits")
    yield server
    assert server.stop() == ""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticSite]:
    """The same page as static files, without a service."""
    with open_site(tmp_path_factory.mktemp("site")) as site:
        yield site


class Visitor:
    """Somebody's browser window: a page whose troubles are collected."""

    def __init__(self, browser: Browser, server: Server | StaticSite, paced: bool = False, **options: Any) -> None:
        self.place = server
        self.home = f"http://{server.host}"
        options = {"viewport": DESK, "reduced_motion": "reduce", **options}
        self.context: BrowserContext = browser.new_context(base_url=self.home, **options)
        self.context.set_default_timeout(WAIT * 1000)
        self.context.add_init_script(WATCH)
        if not paced:
            self.context.add_init_script(AT_ONCE)
        self.troubles: list[str] = []
        self.forgiven: tuple[str, ...] = ()
        self.page = self.open_tab()

    def open_tab(self) -> Page:
        """Another tab of the same browser."""
        page = self.context.new_page()
        page.on("console", lambda message: self.note(f"{message.type}: {message.text}", message.type == "error"))
        page.on("pageerror", lambda error: self.note(f"uncaught: {error}"))
        page.on("request", lambda request: self.note(f"elsewhere: {request.url}", not self.is_ours(request.url)))
        return page

    def note(self, trouble: str, is_one: bool = True) -> None:
        if is_one and not any(word in trouble for word in self.forgiven):
            self.troubles.append(trouble)

    def is_ours(self, url: str) -> bool:
        return url.startswith((f"{self.home}/", f"ws://{self.place.host}/", "data:", "blob:"))

    @property
    def server(self) -> Server:
        """The service that the page comes from."""
        assert isinstance(self.place, Server)
        return self.place

    def go(self, path: str) -> Page:
        """Open an address of the page, and wait until its view is there."""
        self.page.goto(self.place.address(path) if isinstance(self.place, StaticSite) else path)
        expect(self.page.locator("#main h1:not(.unseen)")).to_be_visible()
        return self.page

    def hold(self, *matches: dict[str, Any]) -> None:
        """Remember matches with their seats, as a browser does that began them."""
        kept = json.dumps([{"id": match["id"], "tokens": match["tokens"]} for match in matches])
        if isinstance(self.place, Server):
            self.page.goto(NOTHING)
        self.page.evaluate("(kept) => localStorage.setItem('quintet.matches', kept)", kept)

    def forget(self) -> None:
        """Be as if never here before; there has been no trouble."""
        if isinstance(self.place, Server):
            self.page.goto(NOTHING)
        self.page.evaluate("localStorage.clear()")
        troubles, self.troubles, self.forgiven = self.troubles, [], ()
        assert troubles == []

    def begin(self, game: str, **options: Any) -> str:
        """Sit down at a new match; by default at both of its seats."""
        body = {**HERE, **options}
        match = (
            self.place.begin(self.page, game, body)
            if isinstance(self.place, StaticSite)
            else self.server.begin(game, **body)
        )
        self.hold(match)
        self.go(match["url"])
        return str(match["id"])

    def close(self) -> None:
        self.context.close()
        assert self.troubles == []


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser, service: Server) -> Iterator[Visit]:
    """A way to make visitors that leave in the end, having had no trouble."""
    visitors: list[Visitor] = []

    def enter(server: Server = service, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, server, **options))
        return visitors[-1]

    yield enter
    for visitor in visitors:
        visitor.close()


@pytest.fixture(scope="module")
def regular(browser: Browser, service: Server) -> Iterator[Visitor]:
    """A visitor whose window stays open, because opening one is slow."""
    visitor = Visitor(browser, service)
    yield visitor
    visitor.close()


@pytest.fixture
def visitor(regular: Visitor) -> Iterator[Visitor]:
    """One visitor, who remembers nothing and has had no trouble in the end."""
    yield regular
    regular.forget()


@pytest.fixture(scope="module")
def regular_at_site(browser: Browser, site: StaticSite) -> Iterator[Visitor]:
    """The same at the site: from the second visit on, Python starts sooner."""
    visitor = Visitor(browser, site)
    yield visitor
    visitor.close()


@pytest.fixture(params=["server", "site"])
def anywhere(request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """One visitor, at the service and at the site without one."""
    if request.param == "server":
        yield request.getfixturevalue("visitor")
        return
    visitor: Visitor = request.getfixturevalue("regular_at_site")
    yield visitor
    visitor.forget()


# What a player does and sees.


def cell(page: Page, label: str) -> Locator:
    return page.get_by_test_id("board").locator(f'[data-label="{label}"]')


def claim(page: Page, label: str) -> None:
    """Click a cell as soon as the page says that it may be claimed."""
    page.get_by_test_id("board").locator(f'.open[data-label="{label}"]').click()


def turn(page: Page) -> Locator:
    return page.get_by_test_id("turn")


def moves_shown(page: Page) -> Locator:
    """The moves in the list beside the board."""
    return page.locator(".moves li button")


def labels(page: Page, kind: str = "legal") -> list[str]:
    """The cells of a kind on the board, in its order."""
    found = page.get_by_test_id("board").locator(f".cell.{kind}")
    return [str(label) for label in found.evaluate_all("all => all.map((cell) => cell.dataset.label)")]


def board_shows(page: Page, position: Position) -> None:
    """The page shows this position, and nothing else."""
    first, second = position.claims
    for kind, cells in (("one", first), ("two", second), ("legal", position.legal)):
        wanted = [position.label(1 << i) for i in range(position.board.area) if cells >> i & 1]
        assert labels(page, kind) == wanted
    for player, score in zip((1, 2), position.scores, strict=True):
        expect(page.get_by_test_id(f"score-{player}")).to_contain_text(str(score))


def play_through(page: Page, position: Position, claims: list[str], act: Callable[[Position, str], None]) -> Position:
    """Make claims one way or another; after each the page shows what the rules say. Passes go without saying."""
    ply = 0
    for label in claims:
        act(position, label)
        position, ply = position.play(read_move(position, label)), ply + 1
        if position.must_pass:
            position, ply = position.play(PASS), ply + 1
        expect(moves_shown(page)).to_have_count(ply)
        board_shows(page, position)
    return position
