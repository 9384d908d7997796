"""A person plays a part of a suite in the browser, as a participant of a human baseline."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from browsing import Visit, board_shows, claim, needs_server
from participants import best
from quintet.notation import read_position
from quintet.rules import Position
from quintet.store.baselines import Baseline, load_baselines
from quintet.store.database import Database
from quintet.suites.course import course, follow
from quintet.suites.suite import load_suite
from serving import Server

pytestmark = needs_server
SAMPLES = course(load_suite("quick"), "gridlock")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("baseline")
    server = Server(f"sqlite:///{folder}/quintet.db", "--no-limits", "--baseline", "quick")
    yield server
    assert server.stop() == ""


def stored(server: Server, code: str) -> Baseline:
    with Database(server.database) as store:
        [found] = load_baselines(store, code=code)
    return found


def begin(page: Page) -> None:
    expect(page.get_by_test_id("consent")).to_contain_text("your moves and the time you take for each")
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("progress")).to_have_text("1 of 20")


def taken(position: Position) -> int:
    return (position.mine | position.theirs).bit_count()


def play_sample(page: Page, number: int) -> list[Position]:
    """Play a sample to its end with best moves, as the board shows it; gives the positions of the turns."""
    spec, choices, positions = SAMPLES[number], list[int](), list[Position]()
    expect(page.get_by_test_id("progress")).to_have_text(f"{number + 1} of {len(SAMPLES)}")
    while True:
        position = spec.start
        for move in follow(spec, choices):
            position = position.play(move)
        if position.outcome and spec.opponent:
            won = position.outcome.winner == spec.player
            expect(page.get_by_test_id("task")).to_have_text("You win" if won else "You lose")
            page.get_by_test_id("next").click()
        if position.outcome or (choices and not spec.opponent):
            return positions
        expect(page.get_by_test_id("board").locator(".cell.one, .cell.two")).to_have_count(taken(position))
        board_shows(page, position)
        choices.append(best(position))
        positions.append(position)
        claim(page, position.label(choices[-1]))


def test_a_person_plays_a_suite(server: Server, visit: Visit) -> None:
    page = visit(server).go("/baseline/quick/gridlock?code=P7")
    begin(page)
    positions = [position for number in range(len(SAMPLES)) for position in play_sample(page, number)]
    expect(page.get_by_test_id("thanks")).to_contain_text("All 20 are played")
    found = stored(server, "P7")
    assert [read_position(turn.position) for turn in found.turns] == positions
    assert all(0 < turn.milliseconds < 60_000 for turn in found.turns)
    page.reload()
    expect(page.get_by_test_id("thanks")).to_be_visible()


def test_two_people_in_one_browser_and_a_reload(server: Server, visit: Visit) -> None:
    visitor = visit(server)
    page = visitor.go("/baseline/quick/gridlock?code=Q1")
    expect(page.get_by_test_id("start")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    begin(page)
    assert Axe().run(page).response["violations"] == []
    first = SAMPLES[0].start
    board_shows(page, first)
    claim(page, first.label(first.moves[0]))
    expect(page.get_by_test_id("task")).to_contain_text("Opponent claimed")
    shown = page.get_by_test_id("board").locator(".cell.one, .cell.two").count()
    page = visitor.go("/baseline/quick/gridlock?code=Q2")
    begin(page)
    board_shows(page, first)
    page = visitor.go("/baseline/quick/gridlock?code=Q1")
    expect(page.get_by_test_id("board").locator(".cell.one, .cell.two")).to_have_count(shown)
    assert (len(stored(server, "Q1").turns), len(stored(server, "Q2").turns)) == (1, 0)
    assert page.locator(".best, .value").count() == 0, "no values"
    for name in ("Undo", "Hint", "Resign"):
        assert page.get_by_role("button", name=name).count() == 0


def test_a_code_of_somebody_else(server: Server, visit: Visit) -> None:
    begin(visit(server).go("/baseline/quick/isolation?code=R1"))
    other = visit(server)
    other.forgiven = ("409",)
    page = other.go("/baseline/quick/isolation?code=R1")
    page.get_by_test_id("start").click()
    expect(page.locator("#notice")).to_contain_text("in use in another browser")


def test_a_server_that_records_nothing(visit: Visit) -> None:
    visitor = visit()
    visitor.forgiven = ("404",)
    page = visitor.page
    page.goto("/baseline/quick")
    expect(page.get_by_test_id("missing")).to_be_visible()
