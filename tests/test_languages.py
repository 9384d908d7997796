"""The languages: what is chosen where, and that no text is missing, stale or broken in any catalogue."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from websockets.sync.client import connect

import catalogues
from quintet import language as languages
from quintet.language import (
    LANGUAGES,
    decimal,
    environment_language,
    in_language,
    joined,
    language,
    page_texts,
    percent,
    preferred_language,
    sentences,
    tr,
    tr_count,
    tr_markdown,
    use_language,
)
from serving import WAIT, Server

MANUAL = "A first\nline.\n\n**Goal.** A second.\n\n- One.\n- Two\n  more.\n"
MARKED: dict[str | tuple[str, ...], str | tuple[str, ...]] = {
    "{name} wins.": "{name} gewinnt.",
    ("{count} move", "{count} moves"): ("{count} Zug", "{count} Züge"),
    "A first line.": "Eine erste Zeile.",
    "Two more.": "Zwei weitere.",
}


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A small German catalogue instead of ours."""
    found = Catalog("de")
    for text, translation in MARKED.items():
        found.add(text, translation, locations=[("words.py", 0)])
    (tmp_path / "de.mo").write_bytes(catalogues.write_compiled(found))
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    languages.catalogue.cache_clear()
    yield
    languages.catalogue.cache_clear()


def test_texts_are_in_the_chosen_language(german: None) -> None:
    assert tr("{name} wins.", name="Ann") == "Ann wins."
    with language("de"):
        assert tr("{name} wins.", name="{Ann}") == "{Ann} gewinnt."
        assert tr("Not in the catalogue.") == "Not in the catalogue." and tr("") == ""
        assert [tr_count("{count} move", "{count} moves", count) for count in (0, 1, 2)] == [
            "0 Züge",
            "1 Zug",
            "2 Züge",
        ]
        with language("en"):
            assert tr_count("{count} move", "{count} moves", 1) == "1 move"
    assert tr_count("{count} move", "{count} moves", 2) == "2 moves"


def test_a_page_of_markdown_is_translated_by_paragraphs(german: None) -> None:
    assert tr_markdown(MANUAL) == MANUAL
    with language("de"):
        assert tr_markdown(MANUAL) == "Eine erste Zeile.\n\n**Goal.** A second.\n\n- One.\n- Zwei weitere."


@pytest.mark.parametrize(
    ("code", "number", "share", "line"),
    [
        ("en", "20,000.50", "62%", "A1, B2"),
        ("de", "20.000,50", "62\u00a0%", "A1, B2"),
        ("fr", "20\u202f000,50", "62\u202f%", "A1, B2"),
        ("es", "20.000,50", "62\u00a0%", "A1, B2"),
        ("ja", "20,000.50", "62%", "A1、B2"),
    ],
)
def test_numbers_and_lists_are_written_as_a_language_writes_them(code: str, number: str, share: str, line: str) -> None:
    with language(code):
        assert (decimal(20_000.5, 2), percent(0.62), joined(["A1", "B2"])) == (number, share, line)
        assert decimal(-3) == "-3" and decimal(0.25, 2)[0] == "0"


def test_a_language_is_that_of_a_task_or_of_the_process(german: None) -> None:
    heard: list[str] = []

    def speak() -> None:
        heard.append(tr("{name} wins.", name="Ann"))

    with language("de"):
        speak()
        threads = [threading.Thread(target=speak), threading.Thread(target=in_language, args=("de", speak))]
        for thread in threads:
            thread.start()
            thread.join()
    assert heard == ["Ann gewinnt.", "Ann wins.", "Ann gewinnt."]
    try:
        use_language("de")
        speak()
        with language("en"):
            speak()
    finally:
        use_language("en")
    assert heard[3:] == ["Ann gewinnt.", "Ann wins."]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("pt-BR, fr;q=0.4, ja;q=0.6", "ja"),
        ("xx", "en"),
        ("fr;q=0, es;q=nothing, *", "en"),
        ("ES-mx", "es"),
    ],
)
def test_a_browser_says_which_language_its_reader_likes(header: str, code: str) -> None:
    assert preferred_language(header) == code


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANGUAGE": "it:ja:de", "LANG": "de_DE"}, "ja"),
        ({"LC_MESSAGES": "fr"}, "fr"),
    ],
)
def test_the_environment_says_which_language_a_terminal_speaks(environment: dict[str, str], code: str) -> None:
    assert environment_language(environment) == code


# The service.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('web')}/quintet.db", "--no-limits")
    yield server
    assert server.stop() == ""


def ask(server: Server, path: str, code: str, **options: Any) -> Any:
    """An answer to somebody who likes a language."""
    answer = server.http.get(path, params=options, headers={"Accept-Language": code})
    assert answer.headers["content-language"] == code and "accept-language" in answer.headers.get_list("vary", True)
    return answer.json()


def test_the_page_reads_its_texts_from_the_service(server: Server) -> None:
    for code in LANGUAGES:
        answer = server.http.get(f"/api/languages/{code}")
        assert answer.content == page_texts(code)
        again = server.http.get(f"/api/languages/{code}", headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304 and not again.content
    assert server.http.get("/api/languages/xx").status_code == 404


def test_every_reader_of_a_table_reads_their_own_language(server: Server) -> None:
    match, one, _ = server.friends()
    address = f"ws://{server.host}/api/matches/{match}/live"
    with (
        connect(f"{address}?language=de", open_timeout=WAIT) as german,
        connect(address, additional_headers={"Accept-Language": "ja"}, open_timeout=WAIT) as japanese,
        connect(address, open_timeout=WAIT) as english,
    ):
        readers = {"de": german, "ja": japanese, "en": english}
        tables = {code: greet(reader) for code, reader in readers.items()}
        assert server.post(match, "moves", one, ply=0, undone=0, move="A1").status_code == 200
        states = {code: json.loads(reader.recv(timeout=WAIT)) for code, reader in readers.items()}
    for code in readers:
        with language(code):
            turns = [tr("{name}'s turn.", name=name) for name in (tr("Player {number}", number=1), "Bea")]
            claimed = tr("{name} claimed {cell}.", name=tr("Player {number}", number=1), cell="A1")
            said = sentences(claimed, turns[1])
        assert tables[code]["state"]["view"]["status"] == turns[0]
        assert states[code]["view"]["status"] == said
    assert tables["de"]["players"]["1"]["name"] == "Spieler 1"


def greet(reader: Any) -> Any:
    reader.send('{"type":"hello","tokens":[]}')
    return json.loads(reader.recv(timeout=WAIT))
