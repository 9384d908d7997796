"""Less overhead in a run of many games: garbage collection runs rarely, and Inspect's tracing is off."""

import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai._util.constants import TRACE

GC_THRESHOLD = 2_000_000
"""New objects between two garbage collections: about 150 MB if all of them are garbage."""


@contextmanager
def reduced_overhead() -> Iterator[None]:
    """Collect garbage rarely and disable Inspect's tracing; both cost time at every answer of a model.

    Logs grow and stay in memory, so that scanning them for garbage takes a third of the time. Inspect traces each of
    its own steps to a file, unless the user has set a log level.
    """
    thresholds, disabled = gc.get_threshold(), logging.root.manager.disable
    frozen = gc.get_freeze_count()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, *thresholds[1:])
    if not {"INSPECT_TRACE_LEVEL", "INSPECT_LOG_LEVEL"} & os.environ.keys():
        logging.disable(TRACE)
    try:
        yield
    finally:
        logging.disable(disabled)
        gc.set_threshold(*thresholds)
        if not frozen:  # Otherwise a caller froze them first.
            gc.unfreeze()
