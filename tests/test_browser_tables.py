"""People at one table, each in a browser of their own: by link, watching, coming back, with an engine."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from boards import every_game
from browsing import Visit, Visitor, board_shows, cell, claim, labels, moves_shown, needs_server, turn
from quintet.board import value_list
from quintet.games import GAMES
from quintet.notation import read_moves
from quintet.options import start
from quintet.rules import Game, play_all
from serving import Server, own_address


def invite(host: Visitor, game: str, name: str = "Ada", size: str = "3x3") -> str:
    """Set a match up with a friend, as X, and give the link."""
    page = host.go(f"/new?game={game}&size={size}")
    page.get_by_role("radio", name="A friend, by link").check()
    page.get_by_label("Your name").fill(name)
    page.get_by_test_id("start").click()
    link = page.get_by_test_id("invite-link")
    expect(link).to_be_visible()
    return link.input_value()


def join(guest: Visitor, link: str, name: str = "Bea") -> None:
    page = guest.go(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join as O").click()


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def lose_answers(page: Page, pattern: str, count: int) -> list[str]:
    """Let requests arrive, and lose the first answers to them; gives what is sent."""
    sent: list[str] = []

    def lose(route: Route) -> None:
        sent.append(route.request.post_data or "")
        answer = route.fetch()
        if len(sent) > count:
            route.fulfill(response=answer)
        else:
            route.abort()

    page.route(pattern, lose)
    return sent


@needs_server
def test_a_lost_answer_costs_nobody_a_seat(visit: Visit) -> None:
    ada, bea = visit(), visit()
    ada.forgiven = bea.forgiven = ("net::ERR_FAILED",)
    created = lose_answers(ada.page, "**/api/matches", 1)
    link = invite(ada, "gridlock")
    assert len(created) == 2 and created[0] == created[1]
    joined = lose_answers(bea.page, "**/join", 1)
    join(bea, link)
    expect(bea.page.get_by_test_id("player-2")).to_contain_text("you")
    assert len(joined) == 2 and joined[0] == joined[1]


@needs_server
def test_a_page_that_was_left_before_the_answer_has_its_seat(visit: Visit) -> None:
    ada, bea = visit(), visit()
    bea.forgiven = ("net::ERR_FAILED",)
    link = invite(ada, "gridlock")
    lose_answers(bea.page, "**/join", 1_000)
    join(bea, link)
    expect(turn(ada.page)).to_have_text("Your turn")
    bea.page.unroute_all(behavior="wait")
    bea.go(link)
    expect(bea.page.get_by_test_id("player-2")).to_contain_text("you")
    expect(turn(bea.page)).to_have_text("Ada’s turn (X)")


@needs_server
def test_two_browsers_play_each_other(visit: Visit) -> None:
    ada, bea, eve = visit(), visit(), visit()
    link = invite(ada, "gridlock")
    join(bea, link)
    expect(turn(ada.page)).to_have_text("Your turn")
    expect(turn(bea.page)).to_have_text("Ada’s turn (X)")
    expect(ada.page.get_by_test_id("invite")).to_be_hidden()
    expect(ada.page.get_by_test_id("player-2")).to_contain_text("Bea")

    # Somebody else who has the link watches: sees the moves, and can make none.
    eve.go(link)
    expect(eve.page.get_by_test_id("watching")).to_be_visible()
    claim(ada.page, "2 2")
    for page in (ada.page, bea.page, eve.page):
        expect(moves_shown(page)).to_have_text(["B2"])
    cell(eve.page, "1 1").click()
    expect(eve.page.get_by_test_id("move-input")).to_be_hidden()
    expect(eve.page.get_by_role("button", name="Resign")).to_be_hidden()
    assert labels(eve.page, "open") == labels(ada.page, "open") == []
    assert labels(bea.page, "open") == ["1 1", "1 3", "3 1", "3 3"]
    # Values are no help while people play.
    for page in (ada.page, bea.page, eve.page):
        expect(page.get_by_test_id("values")).to_be_hidden()

    # Taking back needs the other's yes; no leaves all as it is.
    ada.page.get_by_role("button", name="Undo").click()
    expect(ada.page.get_by_test_id("offer")).to_have_text("You asked to undo the last move.")
    expect(eve.page.get_by_test_id("offer")).to_be_hidden()
    bea.page.get_by_role("button", name="Decline").click()
    expect(ada.page.get_by_test_id("offer")).to_be_hidden()
    expect(moves_shown(ada.page)).to_have_count(1)
    ada.page.get_by_role("button", name="Undo").click()
    bea.page.get_by_role("button", name="Accept").click()
    for page in (ada.page, bea.page, eve.page):
        expect(moves_shown(page)).to_have_count(0)

    # Giving up is asked back; then both see it, and a rematch is begun by the other.
    claim(ada.page, "1 1")
    expect(turn(bea.page)).to_have_text("Your turn")
    bea.page.get_by_role("button", name="Resign").click()
    bea.page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    expect(turn(bea.page)).to_have_text("Your turn")
    resign(bea.page)
    expect(turn(ada.page)).to_have_text("You win")
    expect(turn(bea.page)).to_have_text("You lose")
    expect(turn(eve.page)).to_have_text("Ada wins")
    bea.page.get_by_test_id("result").get_by_role("button", name="Rematch").click()
    expect(ada.page.get_by_test_id("offer")).to_contain_text("Bea offers a rematch.")
    ada.page.get_by_role("button", name="Accept").click()
    for page, words in ((bea.page, "Your turn"), (ada.page, "Bea’s turn (O)")):
        expect(page).not_to_have_url(link)
        expect(turn(page)).to_have_text(words)
    expect(eve.page.get_by_role("link", name="Go to the rematch")).to_be_visible()
    claim(bea.page, "2 2")
    expect(turn(ada.page)).to_have_text("Your turn")


@needs_server
def test_who_was_away_when_the_rematch_began_keeps_the_seat(visit: Visit) -> None:
    ada, bea = visit(), visit()
    link = invite(ada, "gridlock")
    join(bea, link)
    expect(turn(ada.page)).to_have_text("Your turn")
    resign(bea.page)
    bea.page.get_by_test_id("result").get_by_role("button", name="Rematch").click()
    expect(ada.page.get_by_test_id("offer")).to_be_visible()
    bea.go("/")
    ada.page.get_by_role("button", name="Accept").click()
    expect(ada.page).not_to_have_url(link)
    bea.go(link).get_by_role("link", name="Go to the rematch").click()
    expect(turn(bea.page)).to_have_text("Your turn")


@needs_server
def test_a_reload_keeps_seat_and_position_and_two_tabs_agree(visit: Visit) -> None:
    ada, bea = visit(), visit()
    link = invite(ada, "adjacent-claim")
    join(bea, link)
    claim(ada.page, "B2")
    expect(turn(bea.page)).to_have_text("Your turn")
    bea.page.reload()
    expect(turn(bea.page)).to_have_text("Your turn")
    expect(moves_shown(bea.page)).to_have_text(["B2"])
    tab = bea.open_tab()
    tab.goto(link)
    expect(turn(tab)).to_have_text("Your turn")
    claim(tab, "A2")
    for page in (ada.page, bea.page, tab):
        expect(moves_shown(page)).to_have_text(["B2", "A2"])
    claim(ada.page, "B1")
    claim(bea.page, "A1")
    empty = start(GAMES["adjacent-claim"], "3x3")
    position = play_all(empty, read_moves(empty, "B2; A2; B1; A1"))
    for page in (ada.page, bea.page, tab):
        expect(moves_shown(page)).to_have_count(4)
        board_shows(page, position)


@needs_server
def test_a_killed_server_is_found_again_and_caught_up_with(visit: Visit, tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db", "--no-limits", "--host", own_address())
    ada, bea = visit(server), visit(server)
    # The browser itself tells of refused and broken connections.
    ada.forgiven = bea.forgiven = ("WebSocket connection to", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET")
    id, one, two = server.friends("gridlock", size="3x3")
    for visitor, seat, token in ((ada, "1", one), (bea, "2", two)):
        visitor.hold({"id": id, "tokens": {seat: token}})
        visitor.go(f"/match/{id}")
    claim(ada.page, "1 1")
    expect(turn(bea.page)).to_have_text("Your turn")
    server.kill()
    for page in (ada.page, bea.page):
        expect(page.get_by_test_id("link")).to_have_text("Connection lost. Reconnecting …")
    claim(bea.page, "3 3")  # It waits for the connection.
    server.options += ("--port", server.host.partition(":")[2])
    server.start()
    for page in (ada.page, bea.page):
        expect(moves_shown(page)).to_have_text(["A1", "C3"])
        expect(page.get_by_test_id("link")).to_be_empty()
    expect(turn(ada.page)).to_have_text("Your turn")
    assert server.stop() == ""


@needs_server
def test_a_move_that_could_not_be_stored_is_sent_again(visit: Visit, tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db?timeout=0.1", "--no-limits")
    visitor = visit(server)
    visitor.forgiven = ("WebSocket connection to",)  # The server is stopped before the page is closed.
    visitor.begin("gridlock")
    page = visitor.page
    with closing(sqlite3.connect(tmp_path / "quintet.db")) as holder:
        holder.execute("BEGIN IMMEDIATE")
        claim(page, "3 3")
        expect(page.get_by_role("alert")).to_have_text("The database is not responding; nothing was changed.")
        holder.rollback()
        expect(moves_shown(page)).to_have_text(["C3"])
        expect(page.get_by_role("alert")).to_be_hidden()
    assert "is locked by another program" in server.stop()


@needs_server
def test_what_is_said_before_the_table_is_live_waits_for_it(visit: Visit) -> None:
    visitor = visit(fresh=True)  # A route for sockets stays.
    page = visitor.page

    tries = iter([False, True])

    def connect_late(socket: WebSocketRoute) -> None:
        if next(tries):
            socket.connect_to_server()
        else:
            resign(page)
            socket.close()

    page.route_web_socket(re.compile(r"/live\b"), connect_late)
    visitor.begin("gridlock")
    expect(turn(page)).to_have_text("Player 2 wins")
    expect(page.get_by_role("alert")).to_be_hidden()


@needs_server
def test_only_free_seats_are_offered(visitor: Visitor) -> None:
    match = visitor.server.begin("gridlock", take=[])
    page = visitor.go(match["url"])
    seats = page.get_by_test_id("join").get_by_role("button", name="Join as")
    expect(seats).to_have_text(["Join as X", "Join as O"])
    visitor.server.http.post(f"/api/matches/{match['id']}/join", json={"seat": 1})
    expect(seats).to_have_text(["Join as O"])


@every_game
def test_an_engine_answers(visitor: Visitor, game: Game) -> None:
    page = visitor.go(f"/new?game={game.name}&size=4x4")
    page.get_by_role("radio", name="Perfect", exact=True).check()
    page.get_by_role("group", name="You play").get_by_role("radio", name="O", exact=True).check()
    page.get_by_test_id("start").click()
    expect(turn(page)).to_have_text("Your turn")
    expect(moves_shown(page)).to_have_count(1)
    page.locator(".cell.open").first.click()
    expect(moves_shown(page)).to_have_count(3)
    expect(page.get_by_test_id("player-1")).to_contain_text("Perfect")
    # An engine takes back without being asked.
    page.get_by_role("button", name="Undo").click()
    expect(moves_shown(page)).to_have_count(1)
    expect(turn(page)).to_have_text("Your turn")


def test_two_engines_play_and_a_clock_runs(visit: Visit) -> None:
    watcher, timed = visit(), visit()
    page = watcher.go("/new?game=gridlock")
    page.get_by_role("radio", name="Two engines").check()
    page.get_by_test_id("start").click()
    expect(turn(page)).to_have_text(re.compile("(Ben|Dora) wins"))
    timed.begin("gridlock", clock={"seconds": 1, "increment": 0})
    expect(timed.page.get_by_test_id("clock-2")).to_have_text("1.0")
    claim(timed.page, "1 1")
    expect(turn(timed.page)).to_have_text("Player 1 wins")
    expect(timed.page.get_by_test_id("status")).to_contain_text("time")


def test_sounds_are_off_until_switched_on(visitor: Visitor) -> None:
    visitor.begin("gridlock")
    sound = visitor.page.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    claim(visitor.page, "1 1")
    expect(moves_shown(visitor.page)).to_have_count(1)


@needs_server
def test_names_are_only_text(visit: Visit) -> None:
    name = "<img src=x onerror=alert(1)><b>Mallory"
    ada, bea = visit(), visit()
    link = invite(ada, "gridlock", name)
    join(bea, link)
    expect(bea.page.get_by_test_id("player-1")).to_contain_text(name)
    expect(turn(bea.page)).to_contain_text(name)
    claim(ada.page, "1 1")
    ada.page.get_by_role("button", name="Undo").click()
    expect(bea.page.get_by_test_id("offer")).to_contain_text(name)
    resign(ada.page)
    expect(turn(bea.page)).to_have_text("You win")
    bea.page.get_by_test_id("result").get_by_role("link", name="Review").click()
    expect(bea.page.get_by_test_id("accuracy")).to_contain_text(name)
    bea.go("/history")
    expect(bea.page.get_by_role("list", name="Games")).to_contain_text(name)
    for page in (ada.page, bea.page):
        assert page.locator("main img:not(.qr), main b b").count() == 0


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("isolation", {"size": "1x15"}),
        ("grid-conquest", {"size": "20x20"}),
        ("gridlock", {"size": "2x7", "first": 2}),
        ("point-capture", {"size": "2x3", "target": 9, "values": "5,1,4,2,3,9"}),
        ("point-capture", {"size": "4x5", "shuffle": 7}),
    ],
    ids=str,
)
def test_other_boards_can_be_set_up(visitor: Visitor, game: str, options: dict[str, Any]) -> None:
    page = visitor.go(f"/new?game={game}")
    page.get_by_role("radio", name="Two players here").check()
    page.get_by_text("Board", exact=True).first.click()
    for name, value in options.items():
        if name == "first":
            page.get_by_role("group", name="Who goes first").get_by_role("radio", name="O", exact=True).check()
        else:
            page.locator(f'input[name="{name}"]').fill(str(value))
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("actions")).to_be_visible()
    position = start(GAMES[game], **options)
    board_shows(page, position)
    move = position.moves[len(position.moves) // 2]
    claim(page, position.label(move))
    expect(moves_shown(page)).to_have_count(1)
    board_shows(page, position.play(move))
    for i, value in enumerate(value_list(position.board) if GAMES[game].target else []):
        expect(page.locator(f'[data-cell="{i}"]')).to_have_attribute("aria-label", re.compile(rf", {value} point"))


def test_what_cannot_be_set_up_is_said_in_one_line(visitor: Visitor) -> None:
    visitor.forgiven = ("status of 422",)
    page = visitor.go("/new?game=gridlock&size=99x99")
    expect(page.get_by_role("alert")).to_have_text("boards can be 1x1 to 20x20, and lines up to 400")
    visitor.begin("gridlock")
    visitor.page.get_by_test_id("move-input").fill("Z9")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("alert")).to_contain_text("No such cell")
    expect(moves_shown(visitor.page)).to_have_count(0)
