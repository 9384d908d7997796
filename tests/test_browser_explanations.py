"""What the page explains on the board, on phones and desks: lines, named cells, legends, parts; and tables that fit."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from boards import first_moves
from browsing import PHONE, Visit, Visitor, cell, claim, labels, puzzle_shown
from quintet.engines.kinds import title_of
from quintet.games import OWN
from quintet.study.puzzles import Puzzle, puzzle_of_the_day
from test_browser_guards import check_access, played_out

DESK: ViewportSize = {"width": 1366, "height": 768}
NARROW: ViewportSize = {"width": 320, "height": 700}
TODAY = date(2026, 11, 15)


def puzzle_of(game: str) -> Puzzle:
    """The latest puzzle of the day that is of a game."""
    days = (TODAY - timedelta(days=number) for number in range(len(OWN)))
    return next(puzzle for puzzle in map(puzzle_of_the_day, days) if puzzle.position.game.name == game)


def nothing_is_cut_off(page: Page) -> None:
    """Neither the page nor anything on it has more than it shows."""
    wider = page.locator("main *").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth"
        " && getComputedStyle(one).overflowX !== 'visible').map((one) => one.className)"
    )
    assert wider == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_tables_fit_on_a_narrow_phone(visitor: Visitor) -> None:
    over, begun = played_out(visitor), visitor.create("point-capture", name="M" * 40)
    visitor.hold(begun, over)
    page = visitor.page
    page.set_viewport_size(NARROW)
    visitor.go("/history")
    games = page.get_by_role("list", name="Games").get_by_role("listitem")
    expect(games).to_have_count(2)
    nothing_is_cut_off(page)
    expect(games.locator("time").first).to_have_attribute("datetime", re.compile(r"^\d{4}-\d\d-\d\dT"))
    for text in ("Point Capture", "5x5", "In progress", "0 moves"):
        expect(games.first).to_contain_text(text)
    expect(games.first.get_by_role("link", name="Continue")).to_be_visible()
    expect(games.last.get_by_role("link", name="Review")).to_be_visible()
    visitor.go("/ladder/strength")
    for rung in visitor.ask("/api/ladder")["rows"]:
        player, against = (title_of(rung[side]) for side in ("player", "against"))
        for text in (against, f"{rung['games']}", f"{100 * rung['high']:.1f}%", f"± {rung['error']:.0f}"):
            expect(page.get_by_role("row", name=re.compile(f"^{player}\\b")).first).to_contain_text(text)
    nothing_is_cut_off(page)
    visitor.go(f"/review/{over['id']}")
    accuracy = page.get_by_test_id("accuracy")
    for name in ("Accuracy", "Best", "Good", "Inaccuracies", "Mistakes", "Blunders"):
        expect(accuracy.get_by_role("rowheader", name=name)).to_be_visible()
        assert accuracy.get_by_role("rowheader", name=name).evaluate("one => one.scrollWidth <= one.clientWidth")
    nothing_is_cut_off(page)
    page.set_viewport_size(DESK)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_solved_puzzle_offers_no_more_moves(visitor: Visitor, size: ViewportSize) -> None:
    puzzle = puzzle_of("grid-conquest")
    page = visitor.page
    page.set_viewport_size(size)
    visitor.go(f"/daily/{puzzle.day}")
    expect(page.get_by_test_id("score-1")).to_have_text(str(puzzle.position.scores[0]))
    places = [page.get_by_test_id("board"), page.get_by_test_id("task")]
    before = [place.evaluate("one => one.getBoundingClientRect().y") for place in places]
    claim(page, puzzle.position.label(puzzle.answers[0]))
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("right"))
    assert labels(page) == []
    assert [place.evaluate("one => one.getBoundingClientRect().y") for place in places] == before  # Nothing jumps.
    expect(page.locator(".cell .dot, .cell .ghost")).to_have_count(0)
    expect(page.locator("[aria-label*='legal move']")).to_have_count(0)


def test_puzzles_about_points_show_score_and_target(visitor: Visitor) -> None:
    puzzle = puzzle_of("point-capture")
    page = visitor.go(f"/daily/{puzzle.day}")
    for player, score in zip((1, 2), puzzle.position.scores, strict=True):
        shown = page.get_by_test_id(f"score-{player}")
        expect(shown).to_contain_text(str(score))
        expect(shown).to_contain_text(str(puzzle.position.board.target))
        expect(shown).to_be_in_viewport()
    claim(page, puzzle.position.label(puzzle.answers[0]))
    after = puzzle.position.play(puzzle.answers[0])
    expect(page.get_by_test_id(f"score-{puzzle.position.player}")).to_contain_text(
        str(after.scores[puzzle.position.player - 1])
    )


def lit(page: Page) -> list[str]:
    return labels(page, "lit")


def steps(page: Page) -> dict[str, str]:
    """The numbers of a line that is drawn on the board, by the names of the cells."""
    found = page.get_by_test_id("board").locator(".step")
    pairs = found.evaluate_all("all => all.map((one) => [one.closest('.cell').dataset.label, one.textContent])")
    return dict(pairs)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_explorer_points_at_the_board(visit: Visit, size: ViewportSize) -> None:
    is_phone = size is PHONE
    visitor = visit(viewport=size, has_touch=is_phone, is_mobile=is_phone)
    page = visitor.go("/explore/grid-conquest?moves=2 2; 0 0")
    expect(page.locator(".cell.best").first).to_be_visible()
    # A legend says what the values and the ring mean.
    legend = page.get_by_test_id("legend")
    expect(legend).to_contain_text("+5wins by 5")
    expect(legend).to_contain_text("best move")
    # A cell's name in the text lights up its cell: by the mouse, by the keyboard and by a finger.
    name = page.get_by_test_id("explanation").get_by_role("button", name="B5", exact=True).first
    assert lit(page) == []
    if is_phone:
        name.tap()
    else:
        name.hover()
        assert lit(page) == ["1 4"]
        page.mouse.move(1, 1)
        assert lit(page) == []
        name.focus()
    assert lit(page) == ["1 4"]
    page.get_by_role("heading", level=1).click()
    name.blur()
    # The best line: as far as the move that is pointed at, or all of it.
    page.locator(".best-line .chip", has_text="D4").focus()
    assert steps(page) == {"1 4": "1", "3 0": "2", "3 3": "3"}
    page.get_by_test_id("show-line").click()
    assert len(steps(page)) == page.locator(".best-line ol .chip").count()
    expect(cell(page, "1 4")).to_have_attribute("aria-label", re.compile("B5.*move 1 of the line"))
    check_access(page)
    # The way to the other views of the game, and the position's own address.
    links = page.get_by_role("navigation", name="More about this game")
    for view, address in {"Learn": "/learn/", "Rules": "/rules/", "Puzzles": "/puzzles?game="}.items():
        expect(links.get_by_role("link", name=view)).to_have_attribute("href", visitor.link(f"{address}grid-conquest"))
    page.set_viewport_size(NARROW)
    nothing_is_cut_off(page)


def test_where_all_moves_are_equal_none_is_marked(visitor: Visitor) -> None:
    page = visitor.go("/explore/isolation?moves=4; 8")
    expect(page.locator(".value").first).to_have_text("L4")
    expect(page.locator(".cell.best")).to_have_count(0)
    expect(page.get_by_test_id("legend")).not_to_contain_text("best")
    # On a line a sentence says #2, which is not just any number, and it points at the cell.
    name = page.get_by_test_id("explanation").get_by_role("button", name=re.compile("^#")).first
    label = (name.text_content() or "")[1:]
    name.focus()
    assert lit(page) == [label]
    name.blur()
    # The number of a move in a line is a badge beside the cell's own name.
    page.locator(".best-line .chip").nth(1).focus()
    assert steps(page)[label] == "1"
    expect(cell(page, label).locator(".step.order")).to_have_text("1")
    expect(cell(page, label).locator("text.worth")).to_have_text(label)
    page.get_by_role("heading", level=1).click()
    # The parts of the open cells, each in its colour, with their nimbers.
    page.get_by_test_id("parts").check()
    colours = page.locator(".cell.part").evaluate_all(
        "all => all.map((one) => [one.dataset.label, getComputedStyle(one.querySelector('.tile')).fill])"
    )
    parts = [["1", "2"], ["6"], ["10", "11", "12", "13"]]
    assert [label for label, _ in colours] == [label for part in parts for label in part]
    fills = [{dict(colours)[label] for label in part} for part in parts]
    assert [len(fill) for fill in fills] == [1, 1, 1] and len(set().union(*fills)) == 3
    sums = page.get_by_test_id("sums")
    expect(sums).to_contain_text("1 xor 1 xor 0 = 0")
    sums.get_by_role("button", name="1 cell, nimber 1").focus()
    assert lit(page) == ["6"]
    check_access(page)
    page.get_by_test_id("parts").uncheck()
    expect(page.locator(".cell.part")).to_have_count(0)


def test_an_undecided_board_tells_proofs_from_estimates(visitor: Visitor) -> None:
    page = visitor.go("/explore/gridlock?size=9x10")
    expect(page.locator(".value").first).to_be_visible()
    shown = page.locator(".cell.legal").evaluate_all(
        "all => all.map((one) => [one.dataset.label, one.querySelector('.value')?.textContent ?? '', one.ariaLabel])"
    )
    assert len(shown) == 90
    assert {label for label, text, _ in shown if text == "W"} == {"5 5", "5 6"}
    estimated = [(text, words) for _, text, words in shown if text != "W"]
    assert any(text for text, _ in estimated)
    for text, words in estimated:
        assert re.fullmatch("|~|~\u2009([+−]\\d+|0|W|L)", text) and (text == "") == ("estimate" not in words)
    expect(page.get_by_test_id("explanation")).to_contain_text("E5 and E6 are proved to win.")
    expect(page.get_by_test_id("legend")).to_contain_text(re.compile("estimate: (about|looks)"))
    check_access(page)


def finished(visitor: Visitor, game: str, size: str, moves: str) -> Any:
    """A finished match: these moves, then the first legal ones."""
    return visitor.create(game, size=size, moves=first_moves(game, size, moves), name="Ada")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_review_shows_the_better_move_and_how_it_continues(visitor: Visitor, size: ViewportSize) -> None:
    match = finished(visitor, "grid-conquest", "3x3", "0 0")
    page = visitor.page
    page.set_viewport_size(size)
    visitor.go(f"/review/{match['id']}")
    page.get_by_role("button", name=re.compile("^Move 1, X: A1, ")).click()
    # The board is in sight, also where the list of moves is far below it.
    expect(page.get_by_test_id("board")).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("remark")).to_contain_text("B2 is outlined on the board.")
    assert lit(page) == ["1 1"]
    page.get_by_test_id("show-line").click()
    numbers = steps(page)
    assert list(numbers.values()) and set(numbers.values()) == {str(n + 1) for n in range(len(numbers))}
    check_access(page)
    # From here to the explorer, at this position.
    page.get_by_role("link", name="Explore from here").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Explore Grid Conquest")
    expect(page.locator(".moves li button")).to_have_count(1)


def test_a_wrong_answer_is_refuted_on_the_board(visitor: Visitor) -> None:
    page = visitor.page
    visitor.add_script("Math.random = () => 0.5;")  # Always the same puzzle.
    visitor.go("/puzzles?game=adjacent-claim")
    puzzle = puzzle_shown(page)
    position, [right] = puzzle.position, puzzle.answers
    wrong = next(move for move in position.moves if move != right)
    claim(page, position.label(wrong))
    expect(page.get_by_test_id("answer")).to_have_class(re.compile("wrong"))
    assert sorted(steps(page).values()) == ["1", "2"]
    assert steps(page)[position.label(wrong)] == "1"
    expect(page.get_by_role("link", name="Explore this position")).to_be_hidden()
    page.get_by_test_id("solution").click()
    assert steps(page) == {position.label(right): "1"}
    check_access(page)
    learn = page.get_by_role("navigation", name="More about this game").get_by_role("link", name="Learn")
    expect(learn).to_have_attribute("href", visitor.link("/learn/adjacent-claim"))
    page.get_by_role("link", name="Explore this position").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Explore Adjacent Claim")
    assert labels(page) == [position.label(move) for move in position.moves]


def test_explanations_at_a_table_call_the_players_by_name(visitor: Visitor) -> None:
    visitor.begin("isolation", size="3", name="Ada", seats={"1": "human", "2": "level:2"}, take=[1])
    page = visitor.page
    page.get_by_test_id("values").check()
    expect(page.get_by_test_id("explanation")).to_contain_text("Only #2 wins")
    claim(page, "2")
    expect(page.get_by_test_id("explanation")).to_have_text("Ada has won.")
    # Two players of the same name are told apart by their numbers.
    visitor.begin("isolation", size="3", moves="2", name="Ada")
    page.get_by_test_id("values").check()
    expect(page.get_by_test_id("explanation")).to_have_text("Player 1 has won.")
