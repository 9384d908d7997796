"""Reading a model's answer: the move that it names in the required form.

The form is `MOVE: C3`. The last one counts. Case, brackets, quotation marks, code fences, emphasis, reasoning before it
and a remark in parentheses after it are ignored, and a word such as "claim" or "row" may stand before the cell. Not
accepted: a cell without `MOVE:`, two cells to choose from, a cell that is not on the board, and a move named only
inside `<think>`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

FORM = "MOVE: <cell>"

_THOUGHTS = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKUP = re.compile(r"```\w*|\\?boxed|[*_`'\"$\\“”‘’]")
_KEYWORD = re.compile(r"(?<![a-z0-9])move\s*:\s*", re.IGNORECASE)
_OPEN, _CLOSE = r"[ \t(\[{<]*", r"[ \t)\]}>]*"
_VERBS = rf"(?:(?:claims?|place|play|select|take|pick|cell|square|position|at|row)\b[ \t:=]*{_OPEN})*"
_BETWEEN = r"(?:[ \t]*[)\]}>][ \t,;]*[(\[{<][ \t]*|[ \t]*[,;:、-][ \t]*|[ \t]+)(?:col(?:umn)?[ \t:=]*)?"
_END = r"(?![a-z0-9]|\.\d|-[a-z]|[ \t]+(?:cells?|squares?|points?)\b)"
"""A cell ends here and is not an amount, as in `C33`, `a 2-cell lead` or `7 squares`."""
_ATTEMPT = re.compile(rf"{_OPEN}{_VERBS}(?:[a-z][\s,:-]{{0,2}})?\d", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"[(\[{<][a-z ]+[)\]}>]", re.IGNORECASE)
_REMARK = re.compile(r"[ \t]*\((?![ \t]*or\b)[^()\n]*\)", re.IGNORECASE)
_JOINED = r"[ \t]*(?:,|/|;|&|->|→|[-–](?=[ \t]*\d)|\(?\b(?:or|and|then)\b)?"


def tokens(label: str) -> tuple[str, ...]:
    """The words and numbers of a label: `C3` and `c 3` have the same."""
    return tuple(re.findall(r"[a-z]+|\d+", label.lower()))


class Form(NamedTuple):
    """The patterns of one board."""

    names: dict[tuple[str, ...], str]
    """The labels by their words and numbers."""
    move: re.Pattern[str]
    another: re.Pattern[str]
    """A second move right after the first."""


@lru_cache(maxsize=256)
def _form(labels: tuple[str, ...]) -> Form:
    """The patterns of a board; the same at every turn."""
    names = {tokens(label): label for label in labels}
    cell = "|".join(sorted({_shape(name) for name in names}, key=len, reverse=True))
    move = re.compile(rf"{_OPEN}{_VERBS}({cell}){_END}{_CLOSE}", re.IGNORECASE)
    another = re.compile(rf"{_JOINED}{_OPEN}{_VERBS}({cell}|\d+){_END}{_CLOSE}", re.IGNORECASE)
    return Form(names, move, another)


def read_answer(text: str, labels: Iterable[str]) -> str | None:
    """The label that an answer names; `None` if it names none or several."""
    names, move, another = _form(tuple(labels))
    text = _MARKUP.sub(" ", _THOUGHTS.sub(" ", normalize("NFKC", text)))
    for keyword in reversed(list(_KEYWORD.finditer(text))):
        found = move.match(text, keyword.end())
        if found:
            chosen = _plain(found[1])
            return None if _leaves_a_choice(text, found.end(), chosen, another) else names.get(chosen)
        if _ATTEMPT.match(text, keyword.end()):
            return None
        if _is_form(text, keyword):
            return None
        # Nothing like a cell follows: this mentions the form, as in `MOVE: <cell>`, or a move in general.
    return None


def _leaves_a_choice(text: str, at: int, chosen: tuple[str, ...], another: re.Pattern[str]) -> bool:
    """Whether a different cell follows the one that was found. Remarks in parentheses are skipped."""
    while True:
        remark = _REMARK.match(text, at)
        if remark:
            at = remark.end()
            continue
        other = another.match(text, at)
        if not other:
            return False
        if _plain(other[1]) != chosen:
            return True
        at = other.end()


def _is_form(text: str, keyword: re.Match[str]) -> bool:
    """Whether this is meant as the answer: in capitals or at the start of a line, and not the empty form."""
    line = text[text.rfind("\n", 0, keyword.start()) + 1 : keyword.start()]
    is_answer = keyword[0].startswith("MOVE") or not re.search(r"\w", line)
    return is_answer and not _PLACEHOLDER.match(text, keyword.end())


def _shape(name: tuple[str, ...]) -> str:
    """A pattern for all labels of the same shape."""
    if len(name) == 1:
        return r"\d+" if name[0].isdigit() else name[0]
    return rf"\d+{_BETWEEN}\d+" if name[0].isdigit() else rf"[a-z]+(?:{_BETWEEN})?\d+"


def _plain(text: str) -> tuple[str, ...]:
    """The words and numbers of a label, without the word between them."""
    return tokens(re.sub(r"col(?:umn)?", " ", text, flags=re.IGNORECASE))
