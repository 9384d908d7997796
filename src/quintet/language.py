"""The language of what a person reads: the English texts of the code, translated where a language was chosen."""


def later(text: str) -> str:
    """Mark a text that is translated where it is used: a constant is read before anybody has chosen a language."""
    return text


def tr(text: str, **values: object) -> str:
    """A text in the chosen language, with values for the names in braces."""
    return text.format(**values) if values else text


def tr_count(one: str, many: str, count: int, **values: object) -> str:
    """The text for one thing or for many in the chosen language; `{count}` is how many."""
    return tr(one if count == 1 else many, count=count, **values)
