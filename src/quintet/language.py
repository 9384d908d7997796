"""The language of what a person reads: the English texts of the code, translated where a language was chosen.

The translations are in the folder `languages`, one `.po` file for each language, which `make languages` keeps up to
date and compiles: for Python to `.mo` files, for the page to `.json` files.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import TypeVar, TypeVarTuple

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "fr": "Français", "es": "Español", "ja": "日本語"}
"""The languages by their codes, each called as its speakers call it."""
FOLDER = Path(__file__).parent / "languages"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables that name languages, the most important one first."""
GAPS = {"ja": ""}
"""What is written between two sentences, where it is not a space."""
COMMAS = {"ja": "、"}
"""What is written between the things of a list, where it is not a comma and a space."""
NUMBERS = {"de": (".", ",", "\u00a0%"), "fr": ("\u202f", ",", "\u202f%"), "es": (".", ",", "\u00a0%")}
"""What parts the thousands and the decimals of a number, and ends a percentage, where it is not as in English."""
PARAGRAPH = re.compile(r"^(- )?(\S(?:(?!\n\n|\n- ).)*)", re.MULTILINE | re.DOTALL)
"""A paragraph or a list item of Markdown: its mark, and its text."""

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")

_here: ContextVar[str | None] = ContextVar("language", default=None)
_process = ENGLISH


def later(text: str) -> str:
    """Mark a text that is translated where it is used: a constant is read before anybody has chosen a language."""
    return text


def tr(text: str, /, **values: object) -> str:
    """A text in the chosen language, with values for the names in braces."""
    code = chosen_language()
    found = text if code == ENGLISH or not text else catalogue(code).gettext(text)
    return found.format(**values) if values else found


def tr_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The text for one thing or for many in the chosen language; `{count}` is how many."""
    return catalogue(chosen_language()).ngettext(one, many, count).format(count=count, **values)


def tr_markdown(text: str) -> str:
    """A page of Markdown in the chosen language, paragraph by paragraph."""
    if chosen_language() == ENGLISH:
        return text

    def translate(found: re.Match[str]) -> str:
        line = " ".join(found[2].split())
        return (found[1] or "") + tr(line)

    return PARAGRAPH.sub(translate, text)


def markdown_texts(text: str) -> list[str]:
    """The paragraphs and list items of a page of Markdown, each on one line: they are translated one by one."""
    return [" ".join(found[2].split()) for found in PARAGRAPH.finditer(text)]


def sentences(*texts: str) -> str:
    """Sentences one after the other; empty ones are left out."""
    return GAPS.get(chosen_language(), " ").join(filter(None, texts))


def joined(things: Iterable[object]) -> str:
    """Things one after the other, such as the moves of a line: `A1, B2, C3`."""
    return COMMAS.get(chosen_language(), ", ").join(map(str, things))


def decimal(value: float, digits: int = 0) -> str:
    """A number with a fixed number of decimals: `20,000`, `0.25`."""
    thousands, point, _ = NUMBERS.get(chosen_language(), (",", ".", "%"))
    return f"{value:,.{digits}f}".translate({ord(","): thousands, ord("."): point})


def percent(share: float) -> str:
    """A share of 1 as a percentage: `62%`."""
    return decimal(100 * share) + NUMBERS.get(chosen_language(), (",", ".", "%"))[2]


@cache
def catalogue(code: str) -> NullTranslations:
    """The translations into a language, read once; none for English."""
    if code == ENGLISH:
        return NullTranslations()
    with (FOLDER / f"{code}.mo").open("rb") as file:
        return GNUTranslations(file)


@cache
def page_texts(code: str) -> bytes:
    """The texts of the page's scripts in a language, as JSON: a translation, or one for each plural form, by text."""
    return b"{}" if code == ENGLISH else (FOLDER / f"{code}.json").read_bytes()


def chosen_language() -> str:
    """The code of the language that is spoken here."""
    return _here.get() or _process


@contextmanager
def language(code: str) -> Iterator[None]:
    """Speak a language inside a block, in this task or thread alone: a server speaks several at the same time."""
    token = _here.set(code)
    try:
        yield
    finally:
        _here.reset(token)


def in_language(code: str, function: Callable[[*Arguments], Found], *arguments: *Arguments) -> Found:
    """What a function gives in a language: for work that is sent to another process or thread."""
    with language(code):
        return function(*arguments)


def use_language(code: str) -> None:
    """Speak a language in the whole process, wherever no block says otherwise: a program that one person uses."""
    global _process
    _process = code


def preferred_language(header: str) -> str:
    """The language of ours that somebody likes most, by a header such as `de-CH, fr;q=0.8`; English if none is."""
    liked: dict[str, float] = {}
    for part in header.lower().split(",")[:20]:
        name, _, quality = part.partition(";")
        code = name.strip().partition("-")[0]
        try:
            weight = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if code in LANGUAGES and weight > 0:
            liked[code] = max(weight, liked.get(code, 0))
    return max(liked, key=liked.__getitem__) if liked else ENGLISH


def environment_language(environment: Mapping[str, str] | None = None) -> str:
    """The language that the environment names, such as `LANG=de_DE.UTF-8`; English if it is not one of ours."""
    variables = os.environ if environment is None else environment
    for text in filter(None, map(variables.get, VARIABLES)):
        codes = [one.partition("_")[0].partition(".")[0].lower() for one in text.split(":")]
        return next((code for code in codes if code in LANGUAGES), ENGLISH)
    return ENGLISH
