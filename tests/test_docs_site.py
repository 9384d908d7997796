"""The documentation as a site, without building it: its pages, its links out of `docs/`, its boards and its reference.

Links and anchors inside `docs/` are checked with the other documents. The workflow builds the site, strictly.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from html import unescape
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from doc_api import api_reference, wrapped
from doc_boards import Boards

import quintet
from quintet.games import GAMES

pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LOADER = SourceFileLoader("build_docs", str(ROOT / "scripts/build-docs.py"))


@pytest.fixture(scope="module")
def build_docs() -> object:
    spec = spec_from_loader("build_docs", LOADER)
    assert spec
    LOADER.exec_module(module := module_from_spec(spec))
    return module


def pages_of(item: object) -> Iterator[str]:
    """The pages in a part of the site's navigation."""
    if isinstance(item, str):
        yield item
    elif isinstance(item, dict | list):
        for inner in item.values() if isinstance(item, dict) else item:
            yield from pages_of(inner)


def test_every_page_is_in_the_navigation_once(build_docs: object) -> None:
    named = list(pages_of(tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]))
    ours = {str(page.relative_to(DOCS)).replace("README", "index") for page in DOCS.rglob("*.md")}
    beside = {page for page in vars(build_docs)["BESIDE"].values() if page.endswith(".md")}
    assert sorted(named) == sorted(ours | beside | {"api.md"})


def test_links_out_of_the_folder_have_a_place_on_the_site(build_docs: object) -> None:
    beside = vars(build_docs)["BESIDE"]
    assert all((ROOT / name).is_file() for name in beside)
    for page in DOCS.rglob("*.md"):
        for link in re.findall(r"\]\(((?:\.\./)+[^)#]+)", page.read_text()):
            there = (page.parent / link).resolve()
            assert there.is_relative_to(DOCS) or str(there.relative_to(ROOT)) in beside, f"{page}: {link}"
    relinked = vars(build_docs)["relink"]
    assert relinked("[a](../CHANGELOG.md#b) [c](rules/README.md)", Path("server.md")) == (
        "[a](changelog.md#b) [c](rules/index.md)"
    )
    assert relinked("[a](docs/play.md) [b](CHANGELOG.md)", Path("contributing.md")) == "[a](play.md) [b](changelog.md)"


def test_links_to_the_playable_page_count_from_each_page(build_docs: object) -> None:
    lead = vars(build_docs)["lead_to_play"]
    assert lead('<a href="app/">', "app/", "../") == '<a href="../app/">'
    assert lead('<a href="app/">', "https://play.example/", "../") == '<a href="https://play.example/">'


def feeds(text: str) -> list[dict[str, dict[str, object]]]:
    """What the boards of a page are fed with."""
    return [json.loads(unescape(feed)) for feed in re.findall(r'data-feed="(.*?)"', text)]


@pytest.mark.parametrize(
    ("page", "boards"),
    [
        ("README.md", 1),
        ("coach.md", 4),
        ("python.md", 1),
        ("solutions.md", 40),
        *((f"rules/{name}.md", 1) for name in GAMES),
    ],
)
def test_boards_are_live(page: str, boards: int, tmp_path: Path) -> None:
    text = Boards(Path(page), "app/", tmp_path).make_live((DOCS / page).read_text())
    fed = feeds(text)
    assert len(fed) >= boards if page == "solutions.md" else len(fed) == boards
    assert text.count("site/boards.js") == 1 and len(list(tmp_path.glob("*.svg"))) == len(fed)
    for feed in fed:
        assert {"view", "effects", "explore"} <= feed.keys() or {"view", "lit"} == feed.keys()
    if page.startswith("rules/"):
        assert fed[0]["view"]["game"] == Path(page).stem and "```" not in text
        assert str(fed[0]["explore"]).startswith(f"../app/?at=/explore/{Path(page).stem}&position=")
    if page == "coach.md":
        assert [feed["view"]["game"] for feed in fed] == ["gridlock", "isolation", "gridlock", "gridlock"]
        assert ["values" in feed for feed in fed] == [True, True, False, False]


def test_the_reference_has_every_promised_name() -> None:
    text = api_reference()
    for name in quintet.__all__:
        assert f"### {name} {{ #quintet.{name} }}" in text
    for name in ("quintet.text.TextGame", "quintet.rules.Game", "quintet.envs.values.regrets", "quintet.words.Step"):
        assert f"{{ #{name} }}" in text
    assert " at 0x" not in text
    long = "play(" + ", ".join(f"argument_{i}: dict[int, str]" for i in range(4)) + ") -> None"
    assert wrapped(long).splitlines()[1] == "    argument_0: dict[int, str]," and wrapped("f(a)") == "f(a)"
