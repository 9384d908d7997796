"""The page's files keep what they promise: small, whole, self-contained, and without a rule or a game's name."""

import asyncio
import os
import re
from pathlib import Path

import pytest

from page_modules import MOST_SCRIPT, imported, loaded, read_routes, weight
from quintet.games import GAMES
from quintet.web import pages

FILES = sorted(path for path in pages.FOLDER.rglob("*") if path.is_file())
TEXTS = [path for path in FILES if path.suffix in (".html", ".css", ".js")]
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
INDEX, EMBED = ((pages.FOLDER / page).read_text() for page in ("index.html", "embed.html"))
EMBEDDED = pages.FOLDER / "embed.html"
LONGEST = 250
WIDEST = 120


def name(path: Path) -> str:
    return str(path.relative_to(pages.FOLDER))


def test_no_page_loads_much_script() -> None:
    pages_of = {view: loaded("theme.js", "app.js", f"views/{view.name}") for view in read_routes().values()}
    pages_of[EMBEDDED] = loaded("embed.js")
    weights = {name(view): weight(scripts) for view, scripts in pages_of.items()}
    heaviest = max(weights, key=lambda view: weights[view])
    print(f"\n{heaviest} {weights[heaviest]:,} bytes; all scripts {weight(set(SCRIPTS)):,}")
    assert all(weights[view] < MOST_SCRIPT for view in weights), weights


def test_a_first_game_loads_as_little_as_one_page_may() -> None:
    assert weight(loaded("theme.js", "app.js", "views/home.js", "views/setup.js", "views/table.js")) < MOST_SCRIPT


def test_scripts_are_sent_without_what_is_for_readers_and_lines_keep_their_numbers() -> None:
    comments = "// What it is.\nimport x;\n/**\n * Long.\n */\nconst a = /** @type {A} */ (b); // Why.\n"
    script = f"{comments}  /** Short. */\n  c();"
    assert pages.compact(script) == "\nimport x;\n\n\n\nconst a = (b);\n\nc();"
    text = 'a(" // 1", `\n  /** 2 */\n`);\n\tb(/^a:\\/\\/b/); // `3`\n'
    assert pages.compact(text) == 'a(" // 1", `\n  /** 2 */\n`);\nb(/^a:\\/\\/b/);\n'


def test_a_script_is_read_again_only_when_it_was_modified(tmp_path: Path) -> None:
    script = tmp_path / "a.js"
    files, scope = pages.Files(directory=tmp_path), {"type": "http", "method": "GET", "headers": []}

    def sent(text: str, modified: int) -> bytes:
        script.write_text(text)
        os.utime(script, ns=(modified, modified))
        return bytes(asyncio.run(files.get_response("a.js", scope)).body)

    assert sent("// A.\na();", 1_000) == b"\na();"
    assert sent("// B.\nb();", 1_000) == b"\na();", "the time is the same"
    assert sent("// B.\nb();", 2_000) == b"\nb();"


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_nothing_comes_from_elsewhere(path: Path) -> None:
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text()))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # A name, which is never asked for.


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_no_game_is_known_by_name(path: Path) -> None:
    text = path.read_text().lower()
    for game in GAMES.values():
        assert game.name not in text
        assert game.title.lower() not in text


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_a_script_is_short_says_what_it_is_and_writes_no_markup(path: Path) -> None:
    text = path.read_text()
    assert text.startswith("// ")
    assert text.count("\n") < LONGEST and max(map(len, text.splitlines())) <= WIDEST
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text)
    assert not re.search(r"""setAttribute\(\s*["']style["']""", text)


def test_the_page_obeys_its_own_policy() -> None:
    for page in (INDEX, EMBED):
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son\w+=", page)
    assert INDEX.count(pages.TAGS) == 1


def test_every_file_asked_for_is_there_and_every_script_is_asked_for() -> None:
    linked = {pages.FOLDER / path for path in re.findall(r'(?:src|href)="/static/([^"]+)"', INDEX + EMBED)}
    assert linked <= set(FILES)
    found = {path for path in linked if path.suffix == ".js"}
    while more := set().union(*map(imported, found)) - found:
        found |= more
    assert found == set(SCRIPTS)


def test_no_script_leads_back_to_itself() -> None:
    """The shell imports the views, views import parts: in a circle nobody could say what comes first."""
    imports = {path: imported(path) for path in SCRIPTS}
    while leaves := {path for path, wanted in imports.items() if not wanted & imports.keys()}:
        for path in leaves:
            del imports[path]
    assert not imports, f"imported in a circle: {sorted(map(name, imports))}"
