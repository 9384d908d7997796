"""The compiled gear: Numba on 64-bit integers, for boards of up to 63 cells."""

import logging
import pickle
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba.core import cgutils, types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.extending import intrinsic

from quintet.gears import Names, bind, digest, reachable

log = logging.getLogger("quintet")


class CheckedFiles(IndexDataCacheFile):
    """Numba's cache files; the machine code is written with its checksum, and read only if that is right."""

    def _save_data(self, name: str, data: object) -> None:
        code = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(sha256(code).digest() + code)

    def _load_data(self, name: str) -> object:
        data = Path(self._data_path(name)).read_bytes()
        checksum, code = data[:32], data[32:]
        if sha256(code).digest() != checksum:
            raise ValueError("the machine code is damaged")
        return pickle.loads(code)


class CheckedCache(FunctionCache):
    """Numba's cache of a function. Whatever is wrong with its files, the function is compiled again."""

    def __init__(self, function: FunctionType) -> None:
        """Use the files that Numba would use."""
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = CheckedFiles(self._cache_path, self._impl.filename_base, stamp)

    def _load_overload(self, signature: object, context: object) -> object:
        try:
            return super()._load_overload(signature, context)
        except Exception:  # Bytes that somebody or something has changed can raise anything.
            log.warning("quintet: saved machine code in %s is damaged; compiling again", self._cache_path)
            return None

    def _save_overload(self, signature: object, compiled: object) -> None:
        try:
            super()._save_overload(signature, compiled)
        except Exception:  # A damaged index, or a full disk.
            try:
                self.flush()
                super()._save_overload(signature, compiled)
            except OSError:
                pass  # It is compiled, and that is enough.


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
        # Numba names its cache files after the qualified name and watches one source file only. Files without a
        # checksum, which earlier versions wrote, have another name.
        function.__qualname__ = f"{function.__name__}-{label}-{wording}-checked"
        compiled: Any = numba.njit(function, nogil=True, forceinline=flat)
        if function.__name__ in entries:
            compiled._cache = CheckedCache(function)
        return compiled

    # What is read back from the cache is looked for in this module.
    return bind(used | PRIMITIVES | {"__name__": __name__}, wrap)
