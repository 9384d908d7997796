"""The same functions in another gear: bound anew to other primitives, as they are or compiled."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from types import FunctionType
from typing import Any

Names = dict[str, Any]

WORD_CELLS = 63
"""Boards of so many cells fit in a machine word, as the compiled gears need."""


def bind(names: Mapping[str, Any], wrap: Callable[[FunctionType], Any] = lambda function: function) -> Names:
    """Names of one another: every plain function among them looks up its global names here, and goes through `wrap`."""
    bound: Names = dict(names)
    for name, value in names.items():
        if isinstance(value, FunctionType):
            bound[name] = wrap(FunctionType(value.__code__, bound, value.__name__, value.__defaults__))
    return bound


def digest(names: Mapping[str, Any]) -> str:
    """A short name for the wording of functions and constants: another one as soon as any of them changes."""
    wording = [
        (name, code.co_code, code.co_consts, code.co_names) if code else (name, repr(value))
        for name, value in sorted(names.items())
        for code in [getattr(value, "__code__", None)]
        if code or name.isupper()
    ]
    return sha256(repr(wording).encode()).hexdigest()[:16]
