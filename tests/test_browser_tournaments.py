"""A tournament of eight browsers: everybody joins by link and plays, one leaves, and the standings follow."""

import re

from playwright.sync_api import Page, expect

from browsing import DESK, PHONE, Visit, Visitor, claim, labels, needs_server
from test_browser_guards import NARROWEST, check_access

pytestmark = needs_server
HOSTILE = "<img src=x onerror=alert(1)>"
NAMES = ("Ada", "Bea", "Cy", "Dee", HOSTILE, "Eve", "Fay", "W" * 40)


def create(organiser: Visitor, game: str, format: str, pause: str = "15 seconds") -> str:
    """Set a tournament up on a tiny board; gives its link."""
    page = organiser.go("/new")
    page.get_by_role("link", name="Play with a group").click()
    page.get_by_label("Name of the tournament").fill("Friday <b>club</b>")
    page.get_by_role("radio", name=game).check()
    page.get_by_role("radio", name=format).check()
    if format == "Swiss rounds":
        page.get_by_label("Rounds", exact=True).select_option("2")
    page.get_by_label("Pause between rounds").select_option(pause)
    page.get_by_text("Board", exact=True).click()
    page.get_by_label("Size").fill("1x2")
    page.get_by_test_id("create").click()
    link = page.get_by_test_id("invite-link")
    expect(link).to_be_visible()
    return link.input_value()


def join(visitor: Visitor, link: str, name: str) -> Page:
    page = visitor.go(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_test_id("own")).to_contain_text("You are in")
    return page


def play(pages: list[Page]) -> None:
    """Go to the table with one tap where a game waits, and play it: on this board the first claim wins."""
    for page in pages:
        page.get_by_test_id("play").click()
        expect(page.get_by_test_id("turn")).to_be_visible()
    for page in pages:
        if page.get_by_test_id("turn").inner_text() == "Your turn":
            claim(page, labels(page, "open")[0])
    for page in pages:
        page.get_by_test_id("result").get_by_role("link", name="Standings").click()


def test_eight_browsers_and_one_that_leaves(visit: Visit) -> None:
    people = [visit(viewport=PHONE if number % 2 else DESK) for number in range(8)]
    link = create(people[0], "Gridlock", "Swiss rounds")
    expect(people[0].page.locator(".heading")).to_contain_text("2 Swiss rounds")  # Before anybody has joined, too.
    pages = [join(people[0], link, NAMES[0])]
    chosen = pages[0].get_by_label("Add an engine")
    chosen.select_option("level:7")
    pages[0].get_by_text("Remove somebody").click()
    pages += [join(person, link, name) for person, name in zip(people[1:], NAMES[1:], strict=True)]
    organiser, leaver = pages[0], pages[3]
    expect(organiser.get_by_test_id("entries").get_by_role("listitem")).to_have_count(8)
    expect(chosen).to_have_value("level:7")  # What the organiser is choosing stays while others join.
    expect(organiser.get_by_role("button", name="Remove Eve")).to_be_visible()
    assert organiser.get_by_role("heading", level=1).inner_text() == "Friday <b>club</b>"
    check_access(organiser)
    organiser.get_by_test_id("start").click()
    for page in pages:
        expect(page.get_by_test_id("play")).to_be_visible()

    leaver.get_by_role("button", name="Leave").click()
    leaver.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(leaver.get_by_test_id("own")).to_contain_text("You left the tournament.")
    expect(leaver.get_by_test_id("round-1").get_by_text("forfeit")).to_have_count(1)
    state = people[0].server.http.get(f"/api/tournaments/{link.rpartition('/')[2]}").json()
    [pair] = [{game["one"], game["two"]} for game in state["played"][0]["pairings"] if game["forfeit"]]
    [number] = pair - {pages.index(leaver) + 1}  # They joined in this order.
    lucky = pages[number - 1]
    expect(lucky.get_by_test_id("own")).to_contain_text("Waiting for 3 games of this round.")
    play([page for page in pages if page not in (leaver, lucky)])

    expect(organiser.get_by_test_id("countdown")).to_contain_text("Round 2 starts in")
    organiser.get_by_test_id("start").click()
    here = [page for page in pages if page is not leaver]
    resting = organiser.get_by_test_id("round-2").get_by_text("has a bye")
    expect(resting).to_have_count(1)
    for page in here:
        expect(page.get_by_test_id("own")).to_contain_text(re.compile("Round 2: you play|You have a bye"))
    play([page for page in here if page.get_by_test_id("play").is_visible()])

    for page in pages:
        expect(page.get_by_test_id("own")).to_contain_text(re.compile("wins the tournament|share the first place"))
        assert page.get_by_test_id("standings").locator("tbody tr").count() == 8
    assert organiser.locator("main img:not(.qr)").count() == 0  # A name is text.
    check_access(organiser)
    organiser.set_viewport_size({"width": NARROWEST, "height": 700})
    assert organiser.evaluate("document.documentElement.scrollWidth") == NARROWEST


def test_a_table_leads_back_and_on_to_the_next_round(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    ada.go("/")
    last = ada.page.locator(".games").bounding_box()
    way = ada.page.get_by_role("link", name="Play with a group").bounding_box()
    assert last and way and way["y"] >= last["y"] + last["height"]  # It covers nothing.
    page = join(ada, create(ada, "Adjacent Claim", "Everybody plays everybody", "No pause"), "Ada")
    for number in (2, 3, 4):  # Three engines.
        page.get_by_test_id("add-engine").click()
        expect(page.get_by_test_id("entries").get_by_role("listitem")).to_have_count(number)
    page.reload()  # The entry, and the right to organise, belong to this browser.
    page.get_by_test_id("start").click()
    page.get_by_test_id("play").click()
    bar = page.get_by_test_id("cup-bar")
    expect(bar).to_contain_text("Round 1 of 3")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    expect(page.get_by_role("region", name="Values")).to_have_count(0)
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    check_access(page)
    page.get_by_test_id("board").locator(".open").first.click()
    expect(page.get_by_test_id("result")).to_be_visible()
    page.keyboard.press("Escape")
    bar.get_by_role("link", name=re.compile("Play .* in round 2")).click()
    expect(bar).to_contain_text("Round 2 of 3")
    bar.get_by_role("link", name="Standings").click()
    expect(page.get_by_test_id("standings")).to_be_visible()
    page.get_by_text("Crosstable", exact=True).click()
    expect(page.get_by_role("region", name="Crosstable").locator("tbody tr")).to_have_count(4)
