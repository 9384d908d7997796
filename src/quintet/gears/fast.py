"""The compiled gear: Numba on 64-bit integers, for boards of up to 63 cells."""

from types import FunctionType
from typing import Any

import numba
from numba.core import types
from numba.extending import intrinsic

from quintet.gears import Names, bind, digest


@intrinsic
def popcount(context: Any, cells: Any) -> Any:
    """How many cells a set has: one instruction of the processor."""
    return types.int64(types.int64), lambda _, builder, __, args: builder.ctpop(args[0])


def compile_names(names: Names, entry: str, label: str, flat: bool = False) -> Names:
    """The functions compiled. The entry, which has all others in it, is kept on disk for each label and wording.

    Made `flat`, the entry's loops call nothing and can run on several lanes of the processor at once.
    """
    wording = digest(names)

    def wrap(function: FunctionType) -> Any:
        # Numba names its cache files after the qualified name and watches one source file only.
        function.__qualname__ = f"{function.__name__}-{label}-{wording}"
        return numba.njit(function, cache=function.__name__ == entry, nogil=True, forceinline=flat)

    # What is read back from the cache is given a home in this module.
    return bind(names | {"popcount": popcount, "__name__": __name__}, wrap)
