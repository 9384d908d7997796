"""Sharing: pictures by HTTP, previews of links, the share sheet and menu, and a board in another site's page."""

import html
import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from browsing import PHONE, SHIFTS, TOUCH, Visit, Visitor, claim, needs_server, turn
from quintet.drawing.canvas import NAMES, colour_table
from serving import Server

DESKTOP: ViewportSize = {"width": 1366, "height": 768}
NARROW: ViewportSize = {"width": 320, "height": 640}
FRAME: ViewportSize = {"width": 300, "height": 420}
HOSTILE = '"><script>alert(1)</script>'
FINISHED = {"game": "gridlock", "size": "2x2", "moves": "1 1; 2 2"}
"""A game that is over."""

every_screen = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])


class Tags(HTMLParser):
    """The tags of a page, as a browser reads them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.named: dict[str, str] = {}
        self.scripts = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.scripts += tag == "script"
        if tag == "meta" and (name := found.get("property") or found.get("name")):
            self.named[name] = found.get("content") or ""


def preview(service: Server, path: str, **headers: str) -> dict[str, str]:
    answer = service.http.get(path, headers=headers)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
    assert Tags(answer.text).scripts == Tags(service.http.get("/").text).scripts
    return Tags(answer.text).named


def picture(service: Server, path: str, **params: str) -> Image.Image:
    answer = service.http.get(path, params=params)
    assert answer.status_code == 200, answer.text
    image = Image.open(io.BytesIO(answer.content))
    assert answer.headers["content-type"] == {"PNG": "image/png", "GIF": "image/gif"}[str(image.format)]
    return image


def frames_of(image: Image.Image) -> int:
    return int(getattr(image, "n_frames", 1))


def seen(image: Image.Image) -> set[str]:
    """The named colours in a picture."""
    table = colour_table()
    colours = {tuple(table[3 * i : 3 * i + 3]): name for i, name in enumerate(NAMES)}
    found = image.convert("RGB").getcolors(999) or []
    return {colours[colour] for _, colour in found if isinstance(colour, tuple) and colour in colours}


# By HTTP.


def test_pictures_of_positions_and_matches(service: Server) -> None:
    empty, played = (picture(service, "/api/picture.png", game="gridlock", moves=moves) for moves in ("", "1 1; 3 3"))
    assert "one" not in seen(empty) and {"one", "two", "ink"} <= seen(played)
    assert picture(service, "/api/picture.png", game="gridlock", shape="card").size == (1200, 630)
    assert frames_of(picture(service, "/api/replay.gif", game="gridlock", moves="1 1; 3 3")) == 3
    assert picture(service, "/api/games/picture.png").size == (1200, 630)
    assert picture(service, "/api/puzzles/daily/picture.png", day="2026-11-15").size == (1200, 630)
    id, one, two = service.friends("gridlock", size="3x3")
    nothing = service.http.get(f"/api/matches/{id}/replay.gif")
    assert nothing.status_code == 409 and "nothing to replay" in nothing.json()["error"]
    assert "one" not in seen(picture(service, f"/api/matches/{id}/picture.png", shape="board"))
    assert service.post(id, "moves", one, ply=0, undone=0, move="2 2").is_success
    assert "one" in seen(picture(service, f"/api/matches/{id}/picture.png", shape="board"))
    running = picture(service, f"/api/matches/{id}/replay.gif")
    assert frames_of(running) == 2
    assert service.post(id, "resign", two).is_success
    over = picture(service, f"/api/matches/{id}/replay.gif")
    assert frames_of(over) == 2 and over.tobytes() == running.tobytes()
    for path in ("/api/matches/nothing/picture.png", "/api/matches/nothing/replay.gif"):
        assert service.http.get(path).status_code == 404
    for path in (
        "/api/picture.png?game=chess",
        "/api/replay.gif?game=gridlock",
        "/api/picture.png?game=gridlock&theme=x",
    ):
        assert service.http.get(path).status_code == 422


def test_a_picture_is_sent_again_only_if_it_has_changed(service: Server) -> None:
    id, one, _ = service.friends("gridlock", size="3x3")
    for path in ("/api/picture.png?game=gridlock", f"/api/matches/{id}/picture.png?"):
        first = service.http.get(path)
        again = service.http.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
        assert service.http.get(f"{path}&theme=dark").headers["etag"] != first.headers["etag"]
        assert service.http.head(path).headers["etag"] == first.headers["etag"]
    assert service.http.get("/api/picture.png?game=gridlock").headers["cache-control"] == "public, max-age=3600"
    assert first.headers["cache-control"] == "no-cache"
    service.post(id, "moves", one, ply=0, undone=0, move="2 2")
    assert service.http.get(path, headers={"if-none-match": first.headers["etag"]}).status_code == 200


def test_links_are_previewed_with_their_board(service: Server) -> None:
    match = service.begin("gridlock", name="Ada")
    invited = preview(service, match["url"])
    assert invited["og:title"] == "Ada invites you to Gridlock" == invited["og:image:alt"]
    assert invited["og:url"] == f"http://{service.host}{match['url']}"
    assert invited["og:image"] == f"http://{service.host}/api/matches/{match['id']}/picture.png?shape=card"
    assert invited["twitter:card"] == "summary_large_image" and invited["og:description"]
    assert preview(service, service.begin("gridlock")["url"])["og:title"] == "You are invited to Gridlock"
    service.http.post(f"/api/matches/{match['id']}/join", json={"name": "Bea"})
    assert preview(service, match["url"])["og:title"] == "Gridlock: Ada against Bea"
    explored = preview(service, "/explore/gridlock?size=3x3&moves=1%201;%203%203&nothing=1")
    assert explored["og:url"].endswith("/explore/gridlock?size=3x3&moves=1%201;%203%203&nothing=1")
    assert explored["og:title"] == "Explore Gridlock" and "nothing" not in explored["og:image"]
    general = preview(service, "/")
    assert general["og:image"].endswith("/api/games/picture.png")
    for path in (
        "/explore/chess",
        "/explore/gridlock?moves=Z9",
        "/match/nothing",
        "/rules",
        "/explore/gridlock?first=x9",
    ):
        found = preview(service, path)
        assert found["og:image"] == general["og:image"] or path.endswith("x9")
    for path in ("/puzzles", "/puzzles?day=2026-11-15", "/puzzles?day=never"):
        assert "puzzle of the day" in preview(service, path)["og:title"]
    for named in (invited, explored, general, preview(service, "/puzzles?day=2026-11-15")):
        shown = service.http.get(named["og:image"].removeprefix(f"http://{service.host}"))
        with Image.open(io.BytesIO(shown.content)) as image:
            wanted = named["og:image:width"], named["og:image:height"], named["og:image:type"]
            assert (str(image.width), str(image.height), shown.headers["content-type"]) == wanted


def test_what_a_stranger_typed_stays_text_in_a_preview(service: Server) -> None:
    match = service.begin("gridlock", name=HOSTILE)
    page = service.http.get(match["url"]).text
    assert "<script>alert" not in page and html.escape(f"{HOSTILE} invites you to Gridlock") in page
    assert preview(service, match["url"])["og:title"] == f"{HOSTILE} invites you to Gridlock"
    for path in (f"/explore/{HOSTILE}", f"/explore/gridlock?moves={HOSTILE}", f"/explore/gridlock?size={HOSTILE}"):
        assert "alert(1)</script>" not in service.http.get(path).text
    # The name of the host was checked before, what stands for its port was not.
    port = service.http.get("/", headers={"Host": f"localhost:1{HOSTILE}"})
    assert port.status_code in (200, 400) and "alert(1)" not in port.text


def test_only_the_board_to_embed_may_be_in_a_frame(service: Server) -> None:
    headers = service.http.get("/embed?game=gridlock").headers
    assert "frame-ancestors *" in headers["content-security-policy"] and "x-frame-options" not in headers
    assert "default-src 'self'" in headers["content-security-policy"] and "set-cookie" not in headers
    for path in ("/", "/embed/x", "/match/x", "/api/games", "/static/embed.html", "/embedded"):
        headers = service.http.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"] and headers["x-frame-options"] == "DENY"
    assert 'data-theme="dark"' in service.http.get("/embed?theme=dark").text
    assert re.search('<html lang="en">', service.http.get(f"/embed?theme={HOSTILE}").text)


# In the browser.

SHEET = """
navigator.canShare = () => true;
navigator.share = async (data) => {
  const files = await Promise.all((data.files ?? []).map(async (file) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return [file.name, file.type, String.fromCharCode(...bytes.slice(0, 6))];
  }));
  window.shared = { ...data, files };
};
"""
"""A phone's share sheet, which a headless browser does not have."""


def check_page(page: Page, width: int) -> None:
    """Nothing overflows, and everybody can use it."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def finish(visitor: Visitor) -> Page:
    """Play a game to its end."""
    visitor.begin("gridlock", size="2x2", moves="1 1")
    claim(visitor.page, "2 2")
    expect(visitor.page.get_by_test_id("result")).to_be_visible()
    return visitor.page


def test_a_finished_game_is_shared_by_a_menu(visit: Visit) -> None:
    visitor = visit(viewport=DESKTOP, accept_downloads=True)
    page = finish(visitor)
    result = page.get_by_test_id("result")
    expect(page.locator(".actions .share")).to_be_hidden()
    result.get_by_test_id("share").click()
    expect(result).to_be_visible()
    for name, file in (("Picture (PNG)", "board.png"), ("Replay (GIF)", "replay.gif")):
        with page.expect_download() as started:
            result.get_by_role("link", name=name).click()
        assert started.value.suggested_filename == file
        with Image.open(started.value.path()) as image:
            assert frames_of(image) == (3 if file.endswith("gif") else 1)
    expect(result.get_by_role("button", name="Copy link")).to_be_visible()
    check_page(page, DESKTOP["width"])
    # Later, too, and by the keyboard alone.
    page.reload()
    share = page.locator(".actions .share")
    share.get_by_test_id("share").focus()
    page.keyboard.press("Enter")
    expect(share.get_by_role("button", name="Copy link")).to_be_visible()
    page.keyboard.press("Tab")
    expect(share.get_by_role("button", name="Copy link")).to_be_focused()
    page.set_viewport_size(NARROW)
    check_page(page, NARROW["width"])


def test_a_phone_shares_by_its_sheet(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    visitor.add_script(SHEET)
    page = finish(visitor)
    page.evaluate(SHIFTS)
    page.get_by_test_id("result").get_by_test_id("share").tap()
    page.wait_for_function("() => window.shared")
    shared: dict[str, Any] = page.evaluate("window.shared")
    assert shared["files"] == [["replay.gif", "image/gif", "GIF89a"]]
    assert shared["title"] == "Gridlock: Player 2 wins" and shared["url"] == page.url
    assert page.evaluate("shifts") == []
    # A position without moves is a picture.
    visitor.load("/explore/gridlock").get_by_test_id("share").tap()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared.files")[0][:2] == ["board.png", "image/png"]


@needs_server
def test_an_invitation_is_shared_as_a_link_with_a_name(visit: Visit) -> None:
    """Its preview shows the board."""
    visitor = visit(**TOUCH)
    page = visitor.page
    visitor.add_script(SHEET)
    match = visitor.server.begin("gridlock", name="Ada")
    visitor.hold(match)
    page.evaluate("localStorage.setItem('quintet.name', JSON.stringify('Ada'))")
    visitor.go(match["url"])
    page.get_by_test_id("invite").get_by_role("button", name="Share").tap()
    page.wait_for_function("() => window.shared")
    shared: dict[str, Any] = page.evaluate("window.shared")
    assert (shared["text"], shared["files"]) == ("Ada invites you to Gridlock", [])
    assert shared["url"] == page.get_by_test_id("invite-link").input_value()
    check_page(page, PHONE["width"])


def test_a_phone_without_share_sheet_has_the_menu(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    visitor.add_script("navigator.share = () => Promise.reject(new DOMException('no', 'NotAllowedError'));")
    page = visitor.go("/explore/gridlock?moves=1%201")
    page.get_by_test_id("share").tap()
    expect(page.get_by_role("link", name="Replay (GIF)")).to_be_visible()
    check_page(page, PHONE["width"])


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """A site of somebody else, which shows what it is given to show."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = site["page"].encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


site = {"page": ""}

NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
"""


@every_screen
def test_a_board_is_embedded_in_a_page_of_another_site(
    browser: Browser, service: Server, elsewhere: str, screen: ViewportSize
) -> None:
    visitor = Visitor(browser, service, viewport=screen)
    page = visitor.go("/explore/gridlock?size=3x3&moves=1%201;%203%203")
    page.get_by_test_id("share").click()
    page.locator(".embed-code summary").click()
    code = page.get_by_label("Code for your page").input_value()
    check_page(page, screen["width"])
    visitor.close()

    id = service.begin(**FINISHED, seats={"1": "human", "2": "human"}, take=[1, 2], name=HOSTILE)["id"]
    match = code.replace(code.split('"')[1], f"http://{service.host}/embed?match={id}&amp;theme=dark")
    refused = code.replace(code.split('"')[1], f"http://{service.host}/")
    site["page"] = f"<!doctype html><title>Mine</title><body>{code}{match}{refused}"
    context = browser.new_context(viewport=screen, reduced_motion="reduce")
    context.add_init_script(NO_STORAGE)
    other = context.new_page()
    other.goto(elsewhere)
    first, second = (other.frame_locator("iframe").nth(i) for i in (0, 1))
    expect(first.locator(".cell.one, .cell.two")).to_have_count(2)
    expect(first.get_by_role("link", name="Open in Quintet")).to_have_attribute("target", "_blank")
    first.get_by_role("button", name="Back").click()
    expect(first.locator(".cell.one, .cell.two")).to_have_count(1)
    expect(first.get_by_test_id("status")).to_have_text("After move 1 of 2.")
    expect(second.locator(".players")).to_contain_text(HOSTILE)
    assert second.locator("html").get_attribute("data-theme") == "dark"
    frame = next(frame for frame in other.frames if "embed?game" in frame.url)
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert frame.evaluate("document.documentElement.scrollHeight <= innerHeight")
    expect(other.frame_locator("iframe").nth(2).locator("#main")).to_have_count(0)
    assert context.cookies() == []
    context.close()


@needs_server
def test_a_board_to_embed_says_what_is_wrong(visit: Visit) -> None:
    visitor = visit(viewport=NARROW)
    visitor.forgiven = ("422", "404")
    for query, text in (("game=chess", "no game called"), ("match=nothing", "Match not found")):
        visitor.page.goto(f"/embed?{query}")
        expect(visitor.page.get_by_role("alert")).to_contain_text(text)
    visitor.page.goto("/embed?game=point-capture&moves=0 0")
    expect(visitor.page.locator(".cell.one")).to_have_count(1)
    check_page(visitor.page, NARROW["width"])
    assert turn(visitor.page).count() == 0


@needs_server
def test_long_names_fit_into_a_narrow_frame(visit: Visit) -> None:
    visitor = visit(viewport=FRAME)
    page = visitor.page
    for name in ("MaximilianBartholomewSchmidt", "Bartholomew Featherstonehaugh", "W" * 40):
        match = visitor.server.begin("adjacent-claim", size="4x4", moves="B2; B3", name=name)
        visitor.server.http.post(f"/api/matches/{match['id']}/join", json={"name": name[::-1]})
        page.goto(f"/embed?match={match['id']}")
        expect(page.locator(".players")).to_contain_text(name)
        assert page.evaluate("document.documentElement.scrollWidth") == FRAME["width"], name
        check_page(page, FRAME["width"])
        for button in page.get_by_role("group").get_by_role("button").all():
            box = button.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= FRAME["width"], name
