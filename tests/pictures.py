"""Takes pictures of the page from the real program: `make pictures`.

Those that the documentation shows go to `docs/pictures`. One of every view, on a phone and on a desktop, light and
dark, goes to `build/pictures`, to be looked at.
"""

import re
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from browsing import DESK, FLAGS, PHONE, Visitor, find_browser
from serving import Server
from test_browser_guards import all_pages

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
VIEWS = Path(__file__).parent.parent / "build" / "pictures"
TOKEN = "only-the-operator-knows-this"
SCREENS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2},
    "desktop": {"viewport": {"width": 1366, "height": 768}},
}


def take(page: Page, name: str) -> None:
    """Wait until all is drawn, and keep what is seen."""
    page.mouse.move(1, 1)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png")


def take_all(visit: Any) -> None:
    """One picture after the other."""
    page = visit(viewport={"width": 1200, "height": 1100}).go("/")
    expect(page.locator(".picture .cell.last")).to_have_count(5)
    expect(page.locator(".daily h2")).to_be_visible()
    take(page, "home")

    seats = {"1": "human", "2": "perfect"}
    begun = {"moves": "1 3; 0 2; 4 4; 4 1", "seats": seats, "take": [1], "name": "Ada"}
    for name, theme, game, options in (
        ("table", "light", "grid-conquest", begun),
        ("dark", "dark", "adjacent-claim", {"moves": "C3; C2; D3; B2; B3; C1"}),
    ):
        visitor = visit(viewport=DESK, color_scheme=theme)
        visitor.begin(game, **options)
        visitor.page.get_by_test_id("values").check()
        expect(visitor.page.locator(".cell.best").first).to_be_visible()
        take(visitor.page, name)

    phone = visit(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2, color_scheme="dark")
    page = phone.go("/explore/gridlock?moves=1 1; 1 4; 4 4")
    expect(page.locator(".cell.best").first).to_be_visible()
    take(page, "phone")


def take_operators(visitor: Visitor) -> None:
    """The operator's page, while some people play and others watch."""
    server = visitor.server
    games = ("adjacent-claim", "grid-conquest", "isolation", "gridlock", "point-capture")
    with ExitStack() as seats:
        for number, game in enumerate(games):
            against = {"seats": {"1": "human", "2": f"level:{number}"}} if number % 2 else {}
            match = server.begin(game, clock={"seconds": 600}, **against)
            if not against:
                server.http.post(f"/api/matches/{match['id']}/join", json={})
            for _ in range(number):
                seats.enter_context(server.sit(match["id"]))
            player = seats.enter_context(server.sit(match["id"], match["tokens"]["1"]))
            legal = next(cell["label"] for cell in player.table["state"]["view"]["cells"] if cell.get("legal"))
            player.move(0, legal)
            player.hear_until("state", ply=2 if against else 1)
        server.http.get("/api/operator", headers={"Authorization": "Bearer wrong"})
        page = visitor.go("/operator")
        page.get_by_label("Operator token").fill(TOKEN)
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name="Live tables").get_by_role("row")).to_have_count(1 + len(games))
        take(page, "operator")


def take_every_view(visit: Any) -> None:
    """Every view in each of its main states, on every screen and in both themes."""
    VIEWS.mkdir(parents=True, exist_ok=True)
    for screen, options in SCREENS.items():
        for theme in ("light", "dark"):
            visitor = visit(color_scheme=theme, **options)
            for number, (path, sign) in enumerate(all_pages(visitor).items(), 1):
                name = re.sub(r"[^a-z]+", "-", path.split("?")[0].lower()).strip("-") or "home"
                visitor.page.goto(path)
                expect(visitor.page.locator(sign).first).to_be_visible()
                visitor.page.wait_for_load_state("networkidle")
                visitor.page.screenshot(path=VIEWS / f"{screen}-{theme}-{number:02}-{name}.png")


def main() -> None:
    """Open the program and a browser, and take the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        server = Server(f"sqlite:///{folder}/quintet.db", "--no-limits", "--operator-token", TOKEN)
        try:
            # First, while there are no other tables.
            take_operators(Visitor(browser, server, viewport={"width": 1200, "height": 1215}))
            take_all(lambda **options: Visitor(browser, server, **options))
            take_every_view(lambda **options: Visitor(browser, server, **options))
        finally:
            server.stop()
            browser.close()


if __name__ == "__main__":
    main()
