"""The operator's page in a real browser: the token, a report that refreshes itself, and no barrier."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browsing import DESK, PHONE, Visit, Visitor, needs_server
from serving import Server
from test_browser_guards import NARROWEST, check_access

pytestmark = needs_server
TOKEN = "only-the-operator-knows-this"


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("operated")
    server = Server(f"sqlite:///{folder}/quintet.db", "--no-limits", "--operator-token", TOKEN)
    yield server
    assert server.stop() == ""


def sign_in(visitor: Visitor) -> None:
    """Show the server, with the keyboard alone."""
    visitor.go("/operator")
    visitor.page.get_by_label("Operator token").focus()
    visitor.page.keyboard.type(TOKEN)
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_test_id("readiness")).to_have_text("Ready")


def test_there_is_no_such_page_without_a_token(visit: Visit) -> None:
    visitor = visit()
    visitor.forgiven = ("status of 404",)
    expect(visitor.go("/operator").get_by_test_id("missing")).to_be_visible()


def test_the_token_is_asked_for_and_forgotten(visit: Visit, operated: Server) -> None:
    visitor = visit(operated)
    visitor.forgiven = ("status of 401",)
    page = visitor.go("/operator")
    page.get_by_label("Operator token").fill("not the token")
    page.get_by_role("button", name="Show the server").click()
    expect(page.get_by_role("alert")).to_have_text("That is not the operator's token.")
    sign_in(visitor)
    expect(page.get_by_role("alert")).to_be_hidden()
    assert TOKEN not in page.url and TOKEN not in str(page.evaluate("({...localStorage})"))
    page.reload()
    expect(page.get_by_test_id("readiness")).to_have_text("Ready")
    page.get_by_role("button", name="Forget the token").click()
    expect(page.get_by_label("Operator token")).to_have_value("")
    assert page.evaluate("sessionStorage.length") == 0


def test_the_report_refreshes_itself_under_the_keyboard(visit: Visit, operated: Server) -> None:
    visitor = visit(operated)
    sign_in(visitor)
    page = visitor.page
    counters = page.get_by_role("region", name="Counters")
    counters.focus()
    match = operated.begin("gridlock", seats={"1": "human", "2": "level:3"}, name="Ada")
    with operated.sit(match["id"]):
        row = page.get_by_role("row").filter(has_text=match["id"][:4])
        expect(row).to_contain_text("person – level:3")
        expect(counters).to_be_focused()
    expect(row).to_have_count(0)
    expect(page.get_by_text("No table is open.")).to_be_visible()
    assert "Ada" not in page.content()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_no_barrier_and_does_not_scroll_sideways(visit: Visit, operated: Server, theme: str) -> None:
    visitor = visit(operated, color_scheme=theme)
    page = visitor.go("/operator")
    check_access(page)
    sign_in(visitor)
    with operated.sit(operated.begin("isolation")["id"]):
        expect(page.get_by_role("row").filter(has_text="person – free")).to_be_visible()
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            check_access(page)
        for width in (PHONE["width"], NARROWEST):
            page.set_viewport_size({"width": width, "height": PHONE["height"]})
            assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_server_that_is_gone_is_said_so(visit: Visit, operated: Server) -> None:
    visitor = visit(operated)
    visitor.forgiven = ("ERR_",)
    sign_in(visitor)
    operated.kill()
    try:
        expect(visitor.page.get_by_test_id("readiness")).to_contain_text("No report. Can’t reach the server.")
    finally:
        operated.start()
