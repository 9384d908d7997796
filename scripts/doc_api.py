"""The API reference, from the docstrings of what `quintet.__doc__` promises."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import quintet

INTRODUCTION = """\
# API reference

Everything here is stable: a change of it is announced in the [changelog](changelog.md). [Python API](python.md) shows
how it is used. All other modules may change at any time.
"""
WIDEST = 80
"""Letters of a call on one line."""
PROMISE = re.compile(r"^- (.*?)(?=^- |\n\n)", re.MULTILINE | re.DOTALL)


def api_reference() -> str:
    """The page."""
    lines = [INTRODUCTION, "## quintet", *describe_names(quintet, quintet.__all__)]
    for module, names in promised():
        lines += [f"## {module.__name__}", clean(module.__doc__), *describe_names(module, names)]
    return "\n\n".join(lines) + "\n"


def promised() -> Iterator[tuple[ModuleType, list[str]]]:
    """The modules beyond the package itself, with the names of each that are promised."""
    for promise in PROMISE.findall(str(quintet.__doc__)):
        group: list[str] = []
        for word in re.findall(r"`([\w.]+)`", promise):
            if not word.startswith("quintet."):
                group.append(word)
                continue
            module = import_module(word)
            yield module, group or [name for name in vars(module) if is_own(module, name)]
            group = []


def is_own(module: ModuleType, name: str) -> bool:
    """Whether a name is defined in a module for its users."""
    thing = getattr(module, name)
    return not name.startswith("_") and callable(thing) and getattr(thing, "__module__", "") == module.__name__


def describe_names(module: ModuleType, names: list[str]) -> Iterator[str]:
    """Each name with its signature and its docstring; classes with their methods."""
    for name in sorted(names, key=str.lower):
        thing = getattr(module, name)
        yield f"### {name} {{ #{module.__name__}.{name} }}"
        yield from describe(name, thing)
        if inspect.isclass(thing):
            for word, member in vars(thing).items():
                if not word.startswith("_") and (inspect.isroutine(member) or isinstance(member, property)):
                    text = inspect.getdoc(member)
                    if text:
                        bare = getattr(thing, word) if not isinstance(member, property) else None
                        yield f"`{name}.{word}{signature(bare)}`"
                        yield ":   " + clean(text).replace("\n", "\n    ")


def describe(name: str, thing: object) -> Iterator[str]:
    """The signature and the docstring of one name."""
    if callable(thing):
        yield f"```python\n{wrapped(name + signature(thing))}\n```"
        yield clean(inspect.getdoc(thing))
    else:
        yield f"`{type(thing).__name__}`: {', '.join(f'`{key}`' for key in thing)}" if isinstance(thing, dict) else ""


def signature(thing: object) -> str:
    """The parameters of something that can be called."""
    if not callable(thing):
        return ""
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return "(...)"
    text = re.sub(r"<factory>|<[^<>]* at \w+>", "...", text)
    text = re.sub(r"\bself(?:, )?", "", text, count=1)
    return re.sub(r"(?:quintet(?:\.\w+)+\.|collections\.abc\.|typing\.)(?=\w)", "", text).replace("'", "")


def wrapped(text: str) -> str:
    """A call, on several lines if it is long: one for each parameter."""
    if len(text) <= WIDEST:
        return text
    head, _, rest = text.partition("(")
    inside, closing, tail = rest.rpartition(")")
    depth, parameters = 0, [""]
    for letter in inside:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parameters.append("")
        else:
            parameters[-1] += letter
    return f"{head}(\n" + "".join(f"    {parameter.strip()},\n" for parameter in parameters) + f"{closing}{tail}"


def clean(text: str | None) -> str:
    """A docstring as Markdown: examples and indented lines are code already."""
    return re.sub(r"^Args:$", "**Arguments**", inspect.cleandoc(text or ""), flags=re.MULTILINE)
