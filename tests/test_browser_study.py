"""What the page teaches, in a real browser: values, the explorer, reviews, puzzles, rules, history, the ladder."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from boards import every_game
from browsing import Visit, Visitor, board_shows, cell, claim, labels, moves_shown, needs_server, puzzle_shown, turn
from quintet.board import split
from quintet.engines.kinds import title_of
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_moves, read_position, screen_label
from quintet.options import start
from quintet.record import write_record
from quintet.rules import Game
from quintet.study.analysis import analyze
from quintet.study.puzzles import HARDEST, puzzle_of_the_day
from quintet.study.reports import MoveReport, analysis_report
from serving import Server

DAY = date(2026, 11, 15)
DAYS = [DAY - timedelta(days=number) for number in range(len(GAMES))]
"""The games take turns, so each has one of these days."""


def sign(move: MoveReport) -> str:
    """What a move is worth, as the page writes it."""
    if move.margin is not None:
        return f"{move.margin:+d}".replace("-", "−")
    return f"{str(move.outcome)[0].upper()}{move.plies}"


@every_game
def test_every_legal_cell_shows_what_analyze_says(visitor: Visitor, game: Game) -> None:
    empty = start(game, "4x4")
    match = Match(empty, [empty.moves[5]])
    report = analysis_report(match, analyze(match.position))
    visitor.begin(game.name, size="4x4", moves=empty.label(empty.moves[5]))
    page = visitor.page
    assert labels(page, "best") == []
    page.get_by_test_id("values").check()
    expect(page.locator(".cell.legal .value")).to_have_text([sign(move) for move in report.moves])
    assert labels(page) == [move.move for move in report.moves]
    # The best moves are marked unless all are equal, and a screen reader hears it too.
    is_choice = len(set(map(sign, report.moves))) > 1
    best = [move.move for move in report.moves if move.best and is_choice]
    assert labels(page, "best") == best
    for label in best[:1]:
        expect(cell(page, label)).to_have_attribute("aria-label", re.compile("legal move, .*best"))
    # What the values mean stands beside the switch, and the text points at the board.
    expect(page.get_by_test_id("legend").locator("li").first).to_be_visible()
    named = page.get_by_test_id("explanation").locator(".named").first
    named.focus()
    expect(page.locator(".cell.lit")).to_have_attribute("aria-label", re.compile(f"^{named.text_content()},"))
    page.get_by_test_id("values").uncheck()
    expect(page.locator(".value")).to_have_count(0)


def moves_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("moves", [""])[0]


@every_game
def test_the_explorer_follows_a_line_and_every_position_has_its_address(
    visitor: Visitor, visit: Visit, game: Game
) -> None:
    page = visitor.go(f"/explore/{game.name}?size=3x3")
    match = Match(start(game, "3x3"))
    for _ in range(2):
        move = match.position.moves[-1]
        claim(page, match.position.label(move))
        match.play(move)
        expect(moves_shown(page)).to_have_count(match.ply)
        board_shows(page, match.position)
    line = "; ".join(match.positions[0].label(move) for move in match.moves)
    assert moves_of(page) == line
    # The address leads another browser to the same position.
    friend = visit().go(page.url)
    expect(moves_shown(friend)).to_have_count(2)
    board_shows(friend, match.position)
    # Back is one move back, forward is forward.
    page.go_back()
    expect(moves_shown(page)).to_have_count(1)
    board_shows(page, match.positions[1])
    page.go_forward()
    expect(moves_shown(page)).to_have_count(2)
    # The best line can be followed to its end.
    page.locator(".best-line .chip").last.click()
    expect(page.get_by_test_id("status")).to_contain_text(re.compile("wins|draw"))
    end = Match(match.positions[0], read_moves(match.positions[0], moves_of(page)))
    assert end.outcome
    board_shows(page, end.position)
    # Stepping keeps the line.
    page.locator("body").press(",")
    expect(page.locator('.moves [aria-current="step"]')).to_have_count(1)
    expect(page.get_by_role("button", name="Forward")).to_be_enabled()


def test_a_game_is_reviewed_and_its_mistakes_tried_again(visitor: Visitor) -> None:
    match = Match(start(GAMES["isolation"], "7"))
    report = analysis_report(match, analyze(match.position))
    better = next(move.move for move in report.moves if move.outcome == "win")
    worse = next(move.move for move in report.moves if move.outcome == "loss")
    visitor.begin("isolation", size="7")
    page = visitor.page
    claim(page, worse)
    expect(moves_shown(page)).to_have_count(1)
    while not page.get_by_role("link", name="Review").count():
        count = moves_shown(page).count()
        page.locator(".cell.open").first.click()
        expect(moves_shown(page)).to_have_count(count + 1)
    page.get_by_role("link", name="Review").first.click()
    expect(page.get_by_test_id("graph")).to_be_visible()
    assert page.locator(".graph .fault").count() == page.locator(".moves .note").count() >= 1
    expect(page.get_by_test_id("accuracy").locator("tbody tr")).to_have_count(6)
    page.get_by_role("button", name=f"Move 1, X: {worse}, blunder").click()
    expect(page.get_by_test_id("remark")).to_contain_text(worse)
    page.get_by_test_id("try-again").click()
    expect(page.get_by_test_id("status")).to_contain_text("Find a better move")
    claim(page, worse)
    expect(page.get_by_test_id("remark")).to_contain_text("was played in the game")
    claim(page, better)
    expect(page.get_by_test_id("remark")).to_contain_text(f"Right: #{better}")
    # A click in the middle of the graph leads into the middle of the game.
    page.locator(".graph").click()
    expect(page.get_by_test_id("status")).to_contain_text("After move")


def test_a_game_from_a_position_of_its_own_is_shown_everywhere(visitor: Visitor) -> None:
    begun = read_position("gridlock X../.../..O X")
    match = Match(begun, read_moves(begun, "1 3; 3 1"))
    match.resign()
    page = visitor.go(f"/review/{visitor.bring(write_record(match.record()))}")
    assert (labels(page, "one"), labels(page, "two")) == (["1 1", "1 3"], ["3 1", "3 3"])
    for at in (1, 0):
        page.get_by_role("button", name="Back").click()
        expect(page.get_by_test_id("status")).to_have_text(placed(at, 2))
        board_shows(page, match.positions[at])
    page.get_by_role("link", name="Back to the game").click()
    page.get_by_test_id("actions").get_by_role("link", name="Explore").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Explore Gridlock")
    board_shows(page, match.position)
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".preview .cell.one")).to_have_count(2)
    page.get_by_role("radio", name="Two players here").check()
    page.get_by_test_id("start").click()
    expect(turn(page)).to_have_text("Player 1’s turn (X)")
    board_shows(page, match.position)


def placed(at: int, end: int) -> str:
    return f"After move {at} of {end}." if at else "Before the first move."


@contextmanager
def held_back(page: Page, address: str) -> Iterator[None]:
    """Let the first question to an address arrive after all others."""
    held: list[Route] = []
    pattern = re.compile(address)
    page.route(pattern, lambda route: route.continue_() if held else held.append(route))
    yield
    with page.expect_response(held[0].request.url):
        held[0].continue_()
    page.unroute(pattern)
    page.evaluate("() => new Promise((done) => setTimeout(done))")


@needs_server
def test_an_answer_that_was_overtaken_changes_nothing(visitor: Visitor) -> None:
    empty = start(GAMES["gridlock"], "3x3")
    match = Match(empty, read_moves(empty, "1 1; 2 2; 1 3"), ("Ada", "Bob"))
    match.resign()
    page = visitor.go(f"/review/{visitor.bring(write_record(match.record()))}")
    expect(page.get_by_test_id("accuracy")).to_contain_text("(to Bob)")
    with held_back(page, "/api/position"):
        for at in (1, 2):
            page.get_by_role("button", name=re.compile(f"^Move {at},")).click()
        expect(page.get_by_test_id("status")).to_have_text(placed(2, 3))
    board_shows(page, match.positions[2])

    visitor.go("/explore/gridlock?size=3x3")
    with held_back(page, "/api/position"):
        claim(page, "2 2")
        page.get_by_role("link", name="Ladder").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Ladder")
    assert urlsplit(page.url).path == "/ladder"

    visitor.go("/puzzles?game=gridlock")
    with held_back(page, "/api/puzzles/"):
        for name in ("grid-conquest", "isolation"):
            page.get_by_label("Game", exact=True).select_option(name)
        expect(page.get_by_test_id("board").locator(".cell")).to_have_count(13)
    expect(page.get_by_test_id("board").locator(".cell")).to_have_count(13)

    visitor.go("/new?game=gridlock")
    with held_back(page, "/api/position"):
        for title in ("Grid Conquest", "Isolation"):
            page.get_by_role("radio", name=title).check()
        expect(page.locator(".preview .cell")).to_have_count(13)
    expect(page.locator(".preview .cell")).to_have_count(13)


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_the_puzzle_of_a_day_right_and_wrong(visitor: Visitor, day: date) -> None:
    puzzle = puzzle_of_the_day(day)
    position = puzzle.position
    [right] = puzzle.answers
    wrong = next(move for move in position.moves if move != right)
    page = visitor.go(f"/daily/{day}")
    expect(page.get_by_test_id("task")).to_have_text(puzzle.goal)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Quintet #{puzzle.number}")
    assert labels(page) == [position.label(move) for move in position.moves]
    claim(page, position.label(wrong))
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("wrong"))
    # The refutation is played on the board and taken back.
    expect(page.get_by_test_id("again")).to_be_hidden()
    board_shows(page, position)
    claim(page, position.label(right))
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("right"))
    expect(page.get_by_test_id("answer")).to_contain_text(screen_label(position, right))


@every_game
def test_puzzles_of_every_game(visitor: Visitor, game: Game) -> None:
    page = visitor.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    visitor.go(f"/puzzles?game={game.name}")
    is_asked = isinstance(visitor.place, Server)
    # Somebody who has solved none gets an easy one.
    assert any("/api/puzzles/" in url and "rating=1" in url for url in asked) == is_asked
    difficulty = page.get_by_label("Difficulty")
    expect(difficulty.locator("option:checked")).to_have_text("Easier")
    expect(page.get_by_test_id("next")).to_have_text("Skip")
    puzzle = puzzle_shown(page)
    position = puzzle.position
    board = page.get_by_test_id("board")
    expect(board.locator(".cell.open")).to_have_count(len(position.moves))
    claim(page, position.label(puzzle.answers[0]))
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("right"))
    expect(page.get_by_test_id("streak")).to_contain_text("Streak: 1")
    expect(page.get_by_test_id("next")).to_have_text("Next puzzle")
    # The board is as the rules say, with all that the move captured.
    after = position.play(puzzle.answers[0])
    expect(board.locator(".cell.open")).to_have_count(0)
    for kind, cells in zip(("one", "two"), after.claims, strict=True):
        assert labels(page, kind) == [position.label(cell) for cell in split(cells)]
    page.get_by_test_id("next").click()
    expect(page.get_by_test_id("answer")).to_be_empty()
    # Few games have puzzles of every difficulty, so no number is promised.
    expect(difficulty.locator("option")).to_have_text(["Any", "Easier", "Harder"])
    before = page.get_by_test_id("origin").inner_text()
    difficulty.select_option("Harder")
    expect(page.get_by_test_id("origin")).not_to_have_text(before)
    assert any(f"rating={HARDEST}" in url for url in asked) == is_asked


@every_game
def test_the_rules_are_the_manual_with_boards(visitor: Visitor, game: Game) -> None:
    page = visitor.go(f"/rules/{game.name}")
    expect(page.get_by_role("heading", level=1)).to_have_text(game.title)
    first = " ".join(game.manual.split("\n\n")[0].split())
    expect(page.locator(".prose")).to_contain_text(first)
    boards = page.locator(".diagrams quintet-board svg")
    expect(boards.last).to_be_visible()
    assert boards.count() >= 3
    # What is said is there to be seen, and options of commands are not for readers of a page.
    has_dots = page.locator(".diagrams .dot").count() > 0
    expect(page.locator(".diagrams > p:last-child")).to_contain_text("Dots mark" if has_dots else "both sides.")
    expect(page.get_by_text("Dots mark")).to_have_count(int(has_dots))
    expect(page.locator(".prose")).not_to_contain_text("--")
    expect(boards.first).to_have_attribute("aria-label", re.compile("^Start"))


@needs_server
def test_the_history_shows_the_browsers_local_time(visit: Visit) -> None:
    visitor = visit(timezone_id="Pacific/Kiritimati", locale="en-GB")
    visitor.hold(visitor.create("gridlock"))

    def change_time(route: Route) -> None:
        [entry] = route.fetch().json()
        route.fulfill(json=[{**entry, "updated": "2026-03-01T23:30:00+00:00"}])

    visitor.page.route("**/api/matches?*", change_time)
    page = visitor.go("/history")
    expect(page.locator(".past time")).to_have_text("2 Mar 2026, 13:30")
    expect(page.locator(".past time")).to_have_attribute("datetime", "2026-03-01T23:30:00+00:00")


def test_the_history_keeps_matches_and_takes_records(visitor: Visitor) -> None:
    page = visitor.go("/history")
    expect(page.get_by_text("No games yet.")).to_be_visible()
    page.get_by_role("link", name="Play one").click()
    page.get_by_role("radio", name="Two players here").check()
    page.get_by_test_id("start").click()
    expect(turn(page)).to_be_visible()
    page.get_by_role("link", name="History").click()
    row = page.get_by_role("list", name="Games").get_by_role("listitem")
    expect(row).to_contain_text("Player 1 – Player 2")
    expect(row).to_contain_text("In progress")
    expect(row.get_by_role("link", name="Review")).to_be_hidden()
    row.get_by_role("link", name=next(iter(GAMES.values())).title).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(turn(page)).to_have_text("Player 2 wins")
    page.get_by_role("link", name="History").click()
    expect(row).to_contain_text("Player 2 won")
    with page.expect_download() as download:
        row.get_by_role("link", name="Download").click()
    record = download.value.path().read_text()
    # What went out comes in again, as a match of its own.
    page.get_by_text("Import a game record").click()
    page.get_by_label("Or paste the text").fill(record)
    page.get_by_test_id("import").click()
    expect(turn(page)).to_have_text("Player 2 wins")
    page.get_by_role("link", name="History").click()
    expect(row).to_have_count(2)
    row.first.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(1)
    page.reload()
    expect(row).to_have_count(1)


def test_the_ladder_is_what_was_measured(visitor: Visitor) -> None:
    told = visitor.ask("/api/ladder")
    page = visitor.go("/ladder")
    page.get_by_role("link", name="Measured strength").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Measured strength")
    names = ["Anna · level 1"]
    for row in told["rows"]:
        player, against = (title_of(row[side]) for side in ("player", "against"))
        names.append(f"{player}against {against}{row['games']} games")
    expect(page.locator("tbody th")).to_have_text(names)
    expect(page.locator("main")).to_contain_text(told["command"])


def test_the_way_through_the_page(visitor: Visitor) -> None:
    """Every place of the bar is reached by its link, without loading the page anew, and back leads back."""
    page = visitor.go("/")
    expect(page.locator(".game")).to_have_count(len(GAMES) + 1)
    page.evaluate("window.same = true")
    places = {"Play": "New game", "Puzzles": "Puzzles", "Explore": "Explore", "Rules": "", "Ladder": "Ladder"}
    for name, heading in places.items():
        page.get_by_role("navigation", name="Main").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
        expect(page.locator(".top nav [aria-current]")).to_have_text(name)
    assert page.evaluate("window.same")
    page.go_back()
    expect(page.locator(".top nav [aria-current]")).to_have_text("Rules")
    visitor.forgiven = ("status of 404", "status of 422")
    visitor.open("/match/nobody")
    expect(page.get_by_test_id("missing")).to_be_visible()
    visitor.open(f"/explore/{next(iter(GAMES))}?size=99x9")
    expect(page.get_by_role("alert")).to_contain_text("boards can be")
    page.get_by_role("link", name="See the games").click()
    expect(page.locator(".game")).to_have_count(len(GAMES) + 1)
