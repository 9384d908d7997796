"""The compiled gear: Numba on 64-bit integers, for boards of up to 63 cells."""

from types import FunctionType

import numba
from numba.core import types
from numba.extending import intrinsic

from quintet.gears import Names, bind, digest, reachable


@intrinsic
def popcount(context: object, cells: object) -> tuple[object, object]:
    """How many cells a set has: one instruction of the processor."""
    return types.int64(types.int64), lambda _, builder, __, args: builder.ctpop(args[0])


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
    return bind(used | {"popcount": popcount, "__name__": __name__}, wrap)
