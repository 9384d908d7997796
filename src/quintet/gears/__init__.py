"""The same functions in another gear: bound anew to other primitives, as they are or compiled."""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

Names = dict[str, Any]


def bind(names: Mapping[str, Any], wrap: Callable[[FunctionType], Any] = lambda function: function) -> Names:
    """Names of one another: every plain function among them looks up its global names here, and goes through `wrap`."""
    bound: Names = dict(names)
    for name, value in names.items():
        if isinstance(value, FunctionType):
            bound[name] = wrap(FunctionType(value.__code__, bound, value.__name__, value.__defaults__))
    return bound
