"""Text that somebody else wrote, made safe to show: names, comments, records, what programs print and models answer."""

LONGEST_QUOTE = 60
"""How many characters of somebody else's text a sentence repeats."""


HARMLESS = "\u00a0\u200c\u200d\u3000"
"""Spaces and joiners that names are written with, and that no terminal obeys."""


def escape(text: str, lines: bool = False) -> str:
    """The text for a terminal: control characters, which it would obey, and invisible ones are shown by their codes.

    That includes line ends and tabs, unless the text may have several lines.
    """
    if text.isprintable():
        return text
    kept = HARMLESS + "\n\t" if lines else HARMLESS
    return "".join(letter if letter.isprintable() or letter in kept else repr(letter)[1:-1] for letter in text)


def quote(text: str, longest: int = LONGEST_QUOTE) -> str:
    """The text inside a sentence, also one that a model reads: in quotation marks, on one line, short and printable."""
    return repr(text if len(text) <= longest else text[:longest] + "...")


def is_safe(text: str) -> bool:
    """Whether lines of text can be shown as they are."""
    return escape(text, lines=True) == text
