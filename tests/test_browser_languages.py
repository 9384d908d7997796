"""The page in other languages: nothing stays English, nothing overflows on a small phone, everybody can read it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import pseudo
from browsing import Visitor
from serving import Server
from test_browser_guards import NARROWEST, all_pages, check_access

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
  const isCut = one.scrollWidth > one.clientWidth + 1 && one.clientWidth && getComputedStyle(one).overflowX !== "visible";
  const mayBeCut = one.closest(".scroll, .pane, .moves, input, textarea, .unseen, svg, .name, .turn-line, .status");
  return one.checkVisibility() && (isOut || (isCut && !mayBeCut)) ? [one.outerHTML.slice(0, 160)] : [];
})
"""
NAMES = {"Quintet", "API", "UTC", "Ada", "Bea", "M" * 40}
"""What is the same in every language: names of things and of people."""


@pytest.fixture(scope="module")
def abroad(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A visitor with a small phone, at a service that speaks the language of tests."""
    folder = tmp_path_factory.mktemp("abroad")
    with pseudo.pretending(folder):
        server = Server(f"sqlite:///{folder}/quintet.db", "--no-limits")
    phone = {"width": NARROWEST, "height": 640}
    visitor = Visitor(browser, server, viewport=phone, has_touch=True, is_mobile=True, locale=pseudo.CODE)
    yield visitor
    visitor.close()
    assert server.stop() == ""


def check(page: Page) -> None:
    """Everything on the page is translated, is inside the screen, and can be read by everybody."""
    unmarked = [found for found in page.evaluate(UNMARKED) if found.rpartition(" ")[2] not in NAMES]
    assert unmarked == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROWEST, page.url
    assert page.evaluate(OVERFLOWING) == [], page.url
    check_access(page)


def test_no_page_has_a_text_that_is_not_translated(abroad: Visitor) -> None:
    page = abroad.page
    for path, sign in all_pages(abroad).items():
        if path == "/docs":
            continue  # For programmers, in English.
        page.goto(path)
        expect(page.locator(sign).first).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", pseudo.CODE)
        check(page)
