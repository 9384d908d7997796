"""The page in other languages: nothing stays English, nothing overflows on a small phone, everybody can read it."""

import re
from collections.abc import Iterator

import pytest
from babel import dates
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

import pseudo
from browsing import TOUCH, Visit, Visitor, claim, turn
from quintet.engines.characters import CHARACTERS
from quintet.language import ENGLISH, LANGUAGES
from serving import Server
from test_browser_guards import NARROWEST, all_pages, check_access, played_out
from test_browser_operator import TOKEN

SMALL: ViewportSize = {"width": NARROWEST, "height": 640}
UNMARKED = """
() => {
  const found = [];
  const read = (texts, where) => {
    let depth = 0;
    let open = "";
    for (const sign of texts.join("")) {
      if (sign === "⟦") depth += 1;
      else if (sign === "⟧") depth -= 1;
      else open += depth ? " " : sign;
    }
    const words = open.match(/\\p{L}{2,}/gu) ?? [];
    found.push(...words.map((word) => `${where}: ${word}`));
  };
  const isShown = (element) => element.closest("select") || (element.checkVisibility() && !element.closest("code"));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (isShown(element) && !element.lang) texts.push(walker.currentNode.data, " ");
  }
  read(texts, "text");
  for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext", "aria-description"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (isShown(element)) read([element.getAttribute(name)], name);
    }
  }
  read([document.title], "the page's title");
  return [...new Set(found)];
}
"""
"""The words on the page that do not stand in marks; commands and the names of languages may not be translated."""
OVERFLOWING = """
[...document.querySelectorAll("body *")].flatMap((one) => {
  const box = one.getBoundingClientRect();
  const isOut = box.right > screen.width + 1 && !one.closest(".scroll, .pane, .skip, .unseen, svg");
  const isWider = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
  const isCut = isWider && getComputedStyle(one).overflowX !== "visible";
  const names = ".name, .cup-pair, .turn-line, .status";
  const mayBeCut = one.closest(`.scroll, .pane, .moves, input, textarea, .unseen, svg, ${names}`);
  return one.checkVisibility() && (isOut || (isCut && !mayBeCut)) ? [one.outerHTML.slice(0, 160)] : [];
})
"""
NAMES = {"Quintet", "API", "UTC", "MB", "SQLite", "BH", "SB", *(one.name for one in CHARACTERS)}
NAMES |= {"Ada", "Bea", "Cy", "M" * 40, "W" * 60}
"""What is the same in every language: names of things and of people."""
MONTHS = dates.get_month_names("wide", locale=pseudo.CODE).values()
DAYS = [day for width in ("wide", "short") for day in dates.get_day_names(width, locale=pseudo.CODE).values()]
DATES = {name.rstrip(".") for name in (*MONTHS, *DAYS)}
"""The browser writes dates, in the real language."""
TEXTS = re.compile("/api/languages/..$|/texts.json$")
"""Where the texts of the page come from."""
RECORD = "placeholder: Game"
"""How a record is written."""


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service that speaks the language of tests."""
    folder = tmp_path_factory.mktemp("abroad")
    with pseudo.pretending(folder):
        server = Server(f"sqlite:///{folder}/quintet.db", "--no-limits", "--operator-token", TOKEN)
    yield server
    assert server.stop() == ""


@pytest.fixture
def abroad(browser: Browser, foreign: Server) -> Iterator[Visitor]:
    """A visitor with a small phone there."""
    visitor = Visitor(browser, foreign, viewport=SMALL, has_touch=True, is_mobile=True, locale=pseudo.CODE)
    yield visitor
    visitor.close()


def check_texts(page: Page) -> None:
    """Everything on the page is translated, and inside the screen."""
    words = [found for found in page.evaluate(UNMARKED) if found != RECORD]
    unmarked = [found for found in words if found.rpartition(" ")[2] not in NAMES | DATES]
    assert unmarked == [], page.url
    check_fit(page)


def check_fit(page: Page) -> None:
    """Everything is inside the screen, and nothing is cut off."""
    assert page.evaluate(OVERFLOWING) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROWEST, page.url


def test_no_page_has_a_text_that_is_not_translated(abroad: Visitor) -> None:
    page = abroad.page
    for path, sign in all_pages(abroad).items():
        if path == "/docs":
            continue  # For programmers, in English.
        abroad.open(path)
        expect(page.locator(sign).first).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", pseudo.CODE)
        check_texts(page)


def test_every_page_in_a_real_language_fits_and_has_no_barrier(visit: Visit) -> None:
    """One language after the other: the language of tests is as long as all of them, and was on every page."""
    visitor = visit(**{**TOUCH, "viewport": SMALL})
    page = visitor.page
    others = [code for code in LANGUAGES if code != ENGLISH]
    pages = list(all_pages(visitor).items())
    for number, code in enumerate(others):
        visitor.load("/")
        page.evaluate("(code) => localStorage.setItem('quintet.language', code)", code)
        page.reload()
        for path, sign in pages[number :: len(others)]:
            visitor.open(path)
            expect(page.locator(sign).first).to_be_visible()
            expect(page.locator("html")).to_have_attribute("lang", ENGLISH if path == "/docs" else code)
            check_fit(page)
            check_access(page)


def test_what_appears_later_is_translated_too(abroad: Visitor) -> None:
    page = abroad.page
    result = page.get_by_test_id("result")
    abroad.begin("grid-conquest", size="2x1", seats={"1": "human", "2": "level:1"}, take=[1])
    page.locator(".cell.open").first.click()
    expect(result).to_be_visible()
    check_texts(page)
    abroad.begin("gridlock", size="3x3", moves="1 1; 2 3", seats={"1": "human", "2": "level:1"}, take=[1])
    page.locator(".cell.shut").first.click(force=True)
    expect(page.get_by_test_id("refusal")).to_contain_text("⟦")
    page.get_by_test_id("values").check(force=True)
    expect(page.get_by_test_id("explanation")).to_contain_text("⟦")
    check_texts(page)
    page.locator(".heading .links a").first.click()
    expect(page.locator("dialog .prose")).to_be_visible()
    check_texts(page)
    page.keyboard.press("Escape")
    page.get_by_test_id("actions").get_by_role("button").nth(1).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check_texts(page)
    page.get_by_role("dialog").get_by_role("button").first.click()
    expect(result).to_be_visible()
    over = played_out(abroad)
    abroad.go(f"/review/{over['id']}")
    page.locator(".moves button:has(.note)").first.click()
    page.get_by_test_id("try-again").click()
    page.locator(".cell.open").last.click()
    expect(page.get_by_test_id("remark")).to_contain_text("⟦")
    check_texts(page)
    abroad.go("/puzzles?game=gridlock")
    page.locator(".cell.open").first.click()
    expect(page.get_by_test_id("answer")).to_contain_text("⟦")
    check_texts(page)
    abroad.forgiven = ("status of 404", "status of 422")
    abroad.go("/history").locator("summary").click()
    page.locator("textarea").fill("not a record")
    page.get_by_test_id("import").click()
    expect(page.get_by_role("alert")).to_contain_text("⟦")
    check_texts(page)
    abroad.go("/nowhere")
    check_texts(page)
    abroad.go("/operator").get_by_test_id("token").fill(TOKEN)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("readiness")).to_contain_text("⟦")
    check_texts(page)


def test_the_language_is_the_browsers_until_another_is_chosen_and_the_game_stays(abroad: Visitor) -> None:
    page = abroad.page
    abroad.begin("gridlock", size="3x3")
    claim(page, "1 1")
    expect(turn(page)).to_contain_text("⟦")
    choose = page.locator("#language")
    assert choose.locator("option").all_text_contents() == ["English", "Deutsch", "Français", "Español", "日本語"]
    expect(choose).to_have_value(pseudo.CODE)
    choose.select_option("en")
    expect(turn(page)).to_have_text("Player 2’s turn (O)")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".cell.one")).to_have_count(1)
    claim(page, "2 3")
    expect(page.locator(".cell.two")).to_have_count(1)
    abroad.go("/rules")  # It is saved.
    expect(page.get_by_role("combobox", name="Language")).to_have_value("en")
    page.get_by_role("combobox", name="Language").select_option(pseudo.CODE)
    expect(page.locator("h1")).to_contain_text("⟦")


def test_a_language_can_be_chosen_without_storage_and_by_the_address(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.add_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('off'); } })")
    visitor.go("/rules/gridlock?language=fr#main")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.locator("#language").select_option("ja")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.locator(".top nav a").first.click()  # As long as the page is not left.
    expect(page.get_by_test_id("start")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "ja")


def test_no_english_is_shown_first_and_english_is_shown_if_there_is_no_catalogue(visit: Visit) -> None:
    visitor = visit(locale="es-MX")
    visitor.forgiven = ("Failed to load resource",)
    page = visitor.page
    waiting: list[Route] = []
    page.route(TEXTS, lambda route: waiting.append(route))
    with page.expect_request(TEXTS):
        page.goto(visitor.url("/rules/gridlock"), wait_until="commit")
    expect(page.locator(".top nav a").first).to_be_attached()
    expect(page.locator(".top nav a").first).to_be_hidden()
    waiting[0].fulfill(status=503)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".top nav a").first).to_have_text("Play")
    expect(page.locator(".prose")).to_be_visible()


def test_plural_forms_dates_and_numbers_are_those_of_the_language(visit: Visit) -> None:
    visitor = visit(locale="fr-CA")
    page = visitor.page
    forms = {"{count} move": ["{count} coup", "{count} coups"]}
    page.route(TEXTS, lambda route: route.fulfill(json=forms))
    visitor.go("/rules/gridlock")
    said = page.evaluate(
        """async () => {
          const app = document.querySelector("script[type=module]").src;
          const { trCount, tr, percent, locale } = await import(app.replace("app.js", "language.js"));
          const moves = [0, 1, 2, 1234].map((count) => trCount("{count} move", "{count} moves", count));
          return [...moves, tr("{name} wins", { name: "{count}" }), percent(0.5, 1), locale];
        }"""
    )
    assert [text.replace("\u00a0", " ") for text in said] == [
        "0 coup",
        "1 coup",
        "2 coups",
        "1 234 coups",
        "{count} wins",
        "50,0 %",
        "fr-CA",
    ]
