"""A visitor who is here for the first time: one tap to play, the rules at hand, a watchable pace, a proper end."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from browsing import PHONE, SHIFTS, TOUCH, Visit, cell, claim, moves_shown, needs_server, turn
from cups import Cup
from quintet.games import GAMES
from serving import wait_until

DESKTOP: ViewportSize = {"width": 1366, "height": 768}
SMALL_TARGETS = """
[...document.querySelectorAll("a, button, summary, select, input, textarea")].flatMap((one) => {
  const { width, height, bottom } = one.getBoundingClientRect();
  const isText = getComputedStyle(one).display === "inline" && one.parentElement.textContent !== one.textContent;
  const isRight = !one.checkVisibility() || bottom < 0 || isText || Math.min(width, height) > 43.9;
  return isRight ? [] : [`${width} x ${height} ${one.outerHTML.slice(0, 90)}`];
})
"""
"""What a finger may miss: all targets but links within a sentence have at least 44 px each way."""
AGAINST_LEVEL_1 = {"seats": {"1": "human", "2": "level:1"}, "take": [1]}
every_screen = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])


def top(page: Page) -> int:
    return int(page.evaluate("scrollY"))


def play(page: Page) -> None:
    """Make the first legal move, and wait until it is shown."""
    ply = moves_shown(page).count()
    page.locator(".cell.open").first.tap()
    page.wait_for_function("(ply) => document.querySelectorAll('.moves li button').length > ply", arg=ply)


@pytest.mark.parametrize(
    ("screen", "whole"), [(PHONE, ["point-capture"]), (DESKTOP, ["isolation"])], ids=["phone", "desktop"]
)
def test_a_newcomer_plays_after_one_tap_and_nothing_moves(visit: Visit, screen: ViewportSize, whole: list[str]) -> None:
    visitor = visit(viewport=screen, has_touch=True, is_mobile=screen is PHONE)
    for game in GAMES.values():
        page = visitor.go("/")
        page.get_by_role("button", name=f"Play {game.title}").tap()
        expect(turn(page)).to_have_text("Your turn")
        assert top(page) == 0
        expect(page.locator(".heading .goal")).to_contain_text(game.summary)
        board = page.get_by_test_id("board").locator("svg").bounding_box()
        assert board and board["y"] > 0 and board["y"] + board["height"] < screen["height"], game.name
        page.evaluate(SHIFTS)
        play(page)
        expect(turn(page)).to_have_text("Your turn")
        while game.name in whole and not page.get_by_test_id("result").is_visible():
            page.locator(".cell.open, [data-testid=result]").first.wait_for()
            if page.locator(".cell.open").count():
                play(page)
        assert page.evaluate("shifts") == [], game.name


@every_screen
def test_every_page_opens_at_its_top_and_back_leads_to_the_place_left(visit: Visit, screen: ViewportSize) -> None:
    visitor = visit(viewport={**screen, "height": 500})
    page = visitor.go("/new?game=gridlock")
    page.get_by_text("Board", exact=True).first.click()
    page.evaluate("scrollTo(0, 1e6)")
    place = top(page)
    assert place > 0
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("board").locator("svg")).to_be_visible()
    assert top(page) == 0
    page.evaluate("scrollTo(0, 1e6)")
    page.go_back()
    expect(page.get_by_test_id("start")).to_be_visible()
    page.wait_for_function("() => scrollY > 0")


def test_start_is_always_in_reach_on_a_phone(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    page = visitor.go("/")
    page.get_by_role("link", name="Options for Gridlock").tap()
    drawer = page.get_by_role("dialog", name="New game")
    expect(drawer).to_be_visible()
    expect(drawer.get_by_test_id("start")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(page.get_by_role("link", name="Options for Gridlock")).to_be_focused()
    # Back closes it too, and no entry of the history is left behind: the next Back would leave the page.
    page.get_by_role("link", name="Options for Gridlock").tap()
    expect(drawer).to_be_visible()
    page.evaluate("history.back()")
    expect(drawer).to_be_hidden()
    expect(page.get_by_role("link", name="Options for Gridlock")).to_be_visible()
    page.get_by_role("link", name="Options for Gridlock").tap()
    drawer.get_by_role("radio", name="Perfect", exact=True).check()
    drawer.get_by_test_id("start").tap()
    expect(page.get_by_test_id("player-2")).to_contain_text("Perfect")
    expect(drawer).to_be_hidden()
    page.evaluate("history.back()")
    expect(page.get_by_role("button", name="Play Isolation")).to_be_visible()
    # The next tap on Play is against the same opponent.
    visitor.go("/").get_by_role("button", name="Play Isolation").tap()
    expect(page.get_by_test_id("player-2")).to_contain_text("Perfect")


def test_the_rules_are_a_drawer_at_the_table(visit: Visit) -> None:
    visitor = visit(viewport=DESKTOP)
    visitor.begin("point-capture", target=9)
    page = visitor.page
    expect(page.locator(".heading .goal")).to_contain_text("exactly 9 wins")
    address = page.url
    page.get_by_role("link", name="Rules", exact=True).last.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Point Capture")
    expect(drawer).to_contain_text("Reach exactly")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    expect(drawer.get_by_text("is impossible on 25 cells")).to_be_hidden()
    drawer.get_by_text("Corrections of the rule book").click()
    expect(drawer.get_by_text("is impossible on 25 cells")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(page.get_by_role("link", name="Rules", exact=True).last).to_be_focused()
    assert page.url == address


def test_engines_answer_after_a_moment_that_can_be_chosen(visit: Visit) -> None:
    visitor = visit(paced=True)
    page = visitor.page
    visitor.take_clock()
    id = visitor.begin("gridlock", **AGAINST_LEVEL_1)
    expect(turn(page)).to_have_text("Your turn")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    claim(page, "3 3")
    wait_until(lambda: visitor.ask(f"/api/matches/{id}")["state"]["ply"] == 2)
    expect(moves_shown(page)).to_have_count(1)
    expect(turn(page)).to_have_text("Anna is thinking …")
    page.clock.run_for(300)
    expect(moves_shown(page)).to_have_count(1)
    page.clock.run_for(200)
    expect(moves_shown(page)).to_have_count(2)
    # Undo does not wait for the answer to be shown.
    page.locator(".cell.open").first.click()
    wait_until(lambda: visitor.ask(f"/api/matches/{id}")["state"]["ply"] == 4)
    page.get_by_role("button", name="Undo").click()
    expect(moves_shown(page)).to_have_count(2)
    # At once, and that is saved.
    page.get_by_label("Pace").select_option("At once")
    page.locator(".cell.open").first.click()
    expect(moves_shown(page)).to_have_count(4)
    page.reload()
    expect(page.get_by_label("Pace")).to_have_value("0")


@needs_server
def test_a_game_of_two_engines_can_be_watched_paused_and_stepped_through(visit: Visit) -> None:
    visitor = visit(paced=True)
    page = visitor.page
    visitor.take_clock()
    with visitor.server.engines_at_rest():
        match = visitor.server.begin("gridlock", size="3x3", seats={"1": "level:1", "2": "level:1"}, take=[])
        visitor.go(match["url"])
        page.get_by_role("button", name="Pause").click()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    wait_until(lambda: visitor.server.table(match["id"])["state"]["over"])
    plies = visitor.server.table(match["id"])["state"]["ply"]
    shown = moves_shown(page).count()
    assert plies - shown >= 2
    page.clock.run_for(10_000)
    expect(moves_shown(page)).to_have_count(shown)
    expect(turn(page)).to_have_text("Paused")
    page.get_by_role("button", name="Next move").click()
    expect(moves_shown(page)).to_have_count(shown + 1)
    expect(turn(page)).to_have_text("Paused")
    page.get_by_role("button", name="Continue").click()
    expect(turn(page)).to_have_text("Anna is thinking …")
    page.clock.run_for(950)
    expect(moves_shown(page)).to_have_count(shown + 2)
    page.clock.run_for(950 * plies)
    expect(moves_shown(page)).to_have_count(plies)
    expect(page.get_by_test_id("result")).to_contain_text("Anna wins")
    expect(page.get_by_role("button", name="Next move")).to_be_hidden()
    # After a reload it can be watched again, in the same way.
    page.reload()
    claimed = page.locator(".cell.one, .cell.two")
    expect(claimed).to_have_count(plies)
    page.get_by_label("Pace").select_option("At once")
    again = page.get_by_role("button", name="Watch again")
    again.click()
    expect(claimed).to_have_count(0)
    page.clock.run_for(350)
    expect(claimed).to_have_count(0)
    page.clock.run_for(100)
    expect(claimed).to_have_count(1)
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(10_000)
    expect(page.get_by_test_id("status")).to_have_text(f"After move 1 of {plies}.")
    page.get_by_role("button", name="Next move").click()
    expect(claimed).to_have_count(2)
    expect(again).to_be_hidden()
    page.get_by_role("button", name="Go to the start").click()
    expect(claimed).to_have_count(0)
    again.click()
    page.clock.run_for(450 * plies)
    expect(claimed).to_have_count(plies)
    expect(again).to_be_visible()


@needs_server
def test_a_refused_undo_is_told_and_undo_needs_a_move_of_ones_own(visit: Visit) -> None:
    ada, bea = visit(), visit()
    id, one, two = ada.server.friends("gridlock", size="3x3")
    for visitor, seat, token in ((ada, "1", one), (bea, "2", two)):
        visitor.hold({"id": id, "tokens": {seat: token}})
        visitor.go(f"/match/{id}")
    undo = ada.page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    cell(bea.page, "2 2").click()
    expect(bea.page.get_by_test_id("refusal")).to_have_text("Player 1’s turn (X)")
    claim(ada.page, "1 1")
    expect(ada.page.get_by_test_id("status")).to_have_text("You claimed A1.")
    expect(ada.page.locator(".score").first).to_be_hidden()
    expect(moves_shown(bea.page)).to_have_count(1)
    expect(bea.page.get_by_test_id("status")).to_have_text("Player 1 claimed A1.")
    cell(bea.page, "1 1").click(force=True)
    expect(bea.page.get_by_test_id("refusal")).to_have_text("That cell is already claimed.")
    expect(bea.page.get_by_role("button", name="Undo")).to_be_disabled()
    for answer, told in (("Decline", "Bea declined the undo."), ("Accept", "Bea accepted the undo.")):
        undo.click()
        bea.page.get_by_role("button", name=answer).click()
        expect(ada.page.get_by_test_id("status")).to_have_text(told)
    expect(moves_shown(ada.page)).to_have_count(0)
    ada.page.get_by_role("button", name="Resign").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for page, text in ((ada.page, "You loseYou resigned."), (bea.page, "You winPlayer 1 resigned.")):
        expect(page.get_by_test_id("result")).to_contain_text(text)


@needs_server
def test_an_invitation_says_where_others_reach_it(visit: Visit) -> None:
    visitor = visit()
    match = visitor.server.begin("gridlock", name="Ada")
    visitor.hold(match)
    page = visitor.go(match["url"])
    expect(page.get_by_test_id("invite")).to_contain_text("Only this computer can open this link.")
    expect(page.get_by_test_id("invite")).to_contain_text("quintet serve --host 0.0.0.0")
    expect(page.locator(".qr")).to_have_count(0)  # Nobody else could open it.
    page.route("**/invitation", lambda route: route.fulfill(json={"url": "https://quintet.example/match/1"}))
    page.reload()
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    page.evaluate(SHIFTS)
    assert visitor.server.http.post(f"/api/matches/{match['id']}/join", json={"name": "Bea"}).is_success
    expect(turn(page)).to_have_text("Your turn")
    assert page.evaluate("shifts") == []


@every_screen
def test_the_result_is_shown_over_the_board_in_the_players_words(visit: Visit, screen: ViewportSize) -> None:
    visitor = visit(viewport=screen)
    page = visitor.page
    result = page.get_by_test_id("result")
    visitor.begin("grid-conquest", size="2x1", **AGAINST_LEVEL_1)
    page.evaluate(SHIFTS)
    page.locator(".cell.open").first.click()
    expect(result.get_by_role("heading")).to_have_text("You beat Anna 2 to 0")
    expect(result.get_by_role("link", name="Review")).to_be_visible()
    expect(result.get_by_role("button", name="Next level")).to_be_focused()
    expect(page.get_by_role("button", name="Rematch")).to_have_count(1)
    address = page.url
    page.evaluate("history.back()")
    expect(result).to_be_hidden()
    assert page.evaluate("shifts") == []
    assert page.evaluate("document.activeElement.closest('quintet-board') !== null")
    assert page.url == address
    page.reload()
    expect(turn(page)).to_have_text("You win")
    expect(result).to_be_hidden()
    # The next level, with the same board.
    visitor.begin("grid-conquest", size="2x1", **AGAINST_LEVEL_1)
    page.locator(".cell.open").first.click()
    result.get_by_role("button", name="Next level").click()
    expect(page.get_by_test_id("player-2")).to_contain_text("Ben")
    expect(page.locator(".cell")).to_have_count(2)
    visitor.begin("grid-conquest", size="2x1", seats={"1": "level:1", "2": "human"}, take=[2])
    expect(turn(page)).to_have_text("You lose")
    visitor.begin("grid-conquest", size="4", moves="0 0")
    claim(page, page.locator(".cell.open").last.get_attribute("data-label") or "")
    expect(result.get_by_role("heading")).to_have_text("Draw, 2 each")


def test_a_decided_game_is_finished_at_a_click(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    finish = page.get_by_role("button", name="Finish for me")
    visitor.begin("isolation", size="1x13", moves="7; 4", **AGAINST_LEVEL_1)
    expect(turn(page)).to_have_text("Your turn")
    expect(finish).to_be_hidden()
    visitor.begin("isolation", size="1x11", moves="2; 5; 8", seats={"1": "level:1", "2": "human"}, take=[2])
    finish.click()
    expect(page.get_by_test_id("result")).to_be_visible()


@needs_server
def test_nobody_is_told_in_a_tournament_that_a_game_is_decided(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    finish = page.get_by_role("button", name="Finish for me")
    visitor.begin("isolation", size="1x4", **AGAINST_LEVEL_1)
    expect(finish).to_be_visible()
    assert any("/api/decided" in url for url in asked)
    cup = Cup(visitor.server, game="isolation", size="1x4")
    cup.join("Ada", "Bea")
    cup.organise("start", round=1)
    [game] = cup.open_games()
    visitor.hold({"id": game["match"], "tokens": {"1": cup.tokens[cup.name(game["one"])]}})
    asked.clear()
    visitor.go(f"/match/{game['match']}")
    expect(page.locator(".cell.open")).to_have_count(4)
    page.wait_for_load_state("networkidle")
    expect(finish).to_have_count(0)
    assert not any("/api/decided" in url for url in asked)


def test_a_lesson_is_offered_on_a_first_visit(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    page = visitor.go("/")
    for game in GAMES.values():
        learn = page.get_by_test_id(f"game-{game.name}").get_by_role("link", name=re.compile("Learn in 30 seconds"))
        expect(learn).to_have_attribute("href", visitor.link(f"/learn/{game.name}"))
    expect(page.get_by_test_id("welcome")).to_be_visible()
    visitor.begin("gridlock")
    expect(page.locator(".heading").get_by_role("link", name="Learn in 30 seconds")).to_be_visible()
    expect(visitor.go("/").get_by_test_id("welcome")).to_be_hidden()


@needs_server
def test_a_lesson_is_offered_to_somebody_invited(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    page = visitor.page
    invited = visitor.server.begin("gridlock", name="Ada")
    visitor.go(invited["url"])
    expect(turn(page)).to_have_text("Not started yet")
    expect(page.get_by_test_id("watching")).to_have_count(0)
    expect(page.get_by_test_id("join").get_by_role("link", name="Learn in 30 seconds")).to_be_visible()


def test_a_finger_hits_every_target(visit: Visit) -> None:
    visitor = visit(**TOUCH)
    page = visitor.page
    found = {}
    for path in ("/", "/new", "/explore/gridlock", "/puzzles", "/daily", "/rules/isolation", "/history"):
        visitor.go(path)
        page.wait_for_load_state("networkidle")
        found[path] = page.evaluate(SMALL_TARGETS)
    visitor.begin("point-capture", moves="1 1", **AGAINST_LEVEL_1)
    expect(turn(page)).to_have_text("Your turn")
    found["table"] = page.evaluate(SMALL_TARGETS)
    assert {path: small for path, small in found.items() if small} == {}


def test_opening_a_table_and_what_the_server_refuses_move_nothing(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    page = visitor.page
    visitor.add_script(SHIFTS)
    for game, size in (("isolation", "1x400"), ("gridlock", "5x5")):
        visitor.begin(game, size=size)
        expect(page.locator(".cell.open").first).to_be_visible()
        assert page.evaluate("shifts") == [], f"{game} moves while it opens"
    before = cell(page, "3 3").bounding_box()
    page.get_by_test_id("move-input").fill("Z9", force=True)
    page.get_by_test_id("move-input").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("No such cell")
    assert cell(page, "3 3").bounding_box() == before
    assert page.evaluate("shifts") == []
