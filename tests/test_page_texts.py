"""No text of the page is outside the catalogues: neither in its scripts nor in its HTML."""

import json
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

import catalogues
from quintet.language import LANGUAGES
from quintet.web import pages

FOLDER = Path(__file__).parent / "page"
INDEX = (pages.FOLDER / "index.html").read_text("utf-8")
NOT_TRANSLATED = {
    "Quintet": "a name",
    "{} · Quintet": "a title and a name",
    "{} · {} · Quintet": "titles and a name",
    "PostgreSQL": "a name",
    '<iframe src={} title={} {} loading="lazy"></iframe>': "HTML",
    "Quintet #{}": "a name",
    "Quintet #{} {}/{}": "a name and a score",
    '[Game "…"]': "how a record is written",
    "API": "a name",
    "Bearer {}": "for the service",
    "Content-Type": "for the service",
    "step order": "for the style",
    "gain {}": "for the style",
}
needs_node = pytest.mark.skipif(
    not (shutil.which("node") and (FOLDER / "node_modules").is_dir()),
    reason="Node or its packages are not installed (make test)",
)


def read_texts(scripts: dict[str, str]) -> dict[str, list[list[str]]]:
    """The texts of scripts, as `texts.mjs` finds them."""
    command, text = ["node", "texts.mjs"], json.dumps(scripts)
    done = subprocess.run(command, cwd=FOLDER, input=text, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def extracted_from_scripts() -> set[tuple[str, ...]]:
    """The texts of the scripts that are in the catalogues, each with its form for many if there is one."""
    found = catalogues.texts(catalogues.extract())
    ids = [message.id for message in found if any(path.endswith(".js") for path, _ in message.locations)]
    return {(id,) if isinstance(id, str) else tuple(id) for id in ids}


@needs_node
def test_no_text_of_a_script_is_outside_the_catalogues() -> None:
    paths = sorted(pages.FOLDER.rglob("*.js"))
    found = read_texts({str(path.relative_to(pages.FOLDER)): path.read_text("utf-8") for path in paths})
    assert [one for one in found["outside"] if one[1] not in NOT_TRANSLATED] == []
    assert found["wrong"] == []
    assert {tuple(texts) for texts in found["inside"]} == extracted_from_scripts(), "Babel finds the same"


OUTSIDE = (
    'h("p", { text: "done" });',
    'h("p", null, "You win");',
    'h("p", { "aria-label": isOn ? "on" : tr("off") });',
    'button("Go", act);',
    "line.textContent = `${name} wins`;",
    'const ABOUT = "How strong they are.";',
    'notify("oops");',
    'const texts = [["", "No clock"]];',
)
WRONG = (
    "tr(`a text`);",
    "tr(text);",
    'tr("{name} wins", { who });',
    'tr("{name} wins");',
    'trCount("{count} move", n);',
)
RIGHT = 'h("p", { class: "a b", text: tr("{name} wins", { name }) }, trCount("{count} move", "{count} moves", n));'


@needs_node
def test_a_text_outside_and_a_call_that_cannot_be_translated_are_found() -> None:
    found = read_texts({script: script for script in (*OUTSIDE, *WRONG, RIGHT)})
    assert [name for name, _ in found["outside"]] == list(OUTSIDE)
    assert [name for name, *_ in found["wrong"]] == list(WRONG)
    assert found["inside"][-2:] == [["{name} wins"], ["{count} move", "{count} moves"]]


class Html(HTMLParser):
    """Collects the texts and labels of a page that are not marked for translation."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[dict[str, str | None]] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if "data-tr-label" not in given:
            self.outside += [
                str(given[name]) for name in ("aria-label", "title", "alt", "placeholder") if name in given
            ]
        if tag not in ("meta", "link", "path", "rect", "circle"):
            self.marks.append({"tag": tag, **given})

    def handle_endtag(self, tag: str) -> None:
        if self.marks and self.marks[-1]["tag"] == tag:
            self.marks.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and "data-tr" not in self.marks[-1]:
            self.outside.append(data.strip())


def test_no_text_of_the_html_is_outside_the_catalogues() -> None:
    html = Html()
    html.feed(INDEX.partition("<noscript>")[0] + INDEX.partition("</noscript>")[2])  # No script, no translation.
    assert [text for text in html.outside if text not in NOT_TRANSLATED] == []
    shown = 'data-languages="' + " ".join(LANGUAGES) + '"'
    assert shown in INDEX
