"""The compiled gear: Numba on 64-bit integers, for boards of up to 63 cells."""

from hashlib import sha256
from types import FunctionType
from typing import Any

import numba
from numba.core import types
from numba.extending import intrinsic

from quintet.gears import Names, bind

MOST_CELLS = 63


@intrinsic
def popcount(context: Any, cells: Any) -> Any:
    """How many cells a set has: one instruction of the processor."""
    return types.int64(types.int64), lambda _, builder, __, args: builder.ctpop(args[0])


def compile_names(names: Names, entry: str, label: str) -> Names:
    """The functions compiled. The entry, which has all others in it, is kept on disk for each label and wording."""
    functions = [value for value in names.values() if isinstance(value, FunctionType)]
    constants = sorted((name, repr(value)) for name, value in names.items() if name.isupper())
    wording = repr([(f.__code__.co_code, f.__code__.co_consts, f.__code__.co_names) for f in functions] + constants)
    digest = sha256(wording.encode()).hexdigest()[:16]

    def wrap(function: FunctionType) -> Any:
        # Numba names its cache files after the qualified name and watches one source file only.
        function.__qualname__ = f"{function.__name__}-{label}-{digest}"
        return numba.njit(function, cache=function.__name__ == entry, nogil=True)

    # What is read back from the cache is given a home in this module.
    return bind(names | {"popcount": popcount, "__name__": __name__}, wrap)
