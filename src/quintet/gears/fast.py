"""The compiled gear: Numba on 64-bit integers, for boards of up to 63 cells."""

from types import FunctionType
from typing import Any

import numba
from numba.core import cgutils, types
from numba.extending import intrinsic

from quintet.gears import Names, bind, digest, reachable


@intrinsic
def popcount(context: object, cells: object) -> tuple[object, object]:
    """How many cells a set has: one instruction of the processor."""
    return types.int64(types.int64), lambda _, builder, __, args: builder.ctpop(args[0])


def _word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of a word of an array."""
    kind = signature.args[0]
    array = context.make_array(kind)(context, builder, args[0])
    return cgutils.get_item_pointer(context, builder, kind, array, [args[1]], wraparound=False, boundscheck=False)


@intrinsic
def load_word(context: object, words: types.Type, at: types.Type) -> tuple[object, object]:
    """A word that other threads may be writing; what is read after it is read later."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_word(context, builder, signature, args), "acquire", 8)

    return types.int64(words, types.int64), build


@intrinsic
def store_word(context: object, words: types.Type, at: types.Type, word: types.Type) -> tuple[object, object]:
    """Write a word that other threads may be reading; what was written before it is seen before it."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _word(context, builder, signature, args), "release", 8)
        return context.get_dummy_value()

    return types.void(words, types.int64, types.int64), build


@intrinsic
def swap_word(
    context: object, words: types.Type, at: types.Type, old: types.Type, new: types.Type
) -> tuple[object, object]:
    """Write a word if it is still the old one; whether it was."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _word(context, builder, signature, args)
        return builder.extract_value(builder.cmpxchg(address, args[2], args[3], "acq_rel", "acquire"), 1)

    return types.boolean(words, types.int64, types.int64, types.int64), build


PRIMITIVES = {"popcount": popcount, "load_word": load_word, "store_word": store_word, "swap_word": swap_word}
"""What takes the place of the plain functions of these names."""


def compile_names(names: Names, *entries: str, label: str, flat: bool = False) -> Names:
    """The entries compiled, with all that they use; their machine code is saved on disk under the label and their text.

    Made `flat`, the loops of an entry call nothing and can run on several lanes of the processor at once.
    """
    used = reachable(names, *entries)
    wording = digest(used)

    def wrap(function: FunctionType) -> object:
        # Numba names its cache files after the qualified name and watches one source file only.
        function.__qualname__ = f"{function.__name__}-{label}-{wording}"
        return numba.njit(function, cache=function.__name__ in entries, nogil=True, forceinline=flat)

    # What is read back from the cache is looked for in this module.
    return bind(used | PRIMITIVES | {"__name__": __name__}, wrap)
