"""A real browser at the real service and at the site without one, and what tests do on the page."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from quintet.notation import read_move, read_position
from quintet.rules import PASS, Position
from quintet.solve.oracle import oracle_of
from quintet.study.puzzles import Puzzle, puzzle_from
from serving import Server
from static_site import StaticSite, build_site, serve_site
from visitors import DESK, FLAGS, HERE, Place, Visitor, Windows, find_browser

__all__ = ["DESK", "FLAGS", "HERE", "Place", "Visitor", "find_browser"]

PHONE: ViewportSize = {"width": 390, "height": 844}
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
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
BROWSER_TESTS = "test_browser_"

needs_server = pytest.mark.parametrize("place", ["server"], indirect=True)
"""About something that the site without a server does not offer."""
needs_site = pytest.mark.parametrize("place", ["site"], indirect=True)

WINDOWS = Windows()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """One browser serves all modules, up to a test that is not about the page."""
    if not item.path.stem.startswith(BROWSER_TESTS):
        WINDOWS.close()


def pytest_sessionfinish() -> None:
    WINDOWS.close()


@pytest.fixture
def browser() -> Browser:
    """A browser, where the system has one."""
    return WINDOWS.browser


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service that counts nobody's requests: all these visitors come from one address."""
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('browser')}/quintet.db", "--no-limits")
    yield server
    assert server.stop() == ""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticSite]:
    """The same page as static files, without a service."""
    folder = shared_folder(tmp_path_factory)
    build_site(folder)
    with serve_site(folder) as site:
        yield site


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a test run have in common."""
    base = factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"


@pytest.fixture(params=["server", "site"])
def place(request: pytest.FixtureRequest) -> Place:
    """Where the page comes from. Every test runs at both places, unless it says what it needs."""
    found: Place = request.getfixturevalue("service" if request.param == "server" else "site")
    return found


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser, place: Place) -> Iterator[Visit]:
    """A way to make visitors that leave in the end, having had no trouble.

    Somebody `fresh` has a window in which nothing was loaded before.
    """
    visitors: list[tuple[Visitor, dict[str, Any] | None]] = []

    def enter(other: Place | None = None, fresh: bool = False, **options: Any) -> Visitor:
        is_new = fresh or other is not None
        visitor = Visitor(browser, other or place, **options) if is_new else WINDOWS.enter(place, **options)
        visitors.append((visitor, None if is_new else options))
        return visitor

    yield enter
    for visitor, options in visitors:
        if options is None:
            visitor.close()
        else:
            WINDOWS.leave(visitor, **options)


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """One visitor, at a desk."""
    return visit()


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


def puzzle_shown(page: Page) -> Puzzle:
    """The puzzle on the page, which a link to its position names, with its answers."""
    explore = page.get_by_text("Explore this position")
    expect(explore).to_have_attribute("href", re.compile("position="))
    href = explore.get_attribute("href") or ""
    position = read_position(parse_qs(urlsplit(href).query)["position"][0])
    return puzzle_from(position, oracle_of(position), "")


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
