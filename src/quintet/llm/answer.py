"""A model's answer: the move it names in the agreed form, read strictly but fairly.

The agreed form is `MOVE: C3`. The last one counts. Case, brackets, quotation marks, code fences, emphasis and any
reasoning before it do not matter, and a word such as "claim" or "row" may stand before the cell. What cannot be read: a
cell without `MOVE:`, two cells to choose from, a cell the board does not have, and a move named only inside `<think>`.
"""

import re
from collections.abc import Iterable

FORM = "MOVE: {}"

_THOUGHTS = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_MARKUP = re.compile(r"[*_`'\"()\[\]{}<>$\\“”‘’]|\\?boxed|```\w*")
_KEYWORD = re.compile(r"(?<![a-z0-9])move\s*[:：]\s*")
_VERBS = r"(?:(?:claims?|place|play|select|take|pick|cell|square|position|at|row)\b[ \t:]*)*"
_ATTEMPT = re.compile(_VERBS + r"(?:[a-z][\s,:-]{0,2})?\d")


def tokens(label: str) -> tuple[str, ...]:
    """The words and numbers of a label: `C3` and `c 3` have the same."""
    return tuple(re.findall(r"[a-z]+|\d+", label.lower()))


def read_answer(text: str, labels: Iterable[str]) -> str | None:
    """The label that an answer names; `None` where it names none, or leaves a choice."""
    names = {tokens(label): label for label in labels}
    text = _MARKUP.sub(" ", _THOUGHTS.sub(" ", text.lower()))
    cell = "|".join(sorted({_shape(name) for name in names}, key=len, reverse=True))
    move = re.compile(rf"{_VERBS}({cell})(?![a-z0-9]|\.\d)")
    another = re.compile(rf"[ \t]*(?:,|/|;|&|->|→|\b(?:or|and|then)\b)?[ \t]*{_VERBS}(?:{cell}|\d)")
    for keyword in reversed(list(_KEYWORD.finditer(text))):
        found = move.match(text, keyword.end())
        if found:
            return None if another.match(text, found.end()) else names.get(tokens(_plain(found[1])))
        if _ATTEMPT.match(text, keyword.end()):
            return None
        # Nothing like a cell: the form itself is spoken of, as in `MOVE: <cell>`.
    return None


def _shape(name: tuple[str, ...]) -> str:
    """A pattern for all labels made like this one."""
    if len(name) == 1:
        return r"\d+" if name[0].isdigit() else name[0]
    between = r"(?:[ \t]*[,;:-][ \t]*|[ \t]+)(?:col(?:umn)?[ \t:]*)?"
    return r"\d+" + between + r"\d+" if name[0].isdigit() else rf"[a-z]+(?:{between})?\d+"


def _plain(text: str) -> str:
    """A label without the word between its numbers."""
    return re.sub(r"col(?:umn)?", " ", text)
