"""The catalogues of translations: `make languages` extracts the texts of the code into them and compiles them.

A translator edits the `.po` files in `src/quintet/languages` and runs it. Everything else in that folder is written by
it. A new language is an empty `.po` file, and a line in `quintet/language.py`.
"""

import io
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from quintet.games import GAMES
from quintet.language import ENGLISH, FOLDER, LANGUAGES, markdown_texts
from quintet.rules import Game

SOURCES = FOLDER.parent
KEYWORDS: Mapping[str, Mapping[str, tuple[int, ...] | None]] = {
    "python": {"tr": None, "later": None, "tr_count": (1, 2), "Binding": (3,)},
    "javascript": {"tr": None, "trCount": (1, 2)},
}
"""The functions whose texts are translated, with the places of their texts."""
METHODS = {".py": "python", ".js": "javascript"}
PHRASES = (
    "About moves in a game. {does} is what one move does, such as 'wins by 5', {do} what several moves do, such as "
    "'win by 5': parts of sentences without a subject. A draw is a game that nobody wins."
)
NOTES = {
    "engines/": "A computer player's name, or a line about it.",
    "games/": "Rules and lesson of a game. What is between backquotes stays as it is.",
    "study/coach.py": PHRASES,
    "study/phrases.py": PHRASES,
    "study/remarks.py": PHRASES,
    "terminal/": "In the terminal app, where there is little room. Names of keys stay as they are.",
}
"""What a translator has to know about texts, by the beginning of their files' names."""
PAGE = "web/page/index.html"
MARKED = re.compile(r'data-tr>([^<]+)<|(?:aria-label|title)="([^"]+)"[^>]* data-tr-label>')
"""A text of the page itself that is translated."""


class Compiled(Catalog):
    """A catalogue whose header says only what is needed to read it, so that it stays the same from day to day."""

    def __iter__(self) -> Iterator[Message]:
        """The header and all entries."""
        yield Message("", "\n".join(f"{name}: {value}" for name, value in header(self)))
        yield from (message for message in super().__iter__() if message.id)


def header(catalogue: Catalog) -> list[tuple[str, str]]:
    """What a program has to know to read a catalogue."""
    return [
        ("Language", str(catalogue.locale)),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Plural-Forms", catalogue.plural_forms),
    ]


def translated() -> list[str]:
    """The codes of the languages that have a catalogue."""
    return [code for code in LANGUAGES if code != ENGLISH]


@cache
def extract() -> Catalog:
    """All texts of the code, each with the files that it is in."""
    found = Catalog()
    for path in sorted(path for path in SOURCES.rglob("*.*") if path.suffix in METHODS):
        method = METHODS[path.suffix]
        for _, text, _, _ in extract_from_file(method, path, KEYWORDS[method]):
            add(found, text, path.relative_to(SOURCES).as_posix())
    for words, label in MARKED.findall((SOURCES / PAGE).read_text("utf-8")):
        add(found, words or label, PAGE)
    for game in GAMES.values():
        for text in game_texts(game):
            add(found, text, f"games/{game.name.replace('-', '_')}.py")
    return found


def add(catalogue: Catalog, text: str | tuple[str, ...], name: str) -> None:
    """Add a text of a file, with the notes about that file."""
    notes = [note for start, note in NOTES.items() if name.startswith(start)]
    catalogue.add(text, locations=[(name, 0)], auto_comments=notes)


def game_texts(game: Game) -> Iterator[str]:
    """What a game's file says to people, besides the dialogue of its rule book."""
    yield from (game.title, game.summary)
    yield from markdown_texts(game.manual)
    for step in game.lesson:
        yield from filter(None, (step.say, step.then, step.retry))
    yield game.words.refused


def read(code: str) -> Catalog:
    """The catalogue of a language as it is in the folder."""
    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, code)


def update(catalogue: Catalog) -> Catalog:
    """The same catalogue with the texts of the code as they are now: new ones are empty, old ones move to the end."""
    catalogue.update(extract(), no_fuzzy_matching=True, keep_user_comments=True)
    return catalogue


def texts(catalogue: Catalog) -> Iterator[Message]:
    """The entries of a catalogue, without its header."""
    return (message for message in catalogue if message.id)


def write_source(catalogue: Catalog) -> bytes:
    """A catalogue as a `.po` file: one line for each text, and no numbers of lines, which change all the time."""
    file = io.BytesIO()
    write_po(file, catalogue, width=0, include_lineno=False, omit_header=True)
    lines = "".join(f'"{name}: {value}\\n"\n' for name, value in header(catalogue))
    return f'msgid ""\nmsgstr ""\n{lines}\n'.encode() + file.getvalue().rstrip() + b"\n"


def write_compiled(catalogue: Catalog) -> bytes:
    """The texts of Python as a `.mo` file."""
    chosen = Compiled(catalogue.locale)
    for message in texts(catalogue):
        if is_translated(message) and is_of_python(message):
            chosen.add(message.id, message.string)
    file = io.BytesIO()
    write_mo(file, chosen)
    return file.getvalue()


def write_page(catalogue: Catalog) -> bytes:
    """The texts of the page's scripts as JSON: a translation, or one for each plural form, by the (first) text."""
    found: dict[str, str | list[str]] = {}
    for message in texts(catalogue):
        if is_translated(message) and any(path.startswith("web/page/") for path, _ in message.locations):
            key = message.id if isinstance(message.id, str) else message.id[0]
            found[key] = forms(message)[0] if isinstance(message.id, str) else forms(message)
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def forms(message: Message) -> list[str]:
    """The translation of a text, or of each plural form; empty where there is none yet."""
    found = message.string or ""
    return [found] if isinstance(found, str) else list(found)


def is_translated(message: Message) -> bool:
    """Whether a text has its translation, in all of its forms."""
    return all(forms(message))


def is_of_python(message: Message) -> bool:
    """Whether a text is one of Python's, and not of the page alone."""
    return any(path.endswith(".py") for path, _ in message.locations)


def outputs(code: str, catalogue: Catalog) -> dict[Path, bytes]:
    """What the folder holds for a language."""
    return {
        FOLDER / f"{code}.po": write_source(catalogue),
        FOLDER / f"{code}.mo": write_compiled(catalogue),
        FOLDER / f"{code}.json": write_page(catalogue),
    }


if __name__ == "__main__":
    for code in translated():
        catalogue = update(read(code))
        for path, data in outputs(code, catalogue).items():
            path.write_bytes(data)
        missing = sum(not is_translated(message) for message in texts(catalogue))
        print(f"{code}: {len(catalogue)} texts, {missing} not translated")
